// This file pins what the event trace of a parallel run holds.

package ross

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/tracetest"
	"github.com/ross-go/ross/report"
)

// traced runs the spread load with a trace, and returns its records and figures.
func traced(t *testing.T, what int, configure func(*Config)) ([]tracetest.Record, report.Stats) {
	t.Helper()
	cfg := DefaultConfig()
	cfg.NLP, cfg.End, cfg.EventTrace, cfg.StatsPath = loadLPs, 3, what, filepath.Join(t.TempDir(), "trace")
	configure(&cfg)
	sim, err := New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(spreadLoad().lpType()))
	require.NoError(t, sim.Run(t.Context()))
	got, err := tracetest.ReadBinary(filepath.Join(cfg.StatsPath, "ross-stats-evtrace.bin"), nil)
	require.NoError(t, err)
	return got, sim.Stats()
}

func TestTraceOfAParallelRun(t *testing.T) {
	want, _ := traced(t, int(TraceCommitted), func(*Config) {})
	want = tracetest.ByDest(want)
	for _, pes := range []int{1, 2, 4} {
		set := func(c *Config) {
			onPEs(pes)(c)
			c.Synch, c.knobs.disturb = 3, harass(t, pes, 0.3)
		}
		t.Run(fmt.Sprintf("%d PEs/committed events", pes), func(t *testing.T) {
			modeltest.Watch(t)
			got, _ := traced(t, int(TraceCommitted), set)
			require.NoError(t, tracetest.Compare(tracetest.ByDest(got), want))
		})
		t.Run(fmt.Sprintf("%d PEs/all executions", pes), func(t *testing.T) {
			modeltest.Watch(t)
			got, st := traced(t, int(TraceAll), set)
			require.Len(t, got, int(st.EventsProcessed))
			require.Greater(t, len(got), len(want))
		})
		t.Run(fmt.Sprintf("%d PEs/stragglers", pes), func(t *testing.T) {
			modeltest.Watch(t)
			got, st := traced(t, int(TraceRollbacks), set)
			require.Len(t, got, int(st.PrimaryRollBacks))
		})
	}
	t.Run("conservative", func(t *testing.T) {
		modeltest.Watch(t)
		got, _ := traced(t, int(TraceAll), func(c *Config) {
			onPEs(2)(c)
			c.Synch, c.ConsLookahead = 2, 0.1
		})
		require.NoError(t, tracetest.Compare(tracetest.ByDest(got), want))
	})
}
