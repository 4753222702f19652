// Saturation, against closed forms and the loads of channels; and what is known of dragonflies.

package workload

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/network/interconnect"
	"github.com/ross-go/ross/network/topology"
)

func must[N any](n N, err error) N {
	if err != nil {
		panic(err)
	}
	return n
}

// run runs jobs on a network and returns the results.
func run(t testing.TB, c interconnect.Config, cfg ross.Config, jobs ...Job) []Result {
	t.Helper()
	n := must(interconnect.New(c))
	w := must(New(n, jobs, Contiguous, 0))
	sim := simulate(t, n, w, cfg)
	defer sim.Close()
	results, err := w.Results(sim)
	require.NoError(t, err)
	return results
}

func simulate(t testing.TB, n *interconnect.Network, w *Workload, cfg ross.Config) *ross.Simulation {
	t.Helper()
	n.Place(&cfg)
	cfg.Output = io.Discard
	sim := must(ross.New(cfg))
	t.Cleanup(func() { sim.Close() })
	require.NoError(t, sim.Define(n.Router(), w.Host()))
	require.NoError(t, sim.Run(context.Background()))
	return sim
}

// pattern returns a job of all terminals with a pattern.
func pattern(n topology.Network, name string, load float64) Job {
	ranks := topology.TotalTerminals(n)
	o := PatternOptions{Ranks: ranks, Group: ranks}
	if d, ok := n.(*topology.Dragonfly); ok {
		o.Group = ranks / d.Groups()
	}
	return Job{Name: name, Ranks: ranks, Pattern: must(NewPattern(name, o)), Bytes: 512, Load: load}
}

// steady returns the configuration of a run that measures the second half of some ns.
func steady(end float64) ross.Config {
	cfg := ross.DefaultConfig()
	cfg.End, cfg.WarmUp = end, end/2
	return cfg
}

// channelBound returns the throughput, as a share of the terminals' bandwidth, at which the busiest channel
// is always in use when each terminal sends to all others alike: the reciprocal of the greatest channel
// load (Dally and Towles 2004, chapter 3).
func channelBound(n topology.Network) float64 {
	r := topology.NewMinimal(n)
	loads := map[[2]int]float64{}
	total := topology.TotalTerminals(n)
	for from := range n.Routers() {
		for to := range n.Routers() {
			pairs := float64(n.Terminals(from) * n.Terminals(to))
			at, p := from, r.Start(from, to, 0)
			for {
				port, _, ok := r.Next(at, &p)
				if !ok {
					break
				}
				loads[[2]int{at, port}] += pairs / float64(total-1)
				at, _, _ = n.Link(at, port)
			}
		}
	}
	greatest := 1.0 // that of the terminals
	for _, load := range loads {
		greatest = max(greatest, load)
	}
	return 1 / greatest
}

// TestThroughputOfUniformTrafficIsThatOfTheBusiestChannel offers more than networks can carry. What they
// carry is the closed form within 5 %.
func TestThroughputOfUniformTrafficIsThatOfTheBusiestChannel(t *testing.T) {
	testlevel.Once(t, "what the network does")
	others := func(n int) float64 { return float64(n) / float64(n-1) } // of n terminals, none sends to itself
	for _, c := range []struct {
		name   string
		net    topology.Network
		closed float64
	}{
		// A dimension of an odd length L has loads of (L^2-1)/8L for each terminal of a router.
		{"torus 9x9", must(topology.NewTorus([]int{9, 9}, 1)), 8 * 9 / 80. / others(81)},
		{"torus 5x5x5", must(topology.NewTorus([]int{5, 5, 5}, 2)), 8 * 5 / 24. / 2 / others(250)},
		// Of an even length, all packets that go half way round go up: (L+2)/8.
		{"torus 8x8", must(topology.NewTorus([]int{8, 8}, 1)), 8 / 10. / others(64)},
		// A link between two of a routers with p terminals and h global links carries what goes from the ones
		// to the others, to the groups of the second, and from the groups of the first: p*p*(1 + 2*a*h).
		{"dragonfly", must(topology.NewDragonfly(4, 2, 4)), 143 / (4 * 4 * (1 + 2*4*2.))},
	} {
		require.InDelta(t, c.closed, channelBound(c.net), 0.001, c.name)
		settings := interconnect.Defaults(topology.NewMinimal(c.net))
		settings.Output = 64 << 10
		for class := range settings.Links {
			settings.Links[class].Buffer = 64 << 10
		}
		got := run(t, settings, steady(24000), pattern(c.net, "uniform", min(1, 1.15*c.closed)))[0].Accepted
		t.Logf("%s: %.4f of %.4f", c.name, got, c.closed)
		require.Greater(t, got, 0.95*c.closed, c.name)
		require.Less(t, got, 1.02*c.closed, c.name)
	}
}

// TestDragonflyUnderAdversarialTraffic has each group send to the next one. Minimal routing is then limited
// by one link for all terminals of a group; random routing carries half of the bandwidth, and adaptive
// routing has the latency of the one at low load, and a throughput above the other's (Kim, Dally, Scott
// and Abts 2008).
func TestDragonflyUnderAdversarialTraffic(t *testing.T) {
	testlevel.Once(t, "what the network does")
	n := must(topology.NewDragonfly(4, 2, 2))
	v := must(topology.NewValiant(n))
	measure := func(r topology.Routing, adaptive bool, traffic string, load float64) Result {
		c := interconnect.Defaults(r)
		c.Adaptive = adaptive
		return run(t, c, steady(30000), pattern(n, traffic, load))[0]
	}
	minimal := topology.NewMinimal(n)
	const limit = 1 / (4 * 2.) // terminals of a group
	require.InEpsilon(t, limit, measure(minimal, false, "adversarial", 0.3).Accepted, 0.02)
	require.InEpsilon(t, 0.3, measure(v, false, "adversarial", 0.3).Accepted, 0.02)
	require.InEpsilon(t, 0.45, measure(v, false, "adversarial", 0.45).Accepted, 0.02)
	require.InDelta(t, 0.5, measure(v, false, "adversarial", 0.8).Accepted, 0.08)
	require.Greater(t, measure(v, true, "adversarial", 0.3).Accepted, 2*limit)

	mean := func(r topology.Routing, adaptive bool, traffic string, load float64) float64 {
		return measure(r, adaptive, traffic, load).Latency.Mean
	}
	// Below the limit the minimal way is the shortest, beyond it the random one.
	require.Less(t, 1.3*mean(minimal, false, "adversarial", 0.05), mean(v, false, "adversarial", 0.05))
	require.Less(t, 5*mean(v, false, "adversarial", 0.2), mean(minimal, false, "adversarial", 0.2))
	require.Less(t, mean(v, true, "adversarial", 0.05), mean(v, false, "adversarial", 0.05))
	require.Less(t, mean(v, true, "adversarial", 0.2), mean(v, false, "adversarial", 0.2))
	// Uniform traffic takes the minimal way, of which random routing makes two.
	require.InEpsilon(t, 0.8, measure(v, true, "uniform", 0.8).Accepted, 0.02)
	require.Less(t, measure(v, false, "uniform", 0.8).Accepted, 0.6)
}
