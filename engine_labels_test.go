// This file pins the files that name the LPs: beside the instrumentation and beside checkpoints,
// written by rank 0 for the LPs of all ranks.

package ross

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/world/worldtest"
)

// routersAndHosts is a model of four LPs, of which even ones are routers with labels and odd ones hosts
// without. Each LP sends itself events.
func routersAndHosts(label func(LPID) string) (types []LPType, typeOf func(LPID) int) {
	for i, name := range []string{"router", "host"} {
		typ := Type[struct{ N uint64 }, struct{ N uint64 }]{Name: name}
		typ.Init = func(_ *struct{ N uint64 }, lp *LP) { Send(lp, lp.ID(), 1, struct{ N uint64 }{}) }
		typ.Event = func(s *struct{ N uint64 }, lp *LP, _ *Bits, m *struct{ N uint64 }) {
			s.N++
			Send(lp, lp.ID(), 1, *m)
		}
		if i == 0 {
			typ.Label = label
		}
		types = append(types, typ)
	}
	return types, func(id LPID) int { return int(id % 2) }
}

// namesIn returns the texts of the files of labels in the folders of a run of four LPs on ranks; ""
// stands for no file.
func namesIn(t *testing.T, ranks int, label func(LPID) string, set func(*Config)) (trace, checkpoint string) {
	dir := t.TempDir()
	types, typeOf := routersAndHosts(label)
	sims, errs := runOnRanks(t, worldtest.New(ranks, 1, 20), ranks, func(_ int, cfg *Config) {
		cfg.Synch, cfg.PEs, cfg.TotalLPs, cfg.End, cfg.MaxMemory = Optimistic, 1, 4, 10, 64<<20
		cfg.TypeMap = typeOf
		cfg.EventTrace, cfg.StatsPath, cfg.StatsPrefix = 3, filepath.Join(dir, "stats"), "run"
		cfg.IOName, cfg.IOVirtualInterval = filepath.Join(dir, "run"), 1000
		set(cfg)
	}, types...)
	var over sync.WaitGroup
	for rank, sim := range sims {
		require.NoError(t, errs[rank])
		over.Go(func() { errs[rank] = sim.StoreCheckpoint(filepath.Join(dir, "cp"), ByFormula) })
	}
	over.Wait()
	read := func(file string) string {
		text, err := os.ReadFile(filepath.Join(dir, file))
		require.True(t, err == nil || os.IsNotExist(err), "%v", err)
		return string(text)
	}
	for _, err := range errs {
		require.NoError(t, err)
	}
	return read("stats/run-labels.csv"), read("cp.rio-labels")
}

func TestFilesNameTheLPsOfAllRanks(t *testing.T) {
	const want = "id,label\n0,\"router (0,0)\"\n2,\"router (1,0)\"\n"
	label := func(id LPID) string { return fmt.Sprintf("router (%d,%d)", id/2, id%2) }
	for _, ranks := range []int{1, 2} {
		trace, checkpoint := namesIn(t, ranks, label, func(*Config) {})
		require.Equal(t, want, trace, "%d ranks", ranks)
		require.Equal(t, want, checkpoint, "%d ranks", ranks)
	}
}

func TestFilesOfModelsWithoutLabelsHaveNone(t *testing.T) {
	trace, checkpoint := namesIn(t, 1, nil, func(*Config) {})
	require.Empty(t, trace)
	require.Empty(t, checkpoint)
}

func TestDisabledOutputHasNoLabels(t *testing.T) {
	trace, _ := namesIn(t, 1, func(LPID) string { return "a" }, func(cfg *Config) { cfg.DisableOutput = 1 })
	require.Empty(t, trace)
}

func TestALabelThatPanicsIsLeftOutOfFiles(t *testing.T) {
	trace, checkpoint := namesIn(t, 1, func(id LPID) string {
		if id == 0 {
			panic("no name")
		}
		return "the other"
	}, func(*Config) {})
	require.Equal(t, "id,label\n2,the other\n", trace)
	require.Equal(t, trace, checkpoint)
}

func TestASimulationThatNeverRanLeavesNoLabels(t *testing.T) {
	cfg := DefaultConfig()
	cfg.NLP, cfg.End, cfg.MaxMemory, cfg.EventTrace, cfg.StatsPath = 4, 10, 64<<20, 3, filepath.Join(t.TempDir(), "stats")
	types, typeOf := routersAndHosts(func(LPID) string { return "a" })
	cfg.TypeMap = typeOf
	sim, err := New(cfg)
	require.NoError(t, err)
	require.NoError(t, sim.Define(types...))
	require.NoError(t, sim.Close())
	found, err := os.ReadDir(cfg.StatsPath)
	require.NoError(t, err)
	require.Empty(t, found)
}
