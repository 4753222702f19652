// Packets arrive, and do not wait for one another in a circle. Networks that are wired wrongly are refused, and those
// of the package are right.

package topology

import (
	"math/rand/v2"
	"testing"

	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/stretchr/testify/require"
)

// oneChannel is a routing that has only one virtual channel.
type oneChannel struct{ Routing }

func (oneChannel) Channels() int { return 1 }

func (o oneChannel) Next(at int, p *Packet) (port, channel int, ok bool) {
	port, _, ok = o.Routing.Next(at, p)
	return port, 0, ok
}

func TestMinimalRoutingIsFreeOfDeadlock(t *testing.T) {
	for name, n := range networks() {
		limit := n.Diameter()
		if d, ok := n.(*Dragonfly); ok {
			limit = min(3, 2*d.a-1)
		}
		cycle, err := Cycle(NewMinimal(n), limit)
		require.NoError(t, err, name)
		require.Empty(t, cycle, name)
	}
}

func TestValiantsRoutingIsFreeOfDeadlock(t *testing.T) {
	for name, n := range networks() {
		if _, ok := n.(fatTree); ok || n.Routers() > 60 {
			continue
		}
		v, err := NewValiant(n)
		require.NoError(t, err)
		cycle, err := Cycle(v, 2*max(n.Diameter(), 3))
		require.NoError(t, err, name)
		require.Empty(t, cycle, name)
	}
}

func TestTheDragonflyPlusNeedsFewChannels(t *testing.T) {
	n := must(NewDragonflyPlus(2, 2, 2, 2, 5))
	v, err := NewValiant(n)
	require.NoError(t, err)
	require.Equal(t, [2]int{1, 2}, [2]int{NewMinimal(n).Channels(), v.Channels()}) // Shpiner et al.
}

func TestValiantsRoutingOnADragonflyPlusGoesByWayOfALeaf(t *testing.T) {
	n := must(NewDragonflyPlus(2, 4, 1, 1, 5)).(*DragonflyPlus)
	v, err := NewValiant(n)
	require.NoError(t, err)
	drawn := map[int]int{} // how many routers lead by way of a leaf
	for via := range n.Routers() {
		by := int(v.Start(0, 20, via).Via)
		require.True(t, n.IsLeaf(by), by)
		require.Equal(t, n.Group(via), n.Group(by))
		drawn[by]++

		nearest := func(port int) int { return map[bool]int{true: 1000}[port == n.Minimal(0, 20)] }
		chosen := v.Choose(0, 20, via, 0, nearest)
		if by == 0 || by == 20 || n.Minimal(0, by) == n.Minimal(0, 20) {
			require.EqualValues(t, -1, chosen.Via, via)
		} else {
			require.EqualValues(t, by, chosen.Via, via)
		}
	}
	require.Len(t, drawn, 10)
	for by, times := range drawn {
		require.Equal(t, 3, times, by)
	}
}

func TestRoutesOfADragonflyPlusAreSpread(t *testing.T) {
	for _, shape := range [][3]int{{4, 2, 3}, {2, 4, 3}, {2, 2, 5}, {4, 1, 5}} { // spines, global links, groups
		n := must(NewDragonflyPlus(4, shape[0], shape[1], 1, shape[2])).(*DragonflyPlus)
		routes := map[Link]int{} // by global link, and by link up within a group
		for from := range n.Routers() {
			for to := range n.Routers() {
				if !n.IsLeaf(from) || !n.IsLeaf(to) {
					continue
				}
				for at := from; at != to; {
					port := n.Minimal(at, to)
					next, back, class := n.Link(at, port)
					if class == Global || class == Up && n.Group(from) == n.Group(to) {
						routes[Link{at, port, next, back, class}]++
					}
					at = next
				}
			}
		}
		for r := range n.Routers() {
			for port := range n.Ports(r) {
				to, back, class := n.Link(r, port)
				used := routes[Link{r, port, to, back, class}]
				switch class {
				case Global: // 16 routes from group to group
					require.Equal(t, 16/n.Parallel(), used, "%v: %d to %d", shape, r, to)
				case Up: // to 4 leaves; this may be one of them
					require.GreaterOrEqual(t, used, 4/shape[0]-1, "%v: %d to %d", shape, r, to)
					require.LessOrEqual(t, used, 4/shape[0], "%v: %d to %d", shape, r, to)
				}
			}
		}
	}
}

func TestRandomRoutingOnTreesIsFreeOfDeadlock(t *testing.T) {
	for name, n := range networks() {
		if _, ok := n.(fatTree); !ok {
			continue
		}
		for _, start := range []func(Network) (*RandomUp, error){NewRandomUp, NewRandomTop} {
			r, err := start(n)
			require.NoError(t, err, name)
			require.Equal(t, n, r.Network())
			cycle, err := Cycle(r, 2*n.(fatTree).Level(n.Routers()-1))
			require.NoError(t, err, name)
			require.Empty(t, cycle, name)
		}
	}
}

