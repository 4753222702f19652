// twin: the trees in Go, step by step as csrc/avl.c. It is the oracle and the baseline of the trees in C, and is used
// by builds without cgo.
//
// Left and right are sides 0 and 1, so that each case is written once.

package avl

import (
	"cmp"
	"unsafe"

	"github.com/ross-go/ross/internal/sys/invariants"
)

type twin struct {
	h     head
	table []source // what h.sources points to
	steps uint64   // see step
}

func newTwin(nodes unsafe.Pointer, stride uintptr) *twin {
	return &twin{h: head{nodes: nodes, stride: uint64(stride)}}
}

// step counts nodes that are compared, or whose balance is read. It counts only
// under the build tag invariants, for the test that bounds the work of an
// operation without a clock.
func (t *twin) step() {
	if invariants.Enabled {
		t.steps++
	}
}

func sign(side int) int8 { return int8(2*side - 1) }

func (t *twin) setChild(p uint32, side int, c uint32) {
	t.h.at(p).child[side] = c
	if c != 0 {
		t.h.at(c).parent = p
	}
}

// sideOf returns the side of p on which x is.
func (t *twin) sideOf(p, x uint32) int { return side(t.h.at(p).child[1] == x) }

// replace puts y in the place of x.
func (t *twin) replace(x, y uint32) {
	n := t.h.at(x)
	p := n.parent
	if p != 0 {
		t.h.at(p).child[t.sideOf(p, x)] = y
	} else {
		t.h.source(n.Source).root = y
	}
	if y != 0 {
		t.h.at(y).parent = p
	}
}

// rotate raises the child c of p, on the given side, above p.
func (t *twin) rotate(p uint32, side int, c uint32) {
	t.replace(p, c)
	t.setChild(p, side, t.h.at(c).child[1-side])
	t.setChild(c, 1-side, p)
}

// straighten restores balance at p, whose given side is two levels higher than
// the other, and returns the node that takes its place.
func (t *twin) straighten(p uint32, side int) uint32 {
	np := t.h.at(p)
	c := np.child[side]
	nc := t.h.at(c)
	heavy := sign(side)
	switch nc.balance {
	case heavy:
		t.rotate(p, side, c)
		np.balance, nc.balance = 0, 0
		return c
	case 0: // after removals only
		t.rotate(p, side, c)
		np.balance, nc.balance = heavy, -heavy
		return c
	}
	g := nc.child[1-side]
	ng := t.h.at(g)
	t.rotate(c, 1-side, g)
	t.rotate(p, side, g)
	np.balance, nc.balance = 0, 0
	switch ng.balance {
	case heavy:
		np.balance = -heavy
	case -heavy:
		nc.balance = heavy
	}
	ng.balance = 0
	return g
}

// findParent descends to where id belongs, from the lowest node above it on the
// way up from the newest: steps grow with the logarithm of the distance. The
// parent is 0 if the id exists.
func (t *twin) findParent(newest uint32, id uint64) (parent uint32, on int) {
	x := newest
	for {
		p := t.h.at(x).parent
		if p == 0 || id > t.h.at(p).ID {
			break
		}
		t.step()
		x = p
	}
	for c := x; c != 0; c = t.h.at(x).child[on] {
		t.step()
		x = c
		n := t.h.at(x)
		if n.ID == id {
			return 0, 0
		}
		on = side(id > n.ID)
	}
	return x, on
}

// grown: the tree at x is one level higher than it was.
func (t *twin) grown(x uint32) {
	for p := t.h.at(x).parent; p != 0; x, p = p, t.h.at(p).parent {
		t.step()
		n := t.h.at(p)
		on := t.sideOf(p, x)
		if n.balance == sign(on) {
			t.straighten(p, on)
			return
		}
		n.balance += sign(on)
		if n.balance == 0 {
			return
		}
	}
}

func (t *twin) reserve(src uint32) reason {
	if src >= MaxSources {
		return badSource
	}
	size := max(2*uint32(len(t.table)), 8)
	for size <= src {
		size *= 2
	}
	table := make([]source, size)
	copy(table, t.table)
	t.table = table
	t.h.sources, t.h.nsources = unsafe.Pointer(&table[0]), size
	return fine
}

func (t *twin) insert(i uint32) reason {
	if i == 0 {
		return badNode
	}
	n := t.h.at(i)
	if n.Source >= t.h.nsources {
		if bad := t.reserve(n.Source); bad != fine {
			return bad
		}
	}
	t.step()
	s := t.h.source(n.Source)
	p, on := s.newest, 1
	if p != 0 && n.ID <= t.h.at(p).ID {
		if p, on = t.findParent(p, n.ID); p == 0 {
			return duplicate
		}
	} else {
		s.newest = i
	}
	n.child, n.parent, n.balance, n.linked = [2]uint32{}, p, 0, 1
	t.h.n++
	if p == 0 {
		s.root = i
		return fine
	}
	t.h.at(p).child[on] = i
	t.grown(i)
	return fine
}

