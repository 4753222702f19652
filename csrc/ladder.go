// The Go side of the boundary: one thin function per C function.
//
// Rule for adding one: it takes and returns numbers and pointers to memory
// outside the Go heap only, never calls back, and does the work of a batch. A
// call costs some 25 ns, as much as the queue spends on an event.

//go:build cgo && !purego

package csrc

/*
#cgo CFLAGS: -std=c11 -D_GNU_SOURCE -O3 -Wall -Wextra
#cgo noescape ross_ladder_refill
#cgo nocallback ross_ladder_refill
#cgo noescape ross_ladder_flush
#cgo nocallback ross_ladder_flush
#cgo noescape ross_ladder_spill
#cgo nocallback ross_ladder_spill
#include "check.h"
#include "ladder.h"
#include "layout.h"
*/
import "C"

import "unsafe"

// Enabled reports whether this build contains the C code. It is false without
// cgo and under the build tag purego.
const Enabled = true

// Ladder is a ladder queue in C memory (csrc/ladder.h).
type Ladder struct{ q *C.ross_ladder }

// NewLadder makes a queue over the events at events, stride bytes apart, whose
// lineages are at nodes; all outside the Go heap. window is the approximate
// number of keys in a window, 0 to 128; 0 selects the size measured to be
// fastest. ok is false if there is not enough memory.
func NewLadder(events unsafe.Pointer, stride uintptr, nodes unsafe.Pointer, window int) (l Ladder, ok bool) {
	l.q = C.ross_ladder_new((*C.char)(events), C.uint64_t(stride), (*C.ross_node)(nodes), C.uint32_t(window))
	return l, l.q != nil
}

// Free releases the queue's memory.
func (l Ladder) Free() { C.ross_ladder_free(l.q) }

// Window returns the address of the part that Go reads and writes.
func (l Ladder) Window() unsafe.Pointer { return unsafe.Pointer(C.ross_ladder_window(l.q)) }

// Refill hands over the next window.
func (l Ladder) Refill() { C.ross_ladder_refill(l.q) }

// Flush sorts the staged keys into the ladder.
func (l Ladder) Flush() { C.ross_ladder_flush(l.q) }

// Spill takes back the far half of a full window.
func (l Ladder) Spill() { C.ross_ladder_spill(l.q) }

// Check returns 0 or the number of a broken invariant (csrc/check.c).
func (l Ladder) Check() int { return int(C.ross_ladder_check(l.q)) }

// Rungs returns the depth of the ladder.
func (l Ladder) Rungs() int { return int(C.ross_ladder_rungs(l.q)) }

// Layout returns the sizes and offsets of the shared structs as C sees them,
// in the order of csrc/layout.c.
func Layout() []uint32 {
	var all []uint32
	for i := C.uint32_t(0); ; i++ {
		x := uint32(C.ross_layout(i))
		if x == 1<<32-1 {
			return all
		}
		all = append(all, x)
	}
}
