// The Go side of the buddy pool in C: one thin function per C function, by the
// rule of ladder.go.

//go:build cgo && !purego

package csrc

/*
#cgo noescape ross_buddy_fill
#cgo nocallback ross_buddy_fill
#cgo noescape ross_buddy_empty
#cgo nocallback ross_buddy_empty
#cgo noescape ross_buddy_take
#cgo nocallback ross_buddy_take
#cgo noescape ross_buddy_give
#cgo nocallback ross_buddy_give
#cgo noescape ross_buddy_take_all
#cgo nocallback ross_buddy_take_all
#cgo noescape ross_buddy_give_all
#cgo nocallback ross_buddy_give_all
#include "buddy.h"
*/
import "C"

import "unsafe"

// Buddy is a buddy pool whose struct lies outside the Go heap (csrc/buddy.h).
type Buddy struct{ b *C.ross_buddy }

// NewBuddy is the pool whose ross_buddy, set up by the caller, is at p.
func NewBuddy(p unsafe.Pointer) Buddy { return Buddy{(*C.ross_buddy)(p)} }

// Fill fills magazine m to half its room, or with what blocks there are.
func (p Buddy) Fill(m uint32) { C.ross_buddy_fill(p.b, C.uint32_t(m)) }

// Empty returns the older half of magazine m to the lists.
func (p Buddy) Empty(m uint32) { C.ross_buddy_empty(p.b, C.uint32_t(m)) }

// Drain returns the blocks of all magazines to the lists.
func (p Buddy) Drain() { C.ross_buddy_drain(p.b) }

// Take returns the offset of a block of order k, or 2^64-1.
func (p Buddy) Take(k uint32) uint64 { return uint64(C.ross_buddy_take(p.b, C.uint32_t(k))) }

// Give takes back a block of order k.
func (p Buddy) Give(off uint64, k uint32) {
	C.ross_buddy_give(p.b, C.uint64_t(off), C.uint32_t(k))
}

// TakeAll takes blocks of order k for the places at, the last one first, and returns for how many the lists have
// some. The places have addresses.
func (p Buddy) TakeAll(k uint32, at []uintptr) int {
	to := (*C.uintptr_t)(unsafe.Pointer(unsafe.SliceData(at)))
	return int(C.ross_buddy_take_all(p.b, C.uint32_t(k), C.uint32_t(len(at)), to))
}

// GiveAll takes back blocks of order k, by their addresses.
func (p Buddy) GiveAll(k uint32, at []uintptr) {
	from := (*C.uintptr_t)(unsafe.Pointer(unsafe.SliceData(at)))
	C.ross_buddy_give_all(p.b, C.uint32_t(k), C.uint32_t(len(at)), from)
}

// Reach returns the length that the pool needs for a block of order k.
func (p Buddy) Reach(k uint32) uint64 { return uint64(C.ross_buddy_reach(p.b, C.uint32_t(k))) }

// Extend extends the pool to top bytes.
func (p Buddy) Extend(top uint64) { C.ross_buddy_extend(p.b, C.uint64_t(top)) }

// Check returns 0 or the number of a broken invariant (csrc/buddy.c).
func (p Buddy) Check() int { return int(C.ross_buddy_check(p.b)) }

// BuddyLayout is Layout for the structs of csrc/buddy.h.
func BuddyLayout() []uint32 {
	var all []uint32
	for i := C.uint32_t(0); ; i++ {
		x := uint32(C.ross_buddy_layout(i))
		if x == 1<<32-1 {
			return all
		}
		all = append(all, x)
	}
}
