// This file measures what a recording costs, as the difference to events that record nothing.

package stats_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/stats"
)

// hopper is the state of a model like PHOLD: its LPs pass events on.
type hopper struct {
	Hops    int64
	Tally   stats.Tally
	Level   stats.Level
	Counter stats.Counter
	Bins    stats.Histogram
	Series  stats.Series
}

type hop struct{ X float64 }

func BenchmarkRecord(b *testing.B) {
	for _, bench := range []struct {
		name   string
		record func(s *hopper, lp *ross.LP)
	}{
		{"none", nil},
		{"counter", func(s *hopper, lp *ross.LP) { s.Counter.Inc(lp) }},
		{"tally", func(s *hopper, lp *ross.LP) { s.Tally.Add(lp, lp.Now()) }},
		{"level", func(s *hopper, lp *ross.LP) { s.Level.Set(lp, float64(s.Hops&7)) }},
		{"histogram", func(s *hopper, lp *ross.LP) { s.Bins.Add(lp, lp.Now()) }},
		{"series", func(s *hopper, lp *ross.LP) { s.Series.Add(lp, 1) }},
		{"10tallies", func(s *hopper, lp *ross.LP) {
			for range 10 {
				s.Tally.Add(lp, lp.Now())
			}
		}},
	} {
		for _, synch := range []ross.Scheduler{ross.Sequential, ross.Optimistic} {
			b.Run(fmt.Sprintf("kind=%s/synch=%d", bench.name, synch), func(b *testing.B) {
				const lps = 256
				cfg := ross.DefaultConfig()
				cfg.Synch, cfg.NLP = synch, lps
				cfg.End = float64(b.N) / lps
				sim, err := ross.New(cfg)
				require.NoError(b, err)
				defer sim.Close()
				record := bench.record
				require.NoError(b, sim.Define(ross.Type[hopper, hop]{
					Init: func(_ *hopper, lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), hop{}) },
					Event: func(s *hopper, lp *ross.LP, _ *ross.Bits, m *hop) {
						s.Hops++
						if record != nil {
							record(s, lp)
						}
						ross.Send(lp, ross.LPID(lp.RNG().Integer(0, lps-1)), lp.RNG().Exponential(1), *m)
					},
					Reverse: func(s *hopper, _ *ross.LP, _ *ross.Bits, _ *hop) { s.Hops-- },
				}))
				b.ResetTimer()
				require.NoError(b, sim.Run(b.Context()))
			})
		}
	}
}
