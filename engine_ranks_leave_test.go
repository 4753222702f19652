// What ranks do that look on, or that leave before they run.

package ross

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/internal/world/worldtest"
)

func TestSnapshotsOfRanksAreOfTheirOwnPEs(t *testing.T) {
	modeltest.Watch(t)
	l := spreadLoad()
	l.end = 3
	sims, errs := l.runRanks(t, worldtest.New(2, testrand.Seed(t), 10), 2, func(c *Config) { c.PEs, c.Synch = 2, 3 })
	sum := Snapshot{}
	for rank, sim := range sims {
		require.NoError(t, errs[rank])
		s := sim.Snapshot()
		require.Equal(t, []int{rank, 2}, []int{s.Rank, s.Ranks})
		require.Equal(t, l.end, s.GVT)
		require.Equal(t, sim.Stats().NumGVT, s.NumGVT)
		require.Len(t, s.PEs, 2)
		for i := range s.PEs {
			require.EqualValues(t, 2*rank+i, s.PEs[i].ID)
			sum.Add(&s.PEs[i].Counters)
		}
	}
	st := sims[0].Stats()
	require.Equal(t, st.EventsProcessed, sum.EventsProcessed)
	require.Equal(t, st.EventsRolledBack, sum.EventsRolledBack)
	require.Equal(t, st.NetEvents(), sum.EventsCommitted)
	require.Equal(t, st.SendLocRemote+st.SendNetRemote, sum.EventsRemote)
	require.NotZero(t, st.SendNetRemote)
}

func TestARankThatClosesBetweenDefineAndRunEndsTheOthers(t *testing.T) {
	for leaves := range 2 {
		modeltest.Watch(t)
		cluster := worldtest.New(2, testrand.Seed(t), 10)
		errs := make([]error, 2)
		var over sync.WaitGroup
		for rank := range 2 {
			over.Go(func() {
				cfg := DefaultConfig()
				cfg.Synch, cfg.knobs.world = 3, cluster.Rank(rank)
				sim, err := New(cfg)
				if err == nil {
					err = sim.Define(spreadLoad().lpType())
				}
				if err == nil && rank != leaves {
					err = sim.Run(context.Background())
				}
				errs[rank] = err
				_ = sim.Close()
			})
		}
		over.Wait()
		require.NoError(t, errs[leaves])
		require.ErrorContains(t, errs[1-leaves], []string{"ross: Close: rank 1 calls Run at the same time", "ross: Run: rank 1 calls Close at the same time"}[leaves])
	}
}
