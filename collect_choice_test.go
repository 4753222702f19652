// What is left out of the files of the instrumentation, and what they are called.

package ross

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/effort"
)

func TestEventsOfUntracedTypesAreInNoTrace(t *testing.T) {
	effort.Once(t, "what is in a file")
	type state struct{ Handled uint64 }
	for _, c := range []struct {
		synch, pes int
		kind       TraceKind
	}{{1, 1, TraceAll}, {2, 2, TraceCommitted}, {3, 2, TraceAll}, {3, 2, TraceRollbacks}, {3, 2, TraceCommitted}, {6, 1, TraceCommitted}} {
		watch(t)
		cfg := DefaultConfig()
		cfg.NLP, cfg.End, cfg.Synch, cfg.ConsLookahead, cfg.GVTInterval, cfg.Batch = 16, 30, Scheduler(c.synch), 0.1, 4, 4
		onPEs(c.pes)(&cfg)
		cfg.Synch, cfg.EventTrace, cfg.StatsPath = Scheduler(c.synch), int(c.kind), filepath.Join(t.TempDir(), "stats")
		cfg.TypeMap = func(lp LPID) int { return int(lp) % 2 }
		sim, err := New(cfg)
		require.NoError(t, err)
		silent := Type[state, loadMsg]{
			Name: "silent", Untraced: true, Saving: SaveByDelta,
			Init: func(_ *state, lp *LP) { Send(lp, lp.ID(), 0.1+lp.RNG().Unif(), loadMsg{}) },
			Event: func(s *state, lp *LP, _ *Bits, _ *loadMsg) {
				s.Handled++
				Send(lp, LPID(lp.RNG().Integer(0, 15)), 0.1+lp.RNG().Unif(), loadMsg{})
			},
		}
		heard := silent
		heard.Name, heard.Untraced = "heard", false
		require.NoError(t, sim.Define(silent, heard))
		require.NoError(t, sim.Run(t.Context()))
		all := records(t, cfg.StatsPath, instr.TraceSuffix)
		of := map[uint32]uint64{}
		for _, r := range all {
			require.EqualValues(t, 1, r.Event.Dest%2, "%+v", c)
			of[r.Event.Dest]++
		}
		for id := range LPID(16) {
			if n := StateOf[state](sim.LP(id)).Handled; id%2 == 1 && c.kind == TraceCommitted {
				require.EqualValues(t, n, of[uint32(id)], "%+v: LP %d", c, id)
			} else if id%2 == 1 && c.kind == TraceAll {
				require.GreaterOrEqual(t, of[uint32(id)], n, "%+v: LP %d", c, id)
			}
		}
		require.NoError(t, sim.Close())
	}
}

func TestStatsPrefixBeginsTheNamesOfAllFiles(t *testing.T) {
	for _, word := range []string{"--stats-prefix=", "--stats-filename="} {
		dir := filepath.Join(t.TempDir(), "stats")
		collected(t, dir, func(c *Config) {
			o := NewOptions("prefix")
			c.Register(o)
			_, err := o.Parse([]string{word + "run 7", "--engine-stats=4", "--model-stats=1", "--rt-interval=1", "--vt-interval=1", "--end=1"})
			require.NoError(t, err)
		})
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		require.Equal(t, []string{"run 7-analysis-lps.bin", "run 7-evtrace.bin", "run 7-gvt.bin", "run 7-model.bin", "run 7-rt.bin"}, names)
		r, err := instr.Open(filepath.Join(dir, "run 7-gvt.bin"))
		require.NoError(t, err)
		require.Equal(t, instr.GVTFile, r.Content())
		require.NoError(t, r.Close())
	}
}

func TestEachLevelOfSamplesCanBeLeftOut(t *testing.T) {
	for _, c := range []struct {
		pe, kp, lp int
		want       []instr.Kind
	}{
		{1, 0, 0, []instr.Kind{instr.KindPE}},
		{0, 1, 0, []instr.Kind{instr.KindKP}},
		{0, 0, 1, []instr.Kind{instr.KindLP}},
		{0, 1, 1, []instr.Kind{instr.KindKP, instr.KindLP}},
		{0, 0, 0, nil},
	} {
		dir := filepath.Join(t.TempDir(), "stats")
		report, sim := collected(t, dir, func(cfg *Config) {
			cfg.EventTrace, cfg.EngineStats, cfg.End, cfg.VTInterval = 0, sampleAll, 1, 0.5
			cfg.PEData, cfg.KPData, cfg.LPData = c.pe, c.kp, c.lp
		})
		require.NotContains(t, report, "missed")
		for _, suffix := range []string{instr.GVTSuffix, instr.RTSuffix, instr.VTSuffix} {
			processed, seen := map[instr.Kind]uint64{}, map[instr.Kind]bool{}
			for _, r := range records(t, dir, suffix) {
				seen[r.Kind] = true
				processed[r.Kind] += uint64(map[instr.Kind]uint32{instr.KindPE: r.PE.Processed, instr.KindKP: r.KP.Processed, instr.KindLP: r.LP.Processed}[r.Kind])
			}
			require.Len(t, seen, len(c.want), "%+v %s", c, suffix)
			for _, kind := range c.want {
				require.Equal(t, sim.Stats().EventsProcessed, processed[kind], "%+v %s %v", c, suffix, kind)
			}
		}
	}
}
