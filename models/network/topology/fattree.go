// This file owns fat trees of routers with different numbers of ports, and random routing on fat trees.

package topology

import "slices"

// FatTree is an extended generalized fat tree (Öhring, Ibel, Das and Kumar, "On generalized fat trees",
// IPPS 1995). It has levels of routers; those of level 0 have the terminals. All routers of a
// level have the same number of ports down and of ports up. Fat trees of data centres, which are folded
// Clos networks, have this shape, see [NewFatTree]; so have those with fewer ports up than down, see
// [NewXGFT]. A k-ary n-tree, see [Tree], is one as well: one whose highest routers use only half of
// their ports, so from the same routers it has half as many terminals.
//
// Routers are numbered level by level, and in a level subtree by subtree. Ports are first those down,
// in the order of the subtrees, which level 0 has not, then those up.
type FatTree struct {
	down, up []int // ports by level; terminals for level 0, and none for the highest level
	first    []int // number of the first router, by level
	width    []int // routers of a subtree that ends at the level, in that level
	below    []int // routers of level 0 in such a subtree
}

// NewFatTree returns the fat tree of routers that all have the given number of ports, which is even, half of
// them up and half of them down but for the highest level, whose ports all lead down. With k ports and 3
// levels it is that of data centres (Al-Fares, Loukissas and Vahdat, "A scalable, commodity data center
// network architecture", SIGCOMM 2008): k pods of k/2 edge and k/2 aggregation switches, (k/2)^2
// core switches, and k^3/4 terminals. With n levels it is the m-port n-tree of Lin, Chung and Huang
// ("A multiple LID routing scheme for fat-tree-based InfiniBand networks", IPDPS 2004), which
// has (2n-1)(k/2)^(n-1) routers and 2(k/2)^n terminals.
func NewFatTree(ports, levels int) (*FatTree, error) {
	if ports < 2 || ports > 1<<13 || ports%2 != 0 || levels < 1 || levels > 28 {
		return nil, shapeError("fat tree of routers with %d ports on %d levels: there must be an even number of "+
			"2 to 8192 ports, and 1 to 28 levels", ports, levels)
	}
	down := slices.Repeat([]int{ports / 2}, levels)
	up := slices.Clone(down[1:])
	down[levels-1] = ports
	return NewXGFT(down, up)
}

// NewXGFT returns the fat tree whose routers of level i have down[i] ports down, which for level 0
// lead to terminals, and up[i] ports up. The highest level has none up, so up is shorter by one. In the
// notation of Öhring et al. it is XGFT(n; down[0], ..., down[n-1]; 1, up[0], ..., up[n-2]). Where
// a level has more ports down than up the tree is tapered: the network above is narrower than what its
// terminals can send.
func NewXGFT(down, up []int) (*FatTree, error) {
	n := len(down)
	if n < 1 || n > 28 || len(up) != n-1 {
		return nil, shapeError("fat tree of %d levels with ports down and %d with ports up: there must be 1 to 28, "+
			"and one less", n, len(up))
	}
	for _, ports := range slices.Concat(down, up) {
		if ports < 1 || ports > 1<<13 {
			return nil, shapeError("fat tree with %v ports down and %v up: each number must be 1 to 8192", down, up)
		}
	}
	t := &FatTree{down: slices.Clone(down), up: slices.Clone(up), width: []int{1}, below: []int{1}}
	tooMany := shapeError("fat tree with %v ports down and %v up: there may be 2^28 routers", down, up)
	for level := 1; level < n; level++ {
		t.width = append(t.width, t.width[level-1]*up[level-1])
		t.below = append(t.below, t.below[level-1]*down[level])
		if max(t.width[level], t.below[level]) > maxRouters {
			return nil, tooMany
		}
	}
	routers := 0
	for level := range n {
		t.first = append(t.first, routers)
		if routers += t.below[n-1] / t.below[level] * t.width[level]; routers > maxRouters {
			return nil, tooMany
		}
	}
	t.first = append(t.first, routers)
	return t, nil
}

// Levels returns the number of levels.
func (t *FatTree) Levels() int { return len(t.down) }

// Level returns the level of a router, 0 next to the terminals.
func (t *FatTree) Level(router int) int {
	level := 0
	for router >= t.first[level+1] {
		level++
	}
	return level
}

// at returns the level of a router, the number of its subtree among those that end at this level, and
// its own number among the routers of this level in the subtree. The digits of the latter decide through
// which ports up, level by level, one comes to it from below.
func (t *FatTree) at(router int) (level, subtree, column int) {
	level = t.Level(router)
	router -= t.first[level]
	return level, router / t.width[level], router % t.width[level]
}

// router returns the number of a router, see at.
func (t *FatTree) router(level, subtree, column int) int {
	return t.first[level] + subtree*t.width[level] + column
}

// Routers implements [Network].
func (t *FatTree) Routers() int { return t.first[len(t.down)] }

// Terminals implements [Network].
func (t *FatTree) Terminals(router int) int {
	if router < t.first[1] {
		return t.down[0]
	}
	return 0
}

// RouterOf returns the router of a terminal.
func (t *FatTree) RouterOf(terminal int) int { return terminal / t.down[0] }

// portsDown returns the number of ports down, which come first.
func (t *FatTree) portsDown(level int) int {
	if level == 0 {
		return 0
	}
	return t.down[level]
}

// Ports implements [Network].
func (t *FatTree) Ports(router int) int {
	level := t.Level(router)
	if level == len(t.up) {
		return t.portsDown(level)
	}
	return t.portsDown(level) + t.up[level]
}

