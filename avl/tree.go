// Tree: the operations of a PE on its index. New chooses the implementation. Batches go to the trees in C or in Go;
// searches and checks read the nodes, which are the same for both. An operation refuses nodes with an error that says
// why.

package avl

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/ross-go/ross/csrc"
	"github.com/ross-go/ross/internal/sys/invariants"
)

// Tree is an index of events by (source, id). It is not safe for concurrent use.
// It only allocates a table of the sources, when a new one is seen.
type Tree struct {
	h    *head
	c    native // if twin is nil
	twin *twin
	impl string
}

// checked is the number of nodes up to which the invariants build checks all of
// them after a batch.
const checked = 128

// Impl returns the implementation of the index: "c" or "go".
func (t *Tree) Impl() string { return t.impl }

// Len returns the number of nodes in the index.
func (t *Tree) Len() uint64 { return t.h.n }

// Bytes returns the memory of the index without its nodes.
func (t *Tree) Bytes() uint64 { return uint64(t.h.nsources) * uint64(sourceSize) }

// Find returns the index of the node with this key. It takes O(log n) steps
// for n nodes of the source.
func (t *Tree) Find(source uint32, id uint64) (node uint32, ok bool) { return t.h.find(source, id) }

// Insert inserts nodes, whose ID and Source are set. A node whose id is the
// greatest of its source takes O(1) steps amortised; others take O(log d), where
// d is the distance to the greatest. The error is a *RefusedError: nodes whose
// keys are already in the index are refused.
func (t *Tree) Insert(nodes []uint32) error { return t.batch(insertion, nodes) }

// Remove removes nodes, in O(1) steps amortised if the oldest or the newest go
// first, else O(log n). A node's ID and Source must be those with which it was
// inserted. The error is a *RefusedError: nodes that are not in the index are
// refused.
func (t *Tree) Remove(nodes []uint32) error { return t.batch(removal, nodes) }

// Build makes the index anew, of nodes in the order of source and id, in O(1) steps for each. It is for
// programs that keep what comes in a list, and index it only when they have to search, which takes less
// time than as many insertions. The nodes that were in the index are in it no longer, and what they
// hold does not matter. If a node is refused, by a *RefusedError, the index is empty.
func (t *Tree) Build(nodes []uint32) error {
	done := 0
	if t.twin == nil {
		done = t.c.Build(nodes)
	} else {
		done = t.twin.Build(nodes)
	}
	t.verify()
	if done < len(nodes) {
		return t.refuse(nil, nodes[done])
	}
	return nil
}

// verify checks all nodes of a small index, in the invariants build.
func (t *Tree) verify() {
	if invariants.Enabled && t.Len() <= checked {
		err := t.Check()
		invariants.Check(err == nil, "%v", err)
	}
}

type operation int

const (
	insertion operation = iota
	removal
)

// batch applies op to all nodes; after each refused node it continues with the
// next.
func (t *Tree) batch(op operation, nodes []uint32) error {
	var refused *RefusedError
	for done := t.some(op, nodes); done < len(nodes); done += t.some(op, nodes[done:]) {
		refused = t.refuse(refused, nodes[done])
		done++
	}
	t.verify()
	if refused != nil {
		return refused
	}
	return nil
}

// some applies op up to the first refused node, which sets head.refused, and
// returns the number of nodes before it. It names the implementations instead of
// calling an interface, so that the compiler sees that neither keeps the nodes:
// a caller's batch may be on its stack.
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

// Close releases the memory of the index; that of the nodes belongs to the
// caller. The index is then empty. Further calls do nothing.
func (t *Tree) Close() {
	empty, open := newTwin(t.h.nodes, uintptr(t.h.stride)), t.twin == nil
	t.h, t.twin = &empty.h, empty
	if open {
		t.c.Free() // with the head that was read above
	}
}

// Impls returns the implementations that this build has, the fastest first.
func Impls() []string {
	if csrc.Enabled {
		return []string{"c", "go"}
	}
	return []string{"go"}
}

