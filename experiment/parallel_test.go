// This file owns the tests of replications that are parallel runs, and of models that end early.

package experiment_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/experiment"
	"github.com/ross-go/ross/internal/testlevel"
)

type hops struct{ Received, Sum int }

type packet struct{ Hops int }

// ring runs 8 LPs that send packets to each other at random.
func ring(synch ross.Scheduler, pes int) func(ctx context.Context, t *experiment.Trial) (experiment.Responses, error) {
	return func(ctx context.Context, t *experiment.Trial) (experiment.Responses, error) {
		cfg := ross.DefaultConfig()
		cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP, cfg.End, cfg.MaxMemory = synch, pes, 8/uint64(pes), 2, 50, 64<<20
		t.Configure(&cfg)
		mean := t.Float("mean")
		var report strings.Builder
		cfg.Output = &report
		sim, err := ross.New(cfg)
		if err != nil {
			return nil, err
		}
		defer sim.Close()
		send := func(lp *ross.LP, hops int) {
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 7)), 0.1+lp.RNG().Exponential(mean), packet{hops})
		}
		err = sim.Define(ross.Type[hops, packet]{
			Init: func(_ *hops, lp *ross.LP) { send(lp, 0) },
			Event: func(s *hops, lp *ross.LP, _ *ross.Bits, m *packet) {
				s.Received++
				s.Sum += m.Hops
				send(lp, m.Hops+1)
			},
		})
		if err != nil {
			return nil, err
		}
		if err := sim.Run(ctx); err != nil {
			return nil, err
		}
		r := experiment.Responses{}
		for id := range ross.LPID(8) {
			s := ross.StateOf[hops](sim.LP(id))
			r["received"] += float64(s.Received)
			r["sum"] += float64(s.Sum * int(id+1))
		}
		return r, nil
	}
}

func TestParallelReplicationsGiveTheSameResultsAsThoseSideBySide(t *testing.T) {
	e := experiment.Experiment{Name: "ring", Seed: 11, Points: experiment.Grid(experiment.Over("mean", 0.5, 2.0)), Replications: 3,
		Run: ring(ross.Sequential, 1)}
	want, err := e.Do(context.Background())
	require.NoError(t, err)
	for _, synch := range []ross.Scheduler{ross.Conservative, ross.Optimistic} {
		for _, pes := range testlevel.Pick([]int{1, 2, 4}, []int{2, 4}, []int{2}) {
			e.Run, e.Workers = ring(synch, pes), 1
			got, err := e.Do(context.Background())
			require.NoError(t, err)
			require.Equal(t, want, got, "synch %d, %d PEs", synch, pes)
		}
	}
	e.Run, e.Workers = ring(ross.Optimistic, 4), 2 // Configure makes them sequential
	got, err := e.Do(context.Background())
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// A run that Ctrl-C cuts short returns the error of the context. Its results would be wrong.
func TestARunThatIsCutShortDoesNotCount(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	run := ring(ross.Sequential, 1)
	r, err := experiment.Experiment{Name: "ring", Points: experiment.Grid(experiment.Over("mean", 1.0)), Workers: 1,
		Run: func(ctx context.Context, t *experiment.Trial) (experiment.Responses, error) {
			if t.Replication == 2 {
				cancel()
			}
			return run(ctx, t)
		}}.Do(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "stopped after 2 of 10 replications")
	require.Equal(t, 2, r.Points[0].Replications)
}
