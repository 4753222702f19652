// Slots: a range of places for events, and the free ones among them.

package event

import (
	"unsafe"

	"github.com/ross-go/ross/internal/invariants"
	"github.com/ross-go/ross/internal/mem"
)

// slots is a range of indices. The slot freed last is handed out first, so that a
// send usually writes to the cache line that the previous event has just left.
type slots struct {
	base   unsafe.Pointer // of slot 0 of the Space
	stride uintptr
	stack  unsafe.Pointer // *uint32: freed slots, the last one to be used first
	free   uint32         // how many
	room   uint32         // of the stack
	first  uint32         // slots [first, top) have been used
	top    uint32
	limit  uint32 // slots [top, limit) are usable memory
	region *mem.Region
	budget *mem.Budget
	leave  uint64 // bytes of the budget that it must leave
}

// At returns event i, of any range. The pointer is valid until Release.
func (a *slots) At(i uint32) *Event {
	return (*Event)(unsafe.Add(a.base, uintptr(i)*a.stride))
}

// Words returns the first n words of event i.
func (a *slots) Words(i uint32, n int) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(a.At(i))), n)
}

// Base returns the address of slot 0. C finds an event from it and Stride, the
// distance of slots in bytes.
func (a *slots) Base() unsafe.Pointer { return a.base }

// Stride returns the size of a slot, bytes.
func (a *slots) Stride() uintptr { return a.stride }

// Reuse returns the slot that was freed last. Its fields hold the values of its
// last use, except Lineage and Class, which are 0. i is 0 when no freed slot is
// left; then Alloc opens a new one. It is small enough to be inlined.
func (a *slots) Reuse() (e *Event, i uint32) {
	if a.free == 0 {
		return nil, 0
	}
	a.free--
	i = *(*uint32)(unsafe.Add(a.stack, uintptr(a.free)*4))
	e = a.At(i)
	if invariants.Enabled {
		invariants.Check(e.State == Free, "event %d in the free list has state %d", i, e.State)
	}
	return e, i
}

// grow returns a slot that has never been used.
func (a *slots) grow() (*Event, uint32, error) {
	if a.top == a.limit {
		if err := a.more(); err != nil {
			return nil, 0, err
		}
	}
	i := a.top
	a.top++
	return a.At(i), i, nil
}

// more makes more slots usable, and makes room to record them all as free.
func (a *slots) more() error {
	whole := uint64(uintptr(a.region.Base())-uintptr(a.base)) / uint64(a.stride)
	need := uintptr(uint64(a.top)-whole+1) * a.stride
	if uint64(a.top) == MaxEvents || need > a.region.Reserved() {
		return a.region.Full()
	}
	if err := a.budget.Spares(a.leave); err != nil {
		return err
	}
	if err := a.region.Grow(need); err != nil {
		return err
	}
	limit := min(uint64(a.region.Committed()/a.stride)+whole, MaxEvents)
	if err := a.moreRoom(limit - uint64(a.first)); err != nil {
		if err = a.moreRoom(uint64(a.top-a.first) + firstOpen); err != nil {
			return err
		}
		limit = min(limit, uint64(a.first)+uint64(a.room))
	}
	a.limit = uint32(limit)
	return nil
}

// moreRoom makes room in the stack for n slots, and at least a quarter more than
// before, so that it seldom grows.
func (a *slots) moreRoom(n uint64) error {
	if n <= uint64(a.room) {
		return nil
	}
	n = max(n, uint64(a.room)/4*5)
	if err := a.budget.Charge((n - uint64(a.room)) * 4); err != nil {
		return err
	}
	stack := make([]uint32, n)
	copy(stack, a.freed())
	a.stack, a.room = unsafe.Pointer(unsafe.SliceData(stack)), uint32(min(n, MaxEvents))
	return nil
}

// freed returns the stack of freed slots.
func (a *slots) freed() []uint32 { return unsafe.Slice((*uint32)(a.stack), a.free) }

// push records a slot as freed. There is room for all slots of the range.
func (a *slots) push(i uint32) {
	*(*uint32)(unsafe.Add(a.stack, uintptr(a.free)*4)) = i
	a.free++
}

// used returns the number of slots of the range that have been used.
func (a *slots) used() uint32 { return a.top - a.first }

// bytes returns the memory that the range takes.
func (a *slots) bytes() uint64 { return uint64(a.region.Committed()) + uint64(a.room)*4 }

// unused returns how many of these bytes have never held an event.
func (a *slots) unused() uint64 {
	return uint64(a.region.Committed()) - uint64(a.used())*uint64(a.stride)
}
