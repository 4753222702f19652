// Networks that are wired wrongly are refused, and routes that lead nowhere end the run with an error.

package interconnect

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/network/topology"
)

// crossed is a network in which port 0 of router 1 leads to port 0 of router 0.
type crossed struct{ topology.Network }

func (c crossed) Link(router, port int) (int, int, topology.Class) {
	if router == 1 && port == 0 {
		return 0, 0, topology.Local
	}
	return c.Network.Link(router, port)
}

// nowhere is a routing that has no network.
type nowhere struct{ topology.Routing }

func (nowhere) Network() topology.Network { return nil }

func TestNetworksThatAreWiredWronglyAreRefused(t *testing.T) {
	for name, shape := range shapes() {
		_, err := New(Defaults(topology.NewMinimal(shape)))
		require.NoError(t, err, name)
	}
	_, err := New(Defaults(topology.NewMinimal(crossed{shapes()["torus"]})))
	require.ErrorIs(t, err, ErrConfig)
	require.ErrorIs(t, err, topology.ErrShape)
	require.ErrorContains(t, err, "router 0, port 1 leads to router 1, port 0, but the link of that one to router 0, port 0: Link(Link(r, p)) must be (r, p)")
	_, err = New(Defaults(nowhere{}))
	require.ErrorIs(t, err, ErrConfig)
	require.ErrorContains(t, err, "its method Network returns nil")
}

// oneWay is a ring whose port 0 sends to the next router. Packets come by port in.
type oneWay struct {
	*topology.Torus
	n, in int
}

func newOneWay(n, in int) oneWay { return oneWay{must(topology.NewTorus([]int{n}, 2)), n, in} }

func (o oneWay) Ports(int) int { return 1 + o.in }

func (o oneWay) Link(router, port int) (int, int, topology.Class) {
	if port > 0 {
		return router, port, topology.Local
	}
	return (router + 1) % o.n, o.in, topology.Global
}

func (o oneWay) Source(router, port int) (int, int) {
	if port == o.in {
		return (router + o.n - 1) % o.n, 0
	}
	return router, port
}

// around leads packets round such a ring, on channel 1 from where they have passed router 0.
type around struct{ oneWay }

func (around) Channels() int               { return 2 }
func (a around) Network() topology.Network { return a.oneWay }
func (around) Start(_, to, _ int) topology.Packet {
	return topology.Packet{Dst: int32(to)}
}

func (a around) Next(at int, p *topology.Packet) (port, channel int, ok bool) {
	if at == int(p.Dst) {
		return 0, 0, false
	}
	if at == 0 {
		p.Wraps = true
	}
	if p.Wraps {
		channel = 1
	}
	return 0, channel, true
}

// TestLinksInOneDirectionCarryWhatOthersDo has credits go back against links that lead one way.
func TestLinksInOneDirectionCarryWhatOthersDo(t *testing.T) {
	testlevel.Once(t, "what the network does")
	for in := range 2 {
		for _, g := range allGranularities {
			r := around{newOneWay(5, in)}
			c := uneven(r, g)
			n := network(t, c)
			if g != Messages {
				require.Equal(t, 130., n.Lookahead()) // a port without a link has no latency
			}
			require.EqualValues(t, 100+10*8, n.maxHops)
			var got float64
			l := load{n: n, init: func(n *Network, h *host, lp *ross.LP) {
				if n.TerminalOf(lp.ID()) == 3 {
					h.Send(n, lp, 1, 320, 7) // from router 1 on to 0
				}
			}, deliver: func(h *host, _ *ross.LP, _ Message) { got = h.Time }}
			require.NoError(t, l.play(t, config(1e5)).Close())
			want, _ := formula(n, 3, 1, 10)
			require.InEpsilon(t, want, got, 1e-12)

			n = network(t, tight(r, g))
			run := func(synch ross.Scheduler, pes int) ross.Stats {
				cfg := config(math.Inf(1))
				cfg.Synch, cfg.PEs = synch, pes
				sim := burst(n, 12, 1).play(t, cfg)
				defer sim.Close()
				got, err := ross.Reduce(sim, func(_ *ross.LP, h *host) uint64 { return h.Got }, func(a, b uint64) uint64 { return a + b })
				require.NoError(t, err)
				require.EqualValues(t, 12*n.Terminals(), got)
				requireEmpty(t, sim, n)
				return sim.Stats()
			}
			sequential := run(ross.Sequential, 1)
			require.Equal(t, *sequential.Digest, *run(ross.Optimistic, 2).Digest)
			require.Equal(t, *sequential.Digest, *run(ross.Conservative, 2).Digest)
		}
	}
}

// lost is a routing that errs at a router.
type lost struct {
	topology.Routing
	at            int
	port, channel int
	ends          bool
}

func (l lost) Next(at int, p *topology.Packet) (port, channel int, ok bool) {
	if port, channel, ok = l.Routing.Next(at, p); at == l.at {
		return port + l.port, channel + l.channel, ok && !l.ends
	}
	return port, channel, ok
}

