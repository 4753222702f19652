// This file owns the k-ary n-tree.

package topology

// Tree is a k-ary n-tree, the fat tree of Petrini and Vanneschi ("k-ary n-trees: high performance
// networks for massively parallel architectures", IPPS 1997): n levels of k^(n-1) routers with k
// ports down and, below the top, k ports up. Routers are numbered level by level, and those of level
// 0 have the k^n terminals. Ports are first those down, which level 0 has not, then those up.
//
// This is not the fat tree of data centres: its highest routers have k ports, those below 2k. Where
// the highest ones use all 2k, there are twice as many terminals, see [NewFatTree].
type Tree struct {
	k, n, width int
	power       []int // k^i
}

// NewTree returns a k-ary n-tree.
func NewTree(k, n int) (*Tree, error) {
	if k < 2 || k > 1<<12 || n < 1 || n > 28 {
		return nil, shapeError("%d-ary %d-tree: k must be 2 to 4096, and n 1 to 28", k, n)
	}
	t := &Tree{k: k, n: n, width: 1, power: []int{1}}
	for range n - 1 {
		if t.width *= k; t.width*n > maxRouters {
			return nil, shapeError("%d-ary %d-tree: there may be 2^28 routers", k, n)
		}
		t.power = append(t.power, t.width)
	}
	return t, nil
}

// Routers implements [Network].
func (t *Tree) Routers() int { return t.n * t.width }

// Terminals implements [Network].
func (t *Tree) Terminals(router int) int {
	if router < t.width {
		return t.k
	}
	return 0
}

// RouterOf returns the router of a terminal.
func (t *Tree) RouterOf(terminal int) int { return terminal / t.k }

// Level returns the level of a router, 0 next to the terminals.
func (t *Tree) Level(router int) int { return router / t.width }

// down returns the number of ports down, which come first.
func (t *Tree) down(level int) int {
	if level == 0 {
		return 0
	}
	return t.k
}

// Ports implements [Network].
func (t *Tree) Ports(router int) int {
	level := t.Level(router)
	if level == t.n-1 {
		return t.down(level)
	}
	return t.down(level) + t.k
}

// Link implements [Network]: links are Up or Down. Port i up from level l leads to the router whose
// number, written with base k, has i as digit l.
func (t *Tree) Link(router, port int) (other, otherPort int, class Class) {
	level, at := t.Level(router), router%t.width
	if down := t.down(level); port >= down {
		digit := at / t.power[level] % t.k
		return (level+1)*t.width + at + (port-down-digit)*t.power[level], digit, Up
	}
	digit := at / t.power[level-1] % t.k
	return (level-1)*t.width + at + (port-digit)*t.power[level-1], t.down(level-1) + digit, Down
}

// turn returns the lowest level from which both routers can be reached by going down.
func (t *Tree) turn(a, b int) int {
	level := max(t.Level(a), t.Level(b))
	for x, y := a%t.width/t.power[level], b%t.width/t.power[level]; x != y; level++ {
		x, y = x/t.k, y/t.k
	}
	return level
}

// Distance implements [Network]. For two routers, if the higher one is not above the other, it is the
// length of the way up and down; there is no shorter one.
func (t *Tree) Distance(a, b int) int {
	la, lb := t.Level(a), t.Level(b)
	if la > lb {
		a, b, la, lb = b, a, lb, la
	}
	// Going up changes the digits of the levels that are passed, and going down as well. Digits below
	// the lower level can be changed only by going further down first.
	x, y := a%t.width, b%t.width
	low, high := la, lb
	for i := range t.n - 1 {
		if x/t.power[i]%t.k != y/t.power[i]%t.k {
			low, high = min(low, i), max(high, i+1)
		}
	}
	return (la - low) + (high - low) + (high - lb)
}

// Diameter implements [Network]: 2(n-1).
func (t *Tree) Diameter() int { return 2 * (t.n - 1) }

// Bisection returns the number of links between two halves: the links of the top level to one half of
// the subtrees below. If k is odd, one half has a subtree more. For an even k it is half the number
// of terminals, and the least possible one, because all terminals of one half can send to the other one
// at once. With one level, the links to terminals are counted.
func (t *Tree) Bisection() int { return t.k / 2 * t.width }

// Minimal implements [Network]. It goes up, by the digits of the destination, no further than it must, and then
// down. Between routers without terminals, where that is not always shortest, it looks at each port if
// need be.
func (t *Tree) Minimal(at, to int) int {
	if at == to {
		return -1
	}
	level := t.Level(at)
	var port int
	switch {
	case level > t.Level(to) && t.turn(at, to) == level:
		port = t.descend(at, to)
	case level == t.n-1: // to another router of the top
		return nearer(t, at, to)
	default:
		port = t.climb(at, to%t.width)
	}
	if level > 0 && t.Level(to) > 0 {
		if next, _, _ := t.Link(at, port); t.Distance(next, to) >= t.Distance(at, to) {
			return nearer(t, at, to)
		}
	}
	return port
}

// above implements fatTree.
func (t *Tree) above(at, to int) bool { return t.turn(at, to) == t.Level(at) }

// descend implements fatTree.
func (t *Tree) descend(at, to int) int { return to % t.width / t.power[t.Level(at)-1] % t.k }

// climb implements fatTree.
func (t *Tree) climb(at, number int) int {
	level := t.Level(at)
	return t.down(level) + number/t.power[level]%t.k
}
