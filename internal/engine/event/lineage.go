// Lineages: the tie-breakers of zero-delay chains, of any length.
//
// An event sent with delay 0 has its parent's tie-breakers and one of its own. ROSS
// copies them into the event, which limits a chain to 20. Here the tie-breakers
// beyond the first form a tree: an event points at the node of its own tie-breaker,
// and a node at that of its parent event. So a hop costs one node of 24 bytes,
// whatever the length of its chain; chains share their common part; and a second
// pointer per node (the jump pointers of Myers, "An applicative random-access stack",
// IPL 17, 1983) finds where two chains part in O(log length).

package event

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"sync/atomic"
	"unsafe"

	"github.com/ross-go/ross/internal/sys/invariants"
)

// Node is one tie-breaker of a chain. Node 0 is the root of all trees: it
// stands for the first tie-breaker, which the event itself holds. The C twin
// is in csrc/event.h.
type Node struct {
	Tie    float64 // tie-breaker
	Parent uint32  // node of the tie-breaker before it
	Jump   uint32  // a node further up, at a distance that makes climbing O(log)
	Depth  uint32  // nodes up to the root
	Refs   uint32  // events and nodes that point here
}

// NodeSize is the size of Node, bytes.
const NodeSize = 24

// Lineages is one PE's share of the nodes of a Space. References from other PEs are
// counted as well, so the PE that drops the last one frees the node.
type Lineages struct {
	_      [2048]byte
	nodes  unsafe.Pointer
	free   uint32 // list of freed nodes, linked through Parent
	top    uint32 // nodes [top, limit) are new
	limit  uint32
	opened uint32
	freed  uint32 // length of the free list
	live   uint32 // nodes taken less nodes freed, modulo 2^32
	shared bool   // other PEs count references too
	space  *Space
	_      [apart]byte
}

// Base returns the address of node 0.
func (l *Lineages) Base() unsafe.Pointer { return l.nodes }

// Live returns the number of nodes in use.
func (l *Lineages) Live() uint32 { return l.live }

func (l *Lineages) at(i uint32) *Node { return (*Node)(unsafe.Add(l.nodes, uintptr(i)*NodeSize)) }

func (l *Lineages) more() error {
	c, from, to, err := l.space.takeNodes(l.opened)
	if err != nil {
		return err
	}
	if c.n > 0 {
		l.free, l.freed = c.head, c.n
		return nil
	}
	l.top, l.limit = from, to
	l.opened += to - from
	return nil
}

// alloc returns an empty node.
func (l *Lineages) alloc() (uint32, error) {
	if l.free == 0 && l.top == l.limit {
		if err := l.more(); err != nil {
			return 0, err
		}
	}
	l.live++
	if i := l.free; i != 0 {
		l.free = l.at(i).Parent
		l.freed--
		return i, nil
	}
	l.top++
	return l.top - 1, nil
}

// Extend returns the node of a tie-breaker that follows those of parent. The
// caller owns one reference.
func (l *Lineages) Extend(parent uint32, tie float64) (uint32, error) {
	i, err := l.alloc()
	if err != nil {
		return 0, err
	}
	p := l.at(parent)
	j := l.at(p.Jump)
	jump := parent
	if p.Depth-j.Depth == j.Depth-l.at(j.Jump).Depth {
		jump = j.Jump
	}
	*l.at(i) = Node{Tie: tie, Parent: parent, Jump: jump, Depth: p.Depth + 1, Refs: 1}
	l.Keep(parent)
	return i, nil
}

// Keep takes one more reference to node i.
func (l *Lineages) Keep(i uint32) {
	switch {
	case i == 0:
	case l.shared:
		atomic.AddUint32(&l.at(i).Refs, 1)
	default:
		l.at(i).Refs++
	}
}

