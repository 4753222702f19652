// What is left out of the files of the instrumentation, and what they are called.

package ross

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/settings"
)

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
		require.Equal(t, []string{"run 7-analysis-lps.bin", "run 7-evtrace.bin", "run 7-gvt.bin", "run 7-memory.bin", "run 7-model.bin", "run 7-rt.bin", instr.RunName}, names)
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
			cfg.EventTrace, cfg.EngineStats, cfg.End, cfg.VTInterval = 0, settings.SampleAll, 1, 0.5
			cfg.PEData, cfg.KPData, cfg.LPData = c.pe, c.kp, c.lp
		})
		require.NotContains(t, report, "missed")
		for _, suffix := range []string{instr.GVTSuffix, instr.RTSuffix, instr.VTSuffix} {
			processed, seen := map[instr.Kind]uint64{}, map[instr.Kind]bool{}
			for _, r := range modeltest.Records(t, dir, suffix) {
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
