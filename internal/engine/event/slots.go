// This file owns the free slots of an arena, and those that any arena may use.

package event

import (
	"errors"
	"unsafe"

	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/internal/sys/mem"
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
	leave  uint64      // bytes of the budget that it must leave
	pile   *mem.Region // of the stack, nil while the stack is in Go's heap
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

// more makes more slots usable. First it makes room to record them all as free, because slots
// that could not be recorded would be memory that is of no use to anybody. The last slots below
// the limit are opened in small numbers, so that the stack leaves memory for them.
func (a *slots) more() error { return a.moreBy(1) }

// moreBy is more for at least n slots beyond those that have been used.
func (a *slots) moreBy(n uint64) error {
	whole := uint64(uintptr(a.region.Base())-uintptr(a.base)) / uint64(a.stride)
	need := uintptr(uint64(a.top)-whole+n) * a.stride
	if uint64(a.top)+n > MaxEvents || need > a.region.Reserved() {
		return a.region.Full()
	}
	if err := a.budget.Spares(a.leave); err != nil {
		return err
	}
	step := a.step()
	next := min(uint64(a.region.Next(need, step)/a.stride)+whole, MaxEvents)
	if a.moreRoom(next-uint64(a.first)) != nil {
		if err := a.moreRoom(uint64(a.top-a.first) + firstOpen); err != nil {
			return err
		}
	}
	if err := a.region.GrowBy(need, min(step, a.step())); err != nil {
		return err
	}
	limit := min(uint64(a.region.Committed()/a.stride)+whole, MaxEvents)
	a.limit = uint32(min(limit, uint64(a.first)+uint64(a.room)))
	return nil
}

// stepShare is the least memory that may be taken in terms of what a range takes at once: slots that it opens
// before it needs them are of no use to anything else.
const stepShare = 8

// step returns by how many bytes the region grows at once: less than it would by itself if that
// took much of what is left.
func (a *slots) step() uintptr {
	free := a.budget.Free()
	return uintptr(min(uint64(a.region.Step()), (free-min(free, a.leave))/stepShare))
}

// moreRoom makes room in the stack for n slots, and for a quarter more than before if the budget
// can spare it, so that it seldom grows.
func (a *slots) moreRoom(n uint64) error {
	if n <= uint64(a.room) {
		return nil
	}
	if more := uint64(a.room) / 4 * 5; more > n && a.budget.Spares((more-uint64(a.room))*4+a.leave) == nil {
		if a.roomFor(more) == nil {
			return nil
		}
	}
	return a.roomFor(n)
}

// roomFor makes room in the stack for n slots, more than now.
func (a *slots) roomFor(n uint64) error {
	more := (n - uint64(a.room)) * 4
	if err := a.budget.Charge(more); err != nil {
		return err
	}
	if a.pile != nil && n*4 <= uint64(a.pile.Reserved()) {
		if err := a.pile.Grow(uintptr(n) * 4); err != nil {
			a.budget.Give(more)
			return err
		}
		a.room = uint32(min(n, MaxEvents))
		return nil
	}
	stack, pile, err := newStack(n)
	if err != nil {
		a.budget.Give(more)
		return err
	}
	copy(unsafe.Slice((*uint32)(stack), n), a.freed())
	a.pile.Release()
	a.stack, a.pile, a.room = stack, pile, uint32(min(n, MaxEvents))
	return nil
}

// mostHeaped is the most slots whose stack is in Go's heap. Larger ones are in regions: where the
// address space ends, a region is refused, while Go's heap ends the process. A region has address space for
// twice as many slots, if the process may have it, so that near a limit, where room is made for few slots
// at a time, the stack is not copied each time.
const mostHeaped = 1 << 14

// newStack returns memory for a stack of n slots, and the region that it is in, if it is in one.
func newStack(n uint64) (unsafe.Pointer, *mem.Region, error) {
	if n <= mostHeaped || mem.Zoned {
		return unsafe.Pointer(unsafe.SliceData(make([]uint32, n))), nil, nil
	}
	pile, err := mem.Reserve(2*n*4, nil)
	if err == nil && uint64(pile.Reserved()) < n*4 {
		pile.Release()
		pile, err = mem.Reserve(n*4, nil)
	}
	if err != nil {
		return nil, nil, errors.Unwrap(err) // whoever sends the event says what to raise
	}
	if err := pile.Grow(uintptr(n) * 4); err != nil {
		pile.Release()
		return nil, nil, err
	}
	return pile.Base(), pile, nil
}

// release gives back the stack, and what the range took of the budget.
func (a *slots) release() {
	a.budget.Give(a.bytes())
	a.pile.Release()
	a.pile, a.stack, a.free, a.room = nil, nil, 0, 0
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

// Commons: free slots that any arena of a Space may use. Arenas give to them in a shortage of
// memory, and while their PEs handle nothing; otherwise the slots that one arena has opened would
// be of no use to the others. The slots go home when they are freed.

// mostLent is the number of slots that an arena takes from the commons at a time.
const mostLent = 64

// lend gives an arena slots of the commons, which lent returns. It reports whether there were any.
func (s *Space) lend(to *Arena) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := min(len(s.commons), mostLent)
	if n == 0 || !s.open(to) {
		return false
	}
	from := len(s.commons) - n
	to.loan = append(to.loan, s.commons[from:]...)
	s.commons = s.commons[:from]
	return true
}

// lent returns a slot that lend has given the arena, 0 if none is left.
func (a *Arena) lent() uint32 {
	n := len(a.loan) - 1
	if n < 0 {
		return 0
	}
	i := a.loan[n]
	a.loan = a.loan[:n]
	return i
}

func (s *Space) putCommons(slots []uint32) {
	s.mu.Lock()
	s.commons = append(s.commons, slots...)
	s.mu.Unlock()
}

// Share gives other arenas half of the free slots, also of those never used, all those of
// lanes and of a loan, and all blocks.
func (a *Arena) Share() { a.share(2) }

// Rest is called when the PE will handle no event until Wake is called. If little memory is left, it gives
// other arenas all that is free, now and when it is freed. Otherwise the arena keeps what it has: it would open new
// slots afterwards, and with each rest more. No PE may run meanwhile.
func (a *Arena) Rest() {
	if !a.space.shared {
		return
	}
	a.TakeBack()
	a.GiveBack()
	if !a.lacks() {
		return
	}
	a.share(1)
	a.Lines.share()
	a.rests = true
}

// Wake ends Rest. No PE may run meanwhile.
func (a *Arena) Wake() { a.rests = false }

// share gives other arenas the free slots, divided by part, and all free blocks, slots of lanes and of the loan.
func (a *Arena) share(part uint32) {
	if !a.space.shared {
		return
	}
	a.blocks.share()
	s := a.space
	s.mu.Lock()
	defer s.mu.Unlock()
	s.commons = append(s.commons, a.loan...)
	a.loan = a.loan[:0]
	a.giveSlots(a.free-a.free/part*(part-1), (a.limit-a.top)/part, s)
	for k := range a.lanes {
		l := &a.lanes[k]
		l.giveSlots(l.free, (l.limit-l.top)/part, s)
	}
}

// giveSlots puts free slots into the commons, and some that were never used.
func (a *slots) giveSlots(free, unused uint32, s *Space) {
	keep := a.free - free
	s.commons = append(s.commons, a.freed()[keep:]...)
	for a.free = keep; unused > 0; unused-- {
		a.At(a.top).State = Free
		s.commons = append(s.commons, a.top)
		a.top++
	}
}

// littleShare is the part of the memory that counts as little if no more is left.
const littleShare = 4

// lacks reports whether little memory is left.
func (a *Arena) lacks() bool {
	return a.budget != nil && a.budget.Free() <= a.budget.Limit()/littleShare
}

// Trim gives other arenas the free slots beyond some that the arena keeps, if little memory is left. It is for
// PEs that cannot undo events when they find no memory.
func (a *Arena) Trim(keep uint32) {
	if !a.space.shared || !a.lacks() {
		return
	}
	a.TakeBack()
	s := a.space
	s.mu.Lock()
	defer s.mu.Unlock()
	a.giveSlots(a.free-min(a.free, keep), 0, s)
	for k := range a.lanes {
		l := &a.lanes[k]
		l.giveSlots(l.free-min(l.free, keep), 0, s)
	}
}

// Has reports whether the arena has at hand what n events need; one may be large.
func (a *Arena) Has(n int) bool {
	return uint64(a.free)+uint64(len(a.loan))+uint64(a.limit-a.top) >= uint64(n) && a.blocks.has()
}

// Provide has the arena take what Has asks for. It reports whether it could.
func (a *Arena) Provide(n int) bool {
	if !a.blocks.provide() {
		return false
	}
	for !a.Has(n) {
		if !a.TakeBack() && !a.space.lend(a) && a.slots.open() != nil {
			return false
		}
	}
	return true
}

// open makes more slots usable while some are left that were never used: these are free from then on.
func (a *slots) open() error {
	for ; a.top < a.limit; a.top++ {
		a.At(a.top).State = Free
		a.push(a.top)
	}
	return a.more()
}