// New returns an empty index over nodes in the caller's memory outside the Go
// heap: node i is at nodes + i*stride bytes, 8-byte aligned, and must be usable
// memory when i is given to [Tree.Insert]. impl is "c", "go", or "" for the faster
// of those that this build has.
func New(nodes unsafe.Pointer, stride uintptr, impl string) (*Tree, error) {
	if nodes == nil || stride < NodeSize || stride%8 != 0 || uintptr(nodes)%8 != 0 {
		return nil,
			fmt.Errorf(
				"ross: index of received events: nodes at %p, %d bytes apart: give memory that is aligned to 8 bytes, and a multiple of 8 that is at least %d", nodes, stride, NodeSize)
	}
	impl, err := chosen(impl)
	if err != nil {
		return nil, err
	}
	if impl == "go" {
		t := newTwin(nodes, stride)
		return &Tree{h: &t.h, twin: t, impl: impl}, nil
	}
	t, h, ok := newC(nodes, stride)
	if !ok {
		return nil, ErrMemory
	}
	return &Tree{h: h, c: t, impl: impl}, nil
}

// chosen returns the implementation that impl names, the fastest for "".
func chosen(impl string) (string, error) {
	switch all := Impls(); {
	case impl == "":
		return all[0], nil
	case slices.Contains(all, impl):
		return impl, nil
	case impl == "c":
		return "",
			errors.New(
				"ross: index of received events: c: this program was built without cgo: use go, or build with CGO_ENABLED=1 and a C compiler")
	}
	return "", fmt.Errorf("ross: index of received events: %s: unknown implementation: use c or go", impl)
}

// MaxSources is the limit on the number of sources; only a value that was never
// a source exceeds it. The table of sources takes 8 bytes for each source up to
// the greatest that was seen, and at most as much again.
const MaxSources = 1 << 24

// The reasons for refusing nodes. A *RefusedError wraps one of these.
var (
	// ErrDuplicate: an event with that source and id is in the index. Its sender
	// used an id twice, or a message was delivered twice.
	ErrDuplicate = errors.New("is already in the index: remove an event before its id is used again")
	// ErrNode: Insert was given index 0, or Remove a node that is not in the
	// index.
	ErrNode = errors.New("is not a node of the index: insert an event once, at an index from 1 on, and remove it once")
	// ErrSource: the source is MaxSources or more.
	ErrSource = fmt.Errorf("has a source out of range: number the sources from 0 to at most %d", MaxSources-1)
	// ErrOrder: Build was given a node before one with a lesser source, or a lesser id of the same source.
	ErrOrder = errors.New("comes after a node with a greater key: give Build the nodes in the order of source and id")
	// ErrMemory: the system refused memory for the table of sources.
	ErrMemory = errors.New(
		"ross: index of received events: the system has no more memory for the table of sources: free memory")
)

// reason is why C or its twin refused a node: the enum of csrc/avl.h.
type reason uint32

const (
	fine reason = iota
	badNode
	duplicate
	badSource
	noMemory
	unordered
)

func (r reason) err() error {
	return [...]error{badNode: ErrNode, duplicate: ErrDuplicate, badSource: ErrSource, noMemory: ErrMemory,
		unordered: ErrOrder}[r]
}

// RefusedError lists the nodes of a batch that an operation refused. Insert and Remove
// have done the others of the batch; Build stops at the first.
type RefusedError struct {
	Nodes  []uint32 // in the order of the batch
	Source uint32   // of the first refused node; 0 if that has index 0
	ID     uint64
	Reason error // why the first was refused
}

func (e *RefusedError) Error() string {
	more := ""
	if n := len(e.Nodes) - 1; n > 0 {
		more = fmt.Sprintf(" (%d more nodes of the batch were refused)", n)
	}
	return fmt.Sprintf("ross: index of received events: node %d, event %d of source %d: %s%s", e.Nodes[0], e.ID, e.Source,
		e.Reason, more)
}

// Unwrap makes errors.Is find the reason.
func (e *RefusedError) Unwrap() error { return e.Reason }
