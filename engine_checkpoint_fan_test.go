// This file pins checkpoints of events that have tie-breakers in common: all that one event sent
// without delay, to LPs of any PE, with other events of that time in between.

package ross

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/mapping"
)

const (
	fanLPs = 5
	fanEnd = 6
)

// twig is a message: a trunk goes on at the next whole time, and each sends twigs without delay.
// Trunks, which have one tie-breaker, are handled in between the twigs of others.
type twig struct {
	Left  uint64 // generations of twigs that may follow
	Class uint8  // index into classes
	Trunk bool
}

// fan has each event send several events without delay, of its priority or a lower one, so that
// hundreds with common tie-breakers are pending at once.
func fan(then func(lp *LP)) Type[uint64, twig] {
	return Type[uint64, twig]{
		Name: "fan", Saving: SaveByLog,
		Init: func(_ *uint64, lp *LP) { SendPriority(lp, lp.ID(), 1, classes[0], twig{Left: 3, Trunk: true}) },
		Event: func(s *uint64, lp *LP, _ *Bits, m *twig) {
			Save(lp, s)
			*s += uint64(m.Class) + 1
			r := lp.RNG()
			anyone := func() LPID { return LPID(r.Integer(0, fanLPs-1)) }
			if m.Left > 0 {
				for range r.Integer(1, 3) {
					class := uint8(r.Integer(int64(m.Class), int64(lastClass)))
					SendPriority(lp, anyone(), 0, classes[class], twig{Left: m.Left - 1, Class: class})
				}
			}
			if m.Trunk {
				class := uint8(r.Integer(0, int64(lastClass)))
				SendPriority(lp, anyone(), 1, classes[class], twig{Left: 3, Class: class, Trunk: true})
			}
			then(lp)
		},
	}
}

// TestTieBreakersInCommonSurviveARestart stops a run after each of its first events, stores it there,
// and goes on with other PEs and KPs, so that each PE skips events that others take.
func TestTieBreakersInCommonSurviveARestart(t *testing.T) {
	modeltest.Watch(t)
	spread := func(pes, nkp int) func(*Config) {
		return func(c *Config) {
			c.TotalLPs, c.NLP, c.End, c.NKP = fanLPs, 1, fanEnd, uint64(nkp)
			if c.Mapping = mapping.RoundRobin; pes > 1 {
				c.Synch, c.PEs = 3, pes
			}
		}
	}
	never := func(*LP) {}
	want, sims := runLeg(t, leg{configure: spread(1, 1)}, fan(never))
	events := int(sims[0].Stats().NetEvents())
	require.Greater(t, events, 200)
	for at := 1; at < 200; at += testlevel.Times(1, 5) {
		t.Run(fmt.Sprint(at), func(t *testing.T) { // which closes the runs
			cp, handled := filepath.Join(t.TempDir(), "fan"), 0
			_, sims := runLeg(t, leg{to: cp, configure: spread(1, []int{1, 2, fanLPs}[at%3])}, fan(func(lp *LP) {
				if handled++; handled == at {
					lp.Stop()
				}
			}))
			require.EqualValues(t, at, sims[0].Stats().NetEvents())
			got, _ := runLeg(t, leg{from: cp, mode: LoadInit, configure: spread([]int{2, 1, 3}[at%3], 2)}, fan(never))
			require.Equal(t, want, got)
		})
	}
}
