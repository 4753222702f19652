// This file pins that types which are not traced leave no events in a trace.

package collect_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
)

func TestEventsOfUntracedTypesAreInNoTrace(t *testing.T) {
	testlevel.Once(t, "what is in a file")
	type state struct{ Handled uint64 }
	for _, c := range []struct {
		synch, pes int
		kind       ross.TraceKind
	}{{1, 1, ross.TraceAll}, {2, 2, ross.TraceCommitted}, {3, 2, ross.TraceAll}, {3, 2, ross.TraceRollbacks}, {3, 2, ross.TraceCommitted}, {6, 1, ross.TraceCommitted}} {
		modeltest.Watch(t)
		cfg := ross.DefaultConfig()
		cfg.End, cfg.ConsLookahead, cfg.GVTInterval, cfg.Batch = 30, 0.1, 4, 4
		cfg.PEs, cfg.NLP = c.pes, 1024/uint64(c.pes)
		cfg.Synch, cfg.EventTrace, cfg.StatsPath = ross.Scheduler(c.synch), int(c.kind), filepath.Join(t.TempDir(), "stats")
		cfg.TypeMap = func(lp ross.LPID) int { return int(lp) % 2 }
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		silent := ross.Type[state, word]{
			Name: "silent", Untraced: true, Saving: ross.SaveByDelta,
			Init: func(_ *state, lp *ross.LP) { ross.Send(lp, lp.ID(), 0.1+lp.RNG().Unif(), word{}) },
			Event: func(s *state, lp *ross.LP, _ *ross.Bits, _ *word) {
				s.Handled++
				ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 15)), 0.1+lp.RNG().Unif(), word{})
			},
		}
		heard := silent
		heard.Name, heard.Untraced = "heard", false
		require.NoError(t, sim.Define(silent, heard))
		require.NoError(t, sim.Run(t.Context()))
		all := modeltest.Records(t, cfg.StatsPath, instr.TraceSuffix)
		of := map[uint32]uint64{}
		for _, r := range all {
			require.EqualValues(t, 1, r.Event.Dest%2, "%+v", c)
			of[r.Event.Dest]++
		}
		for id := range ross.LPID(16) {
			if n := ross.StateOf[state](sim.LP(id)).Handled; id%2 == 1 && c.kind == ross.TraceCommitted {
				require.EqualValues(t, n, of[uint32(id)], "%+v: LP %d", c, id)
			} else if id%2 == 1 && c.kind == ross.TraceAll {
				require.GreaterOrEqual(t, of[uint32(id)], n, "%+v: LP %d", c, id)
			}
		}
		require.NoError(t, sim.Close())
	}
}
