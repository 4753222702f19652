// This file owns the tests of settings, sizes and names, and of what is wrong: deadlocks are found, and nothing else
// is taken for one; networks that are wired wrongly are refused, and routes that lead nowhere end the run with an
// error.

package interconnect

import (
	"context"
	"fmt"
	"math"
	"testing"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/ross-go/ross/models/network/topology"
	"github.com/stretchr/testify/require"
)

// TestMessagesFitIntoEvents holds messages to the size that events have room for.
func TestMessagesFitIntoEvents(t *testing.T) {
	require.LessOrEqual(t, unsafe.Sizeof(arrival{}), uintptr(72))
	require.LessOrEqual(t, unsafe.Sizeof(delivery{}), uintptr(72))
}

// many is a routing with more channels than there may be.
type many struct{ topology.Routing }

func (many) Channels() int { return 256 }

func TestUnusableSettingsAreRefused(t *testing.T) {
	r := topology.NewMinimal(shapes()["dragonfly"])
	for want, change := range map[string]func(c *Config){
		"Routing is nil":                                   func(c *Config) { c.Routing = nil },
		"Adaptive needs a *topology.Valiant":               func(c *Config) { c.Adaptive = true },
		"256 virtual channels: must be 1 to 255":           func(c *Config) { c.Routing = many{r} },
		"Granularity(3): give Messages, Packets or Flits":  func(c *Config) { c.Granularity = 3 },
		"FlitBytes is 0":                                   func(c *Config) { c.FlitBytes = 0 },
		"PacketBytes is -1":                                func(c *Config) { c.PacketBytes = -1 },
		"Delay is NaN":                                     func(c *Config) { c.Delay = math.NaN() },
		"Output is -1":                                     func(c *Config) { c.Output = -1 },
		"Latency of global links is 0":                     func(c *Config) { c.Links[topology.Global].Latency = 0 },
		"Latency of terminal links is -1":                  func(c *Config) { c.Terminal.Latency = -1 },
		"Bandwidth of local links is +Inf":                 func(c *Config) { c.Links[0].Bandwidth = math.Inf(1) },
		"Bandwidth of terminal links is 1e-300":            func(c *Config) { c.Terminal.Bandwidth = 1e-300 },
		"Buffer of up links is 511: must be 512 bytes":     func(c *Config) { c.Links[topology.Up].Buffer = 511 },
		"Buffer of terminal links is 31: must be 32 bytes": func(c *Config) { c.Granularity, c.Terminal.Buffer = Flits, 31 },
	} {
		c := Defaults(r)
		change(&c)
		_, err := New(c)
		require.ErrorIs(t, err, ErrConfig)
		require.ErrorContains(t, err, want)
	}
	_, err := ParseGranularity("bits")
	require.ErrorContains(t, err, `granularity "bits": give messages, packets or flits`)
	for _, g := range allGranularities {
		got, err := ParseGranularity(g.String())
		require.NoError(t, err)
		require.Equal(t, g, got)
	}
}

// TestLookaheadIsThatOfTheLinksThereAre has networks in which some classes of links do not exist.
func TestLookaheadIsThatOfTheLinksThereAre(t *testing.T) {
	least := func(shape topology.Network, g Granularity) float64 {
		return network(t, uneven(topology.NewMinimal(shape), g)).Lookahead()
	}
	flit := func(bandwidth float64) float64 { return 32 / bandwidth }
	require.Equal(t, 11.0, least(shapes()["torus"], Packets))
	require.Equal(t, 17.0, least(shapes()["tree"], Flits))
	require.Equal(t, 130.0, least(must(topology.NewDragonfly(1, 3, 2)), Packets)) // a router is a group
	require.InEpsilon(t, 11+50+flit(10), least(shapes()["dragonfly"], Messages), 1e-12)
	require.InEpsilon(t, 19+50+flit(32), least(shapes()["tree"], Messages), 1e-12)
	require.Equal(t, 7.0, least(must(topology.NewTree(3, 1)), Packets)) // one router
}

func TestLPsAreRoutersAndThenTerminals(t *testing.T) {
	n := network(t, Defaults(topology.NewMinimal(shapes()["tree"])))
	require.Equal(t, 27, n.Terminals())
	require.Equal(t, ross.LPID(27+5), n.LP(5))
	require.Equal(t, 5, n.TerminalOf(27+5))
	require.Equal(t, 1, n.RouterOf(5))
	first, end := n.TerminalsOf(8)
	require.Equal(t, [2]int{24, 27}, [2]int{first, end})
	first, end = n.TerminalsOf(9) // of the next level
	require.Equal(t, first, end)
	require.Equal(t, "router 26", n.Label(26))
	require.Equal(t, "terminal 0", n.Label(27))
}

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
	left, err := ross.Reduce(sim, func(_ *ross.LP, r *router) int { return r.Held.Len() },
		func(a, b int) int { return a + b })
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
	require.ErrorContains(t, err,
		"router 0, port 1 leads to router 1, port 0, but the link of that one to router 0, port 0: Link(Link(r, p)) must be (r, p)")
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
			run := func(synch ross.Scheduler, pes int) ross.Summary {
				cfg := config(math.Inf(1))
				cfg.Synch, cfg.PEs = synch, pes
				sim := burst(n, 12, 1).play(t, cfg)
				defer sim.Close()
				got, err := ross.Reduce(sim, func(_ *ross.LP, h *host) uint64 { return h.Got },
					func(a, b uint64) uint64 { return a + b })
				require.NoError(t, err)
				require.EqualValues(t, 12*n.Terminals(), got)
				requireEmpty(t, sim, n)
				return sim.Summary()
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
		{lost{ends: true}, "interconnect.lost has " + packet +
			"leave the network at router 2: its method Next must return a port"},
	} {
		x.wrong.Routing, x.wrong.at = ring, 2
		requireFailure(t, Defaults(x.wrong), 2, x.want)
	}
}

// astray is a ring whose Minimal returns a port that does not exist, at router 0 to router 3.
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
	requireFailure(t, Defaults(up{ring}), 3,
		"leads a packet of message 0 from terminal 0 to terminal 3 (at router 3), sent at 1 ns, over 180 links, and it has not come")
	c := Defaults(ring)
	for _, c.Granularity = range allGranularities {
		c.MaxHops = 5 // three links between routers and two to terminals
		require.NoError(t, failure(t, c, ross.Sequential, 1))
	}
	c.MaxHops = 4
	requireFailure(t, c, 3,
		"over 4 links, and it has not come: the route has no end, which topology.Cycle shows, or Config.MaxHops (--max-hops) is too small")
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

// TestDefaultsAreThoseOfTheDocument has the settings that the comment of Defaults lists.
func TestDefaultsAreThoseOfTheDocument(t *testing.T) {
	torus, err := topology.NewTorus([]int{4, 4}, 1)
	require.NoError(t, err)
	r := topology.NewMinimal(torus)
	local, global := Link{10, 25, 8 << 10}, Link{100, 25, 16 << 10}
	links := [4]Link{local, local, local, local}
	links[topology.Global] = global
	require.Equal(t, Config{Routing: r, Granularity: Packets, Links: links, Terminal: local, FlitBytes: 32,
		PacketBytes: 512, Delay: 50, Output: 4 << 10}, Defaults(r))
}
