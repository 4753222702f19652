// This file pins that whoever reads a statistic has all that was recorded: sums, bins and intervals are added to in
// batches.

package stats_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/rio"
)

// requireComplete requires that a board has sums and bins of all numbers that it has counted: 1, 2, 3 and so on.
func requireComplete(t *testing.T, lp *ross.LP, when string) {
	t.Helper()
	s := ross.StateOf[board](lp)
	n := s.Count.Count()
	if n < 2 {
		return // an optimistic run that fails may have committed nothing
	}
	require.Equal(t, n, s.Histogram.Count(), when)
	require.Equal(t, float64(n+1)/2, s.Histogram.Mean(), when)
	require.InEpsilon(t, float64((n+1)/2), s.Histogram.Quantile(lp, 0.5), 1./128, when)
	for i := range s.Parts {
		require.Equal(t, float64(n+1)/2, s.Parts[i].Tally.Mean(), when)
		require.InEpsilon(t, float64(n-1)/2, s.Parts[i].Level.Mean(lp, float64(n)), 1e-15, when)
	}
}

// TestWhoReadsStatisticsHasAllRecordings has a hook that reads them, and the program after the run: after its end, and
// after a panic.
func TestWhoReadsStatisticsHasAllRecordings(t *testing.T) {
	for _, c := range [][2]int{{1, 1}, {2, 1}, {2, 2}, {3, 1}, {3, 2}, {5, 2}, {6, 1}, {int(ross.Auto), 2}} {
		for _, fails := range []bool{false, true} {
			name := fmt.Sprintf("synch=%d, %d PEs, fails: %v", c[0], c[1], fails)
			cfg := rosstest.Small()
			cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP = ross.Scheduler(c[0]), c[1], 4/c[1], 2
			cfg.End, cfg.ConsLookahead, cfg.HookTrigger = 40, 1, ross.HookAt(5.5)
			calls := make([]int, c[1])
			cfg.GVTHook = func(pe *ross.PE, _ bool) {
				calls[pe.ID()]++
				for i := range pe.NumLPs() {
					requireComplete(t, pe.LP(i), name+", in a hook")
				}
			}
			out := rosstest.Try(t, cfg, boards(func(_ *board, lp *ross.LP) {
				if fails && lp.ID() == 1 && lp.Now() == 20 {
					panic("a mistake of the model")
				}
			}, nil, nil))
			require.Equal(t, fails, out.Err != nil, "%s: %v", name, out.Err)
			require.True(t, fails || calls[0] > 0, name)
			for id := range uint64(out.TotalLPs()) {
				lp := out.LP(ross.LPID(id))
				requireComplete(t, lp, name+", after the run")
				require.True(t, fails || ross.StateOf[board](lp).Count.Count() == 39, name)
			}
		}
	}
}

// TestACheckpointHasAllRecordings stores one while a run goes on, and goes on from there.
func TestACheckpointHasAllRecordings(t *testing.T) {
	for _, c := range [][2]int{{1, 1}, {2, 1}, {2, 2}, {3, 1}, {3, 2}, {5, 2}, {int(ross.Auto), 2}} {
		prefix := filepath.Join(t.TempDir(), "cp")
		configure := func(cfg *ross.Config) {
			*cfg = rosstest.Small()
			cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP = ross.Scheduler(c[0]), c[1], 4/c[1], 2
			cfg.End, cfg.ConsLookahead, cfg.Tuning.Batch = 20, 1, 1
		}
		rosstest.RunLeg(t, rosstest.Leg{Configure: func(cfg *ross.Config) {
			configure(cfg)
			cfg.Checkpoints.VirtualInterval, cfg.Checkpoints.Name = 7.5, prefix
		}}, boards(nil, nil, nil))
		name, err := rio.Latest(prefix)
		require.NoError(t, err)
		out, err := tryFrom(t, name, ross.LoadInit, configure, boards(nil, nil, nil))
		require.NoError(t, err)
		for id := range uint64(out.TotalLPs()) {
			lp := out.LP(ross.LPID(id))
			require.EqualValues(t, 19, ross.StateOf[board](lp).Count.Count(), "%v", c)
			requireComplete(t, lp, fmt.Sprintf("%v", c))
		}
	}
}
