// Loaded networks: every message arrives, all buffers are empty afterwards, and all schedulers agree.

package interconnect

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/network/topology"
)

// burst has each terminal send many messages of random sizes to random terminals at once, in each
// of several rounds.
func burst(n *Network, messages, rounds int) *load {
	send := func(n *Network, h *host, lp *ross.LP) {
		for range messages {
			to := lp.RNG().Integer(0, int64(n.Terminals())-1)
			h.Send(n, lp, int(to), lp.RNG().Integer(0, 1500), uint64(to))
		}
	}
	return &load{
		n: n,
		init: func(_ *Network, _ *host, lp *ross.LP) {
			for i := range rounds {
				ross.Send(lp, lp.ID(), 1+float64(i)*lp.RNG().Exponential(300), tick{})
			}
		},
		tick: send,
		deliver: func(_ *host, lp *ross.LP, m Message) {
			if int(m.Tag) != m.To || n.LP(m.To) != lp.ID() {
				lp.Fail(fmt.Errorf("message for %d at %v: %w", m.To, lp.ID(), ross.ErrModel))
			}
		},
	}
}

// tight returns settings with the least buffers.
func tight(r topology.Routing, g Granularity) Config {
	c := Defaults(r)
	c.Granularity, c.PacketBytes, c.Output = g, 128, 0
	least := 128
	if g == Flits {
		least = 32
	}
	c.Terminal.Buffer = least
	for class := range c.Links {
		c.Links[class].Buffer = least
	}
	return c
}

// routings returns the routings of a shape, and whether they are adaptive.
func routings(t *testing.T, shape topology.Network) map[string]Config {
	all := map[string]Config{"minimal": {Routing: topology.NewMinimal(shape)}}
	if v, err := topology.NewValiant(shape); err == nil {
		all["Valiant"] = Config{Routing: v}
		all["adaptive"] = Config{Routing: v, Adaptive: true}
	}
	return all
}

// TestEveryMessageArrives loads each network with each routing far beyond what it carries, with the least
// buffers: a deadlock would keep messages in the network, and a lost credit a buffer.
func TestEveryMessageArrives(t *testing.T) {
	testlevel.Once(t, "what the network does")
	for name, shape := range shapes() {
		for routing, r := range routings(t, shape) {
			for _, g := range allGranularities {
				c := tight(r.Routing, g)
				c.Adaptive = r.Adaptive
				n := network(t, c)
				sim := burst(n, 12, 1).play(t, config(math.Inf(1)))
				got, err := ross.Reduce(sim, func(_ *ross.LP, h *host) uint64 { return h.Got }, func(a, b uint64) uint64 { return a + b })
				require.NoError(t, err)
				require.EqualValues(t, 12*n.Terminals(), got, "%s, %s, %v", name, routing, g)
				requireEmpty(t, sim, n)
				require.NoError(t, sim.Close())
			}
		}
	}
}

// requireEmpty requires that nothing is left in the network.
func requireEmpty(t *testing.T, sim *ross.Simulation, n *Network) {
	t.Helper()
	left, err := ross.Gather(sim, func(lp *ross.LP, r *router) string {
		text := ""
		if r.Held.Len() > 0 {
			text = fmt.Sprint(r.Held.Len(), " packets;")
		}
		for i, x := range r.Inputs.Of(lp) {
			if x != (input{}) {
				text += fmt.Sprintf(" input %d %+v", i, x)
			}
		}
		links := n.net.Ports(int(lp.ID()))
		for i, o := range r.Outputs.Of(lp) {
			room := int32(math.MaxInt32)
			if port := i / int(n.channels); port < links {
				_, _, class := n.net.Link(int(lp.ID()), port)
				room = n.kinds[class].buffer
			}
			if o != (output{Room: room}) {
				text += fmt.Sprintf(" output %d %+v", i, o)
			}
		}
		return text
	})
	require.NoError(t, err)
	for at, text := range left {
		require.Empty(t, text, "router %d", at)
	}
	ends, err := ross.Gather(sim, func(_ *ross.LP, h *host) [2]int32 {
		return [2]int32{h.Used + h.Gone, int32(h.Waiting() + h.parts.Len())}
	})
	require.NoError(t, err)
	for at, end := range ends {
		require.Zero(t, end, "terminal %d", at)
	}
}

// TestAllSchedulersLeaveTheSame compares the digests of all schedulers, in networks with little room.
func TestAllSchedulersLeaveTheSame(t *testing.T) {
	layouts := []struct {
		synch ross.Scheduler
		pes   int
	}{{ross.Conservative, 2}, {ross.Optimistic, 1}, {ross.Optimistic, 2}, {ross.Optimistic, 4}, {ross.RollbackCheck, 1}, {ross.OptimisticDebug, 1}}
	layouts = testlevel.Pick(layouts, layouts[3:4], layouts[3:4])
	granularities := testlevel.Pick(allGranularities, allGranularities[1:], allGranularities[1:2])
	for name, shape := range shapes() {
		if !slices.Contains(testlevel.Pick([]string{name}, []string{"dragonfly", "torus"}, []string{"dragonfly"}), name) {
			continue
		}
		for routing, r := range routings(t, shape) {
			for _, g := range granularities {
				c := tight(r.Routing, g)
				c.Adaptive = r.Adaptive
				run := func(synch ross.Scheduler, pes int) ross.Stats {
					cfg := config(1500)
					cfg.Synch, cfg.PEs = synch, pes
					sim := burst(network(t, c), 4, 3).play(t, cfg)
					defer sim.Close()
					return sim.Stats()
				}
				want := run(ross.Sequential, 1)
				require.Greater(t, want.NetEvents(), uint64(400))
				for _, l := range layouts {
					got := run(l.synch, l.pes)
					if l.synch == ross.OptimisticDebug || l.synch == ross.RollbackCheck {
						continue // they compare by themselves
					}
					what := fmt.Sprintf("%s, %s, %v: %v on %d PEs", name, routing, g, l.synch, l.pes)
					require.Equal(t, *want.Digest, *got.Digest, what)
					require.Equal(t, *want.StateDigest, *got.StateDigest, what)
				}
			}
		}
	}
}

func TestMessagesForNobodyAreErrors(t *testing.T) {
	n := network(t, Defaults(topology.NewMinimal(shapes()["mesh"])))
	for _, bad := range []start{{-1, 1}, {12, 1}, {3, -1}} {
		l := load{n: n, init: func(_ *Network, _ *host, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, bad) }}
		cfg := config(100)
		n.Place(&cfg)
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		require.NoError(t, sim.Define(n.Router(), l.host()))
		err = sim.Run(context.Background())
		require.ErrorIs(t, err, ross.ErrModel)
		require.ErrorContains(t, err, fmt.Sprintf("%d bytes to terminal %d: there are 12", bad.Bytes, bad.To))
		require.NoError(t, sim.Close())
	}
}