// Drop releases one reference to node i. It frees nodes without references, up the
// chain, without recursion.
func (l *Lineages) Drop(i uint32) {
	for i != 0 {
		n := l.at(i)
		if invariants.Enabled {
			invariants.Check(atomic.LoadUint32(&n.Refs) > 0, "lineage node %d dropped once too often", i)
		}
		if l.shared {
			if atomic.AddUint32(&n.Refs, ^uint32(0)) > 0 {
				return
			}
		} else if n.Refs--; n.Refs > 0 {
			return
		}
		up := n.Parent
		n.Parent = l.free
		l.free = i
		l.live--
		if l.freed++; l.freed >= hoard+giveSize && l.shared {
			l.give()
		}
		i = up
	}
}

// give hands a chain of freed nodes over to the depot.
func (l *Lineages) give() {
	head := l.free
	last := l.at(head)
	for range giveSize - 1 {
		last = l.at(last.Parent)
	}
	l.free, last.Parent = last.Parent, 0
	l.freed -= giveSize
	l.space.putNodes(chain{head, giveSize})
}

// share hands over all freed nodes to the depot.
func (l *Lineages) share() {
	if l.free == 0 {
		return
	}
	l.space.putNodes(chain{l.free, l.freed})
	l.free, l.freed = 0, 0
}

// Len returns the number of tie-breakers of a lineage, including the first.
func (l *Lineages) Len(i uint32) int { return int(l.at(i).Depth) + 1 }

// Tie returns the last tie-breaker of a lineage of more than one.
func (l *Lineages) Tie(i uint32) float64 { return l.at(i).Tie }

// Append appends the tie-breakers of a lineage after the first to ties, oldest
// first.
func (l *Lineages) Append(ties []float64, i uint32) []float64 {
	return l.between(ties, i, 0, l.at(i).Depth)
}

// AppendBits appends the bits of the tie-breakers of a lineage that are deeper than a
// depth, oldest first. The first one of the event has depth 0, and is not a node.
func (l *Lineages) AppendBits(words []uint64, i, depth uint32) []uint64 {
	n := len(words)
	for d := l.at(i).Depth; d > depth; d-- {
		words = append(words, 0)
	}
	for k := len(words) - 1; k >= n; k-- {
		words[k] = math.Float64bits(l.at(i).Tie)
		i = l.at(i).Parent
	}
	return words
}

// Depth returns the number of tie-breakers of a lineage beyond the first.
func (l *Lineages) Depth(i uint32) uint32 { return l.at(i).Depth }

// Common returns the depth up to which two lineages are the same nodes.
func (l *Lineages) Common(a, b uint32) uint32 {
	depth := min(l.at(a).Depth, l.at(b).Depth)
	x, y := l.climb(a, depth), l.climb(b, depth)
	if x == y {
		return depth
	}
	x, _ = l.part(x, y)
	return l.at(x).Depth - 1
}

// Follow looks for the lineage that consists of that of node and of more tie-breakers, as bits, along another one. It
// returns the node of the other one up to which both are the same, and the tie-breakers that are left; or node and all
// of them if the other one does not begin like node.
func (l *Lineages) Follow(other, node uint32, ties []uint64) (uint32, []uint64) {
	depth := l.at(node).Depth
	if l.at(other).Depth <= depth || l.Compare(l.climb(other, depth), node) != 0 {
		return node, ties
	}
	to := min(l.at(other).Depth, depth+uint32(len(ties)))
	there, n := l.between(nil, other, depth, to), uint32(0)
	for n < uint32(len(there)) && math.Float64bits(there[n]) == ties[n] {
		n++
	}
	return l.climb(other, depth+n), ties[n:]
}

// Ancestor returns the node of a lineage at a depth, at most its own.
func (l *Lineages) Ancestor(i, depth uint32) uint32 { return l.climb(i, depth) }

// Compare orders two lineages whose first tie-breakers are equal:
// lexicographically, a lineage before those that extend it. The result is
// negative, 0 or positive.
func (l *Lineages) Compare(a, b uint32) int {
	if a == b {
		return 0
	}
	da, db := l.at(a).Depth, l.at(b).Depth
	x, y := l.climb(a, min(da, db)), l.climb(b, min(da, db))
	if x == y {
		return int(int64(da) - int64(db))
	}
	x, y = l.part(x, y)
	if tx, ty := l.at(x).Tie, l.at(y).Tie; tx != ty {
		if tx < ty {
			return -1
		}
		return 1
	}
	return l.compareAll(a, b)
}

