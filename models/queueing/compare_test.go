// The model and its plain form compute the same, and what the tools save in lines and cost in speed.

package main

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/stats"
)

// simulation runs one of the two forms of the model, which must not fail.
func simulation(t testing.TB, plain bool, configure func(*params, *ross.Config)) (*plainModel, *ross.Simulation) {
	t.Helper()
	p, cfg := defaults()
	cfg.Statistics, cfg.MaxMemory = 0, 512<<20
	configure(&p, &cfg)
	require.NoError(t, p.prepare(&cfg))
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	p.stations = int64(sim.TotalLPs())
	pm := &plainModel{params: p, warmUp: cfg.WarmUp, end: cfg.End}
	if plain {
		require.NoError(t, sim.Define(pm.network()))
	} else {
		require.NoError(t, sim.Define(p.network()))
	}
	require.NoError(t, sim.Run(context.Background()))
	return pm, sim
}

func TestPlainFormComputesTheSame(t *testing.T) {
	for _, how := range testlevel.Pick([]ross.Scheduler{1, 3, 6}, []ross.Scheduler{3}, []ross.Scheduler{3}) {
		configure := func(p *params, cfg *ross.Config) {
			cfg.Synch, cfg.TotalLPs, cfg.End, cfg.WarmUp = how, 10, 200, 30
			if p.patience = 2; how == ross.Optimistic {
				cfg.PEs, cfg.NKP, cfg.Batch = 3, 2, 2
			}
		}
		_, tools := simulation(t, false, configure)
		pm, plain := simulation(t, true, configure)
		table, err := stats.Collect(tools)
		require.NoError(t, err)
		row := func(name string) stats.Row {
			r, ok := table.Row("station", name)
			require.True(t, ok, name)
			return r
		}
		f := pm.total(plain)
		st, sp := tools.Stats(), plain.Stats()
		require.Equal(t, st.NetEvents(), sp.NetEvents())
		require.Equal(t, row("services").Count, f.Served)
		require.Equal(t, row("gave up").Count, f.Lost)
		require.Greater(t, f.Lost, uint64(100))
		for name, got := range map[string]*modeltest.Tally{"waiting time": &f.Wait, "waiting time of urgent": &f.Urgent, "time in network": &f.Stay} {
			r := row(name)
			got.Same(t, name, r.Count, r.Mean, r.StdDev, r.Least, r.Greatest)
		}
		wait := row("waiting time")
		for _, q := range []float64{0.75, 0.9, 0.99} {
			require.InEpsilon(t, wait.Quantile(q), f.Bins.quantile(q, f.Wait.N), 0.05, "quantile %g", q)
		}
		for name, got := range map[string]*modeltest.Level{"customers waiting": &f.Length, "servers busy": &f.Using} {
			r := row(name)
			got.Same(t, name, r.Mean, r.NonZero, r.Greatest)
		}
	}
}

func TestModelIsShorterThanItsPlainForm(t *testing.T) {
	testlevel.Once(t, "lengths of files")
	model, plain := modeltest.Lines(t, "queueing.go"), modeltest.Lines(t, "plain_test.go", modeltest.ByHand)
	require.Less(t, model*100, plain*60, "%d and %d lines", model, plain)
}

// BenchmarkNetwork compares the two forms: a run of 256 stations.
func BenchmarkNetwork(b *testing.B) {
	modeltest.Versions(b, func(b *testing.B, plain bool, synch, pes int) float64 {
		_, sim := simulation(b, plain, func(_ *params, cfg *ross.Config) {
			cfg.Synch, cfg.PEs, cfg.TotalLPs, cfg.End = ross.Scheduler(synch), pes, 256, 400
		})
		st := sim.Stats()
		_ = sim.Close()
		return st.EventRate()
	})
}
