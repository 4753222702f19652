// This file pins that a Block which a state keeps after it was freed stays a freed one for the
// check of rollback, whoever uses its memory again.

package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/models/rosstest"
)

// attic is a state that keeps Blocks it has freed.
type attic struct {
	Stale [4]ross.Block[int64]
	Fresh ross.Block[int64]
	Inner ross.Block[ross.Block[int64]]
	Turns int64
}

const attics = 2

// hoarders returns a type whose LPs send each other events, and use each other's memory again.
func hoarders(saving ross.Saving) ross.Type[attic, word] {
	return ross.Type[attic, word]{
		Name: "attic", Saving: saving,
		Init: func(s *attic, lp *ross.LP) {
			s.Inner = ross.Alloc[ross.Block[int64]](lp, 2)
			ross.Send(lp, lp.ID(), 1, word{})
		},
		Event: func(s *attic, lp *ross.LP, _ *ross.Bits, _ *word) {
			ross.Save(lp, s)
			s.Turns++
			if old := s.Fresh; old.Len() > 0 {
				ross.Free(lp, old)
				if s.Turns%64 < 8 { // so that the use counts of an address come round again
					s.Stale[s.Turns%4] = old
				}
				in := s.Inner.Of(lp)
				ross.Save(lp, &in[s.Turns%2])
				in[s.Turns%2] = old
			}
			s.Fresh = ross.Alloc[int64](lp, 4)
			s.Fresh.Of(lp)[0] = s.Turns
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, attics-1)), lp.RNG().Exponential(1), word{})
		},
	}
}

func TestFreedBlocksInAStateAreNoDifference(t *testing.T) {
	savings := []ross.Saving{ross.SaveByDelta, ross.SaveByLog}
	for _, saving := range testlevel.Pick(savings, savings[:1], savings[:1]) {
		for _, synch := range []int{4, 6} {
			cfg := rosstest.Checking(synch)
			cfg.NLP, cfg.End = attics, 1000
			out := rosstest.Try(t, cfg, hoarders(saving))
			require.NoError(t, out.Err)
			require.Contains(t, out.Report, "Events Rolled Back and Compared")
		}
	}
}
