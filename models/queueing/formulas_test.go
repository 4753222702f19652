// The stations are what theory says: M/M/1 and M/M/c queues, and a Jackson network, in which each
// station is such a queue.

package main

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/experiment"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/stats"
)

// waiting returns the mean number of customers who wait in an M/M/c queue (Erlang C), of which load
// is the mean number of busy servers.
func waiting(load float64, servers int) float64 {
	term, sum := 1.0, 0.0
	for k := range servers {
		sum += term
		term *= load / float64(k+1)
	}
	free := 1 - load/float64(servers)
	all := term / free / (sum + term/free) // the part of customers who wait
	return all * (1 - free) / free
}

// measure runs the network once with customers who never give up.
func measure(ctx context.Context, t *experiment.Trial) (experiment.Responses, error) {
	p, cfg := defaults()
	p.servers, p.leave, p.patience, p.walk = uint64(t.Int("servers")), t.Float("leave"), 0, 0
	p.arrivals = 0.7 * p.leave * float64(p.servers)
	cfg.TotalLPs, cfg.End, cfg.WarmUp, cfg.Statistics, cfg.MaxMemory = 8, 3000, 200, 0, 64<<20
	t.Configure(&cfg)
	if err := p.prepare(&cfg); err != nil {
		return nil, err
	}
	sim, err := ross.New(cfg)
	if err != nil {
		return nil, err
	}
	defer sim.Close()
	p.stations = int64(sim.TotalLPs())
	if err = sim.Define(p.network()); err == nil {
		err = sim.Run(ctx)
	}
	if err != nil {
		return nil, err
	}
	table, err := stats.Collect(sim)
	if err != nil {
		return nil, err
	}
	length, _ := table.Row("station", "customers waiting")
	wait, _ := table.Row("station", "waiting time")
	using, _ := table.Row("station", "servers busy")
	return experiment.Responses{"length": length.Mean, "wait": wait.Mean, "using": using.Mean}, nil
}

func TestStationsAreQueuesOfTheory(t *testing.T) {
	testlevel.Once(t, "it is about the numbers that are drawn")
	e := experiment.Experiment{
		Name: "queueing", Run: measure, Seed: 14, Replications: 10, Confidence: 0.99,
		Points: experiment.Grid(experiment.Over("servers", 1, 3), experiment.Over("leave", 1.0, 0.5)),
	}
	results, err := e.Do(context.Background())
	require.NoError(t, err)
	for i, servers := range []int{1, 1, 3, 3} {
		load := 0.7 * float64(servers)
		length := waiting(load, servers)
		for response, want := range map[string]float64{"length": length, "wait": length / load, "using": load} {
			got, err := results.Interval(response, i)
			require.NoError(t, err)
			require.True(t, got.Contains(want), "%v: %s is %v, in theory %g", e.Points[i], response, got, want)
			require.Less(t, got.Half, 0.1*want, "the interval says something")
		}
	}
}
