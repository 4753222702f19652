// Packets arrive, and do not wait for one another in a circle.

package topology

import (
	"testing"

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
				case Up: // to 4 leaves, one of which may be this one
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
		"tree": must(NewTree(3, 3)), "fat tree": must(NewFatTree(6, 3)), "tapered": must(NewXGFT([]int{4, 4, 6}, []int{2, 2})),
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

// fewer says that it has one channel less than it takes.
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
