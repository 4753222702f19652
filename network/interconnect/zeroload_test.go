// A message alone in the network takes the time that a formula gives.

package interconnect

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/network/topology"
)

// uneven returns settings in which links of each class differ.
func uneven(r topology.Routing, g Granularity) Config {
	c := Defaults(r)
	c.Granularity = g
	c.Terminal = Link{Latency: 7, Bandwidth: 16, Buffer: 1 << 20}
	c.Links = [4]Link{
		topology.Local:  {Latency: 11, Bandwidth: 10, Buffer: 1 << 20},
		topology.Global: {Latency: 130, Bandwidth: 25, Buffer: 1 << 20},
		topology.Up:     {Latency: 17, Bandwidth: 8, Buffer: 1 << 20},
		topology.Down:   {Latency: 19, Bandwidth: 32, Buffer: 1 << 20},
	}
	return c
}

// formula returns the time of a message of so many flits: each link takes its latency and the time of
// a flit, each router its delay, and the slowest link the time of the other flits.
func formula(n *Network, from, to int, flits float64) (time float64, links int) {
	slowest := 0.0
	add := func(l Link) {
		flit := float64(n.FlitBytes) / l.Bandwidth
		time += l.Latency + flit
		slowest = max(slowest, flit)
		links++
	}
	add(n.Terminal)
	at, end := n.RouterOf(from), n.RouterOf(to)
	p := n.Routing.Start(at, end, 0)
	for {
		time += n.Delay
		port, _, ok := n.Routing.Next(at, &p)
		if !ok {
			break
		}
		next, _, class := n.net.Link(at, port)
		add(n.Links[class])
		at = next
	}
	add(n.Terminal)
	return time + (flits-1)*slowest, links
}

func TestAMessageAloneTakesTheTimeOfTheFormula(t *testing.T) {
	testlevel.Once(t, "what the network does")
	for name, shape := range shapes() {
		for _, g := range allGranularities {
			n := network(t, uneven(topology.NewMinimal(shape), g))
			const each = 1e5 // ns between messages: they never meet
			ends := n.Terminals()
			sizes := []int32{0, 1, 32, 33, 512}
			if g == Messages {
				sizes = append(sizes, 100_000)
			}
			var want []float64
			var hops uint64
			l := load{n: n, init: func(n *Network, h *host, lp *ross.LP) {
				from := n.TerminalOf(lp.ID())
				for i, size := range sizes {
					to := (from*7 + i*5) % ends
					ross.Send(lp, lp.ID(), float64(1+i*ends+from)*each, start{int32(to), size})
				}
			}}
			var times []float64
			l.deliver = func(h *host, _ *ross.LP, m Message) { times = append(times, h.Time) }
			sim := l.play(t, config(float64(len(sizes)*ends+2)*each))
			for i, size := range sizes {
				for from := range ends {
					w, links := formula(n, from, (from*7+i*5)%ends, max(1, float64((size+31)/32)))
					want = append(want, w)
					hops += uint64(links)
				}
			}
			require.InEpsilonSlice(t, want, times, 1e-9, "%s, %v", name, g)
			total, err := ross.Reduce(sim, func(_ *ross.LP, h *host) uint64 { return h.Hops }, func(a, b uint64) uint64 { return a + b })
			require.NoError(t, err)
			require.Equal(t, hops, total)
			require.NoError(t, sim.Close())
		}
	}
}