func TestRandomRoutingOnTreesUsesAllOfTheTop(t *testing.T) {
	for name, n := range map[string]Network{
		"tree": must(NewTree(3, 3)), "fat tree": must(NewFatTree(6, 3)),
		"tapered": must(NewXGFT([]int{4, 4, 6}, []int{2, 2})),
	} {
		tree := n.(fatTree)
		top := tree.Level(n.Routers() - 1)
		for _, c := range []struct {
			start func(Network) (*RandomUp, error)
			to    int
			links int
			turns int // routers in which packets turn
		}{
			{NewRandomUp, 1, 2, n.Ports(0)}, // in the same subtree, the routers above
			{NewRandomUp, -1, 2 * top, -1},  // in the last one, all of the top
			{NewRandomTop, 1, 2 * top, -1},
			{NewRandomTop, -1, 2 * top, -1},
			{NewRandomTop, 0, 0, 0}, // it is there
		} {
			routing, err := c.start(n)
			require.NoError(t, err)
			to := c.to
			if to < 0 {
				for to = n.Routers() - 1; n.Terminals(to) == 0; {
					to--
				}
			}
			if c.turns < 0 {
				for r := range n.Routers() {
					c.turns += number(tree.Level(r) == top)
				}
				c.turns++
			}
			turns := map[int]int{}
			for via := range n.Routers() {
				p := routing.Start(0, to, via)
				at, links := 0, 0
				for ; ; links++ {
					port, _, ok := routing.Next(at, &p)
					if !ok {
						break
					}
					next, _, class := n.Link(at, port)
					if class == Up && 2*links+2 == c.links {
						turns[next]++
					}
					at = next
				}
				require.Equal(t, [2]int{to, c.links}, [2]int{at, links}, name)
			}
			require.Len(t, turns, c.turns, "%s: %v", name, c)
			for r, times := range turns {
				require.InDelta(t, float64(n.Routers())/float64(c.turns), times, 1, "%s: by way of %d", name, r)
			}
		}
	}
}

func TestTooFewChannelsAreFound(t *testing.T) {
	valiant := func(n Network) Routing {
		v, err := NewValiant(n)
		require.NoError(t, err)
		return v
	}
	for name, r := range map[string]Routing{
		"torus":                   NewMinimal(must(NewTorus([]int{5}, 1))),
		"torus of two":            NewMinimal(must(NewTorus([]int{4, 4}, 1))),
		"dragonfly":               NewMinimal(must(NewDragonfly(3, 2, 1))),
		"slim fly":                NewMinimal(must(NewSlimFly(5, 1))),
		"Valiant on a mesh":       valiant(must(NewMesh([]int{3, 3}, 1))),
		"Valiant on a hypercube":  valiant(must(NewHypercube(3, 1))),
		"Valiant on a dragonfly+": valiant(must(NewDragonflyPlus(2, 2, 1, 1, 3))),
	} {
		cycle, err := Cycle(oneChannel{r}, 20)
		require.NoError(t, err, name)
		require.NotEmpty(t, cycle, name)
		for i, c := range cycle { // each is behind the one before
			before := cycle[(i+len(cycle)-1)%len(cycle)]
			at, _, _ := r.Network().Link(before.Router, before.Port)
			require.Equal(t, c.Router, at, "%s: %v", name, cycle)
		}
		require.Regexp(t, `^router \d+, port \d+, channel 0$`, cycle[0].String())
	}
}

func TestCycleTellsOfPacketsThatGoAstray(t *testing.T) {
	n := must(NewTorus([]int{5}, 1))
	_, err := Cycle(NewMinimal(n), 1)
	require.ErrorContains(t, err, "takes link 2, channel 0: there should be at most 1 links and 2 channels")
	_, err = Cycle(fewer{NewMinimal(n)}, 9)
	require.ErrorContains(t, err, "channel 1: there should be at most 9 links and 1 channels")
	_, err = Cycle(stays{NewMinimal(n)}, 9)
	require.ErrorContains(t, err, "ends at 0")
}

// fewer reports one channel less than it takes.
type fewer struct{ Routing }

func (f fewer) Channels() int { return f.Routing.Channels() - 1 }

// stays does not lead packets anywhere.
type stays struct{ Routing }

func (stays) Next(int, *Packet) (port, channel int, ok bool) { return 0, 0, false }

