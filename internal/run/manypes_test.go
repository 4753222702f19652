// Many more PEs than processors: what there is for each pair of them must stay small.

//go:build !race && !asan && !invariants

package run_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/modeltest"
)

// runManyTypes runs hungry on a number of PEs with an LP each, and returns the bytes that Go has
// allocated since the start.
func runManyTypes(t *testing.T, synch, pes int, impl string) (digest, bytes uint64) {
	t.Helper()
	const lps = 1000
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP, cfg.End, cfg.Digest, cfg.PQ = ross.Scheduler(synch), pes, uint64(lps/pes), 1, 1, true, impl
	cfg.MaxMemory = 4 << 30
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(hungry(lps, 2)))
	require.NoError(t, sim.Run(context.Background()))
	runtime.ReadMemStats(&after)
	requireNoLeak(t, sim)
	return *runOf(sim).Stats.Digest, after.TotalAlloc - before.TotalAlloc
}

func TestAThousandPEsCommitWhatOneDoes(t *testing.T) {
	want, _ := runManyTypes(t, 1, 1, "")
	for _, c := range []struct {
		pes  int
		impl string
	}{{250, ""}, {250, "go"}, {1000, ""}} {
		t.Run(fmt.Sprintf("pes=%d/pq=%s", c.pes, c.impl), func(t *testing.T) {
			modeltest.Watch(t)
			got, bytes := runManyTypes(t, 3, c.pes, c.impl)
			require.Equal(t, want, got)
			require.Less(t, bytes, uint64(c.pes)*500_000, "each pair of PEs takes much memory")
		})
	}
}
