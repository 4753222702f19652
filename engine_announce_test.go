// What ranks announce is known to rank 0 when the run begins.

package ross

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/world/worldtest"
)

func TestRank0KnowsWhatTheOthersAnnounce(t *testing.T) {
	modeltest.Watch(t)
	const ranks = 3
	c := worldtest.New(ranks, 1, 0)
	var over sync.WaitGroup
	sims, seen := make([]*Simulation, ranks), make([][]string, ranks)
	for rank := range ranks {
		over.Go(func() {
			cfg := DefaultConfig()
			cfg.NLP, cfg.End, cfg.Synch, cfg.MaxMemory = 1, 3, Optimistic, 256<<20
			cfg.knobs.world = c.Rank(rank)
			sim, err := New(cfg)
			sims[rank] = sim
			require.NoError(t, err)
			require.NoError(t, sim.Define(Type[struct{}, struct{}]{
				Init:   func(_ *struct{}, lp *LP) { seen[rank] = sim.Announced() },
				Event:  func(_ *struct{}, _ *LP, _ *Bits, _ *struct{}) {},
				Saving: SaveByDelta,
			}))
			if rank != 1 {
				sim.Announce(fmt.Sprintf("here is %d", rank))
			}
			require.Nil(t, sim.Announced())
			require.NoError(t, sim.Run(context.Background()))
		})
	}
	over.Wait()
	closeAll(sims)
	for rank := range ranks {
		if rank > 0 {
			require.Nil(t, seen[rank])
		} else {
			require.Equal(t, []string{"here is 0", "", "here is 2"}, seen[rank])
		}
		require.Equal(t, seen[rank], sims[rank].Announced())
	}
}
