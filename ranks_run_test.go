// Runs of several ranks, as goroutines of one process: the same digest as one rank,
// whatever is late.

package ross

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/world/worldtest"
)

// runRanks runs a load on n ranks, and returns what came of it on each.
func (l *load) runRanks(t testing.TB, c *worldtest.Cluster, n int, configure func(*Config)) (sims []*Simulation, errs []error) {
	t.Helper()
	sims, errs = make([]*Simulation, n), make([]error, n)
	var over sync.WaitGroup
	for rank := range n {
		over.Go(func() {
			cfg := DefaultConfig()
			cfg.End, cfg.Digest = l.end, true
			cfg.MaxMemory = 256 << 20
			configure(&cfg)
			cfg.NLP = loadLPs / uint64(n*cfg.PEs)
			cfg.world = c.Rank(rank)
			sim, err := New(cfg)
			if err == nil {
				err = sim.Define(l.lpType())
			}
			if err == nil {
				err = sim.Run(context.Background())
			}
			sims[rank], errs[rank] = sim, err
		})
	}
	over.Wait()
	return sims, errs
}

func TestRanksCommitWhatOneCommits(t *testing.T) {
	for name, make := range loads {
		for _, ranks := range []int{2, 4} {
			for _, pes := range []int{1, 2} {
				for _, synch := range []int{2, 3, 5} {
					t.Run(fmt.Sprintf("%s/ranks=%d/pes=%d/synch=%d", name, ranks, pes, synch), func(t *testing.T) {
						l := make()
						if synch == 2 && l.tied { // without lookahead each event takes a GVT
							l.end = 1
						}
						want := l.digest(t, nil)
						seed := rand.Uint64()
						t.Logf("seed %d", seed)
						watch(t)
						sims, errs := l.runRanks(t, worldtest.New(ranks, seed, 30), ranks, func(c *Config) {
							c.PEs, c.Synch, c.NKP = pes, synch, 4
							c.ConsLookahead = map[string]float64{"spread": 0.1, "tied": 0}[name]
						})
						for rank, err := range errs {
							require.NoError(t, err)
							require.Equal(t, want, *sims[rank].stats.Digest, "%d %d %+v", rank, sims[rank].stats.NetEvents(), sims[rank].stats)
						}
						requireNoLeak(t, sims...)
					})
				}
			}
		}
	}
}
