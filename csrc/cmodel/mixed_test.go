//go:build cgo && linux

// LPs of C and of Go in one simulation compute what LPs of Go alone do, under every scheduler.

package cmodel_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/csrc/cmodel/testdata/mixed"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/modeltest"
)

// outcome is what a run computes.
type outcome struct {
	digest uint64
	net    uint64
	states []string
}

// config returns the configuration of a run.
func config(synch ross.Scheduler, pes int) ross.Config {
	cfg := ross.Config{Synch: synch, PEs: pes, End: 60, Digest: true, NKP: 4}
	cfg.Streams.PerLP = 2
	cfg.Tuning.Batch, cfg.Tuning.GVTInterval = 2, 2
	return cfg
}

// play runs a simulation.
func play(t *testing.T, cfg ross.Config, types ...ross.LPType) outcome {
	t.Helper()
	sim, err := ross.Run(context.Background(), cfg, types...)
	require.NoError(t, err)
	defer func() { require.NoError(t, sim.Close()) }()
	s := sim.Summary()
	if len(types) > 0 && cfg.Digest {
		return outcome{*s.Digest, uint64(s.NetEvents()), mixed.States(sim)}
	}
	return outcome{}
}

// pes returns numbers of PEs for a scheduler.
func pes(synch ross.Scheduler) []int {
	switch synch {
	case ross.Sequential, ross.RollbackCheck:
		return []int{1}
	}
	return testlevel.Pick([]int{1, 2, 3, 4}, []int{3}, []int{1, 4})
}

func TestServersOfCAreThoseOfGo(t *testing.T) {
	for _, gap := range []float64{0, 0.1} { // without a delay between LPs, and with a lookahead
		s := mixed.Setup{Gap: gap}
		want := play(t, config(ross.Sequential, 1), s.Pure()...)
		require.Greater(t, want.net, uint64(1000))
		for _, synch := range []ross.Scheduler{ross.Sequential, ross.Conservative, ross.Optimistic, ross.OptimisticRealTime, ross.RollbackCheck, ross.Auto} {
			if synch == ross.Conservative && gap == 0 {
				continue
			}
			for _, pes := range pes(synch) {
				s.Undo = pes > 2
				require.Equal(t, want, play(t, config(synch, pes), s.Mixed()...), "gap %g, %v, %d PEs", gap, synch, pes)
			}
		}
	}
}

// --synch=4 undoes everything, so all types need a reverse handler.
func TestEverythingIsUndone(t *testing.T) {
	cfg := config(ross.OptimisticDebug, 1)
	cfg.Digest, cfg.End = false, 20
	play(t, cfg, mixed.Setup{Undo: true}.Mixed()...)
}

// Memory is short, and KPs stay where they are.
func TestOtherWaysHaveTheSameEvents(t *testing.T) {
	s := mixed.Setup{Undo: true}
	want := play(t, config(ross.Sequential, 1), s.Pure()...)
	cfg := config(ross.Optimistic, 2)
	cfg.MaxMemory = 700 << 10
	require.Equal(t, want, play(t, cfg, s.Mixed()...))
	cfg = config(ross.Optimistic, 2)
	cfg.Tuning.FixedKPs = true
	require.Equal(t, want, play(t, cfg, s.Mixed()...))
}

// A run goes on from a checkpoint, whether that was stored with LPs of C or by Go alone.
func TestMixedRunsGoOnFromTheirCheckpoints(t *testing.T) {
	s := mixed.Setup{}
	want := play(t, config(ross.Sequential, 1), s.Pure()...)
	for _, c := range testlevel.Pick([][2]ross.Config{
		{config(ross.Sequential, 1), config(ross.Optimistic, 3)}, {config(ross.Optimistic, 2), config(ross.Sequential, 1)},
		{config(ross.Optimistic, 4), config(ross.RollbackCheck, 1)},
	}, nil, [][2]ross.Config{{config(ross.Optimistic, 2), config(ross.Optimistic, 3)}}) {
		stores, restarts := c[0], c[1]
		name := filepath.Join(t.TempDir(), "checkpoint")
		stores.Checkpoints.Name, stores.Checkpoints.VirtualInterval = name, 17
		require.Equal(t, want, play(t, stores, s.Mixed()...))
		restarts.Checkpoints.Name, restarts.Checkpoints.Restart = name, "latest"
		got := play(t, restarts, s.Mixed()...)
		require.Less(t, got.net, want.net)
		got.net = want.net
		require.Equal(t, want, got, fmt.Sprint(stores.PEs, restarts.PEs))
	}
}

// Events are undone at random, up to 128 at a time, so that rollbacks are many on any machine.
func TestAModelOfBothLanguages(t *testing.T) {
	for _, s := range testlevel.Pick([]mixed.Setup{{}, {Gap: 0.1}, {Undo: true}}, nil, []mixed.Setup{{Gap: 0.1, Undo: true}}) {
		cfg := ross.Config{End: 20}
		cfg.Streams.PerLP = 2
		modeltest.Run(t, modeltest.Model{
			Config: cfg, Types: s.Mixed, Short: testlevel.Is(testlevel.Few),
			Results: func(sim *ross.Simulation) (any, error) { return mixed.States(sim), nil },
		})
	}
}

func TestSeveralRanksAreRefused(t *testing.T) {
	cfg := ross.Config{End: 20}
	cfg.Streams.PerLP = 2
	types := mixed.Setup{}.Mixed() // once: it writes a variable, and ranks are goroutines here
	_, err := modeltest.Check(modeltest.Model{Config: cfg, Types: func() []ross.LPType { return types }, Short: true, Ranks: 2})
	require.ErrorContains(t, err, "LPs of C are on one rank, and there are several: ")
}