// Insert inserts nodes, in order, up to the first that it refuses, and returns
// how many it inserted.
func (t *twin) Insert(nodes []uint32) int {
	for at, i := range nodes {
		if bad := t.insert(i); bad != fine {
			t.h.refused = bad
			return at
		}
	}
	return len(nodes)
}

// shrunk: the tree on the given side of p is one level lower than it was.
func (t *twin) shrunk(p uint32, on int) {
	for p != 0 {
		t.step()
		n, top := t.h.at(p), p
		switch n.balance {
		case 0:
			n.balance = -sign(on)
			return
		case sign(on):
			n.balance = 0
		default:
			top = t.straighten(p, 1-on)
			if t.h.at(top).balance != 0 {
				return // as high as before
			}
		}
		p = t.h.at(top).parent
		if p != 0 {
			on = t.sideOf(p, top)
		}
	}
}

// exchange takes i, which has two children, out of the tree: its neighbour in
// the higher one gets its place.
func (t *twin) exchange(i uint32) {
	n := t.h.at(i)
	on := side(n.balance > 0)
	y := n.child[on]
	for c := y; c != 0; c = t.h.at(y).child[1-on] {
		t.step()
		y = c
	}
	p, from := t.h.at(y).parent, 1-on
	if p == i {
		p, from = y, on
	} else {
		t.setChild(p, from, t.h.at(y).child[on])
		t.setChild(y, on, n.child[on])
	}
	t.setChild(y, 1-on, n.child[1-on])
	t.replace(i, y)
	t.h.at(y).balance = n.balance
	t.shrunk(p, from)
}

func (t *twin) remove(i uint32) reason {
	if i == 0 || t.h.at(i).linked != 1 {
		return badNode
	}
	n := t.h.at(i)
	s := t.h.source(n.Source)
	if s.newest == i { // nothing right of it, so at most a leaf left of it
		s.newest = n.child[0]
		if s.newest == 0 {
			s.newest = n.parent
		}
	}
	n.linked = 0
	t.h.n--
	if n.child[0] != 0 && n.child[1] != 0 {
		t.exchange(i)
		return fine
	}
	p, on := n.parent, 0
	if p != 0 {
		on = t.sideOf(p, i)
	}
	t.replace(i, n.child[0]|n.child[1])
	t.shrunk(p, on)
	return fine
}

// Remove removes nodes in the same way.
func (t *twin) Remove(nodes []uint32) int {
	for at, i := range nodes {
		if bad := t.remove(i); bad != fine {
			t.h.refused = bad
			return at
		}
	}
	return len(nodes)
}

// halve makes a tree of nodes that are in order, and returns its height. The left half has the node
// more, so it is as high as the right one, or one level higher.
func (t *twin) halve(nodes []uint32, parent uint32) (root uint32, height int8) {
	if len(nodes) == 0 {
		return 0, 0
	}
	mid := len(nodes) / 2
	root = nodes[mid]
	n := t.h.at(root)
	n.parent, n.linked = parent, 1
	var left, right int8
	n.child[0], left = t.halve(nodes[:mid], root)
	n.child[1], right = t.halve(nodes[mid+1:], root)
	n.balance = right - left
	return root, 1 + left
}

// admit returns fine if node b may come after a, which is 0 before the first, and the table has its source.
func (t *twin) admit(a, b uint32) reason {
	if b == 0 {
		return badNode
	}
	y := t.h.at(b)
	if a != 0 {
		x := t.h.at(a)
		switch c := cmp.Or(cmp.Compare(y.Source, x.Source), cmp.Compare(y.ID, x.ID)); {
		case c < 0:
			return unordered
		case c == 0:
			return duplicate
		}
	}
	if y.Source >= t.h.nsources {
		return t.reserve(y.Source)
	}
	return fine
}

func (t *twin) forget() {
	clear(t.table)
	t.h.n = 0
}

// Build is Build of csrc.AVL.
func (t *twin) Build(nodes []uint32) int {
	t.forget()
	last := uint32(0)
	for at, i := range nodes {
		if bad := t.admit(last, i); bad != fine {
			t.forget()
			t.h.refused = bad
			return at
		}
		last = i
	}
	for first, end := 0, 0; first < len(nodes); first = end {
		src := t.h.at(nodes[first]).Source
		for end < len(nodes) && t.h.at(nodes[end]).Source == src {
			end++
		}
		s := t.h.source(src)
		s.root, _ = t.halve(nodes[first:end], 0)
		s.newest = nodes[end-1]
	}
	t.h.n = uint64(len(nodes))
	return len(nodes)
}