func TestUGALTakesTheShorterQueue(t *testing.T) {
	n := must(NewDragonfly(4, 2, 2)).(*Dragonfly)
	v, err := NewValiant(n)
	require.NoError(t, err)
	from, to, via := 0, 13, 25
	minimal, around := n.Minimal(from, to), n.Minimal(from, via)
	require.NotEqual(t, minimal, around)
	queues := make([]int, n.Ports(0))
	queue := func(port int) int { return queues[port] }
	require.EqualValues(t, -1, v.Choose(from, to, via, 0, queue).Via, "empty queues")
	queues[minimal] = 10
	require.EqualValues(t, via, v.Choose(from, to, via, 0, queue).Via, "a full queue on the minimal way")
	require.EqualValues(t, -1, v.Choose(from, to, via, 1000, queue).Via, "below the threshold")
	queues[around] = 10
	require.EqualValues(t, -1, v.Choose(from, to, via, 0, queue).Via, "two full queues: the shorter way")
	require.EqualValues(t, -1, v.Choose(from, to, from, 0, queue).Via)
	require.EqualValues(t, -1, v.Choose(from, from, via, 0, queue).Via)
}

// rewired is a network with one wrong link.
type rewired struct {
	Network
	from, to Link
}

func (w rewired) Link(router, port int) (other, otherPort int, class Class) {
	if router == w.from.From && port == w.from.FromPort {
		return w.to.To, w.to.ToPort, w.to.Class
	}
	return w.Network.Link(router, port)
}

// ring is a ring whose links lead up only: port 0 sends to the next router, where the packets come by port
// in.
type ring struct {
	Network
	in     int
	source func(router, port int) (int, int)
}

func oneWayRing(n, in int) ring {
	return ring{must(NewTorus([]int{n}, 1)), in, func(router, port int) (int, int) {
		if port == in {
			return (router + n - 1) % n, 0
		}
		return router, port
	}}
}

func (r ring) Ports(int) int { return 1 + r.in }

func (r ring) Link(router, port int) (other, otherPort int, class Class) {
	if port > 0 {
		return router, port, Local
	}
	return (router + 1) % r.Routers(), r.in, Local
}

func (r ring) Source(router, port int) (int, int) { return r.source(router, port) }

func (r ring) Distance(a, b int) int { return (b + r.Routers() - a) % r.Routers() }

func (r ring) Minimal(at, to int) int {
	if at == to {
		return -1
	}
	return 0
}

// random returns a network of any kind, and whether the numbers that were drawn make one.
func random(d *rand.Rand) (Network, bool) {
	n := func(least, most int) int { return least + d.IntN(most-least+1) }
	list := func(length, least, most int) (all []int) {
		for range length {
			all = append(all, n(least, most))
		}
		return all
	}
	var net Network
	var err error
	switch d.IntN(8) {
	case 0:
		net, err = network(NewTorus(list(n(1, 4), 2, 6), n(1, 3)))
	case 1:
		net, err = network(NewMesh(list(n(1, 4), 2, 6), n(1, 3)))
	case 2:
		net, err = network(NewDragonfly(n(1, 8), n(1, 4), n(1, 3)))
	case 3:
		net, err = network(NewDragonflyPlus(n(1, 6), n(1, 6), n(1, 4), n(1, 3), n(2, 12)))
	case 4:
		net, err = network(NewTree(n(2, 6), n(1, 4)))
	case 5:
		net, err = network(NewFatTree(2*n(1, 5), n(1, 3)))
	case 6:
		levels := n(1, 4)
		net, err = network(NewXGFT(list(levels, 1, 5), list(levels-1, 1, 4)))
	case 7:
		net, err = network(NewSlimFly([]int{3, 5, 7, 9, 11, 13}[d.IntN(6)], n(1, 3)))
	}
	return net, err == nil
}

func TestNetworksOfThisPackagePassTheCheck(t *testing.T) {
	for name, n := range networks() {
		require.NoError(t, Check(n), name)
	}
	d := testrand.New(t)
	for made := 0; made < 300; {
		if n, ok := random(d); ok {
			require.NoError(t, Check(n), "%+v", n)
			made++
		}
	}
}

// TestEachWrongLinkIsFound changes a link of a network, another one each time, to somewhere else.
func TestEachWrongLinkIsFound(t *testing.T) {
	d := testrand.New(t)
	for made := 0; made < 300; {
		n, ok := random(d)
		if !ok {
			continue
		}
		made++
		r := d.IntN(n.Routers())
		if n.Ports(r) == 0 {
			continue
		}
		port := d.IntN(n.Ports(r))
		to, toPort, class := n.Link(r, port)
		bad := rewired{n, Link{From: r, FromPort: port}, Link{To: d.IntN(n.Routers()), Class: class}}
		ports := n.Ports(bad.to.To)
		if ports == 0 {
			continue
		}
		if bad.to.ToPort = d.IntN(ports); bad.to.To == to && bad.to.ToPort == toPort {
			continue
		}
		if bad.to.To == r && bad.to.ToPort == port {
			// A port that leads to itself is right, so it is the other end that is wrong.
			require.ErrorContains(t, Check(bad), "Link(Link(r, p)) must be (r, p)")
			continue
		}
		require.ErrorIs(t, Check(bad), ErrShape, "%+v: %+v", n, bad.to)
	}
}

