// This file owns the tests of runs that go on from a checkpoint with random streams of their own.

package checkpoint_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/rng"
	"github.com/ross-go/ross/stats"
)

// wanderer is the state of an LP whose events are alike, so that their order at one time does not matter.
type wanderer struct {
	Sum   [2]uint64
	Value stats.Tally
}

type (
	hop  struct{}
	swap struct{} // the LP gets streams of a branch
)

// wander is a model of hops at whole times. If streams are given, they take effect at time 20.25.
type wander struct{ streams *rng.Seeder }

const wanderers = 16

func (w wander) lpType() ross.LPType {
	return ross.Type[wanderer]{Name: "wanderer", LPs: wanderers, Init: w.init, Event: ross.Events(ross.On(w.hop), ross.On(w.swap))}
}

func (w wander) init(_ *wanderer, lp *ross.LP) {
	for range 3 {
		ross.Send(lp, lp.ID(), 1, hop{})
	}
	ross.Send(lp, lp.ID(), 20.25, swap{})
}

func (w wander) hop(s *wanderer, lp *ross.LP, _ *hop) {
	a, b := lp.RNG().Integer(0, wanderers-1), lp.Stream(1).Unif()
	s.Sum[0] += uint64(a)
	s.Sum[1] += uint64(b * (1 << 40))
	s.Value.Add(lp, b)
	ross.Send(lp, ross.LPID(a), 1, hop{})
}

func (w wander) swap(_ *wanderer, lp *ross.LP, _ *swap) {
	if w.streams != nil {
		*lp.Stream(0), *lp.Stream(1) = w.streams.Stream(2*uint64(lp.ID())), w.streams.Stream(2*uint64(lp.ID())+1)
	}
}

// wandered runs the model, and returns what it leaves.
func wandered(t *testing.T, w wander, configure func(*ross.Config)) (sums [wanderers][2]uint64, mean float64,
	err error) {
	t.Helper()
	cfg := ross.Config{Seed: 7, Replication: 3, End: 40, WarmUp: 20.5, Streams: ross.Streams{PerLP: 2}}
	configure(&cfg)
	sim, err := ross.Run(context.Background(), cfg, w.lpType())
	if err != nil {
		return sums, 0, err
	}
	defer sim.Close()
	for i := range sums {
		sums[i] = ross.StateOf[wanderer](sim.LP(ross.LPID(i))).Sum
	}
	table, err := stats.Collect(sim)
	require.NoError(t, err)
	return sums, table.Rows()[0].Mean, nil
}

// TestBranchesAreRunsThatGetOtherStreamsOnTheWay compares runs that go on from a checkpoint with runs that pass it, and
// whose model gives its LPs the streams of a branch there.
func TestBranchesAreRunsThatGetOtherStreamsOnTheWay(t *testing.T) {
	name := filepath.Join(t.TempDir(), "warm")
	_, _, err := wandered(t, wander{}, func(cfg *ross.Config) {
		cfg.End, cfg.Checkpoints.VirtualInterval, cfg.Checkpoints.Name = 30, 20.5, name
	})
	require.NoError(t, err)
	restart := func(cfg *ross.Config) { cfg.Checkpoints.Restart = name + "-000000" }
	before, _, err := wandered(t, wander{}, restart)
	require.NoError(t, err)
	whole, _, err := wandered(t, wander{}, func(*ross.Config) {})
	require.NoError(t, err)
	require.Equal(t, whole, before, "a run that goes on is one that never stopped")

	models, _ := rng.RunSeeds(7)
	seen := map[float64]bool{}
	for _, replication := range []uint64{0, 3, 4} {
		want, mean, err := wandered(t, wander{rng.NewSeeder(models.Replication(replication).Branch())}, func(*ross.Config) {})
		require.NoError(t, err)
		require.NotEqual(t, whole, want)
		require.False(t, seen[mean])
		seen[mean] = true
		for _, synch := range []ross.Scheduler{ross.Sequential, ross.Optimistic} {
			for _, pes := range []int{1, 2} {
				if pes == 2 && synch == ross.Sequential {
					continue
				}
				got, its, err := wandered(t, wander{}, func(cfg *ross.Config) {
					restart(cfg)
					cfg.Checkpoints.Branch, cfg.Replication, cfg.Synch = true, replication, synch
					if synch == ross.Optimistic {
						cfg.PEs = pes
					}
				})
				require.NoError(t, err)
				require.Equal(t, want, got)
				require.Equal(t, mean, its)
			}
		}
	}
}

func TestABranchNeedsACheckpoint(t *testing.T) {
	for _, name := range []string{"", "latest"} {
		_, _, err := wandered(t, wander{}, func(cfg *ross.Config) {
			cfg.Checkpoints.Branch, cfg.Checkpoints.Restart, cfg.Checkpoints.Name = true, name, filepath.Join(t.TempDir(), "none")
		})
		require.ErrorIs(t, err, ross.ErrUsage)
		require.ErrorContains(t, err, "option --io-branch: there is no checkpoint to go on from; give --io-restart=name too")
	}
}
