// Deadlocks are found, and nothing else is taken for one.

package interconnect

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/network/topology"
)

// narrow is a routing with one virtual channel, for which others have several.
type narrow struct{ topology.Routing }

func (narrow) Channels() int { return 1 }

func (o narrow) Next(at int, p *topology.Packet) (port, channel int, ok bool) {
	port, _, ok = o.Routing.Next(at, p)
	return port, 0, ok
}

// afterBurst returns the deadlock, or nil, that a burst leaves at a time, and how many packets routers hold then.
func afterBurst(t *testing.T, n *Network, messages int, cfg ross.Config) (*Deadlock, int) {
	t.Helper()
	sim := burst(n, messages, 2).play(t, cfg)
	d, err := n.Deadlock(sim)
	require.NoError(t, err)
	left, err := ross.Reduce(sim, func(_ *ross.LP, r *router) int { return r.Held.Len() }, func(a, b int) int { return a + b })
	require.NoError(t, err)
	require.NoError(t, sim.Close())
	return d, left
}

// TestADeadlockIsWhatIsLeftWhenNoEventIs loads networks whose routings need more channels than they have, with
// little room. Whatever routers hold when no event is left is in a deadlock. If a run is cut off, only what is
// in the same place later may be.
func TestADeadlockIsWhatIsLeftWhenNoEventIs(t *testing.T) {
	testlevel.Once(t, "what the network does")
	d := testrand.New(t)
	shapes := []topology.Network{
		must(topology.NewTorus([]int{6}, 2)), must(topology.NewTorus([]int{4, 3}, 1)),
		must(topology.NewDragonfly(4, 2, 2)), must(topology.NewSlimFly(3, 2)), must(topology.NewMesh([]int{3, 3}, 1)),
	}
	synchs := []ross.Scheduler{ross.Optimistic, ross.Conservative}
	stuck, free, cutOff := 0, 0, 0
	for _, shape := range shapes {
		for _, g := range allGranularities[1:] {
			for range 3 {
				routing := topology.Routing(topology.NewMinimal(shape))
				if d.IntN(2) == 0 {
					routing = must(topology.NewValiant(shape))
				}
				if d.IntN(4) > 0 {
					routing = narrow{routing}
				} else if d.IntN(2) == 0 {
					routing = narrow{around{newOneWay(5, 1)}}
				}
				c := tight(routing, g)
				c.Output = d.IntN(2) * 512
				for class := range c.Links {
					c.Links[class].Buffer += d.IntN(9) * 32
					c.Links[class].Latency = 10 + d.Float64()*300
				}
				n, messages := network(t, c), 1+d.IntN(12)
				seed := 1 + d.Uint64()/2
				run := func(end float64, synch ross.Scheduler, pes int) (*Deadlock, int) {
					cfg := config(end)
					cfg.Seed, cfg.Synch, cfg.PEs = seed, synch, pes
					return afterBurst(t, n, messages, cfg)
				}
				last, left := run(math.Inf(1), ross.Sequential, 1)
				again, _ := run(math.Inf(1), synchs[(stuck+free)%2], 2)
				require.Equal(t, last, again)
				if last == nil {
					require.Zero(t, left)
					free++
				} else {
					require.Len(t, last.Packets, left)
					requireCircle(t, n, last)
					stuck++
				}
				for range 8 {
					cut, _ := run(100+d.Float64()*6000, ross.Sequential, 1)
					if cut != nil {
						require.NotNil(t, last)
						require.Subset(t, last.Packets, cut.Packets)
						requireCircle(t, n, cut)
						cutOff++
					}
				}
			}
		}
	}
	require.Positive(t, stuck)
	require.Positive(t, free)
	require.Positive(t, cutOff)
}

// requireCircle requires that each channel of a circle begins where the one before it ends.
func requireCircle(t *testing.T, n *Network, d *Deadlock) {
	t.Helper()
	for i, c := range d.Circle {
		to, _, _ := n.net.Link(c.Router, c.Port)
		require.Equal(t, d.Circle[(i+1)%len(d.Circle)].Router, to, "%v", d.Circle)
	}
	require.Greater(t, len(d.Circle), 1)
}
