// This file pins that a conservative PE handles nothing that something under way comes
// before: where times are rounded, and where Init sends to times below the lookahead.

package ross

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/internal/world/worldtest"
)

// rounded is a model of times so large that a lookahead is some units in their last place.
type rounded struct {
	begin, ahead float64
	lps          uint64
	inits        int // events that Init sends, to times from 0 on if begin is 0
	end          float64
}

type roundedState struct{ Hash uint64 }

func (m *rounded) lpType() LPType {
	return Type[roundedState, twinMsg]{
		Init: func(_ *roundedState, lp *LP) {
			for i := range m.inits {
				Send(lp, LPID((uint64(lp.ID())+uint64(i))%m.lps), m.begin+lp.RNG().Unif()*m.ahead*8, twinMsg{uint64(i)})
			}
		},
		Event: func(s *roundedState, lp *LP, _ *Bits, msg *twinMsg) {
			s.Hash = s.Hash*6364136223846793005 + msg.Value + 1
			dst := LPID(lp.RNG().Integer(0, int64(m.lps)-1))
			Send(lp, dst, m.ahead*float64(1+lp.RNG().Integer(0, 3)), twinMsg{s.Hash >> 3})
		},
	}
}

func TestConservativeRunsOfRoundedTimes(t *testing.T) {
	for _, m := range []rounded{
		{begin: 1.7e18, ahead: 384, inits: 3}, // nanoseconds since 1970: 1.5 units in the last place
		{begin: 1.7e18, ahead: 896, inits: 3},
		{begin: 1.7e18, ahead: 100, inits: 3}, // it vanishes
		{begin: 4e15, ahead: 0.75, inits: 3},
		{begin: 1e9, ahead: 0.1, inits: 3},
		{begin: 0, ahead: 1, inits: 30}, // times of Init below the lookahead
	} {
		if testlevel.Is(testlevel.Few) && m.begin > 0 {
			continue
		}
		m.lps = 12
		m.end = m.begin + 60*m.ahead
		name := fmt.Sprintf("begin=%g/ahead=%g", m.begin, m.ahead)
		run := func(ranks, pes int, set func(*Config)) uint64 {
			sims, errs := runOnRanks(t, worldtest.New(ranks, testrand.Seed(t), 10), ranks, func(_ int, c *Config) {
				c.End, c.ConsLookahead, c.Digest, c.PEs, c.NLP, c.NKP = m.end, m.ahead, true, pes, m.lps/uint64(ranks*pes), 1
				set(c)
			}, m.lpType())
			for _, err := range errs {
				require.NoError(t, err, name)
			}
			closeAll(sims)
			return *sims[0].Stats().Digest
		}
		want := run(1, 1, func(*Config) {})
		for _, i := range testlevel.Pick([]int{0, 1, 2, 3, 4, 5}, []int{0, 1, 2, 3, 4, 5}, []int{1, 5}) {
			ranks, pes := 1, 2+i%3
			if i == 5 {
				ranks, pes = 2, 1
			}
			t.Run(fmt.Sprintf("%s/%d", name, i), func(t *testing.T) {
				modeltest.Watch(t)
				require.Equal(t, want, run(ranks, pes, func(c *Config) {
					c.Synch, c.knobs.RingSize, c.Batch, c.GVTInterval = 2, 1<<(i%2*3), 1, 1
				}))
			})
		}
	}
}
