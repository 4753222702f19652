// This file pins that a run that its context stops shows and writes statistics as far as it came.

package stats_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/rosstest"
	"github.com/ross-go/ross/stats"
)

// runUntilStopped runs a model without an end in which an event calls stop.
func runUntilStopped(t *testing.T, synch ross.Scheduler, pes int, stop func(cancel context.CancelFunc, lp *ross.LP)) (sim *ross.Simulation, report, dir string, err error) {
	cfg := shopping(synch, pes, 2, 0)
	cfg.End, cfg.Statistics, cfg.StatsPath = 1e15, 3, filepath.Join(t.TempDir(), "statistics")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	sim, text := rosstest.Define(t, cfg, ticking(func(s *ticker, lp *ross.LP) {
		s.Count.Inc(lp)
		if lp.ID() == 0 && lp.Now() >= 100 {
			stop(cancel, lp)
		}
	}, nil))
	err = sim.Run(ctx)
	return sim, text.String(), cfg.StatsPath, err
}

func TestAStoppedRunKeepsItsStatistics(t *testing.T) {
	for _, c := range []struct {
		synch ross.Scheduler
		pes   int
	}{{ross.Sequential, 1}, {ross.Conservative, 2}, {ross.Optimistic, 1}, {ross.Optimistic, 2}, {ross.OptimisticRealTime, 2}, {ross.RollbackCheck, 1}, {ross.Auto, 2}} {
		t.Run(fmt.Sprintf("synch=%d/pes=%d", c.synch, c.pes), func(t *testing.T) {
			sim, report, dir, err := runUntilStopped(t, c.synch, c.pes, func(cancel context.CancelFunc, _ *ross.LP) { cancel() })
			require.ErrorIs(t, err, context.Canceled)
			table, err := stats.Collect(sim)
			require.NoError(t, err)
			row, ok := table.Row("ticker", "Count")
			require.True(t, ok)
			st := sim.Stats()
			require.EqualValues(t, st.NetEvents(), row.Count, "each event counts one")
			require.Positive(t, row.Count)
			require.Contains(t, report, fmt.Sprintf("Statistics from time 0 to %g\n", table.Until()))
			require.Contains(t, report, fmt.Sprint(row.Count))

			text, err := os.ReadFile(filepath.Join(dir, "ross-stats-statistics.json"))
			require.NoError(t, err)
			var written struct{ Until float64 }
			require.NoError(t, json.Unmarshal(text, &written))
			require.Equal(t, table.Until(), written.Until)
			text, err = os.ReadFile(filepath.Join(dir, "ross-stats-statistics.csv"))
			require.NoError(t, err)
			require.Contains(t, string(text), fmt.Sprint("ticker,Count,,counter,", row.LPs, ",", row.Count, ","))
		})
	}
}

// TestAMistakeLeavesNoStatistics has a run fail: what was committed may be wrong.
func TestAMistakeLeavesNoStatistics(t *testing.T) {
	for _, synch := range []ross.Scheduler{ross.Sequential, ross.Optimistic} {
		_, report, dir, err := runUntilStopped(t, synch, 1, func(cancel context.CancelFunc, lp *ross.LP) {
			ross.Send(lp, lp.ID(), -1, job{})
			if synch == ross.Sequential { // an optimistic run may stop before this event is committed
				cancel()
			}
		})
		require.ErrorIs(t, err, ross.ErrDelay)
		require.NotContains(t, report, "Statistics from")
		require.NoFileExists(t, filepath.Join(dir, "ross-stats-statistics.json"))
	}
}
