// This file owns the validation: intervals of queueing networks cover their exact results as often as
// the confidence says.

package experiment_test

import (
	"context"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/experiment"
	"github.com/ross-go/ross/internal/testlevel"
)

// experiments returns the number of experiments. ROSS_EXPERIMENTS sets another one, for a long test.
func experiments(t *testing.T) int {
	text := os.Getenv("ROSS_EXPERIMENTS")
	if text == "" {
		return testlevel.Pick([]int{200}, []int{40}, []int{40})[0]
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}

func TestIntervalsCoverTheExactResultAtTheNominalRate(t *testing.T) {
	testlevel.Once(t, "what goroutines compute that share nothing")
	mm1 := &network{stations: []station{{arrivals: 0.5, service: 1, servers: 1}}}
	mmc := &network{stations: []station{{arrivals: 2, service: 1, servers: 3}}}
	open := &network{stations: []station{
		{arrivals: 0.5, service: 2, servers: 1, route: []float64{0, 0.6, 0.4}},
		{arrivals: 0.2, service: 1, servers: 2, route: []float64{0.3, 0, 0.2}},
		{service: 1.5, servers: 1, route: []float64{0, 0.1, 0}},
	}}
	closed := &network{customers: 6, stations: []station{
		{service: 1, servers: 1, route: []float64{0.2, 0.5, 0.3}},
		{service: 0.6, servers: 1, route: []float64{1, 0, 0}},
		{service: 0.5, servers: 1, route: []float64{0.7, 0.3, 0}},
	}}
	flow := open.flows()
	inOpen := 0.0
	for i, s := range open.stations {
		inOpen += erlangC(flow[i], s.service, s.servers)
	}
	atClosed, throughput := closed.mva()
	require.InDelta(t, 1, erlangC(0.5, 1, 1), 1e-12)
	require.InDelta(t, 26./9, erlangC(2, 1, 3), 1e-12)
	require.InDelta(t, 6, atClosed[0]+atClosed[1]+atClosed[2], 1e-9)

	for _, c := range []struct {
		name  string
		net   *network
		end   float64
		exact experiment.Responses
	}{
		{"M/M/1", mm1, 600, experiment.Responses{"customers": 1}},
		{"M/M/c", mmc, 400, experiment.Responses{"customers": 26. / 9}},
		{"open Jackson network", open, 400, experiment.Responses{"customers": inOpen}},
		{"closed network", closed, 200, experiment.Responses{"first": atClosed[0], "throughput": throughput}},
	} {
		t.Run(c.name, func(t *testing.T) {
			start, err := c.net.starts()
			require.NoError(t, err)
			covered := map[string]int{}
			n := experiments(t)
			for seed := range n {
				results, err := experiment.Experiment{
					Name: c.name, Seed: uint64(seed) + 1, Replications: 10,
					Run: func(ctx context.Context, trial *experiment.Trial) (experiment.Responses, error) {
						queues, err := c.net.run(ctx, trial, start(streamOf(trial)), c.end)
						if err != nil {
							return nil, err
						}
						if c.net == closed {
							return experiment.Responses{"first": queues[0].Area / c.end, "throughput": float64(queues[0].Served) / c.end}, nil
						}
						sum := 0.0
						for _, q := range queues {
							sum += q.Area / c.end
						}
						return experiment.Responses{"customers": sum}, nil
					},
				}.Do(context.Background())
				require.NoError(t, err)
				for name, exact := range c.exact {
					i, err := results.Interval(name, 0)
					require.NoError(t, err)
					require.Equal(t, 10, i.N)
					if i.Contains(exact) {
						covered[name]++
					}
				}
			}
			// The number of intervals that cover is binomial; three of its deviations are 4.6 % of 200.
			// Runs must be long enough for their means to be nearly normal: with runs of half the length
			// fewer intervals cover.
			for name := range c.exact {
				t.Logf("%s: %d of %d", name, covered[name], n)
				require.InDelta(t, 0.95*float64(n), covered[name], 3*math.Sqrt(float64(n)*0.95*0.05), name)
			}
		})
	}
}
