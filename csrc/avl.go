// The Go side of the boundary for the index of received events (avl.c). The rule
// of ladder.go holds, except that the batches of indices may lie in the Go heap:
// they hold no pointers, and C keeps none to them.

//go:build cgo && !purego

package csrc

/*
#cgo noescape ross_avl_insert
#cgo nocallback ross_avl_insert
#cgo noescape ross_avl_remove
#cgo nocallback ross_avl_remove
#cgo noescape ross_avl_build
#cgo nocallback ross_avl_build
#include "avl.h"
*/
import "C"

import "unsafe"

// AVL is the trees of an index of received events (csrc/avl.h).
type AVL struct{ t *C.ross_avl }

// NewAVL makes empty trees over the nodes at nodes, stride bytes apart, outside
// the Go heap. ok is false if there is not enough memory.
func NewAVL(nodes unsafe.Pointer, stride uintptr) (t AVL, ok bool) {
	t.t = C.ross_avl_new((*C.char)(nodes), C.uint64_t(stride))
	return t, t.t != nil
}

// Free releases the memory of the trees; that of the nodes belongs to the caller.
func (t AVL) Free() { C.ross_avl_free(t.t) }

// Head returns the address of the part that Go reads.
func (t AVL) Head() unsafe.Pointer { return unsafe.Pointer(t.t) }

// Insert inserts nodes, in order, up to the first that it refuses, and returns
// how many it inserted.
func (t AVL) Insert(nodes []uint32) int {
	return int(C.ross_avl_insert(t.t, (*C.uint32_t)(unsafe.SliceData(nodes)), C.uint64_t(len(nodes))))
}

// Remove removes nodes in the same way.
func (t AVL) Remove(nodes []uint32) int {
	return int(C.ross_avl_remove(t.t, (*C.uint32_t)(unsafe.SliceData(nodes)), C.uint64_t(len(nodes))))
}

// Build forgets all nodes and makes the trees of others, which are in the order of source and id. It
// returns their number, or the place of the first that it refuses: then there are no trees.
func (t AVL) Build(nodes []uint32) int {
	return int(C.ross_avl_build(t.t, (*C.uint32_t)(unsafe.SliceData(nodes)), C.uint64_t(len(nodes))))
}

// AVLLayout returns the sizes and offsets of the structs of csrc/avl.h as C sees
// them, in the order of the table in csrc/avl.c.
func AVLLayout() []uint32 {
	var all []uint32
	for i := C.uint32_t(0); ; i++ {
		x := uint32(C.ross_avl_layout(i))
		if x == 1<<32-1 {
			return all
		}
		all = append(all, x)
	}
}
