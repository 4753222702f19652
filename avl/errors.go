// Errors: the nodes that an operation refuses, and why.

package avl

import (
	"errors"
	"fmt"
)

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
	ErrMemory = errors.New("ross: index of received events: the system has no more memory for the table of sources: free memory")
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
	return [...]error{badNode: ErrNode, duplicate: ErrDuplicate, badSource: ErrSource, noMemory: ErrMemory, unordered: ErrOrder}[r]
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
	return fmt.Sprintf("ross: index of received events: node %d, event %d of source %d: %s%s", e.Nodes[0], e.ID, e.Source, e.Reason, more)
}

// Unwrap makes errors.Is find the reason.
func (e *RefusedError) Unwrap() error { return e.Reason }
