// Tree: what a PE does with its index. Batches go to the trees in C or in Go;
// searches and checks read the nodes, which are the same for both.

package avl

import (
	"github.com/ross-go/ross/internal/invariants"
)

// Tree is an index of events by (source, id). It is not safe for concurrent
// use. Nothing is allocated but a table of the sources, when a new one is seen.
type Tree struct {
	h    *head
	c    native // if twin is nil
	twin *twin
	impl string
}

// checked is up to how many nodes the invariants build checks all after a batch.
const checked = 128

// Impl returns "c" or "go": which implementation the index is.
func (t *Tree) Impl() string { return t.impl }

// Len returns how many nodes are in the index.
func (t *Tree) Len() uint64 { return t.h.n }

// Bytes returns the memory that the index holds beside its nodes.
func (t *Tree) Bytes() uint64 { return uint64(t.h.nsources) * uint64(sourceSize) }

// Find returns the index of the node with this key. It takes O(log n) steps
// for n nodes of the source.
func (t *Tree) Find(source uint32, id uint64) (node uint32, ok bool) { return t.h.find(source, id) }

// Insert takes nodes in, whose ID and Source are set. A node whose id is the
// greatest of its source takes O(1) steps amortised; others take O(log d), d
// being the distance to the greatest. The error is a *RefusedError: a node whose
// key is in the index already is left out.
func (t *Tree) Insert(nodes []uint32) error { return t.batch(insertion, nodes) }

// Remove takes nodes out, which takes O(1) steps amortised where the oldest or
// the newest go first, else O(log n). A node's ID and Source are those that it
// was inserted with. The error is a *RefusedError: a node that is not in the
// index is left alone.
func (t *Tree) Remove(nodes []uint32) error { return t.batch(removal, nodes) }

type operation int

const (
	insertion operation = iota
	removal
)

// batch does op with all nodes; it goes on behind each that is refused.
func (t *Tree) batch(op operation, nodes []uint32) error {
	var refused *RefusedError
	for done := t.some(op, nodes); done < len(nodes); done += t.some(op, nodes[done:]) {
		refused = t.refuse(refused, nodes[done])
		done++
	}
	if invariants.Enabled && t.Len() <= checked {
		err := t.Check()
		invariants.Check(err == nil, "%v", err)
	}
	if refused != nil {
		return refused
	}
	return nil
}

// some does op up to the first node that is refused, for head.refused, and
// returns how many nodes that were. It names the implementations instead of
// calling an interface so that the compiler sees that neither keeps the nodes:
// a caller's batch may lie on its stack.
func (t *Tree) some(op operation, nodes []uint32) int {
	switch {
	case len(nodes) == 0:
		return 0
	case t.twin == nil && op == insertion:
		return t.c.Insert(nodes)
	case t.twin == nil:
		return t.c.Remove(nodes)
	case op == insertion:
		return t.twin.Insert(nodes)
	}
	return t.twin.Remove(nodes)
}

// refuse adds node i to the error e, which may be nil.
func (t *Tree) refuse(e *RefusedError, i uint32) *RefusedError {
	if e == nil {
		e = &RefusedError{Reason: t.h.refused.err()}
		if i != 0 {
			n := t.h.at(i)
			e.Source, e.ID = n.Source, n.ID
		}
	}
	e.Nodes = append(e.Nodes, i)
	return e
}

// Close gives the memory of the index back; that of the nodes is the caller's.
// The index is empty then. Closing it twice does no harm.
func (t *Tree) Close() {
	empty, open := newTwin(t.h.nodes, uintptr(t.h.stride)), t.twin == nil
	t.h, t.twin = &empty.h, empty
	if open {
		t.c.Free() // with the head that was read above
	}
}