// Link implements [Network]: links are Up or Down.
func (t *FatTree) Link(router, port int) (other, otherPort int, class Class) {
	level, subtree, column := t.at(router)
	if down := t.portsDown(level); port >= down {
		above := t.down[level+1]
		return t.router(level+1, subtree/above, column+(port-down)*t.width[level]), subtree % above, Up
	}
	width := t.width[level-1]
	return t.router(level-1, subtree*t.down[level]+port, column%width), t.portsDown(level-1) + column/width, Down
}

// Distance implements [Network].
func (t *FatTree) Distance(a, b int) int {
	if a > b {
		a, b = b, a
	}
	la, subtreeA, columnA := t.at(a)
	lb, subtreeB, columnB := t.at(b)
	// Two routers of one subtree differ in the ports up that lead to them. What differs below the level of
	// the lower one can be changed only by going further down.
	low := 0
	for low < la && columnA/t.width[low]%t.up[low] == columnB/t.width[low]%t.up[low] {
		low++
	}
	// Going up to where they are in one subtree changes all others.
	subtreeA /= t.below[lb] / t.below[la]
	high := lb
	for subtreeA != subtreeB {
		high++
		subtreeA, subtreeB = subtreeA/t.down[high], subtreeB/t.down[high]
	}
	return (la - low) + (high - low) + (high - lb)
}

// Diameter implements [Network]: twice the number of levels less 1, or less if the highest routers have
// one port down.
func (t *FatTree) Diameter() int {
	level := len(t.down) - 1
	for level > 0 && t.down[level] == 1 {
		level--
	}
	return 2 * level
}

// Bisection returns the number of links between two halves: the links of the highest level to one half
// of the subtrees below. If their number is odd, one half has a subtree more. In a tree from
// [NewFatTree] it is half the number of terminals, and the least possible one, because all terminals of
// one half can send to the other one at once. Where a level has more ports up than down, a cut further
// down may have fewer links. With one level, the links to terminals are counted.
func (t *FatTree) Bisection() int {
	top := len(t.down) - 1
	return t.down[top] / 2 * t.width[top]
}

// Minimal implements [Network]. To routers with terminals it goes up no further than it must, through ports
// that depend on the destination, so that different ones are spread, and then down: this is D-mod-k
// routing (Zahavi, "Fat-tree routing and node ordering providing contention free traffic for MPI global
// collectives", Journal of Parallel and Distributed Computing 72(11), 2012). For other destinations
// it looks at each port.
func (t *FatTree) Minimal(at, to int) int {
	switch {
	case at == to:
		return -1
	case to >= t.first[1]:
		return nearer(t, at, to)
	case t.above(at, to):
		return t.descend(at, to)
	}
	return t.climb(at, to)
}

// above implements fatTree.
func (t *FatTree) above(at, to int) bool {
	level, subtree, _ := t.at(at)
	return to/t.below[level] == subtree
}

// descend implements fatTree.
func (t *FatTree) descend(at, to int) int {
	level := t.Level(at)
	return to / t.below[level-1] % t.down[level]
}

// climb implements fatTree.
func (t *FatTree) climb(at, number int) int {
	level := t.Level(at)
	return t.portsDown(level) + number/t.width[level]%t.up[level]
}

// fatTree is a network in which packets go up and then down.
type fatTree interface {
	Network
	// Level returns the level of a router, 0 next to the terminals.
	Level(router int) int
	// above reports whether ways down lead from one router to another one of level 0, or whether they
	// are the same.
	above(at, to int) bool
	// descend returns the port down that leads to a router of level 0.
	descend(at, to int) int
	// climb returns the port up that a number selects. Numbers drawn uniformly from those of all
	// routers lead to each router of the highest level about equally often.
	climb(at, number int) int
}

// RandomUp is random routing on fat trees: a packet goes up through random ports, and then down on the
// only way that there is. So any traffic is spread over the whole tree. Ways that turn from down to up
// do not exist, so one virtual channel is free of deadlock.
type RandomUp struct {
	net fatTree
	top int // level up to which all packets go, or 0
}

// NewRandomUp returns random minimal routing on a [Tree] or a [FatTree]: packets turn at a random one of
// the nearest routers above both ends (Greenberg and Leiserson, "Randomized routing on fat-trees", FOCS
// 1985).
func NewRandomUp(net Network) (*RandomUp, error) {
	t, ok := net.(fatTree)
	if !ok {
		return nil, shapeError("random ports up in a %T: it is no tree; take Valiant's routing", net)
	}
	return &RandomUp{net: t}, nil
}

// NewRandomTop returns random routing that is not minimal on a [Tree] or a [FatTree]: all packets that
// leave their router go to a random router of the highest level. This is Valiant's routing for folded
// Clos networks (Greenberg et al., "VL2: a scalable and flexible data center network", SIGCOMM 2009).
func NewRandomTop(net Network) (*RandomUp, error) {
	r, err := NewRandomUp(net)
	if err != nil {
		return nil, err
	}
	r.top = r.net.Level(net.Routers() - 1)
	return r, nil
}

// Network implements [Routing].
func (r *RandomUp) Network() Network { return r.net }

// Channels implements [Routing].
func (r *RandomUp) Channels() int { return 1 }

// Start implements [Routing]. Both routers must have terminals. via selects the ports up.
func (r *RandomUp) Start(_, to, via int) Packet {
	return Packet{Dst: int32(to), Via: int32(via), Dim: -1}
}

// Next implements [Routing].
func (r *RandomUp) Next(at int, p *Packet) (port, channel int, ok bool) {
	to := int(p.Dst)
	if at == to {
		return 0, 0, false
	}
	p.Hops++
	if p.Via >= 0 && (r.net.Level(at) < r.top || !r.net.above(at, to)) {
		return r.net.climb(at, int(p.Via)), 0, true
	}
	p.Via = -1
	return r.net.descend(at, to), 0, true
}