func TestTheCheckNamesBothEnds(t *testing.T) {
	torus, tree := must(NewTorus([]int{4}, 1)), must(NewTree(2, 2))
	at := func(n Network, to Link) Network { return rewired{n, Link{From: 1, FromPort: 0}, to} }
	for want, n := range map[string]Network{
		"the link of router 0, port 1 leads to router 1, port 0, but the link of that one to router 0, port 0: Link(Link(r, p)) must be (r, p); if the link leads one way only, give the network the method Source of topology.OneWay": at(torus, Link{To: 0, ToPort: 0}),
		"the link of router 1, port 0 leads to router 4: there are routers 0 to 3": at(torus,
			Link{To: 4}),
		"the link of router 1, port 0 leads to router -1": at(torus,
			Link{To: -1}),
		"the link of router 1, port 0 leads to router 0, port 2: it has 2 ports, counted from 0": at(torus,
			Link{To: 0, ToPort: 2}),
		"the link of router 1, port 0 leads to router 0, port -1": at(torus,
			Link{To: 0, ToPort: -1}),
		"the link of router 1, port 0 has the class 4: must be Local, Global, Up or Down": at(torus,
			Link{To: 0, ToPort: 1, Class: 4}),
		"the link of router 0, port 1 to router 1, port 0 is local, but seen from there global: must be local": at(torus,
			Link{To: 0, ToPort: 1, Class: Global}),
		"the link of router 1, port 0 to router 2, port 1 is down, but seen from there down: must be up": at(tree,
			Link{To: 2, ToPort: 1, Class: Down}),
		"router 1 has 2 ports and -1 terminals: neither may be below 0": below{torus},
		"0 routers: there must be 1 to 2^31-1": nowhere{
			torus},
	} {
		err := Check(n)
		require.ErrorIs(t, err, ErrShape)
		require.ErrorContains(t, err, want)
	}
	require.Equal(t, "Class(7)", Class(7).String())
}

type below struct{ Network }

func (below) Terminals(router int) int { return -router }

type nowhere struct{ Network }

func (nowhere) Routers() int { return 0 }

func TestLinksInOneDirectionAreDeclared(t *testing.T) {
	for in := range 3 {
		r := oneWayRing(5, in)
		require.NoError(t, Check(r))
		sent := 0
		for l := range Links(r) {
			if l.From != l.To {
				require.Equal(t, (l.From+1)%5, l.To)
				sent++
			}
		}
		require.Equal(t, 5, sent)
		type undeclared struct{ Network }
		require.ErrorContains(t, Check(rewired{undeclared{r}, Link{From: -1}, Link{}}), "method Source of topology.OneWay")

		r.source = func(router, port int) (int, int) { return router, port }
		require.ErrorContains(t, Check(r), "Source(Link(r, p)) must be (r, p)")
		r.source = func(router, port int) (int, int) { return router, 9 }
		require.ErrorContains(t, Check(r), "Source of router 1, port "+string(rune('0'+in))+" is router 1, port 9: it has")
	}
	r := oneWayRing(5, 1)
	right := r.source
	r.source = func(router, port int) (int, int) {
		if port == 0 {
			return 0, 0 // nothing leads to port 0
		}
		return right(router, port)
	}
	require.ErrorContains(t, Check(r),
		"Source of router 1, port 0 is router 0, port 0, whose link leads to router 1, port 1: Link(Source(r, p)) must be (r, p)")
}

// loose is a routing that takes a port or channel that there is not.
type loose struct {
	Routing
	port, channel int
}

func (l loose) Next(at int, p *Packet) (port, channel int, ok bool) {
	port, channel, ok = l.Routing.Next(at, p)
	return port + l.port, channel + l.channel, ok
}

func TestCycleRefusesWhatIsWrong(t *testing.T) {
	torus := must(NewTorus([]int{4}, 1))
	_, err := Cycle(NewMinimal(rewired{torus, Link{From: 1}, Link{}}), 100)
	require.ErrorIs(t, err, ErrShape)
	_, err = Cycle(loose{NewMinimal(torus), 2, 0}, 100)
	require.ErrorContains(t, err, "takes port 3 of router 0: it has 2 ports, counted from 0")
	_, err = Cycle(loose{NewMinimal(torus), -2, 0}, 100)
	require.ErrorContains(t, err, "takes port -1 of router 0")
	_, err = Cycle(loose{NewMinimal(torus), 0, -1}, 100)
	require.ErrorContains(t, err, "takes link 1, channel -1")
	cycle, err := Cycle(oneChannel{NewMinimal(oneWayRing(4, 0))}, 3)
	require.NoError(t, err)
	require.Len(t, cycle, 4)
}