// climb returns the ancestor of node i at a depth.
func (l *Lineages) climb(i, depth uint32) uint32 {
	for n := l.at(i); n.Depth > depth; n = l.at(i) {
		if l.at(n.Jump).Depth >= depth {
			i = n.Jump
		} else {
			i = n.Parent
		}
	}
	return i
}

// part returns the topmost distinct ancestors of two distinct nodes of one
// depth. Equal depths have equal jump lengths, so both climb in step.
func (l *Lineages) part(x, y uint32) (uint32, uint32) {
	for {
		nx, ny := l.at(x), l.at(y)
		switch {
		case nx.Jump != ny.Jump:
			x, y = nx.Jump, ny.Jump
		case nx.Parent != ny.Parent:
			x, y = nx.Parent, ny.Parent
		default:
			return x, y
		}
	}
}

// compareAll compares tie by tie, for chains that part at two equal tie-breakers: copies of one chain, which came from
// other ranks, and chains whose random draws are equal. It looks at twice as many at a time, because most differ soon.
func (l *Lineages) compareAll(a, b uint32) int {
	var ta, tb []float64
	da, db := l.at(a).Depth, l.at(b).Depth
	from := l.alike(a, b, min(da, db))
	for step := uint32(firstCompared); from < min(da, db); step *= 2 {
		to := min(from+step, da, db)
		ta, tb = l.between(ta[:0], a, from, to), l.between(tb[:0], b, from, to)
		if c := slices.Compare(ta, tb); c != 0 {
			return c
		}
		from = to
	}
	return int(int64(da) - int64(db))
}

const (
	firstCompared = 16 // tie-breakers that compareAll looks at first
	// known is the number of tie-breakers in a row by which a chain is known: they have 500 random bits.
	known = 16
	// longChain is the depth from which those show where chains part. Looking at all tie-breakers of a chain for each of
	// its events would take time in proportion to the square of its length.
	longChain = 1024
)

// alike returns a depth up to which two lineages are alike, by tie-breakers in a row, or 0 if they are short.
func (l *Lineages) alike(a, b, depth uint32) uint32 {
	if depth < longChain {
		return 0
	}
	same := func(d uint32) bool {
		x, y := l.climb(a, d), l.climb(b, d)
		for range known {
			if l.at(x).Tie != l.at(y).Tie {
				return false
			}
			x, y = l.at(x).Parent, l.at(y).Parent
		}
		return true
	}
	if !same(known) { // the usual case
		return 0
	}
	return uint32(known) + uint32(sort.Search(int(depth-known), func(i int) bool { return !same(uint32(known + 1 + i)) }))
}

// between appends the tie-breakers of a lineage at the depths from+1 to to.
func (l *Lineages) between(ties []float64, i, from, to uint32) []float64 {
	n := len(ties)
	ties = slices.Grow(ties, int(to-from))[:n+int(to-from)]
	i = l.climb(i, to)
	for k := len(ties) - 1; k >= n; k-- {
		ties[k] = l.at(i).Tie
		i = l.at(i).Parent
	}
	return ties
}

// checkNodes verifies that live and freed nodes add up to those that were opened.
func (s *Space) checkNodes(live uint32) error {
	n, opened := uint32(0), s.chains.top-1
	var heads []uint32
	for _, a := range s.arenas {
		heads = append(heads, a.Lines.free)
		n += a.Lines.limit - a.Lines.top
	}
	for _, c := range s.chains.chains {
		heads = append(heads, c.head)
	}
	at := func(i uint32) *Node { return (*Node)(unsafe.Add(s.nodes.Base(), uintptr(i)*NodeSize)) }
	for _, i := range heads {
		for ; i != 0; i = at(i).Parent {
			if n++; n > opened {
				return fmt.Errorf("the free list of lineage nodes is a ring")
			}
		}
	}
	if n+live != opened {
		return fmt.Errorf("%d lineage nodes free and %d live, of %d", n, live, opened)
	}
	return nil
}
