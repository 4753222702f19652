// This file pins that recordings count however much an event saves between them.

package stats_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/stats"
)

// hoarder is a state of which an event may save more than there is between most recordings.
type hoarder struct {
	Sum   uint64
	Large [17 << 20]byte
	Tally stats.Tally
	Level stats.Level
}

// hoard has an event save the large field before its first recording and before the second one.
type hoard struct{ Before, Between uint8 }

func TestRecordingsMayBeFarApart(t *testing.T) {
	testlevel.Once(t, "saves 200 MB")
	run := func(synch ross.Scheduler) string {
		cfg := ross.DefaultConfig()
		cfg.Synch, cfg.NLP, cfg.NKP, cfg.Batch, cfg.GVTInterval, cfg.End, cfg.MaxMemory = synch, 1, 1, 1, 1, 100, 2<<30
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		defer sim.Close()
		require.NoError(t, sim.Define(ross.Type[hoarder, hoard]{
			Saving: ross.SaveByLog,
			Init: func(_ *hoarder, lp *ross.LP) {
				for i, m := range []hoard{{0, 0}, {1, 0}, {0, 1}, {8, 1}, {0, 0}} {
					ross.Send(lp, lp.ID(), float64(1+i), m)
				}
			},
			Event: func(s *hoarder, lp *ross.LP, _ *ross.Bits, m *hoard) {
				save := func(times uint8) {
					for range times {
						ross.Save(lp, &s.Large)
					}
				}
				save(m.Before)
				s.Tally.Add(lp, lp.Now())
				s.Level.Add(lp, 1)
				save(m.Between)
				s.Tally.Add(lp, 10*lp.Now())
				s.Level.Set(lp, lp.Now())
				*ross.Write(lp, &s.Sum)++
			},
		}))
		require.NoError(t, sim.Run(t.Context()))
		table, err := stats.Collect(sim)
		require.NoError(t, err)
		var text strings.Builder
		require.NoError(t, table.WriteCSV(&text))
		return text.String()
	}
	want := run(ross.Sequential)
	require.Contains(t, want, "Tally,,tally,1,10,165,")
	require.Equal(t, want, run(ross.Optimistic))
}
