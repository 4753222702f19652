// The structs that Go and C share, and what both implementations read from
// them. Their twins are in csrc/avl.h; a test compares the layouts.

package avl

import "unsafe"

// Node is an event's place in the index. It lies in the event's slot, in memory
// outside the Go heap. The owner of the slot sets ID and Source before
// [Tree.Insert], and must not change the node until [Tree.Remove] has removed
// it. The contents of an unused node do not matter.
type Node struct {
	ID      uint64    // of the event, given by its sender
	Source  uint32    // the sending process or channel, 0 to MaxSources-1
	child   [2]uint32 // lesser ids, greater ids
	parent  uint32
	balance int8  // height of child[1] less that of child[0]
	linked  uint8 // 1: in a tree
	_       [6]byte
}

// NodeSize is the size of a Node in bytes.
const NodeSize = 32

var _ = [1]struct{}{}[unsafe.Sizeof(Node{})-NodeSize] // does not compile if they differ

// source is the tree of one source; both 0: empty.
type source struct {
	root   uint32
	newest uint32 // the greatest id: where an insertion starts
}

// head is the root of all operations.
type head struct {
	nodes    unsafe.Pointer
	sources  unsafe.Pointer // *source
	stride   uint64
	n        uint64 // nodes in all trees
	nsources uint32
	refused  reason // why the last call stopped early
}

const sourceSize = unsafe.Sizeof(source{})

func (h *head) at(i uint32) *Node {
	return (*Node)(unsafe.Add(h.nodes, uintptr(i)*uintptr(h.stride)))
}

// source must only be called for sources below nsources.
func (h *head) source(i uint32) *source {
	return (*source)(unsafe.Add(h.sources, uintptr(i)*sourceSize))
}

// find is shared by both implementations, because a call into C would cost as
// much as the search.
func (h *head) find(src uint32, id uint64) (uint32, bool) {
	if src >= h.nsources {
		return 0, false
	}
	i := h.source(src).root
	for i != 0 {
		n := h.at(i)
		if n.ID == id {
			return i, true
		}
		i = n.child[side(id > n.ID)]
	}
	return 0, false
}

// side is 1 (right) if right, else 0.
func side(right bool) int {
	if right {
		return 1
	}
	return 0
}
