// This file pins checkpoints of events that have tie-breakers in common: all that one event sent
// without delay, to LPs of any PE, with other events of that time in between.

package ross

import (
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/mapping"
)

const (
	fanLPs = 16
	fanEnd = 4
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
func fan(commit func()) Type[uint64, twig] {
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
		},
		Commit: func(*uint64, *LP, *Bits, *twig) { commit() },
	}
}

// TestTieBreakersInCommonSurviveARestart stops runs amid the events of one time, stores them there,
// and goes on with other PEs and KPs, so that each PE skips events that others take.
func TestTieBreakersInCommonSurviveARestart(t *testing.T) {
	spread := func(pes, nkp int, kind mapping.Kind) func(*Config) {
		return func(c *Config) {
			if c.NLP, c.End, c.NKP, c.Mapping = fanLPs/uint64(pes), fanEnd, uint64(nkp), kind; pes > 1 {
				c.Synch, c.PEs = 3, pes
			}
		}
	}
	nothing := func() {}
	want, _ := runLeg(t, leg{configure: spread(1, 1, mapping.Linear)}, fan(nothing))
	for _, at := range []int64{40, 150, 400, 700} {
		for _, c := range []struct {
			name         string
			store, again func(*Config)
		}{
			{"of a PE, by four", spread(1, 1, mapping.Linear), spread(4, 2, mapping.RoundRobin)},
			{"of a PE with 16 KPs, by one", spread(1, 16, mapping.Linear), spread(1, 3, mapping.Linear)},
			{"of two PEs, by four", spread(2, 2, mapping.Linear), spread(4, 4, mapping.RoundRobin)},
		} {
			t.Run(fmt.Sprintf("%d/%s", at, c.name), func(t *testing.T) {
				modeltest.Watch(t)
				prefix := filepath.Join(t.TempDir(), "fan")
				ctx, stop := context.WithCancel(context.Background())
				defer stop()
				var commits atomic.Int64
				_, sims := runLeg(t, leg{stop: ctx, configure: func(cfg *Config) {
					c.store(cfg)
					cfg.IOName, cfg.IOOnExit, cfg.GVTInterval, cfg.Batch = prefix, true, 1, 8
				}}, fan(func() {
					if commits.Add(1) == at {
						stop()
					}
				}))
				first := sims[0].Stats().NetEvents()
				got, _ := runLeg(t, leg{configure: func(cfg *Config) {
					c.again(cfg)
					cfg.IOName, cfg.IORestart = prefix, "latest"
				}}, fan(nothing))
				require.Equal(t, want, got, "stored after %d events", first)
			})
		}
	}
}