// failure returns the error of a run in which terminal 0 of a network sends to terminal 3.
func failure(t *testing.T, c Config, synch ross.Scheduler, pes int) error {
	t.Helper()
	n := network(t, c)
	l := load{n: n, init: func(n *Network, h *host, lp *ross.LP) {
		if n.TerminalOf(lp.ID()) == 0 {
			ross.Send(lp, lp.ID(), 1, start{3, 320})
		}
	}}
	cfg := config(1e6)
	cfg.Synch, cfg.PEs = synch, pes
	n.Place(&cfg)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(n.Router(), l.host()))
	return sim.Run(context.Background())
}

// requireFailure requires that a run ends with an error of an LP that says what is wanted, in every granularity
// and scheduler.
func requireFailure(t *testing.T, c Config, lp ross.LPID, want string) {
	t.Helper()
	for _, c.Granularity = range testlevel.Pick(allGranularities, allGranularities[1:2], allGranularities[1:2]) {
		err := failure(t, c, ross.Sequential, 1)
		require.ErrorIs(t, err, ErrConfig)
		var mistake *ross.ModelError
		require.ErrorAs(t, err, &mistake)
		require.Equal(t, lp, mistake.LP)
		require.Empty(t, mistake.Stack, "no panic")
		require.ErrorContains(t, err, want)
		require.EqualError(t, failure(t, c, ross.Optimistic, 2), err.Error())
		require.EqualError(t, failure(t, c, ross.Conservative, 2), err.Error())
	}
}

func TestRoutesThatLeadNowhereAreErrors(t *testing.T) {
	ring := topology.NewMinimal(must(topology.NewTorus([]int{8}, 1)))
	const packet = "a packet of message 0 from terminal 0 to terminal 3 (at router 3), sent at 1 ns, "
	for _, x := range []struct {
		wrong lost
		want  string
	}{
		{lost{port: 1}, "sends " + packet + "through port 2 of router 2, whose ports are 0 to 1"},
		{lost{port: 1 << 20}, "through port 1048577 of router 2"},
		{lost{port: -2}, "through port -1 of router 2"},
		{lost{channel: 2}, "sends " + packet + "on channel 2 of port 1 of router 2, whose channels are 0 to 1"},
		{lost{channel: 256}, "on channel 256 of port 1"},
		{lost{channel: -1}, "on channel -1 of port 1"},
		{lost{ends: true}, "interconnect.lost has " + packet + "leave the network at router 2: its method Next must return a port"},
	} {
		x.wrong.Routing, x.wrong.at = ring, 2
		requireFailure(t, Defaults(x.wrong), 2, x.want)
	}
}

// astray is a ring of which Minimal returns a port that there is not, at router 0 to router 3.
type astray struct{ *topology.Torus }

func (a astray) Minimal(at, to int) int {
	if at == 0 && to == 3 {
		return 7
	}
	return a.Torus.Minimal(at, to)
}

func TestAdaptiveRoutingChecksThePortsThatItCompares(t *testing.T) {
	c := Defaults(must(topology.NewValiant(astray{must(topology.NewTorus([]int{8}, 1))})))
	c.Adaptive, c.Threshold = true, -1<<20 // takes the way round whatever the queues are
	requireFailure(t, c, 0, "through port 7 of router 0, whose ports are 0 to 1")
}

// up is a routing all of whose packets go up for ever.
type up struct{ topology.Routing }

func (up) Next(int, *topology.Packet) (port, channel int, ok bool) { return 1, 0, true }

func TestRoutesWithoutAnEndAreErrors(t *testing.T) {
	ring := topology.NewMinimal(must(topology.NewTorus([]int{8}, 1)))
	requireFailure(t, Defaults(up{ring}), 3, "leads a packet of message 0 from terminal 0 to terminal 3 (at router 3), sent at 1 ns, over 180 links, and it has not come")
	c := Defaults(ring)
	for _, c.Granularity = range allGranularities {
		c.MaxHops = 5 // three links between routers and two to terminals
		require.NoError(t, failure(t, c, ross.Sequential, 1))
	}
	c.MaxHops = 4
	requireFailure(t, c, 3, "over 4 links, and it has not come: the route has no end, which topology.Cycle shows, or Config.MaxHops is too small")
	for _, c.MaxHops = range []int{-1, 1, math.MaxInt32 + 1} {
		_, err := New(c)
		require.ErrorIs(t, err, ErrConfig)
		require.ErrorContains(t, err, fmt.Sprintf("MaxHops is %d: must be 2 to 2^31-1, or 0", c.MaxHops))
	}
}

// TestTheDefaultOfMaxHopsFollowsFromTheNetwork compares it with the diameters, which are at most the links by way of
// the first router.
func TestTheDefaultOfMaxHopsFollowsFromTheNetwork(t *testing.T) {
	for name, shape := range shapes() {
		n := network(t, Defaults(topology.NewMinimal(shape)))
		require.GreaterOrEqual(t, n.reach(), shape.Diameter(), name)
		require.LessOrEqual(t, n.reach(), 2*max(shape.Diameter(), 4), name)
		require.EqualValues(t, 100+10*n.reach(), n.maxHops, name)
	}
	require.Equal(t, 2*100, network(t, Defaults(topology.NewMinimal(must(topology.NewTorus([]int{200}, 1))))).reach())
	require.Equal(t, 7, network(t, Defaults(around{newOneWay(8, 0)})).reach()/2)
}
