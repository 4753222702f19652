// This file owns lanes: the slots of events that one PE sends to another; and payloads that are kept as they
// were sent. The sender hands the slots out, so it knows which slot of the receiver an event will have, and
// can name it in an anti-message. Only the receiver touches their memory: it copies the event there when it
// arrives. So no cache line of a slot ever moves from one processor to another.

package event

import (
	"bytes"
	"unsafe"

	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/internal/sys/mem"
)

// laneApart is the number of lanes that fill a page.
const laneApart = apart / int(unsafe.Sizeof(slots{}))

// Book returns a slot for an event to PE to, whose own slot is here. The result is a
// slot that only the receiver may touch, once the event has arrived. If there is no
// memory for it, the result is here itself, and the event is handed over without
// being moved.
func (a *Arena) Book(to, here uint32) uint32 {
	if int(to) >= len(a.lanes) {
		return here
	}
	l := &a.lanes[to]
	if l.free == 0 {
		a.TakeBack()
	}
	if _, i := l.Reuse(); i != 0 {
		return i
	}
	if l.top == l.limit && 2*a.budget.Used() > a.budget.Limit() {
		return here
	}
	if _, i, err := l.grow(); err == nil {
		return i
	}
	return here
}

// Cancel frees a booked slot that was not needed, because its event was not sent.
func (a *Arena) Cancel(there, here uint32) {
	if there != here {
		a.restock(there)
	}
}

// Vacate frees the slot here of an event whose copy has left for there.
func (a *Arena) Vacate(here, there uint32) {
	if there == here {
		return
	}
	e := a.At(here)
	e.Lineage, e.Class = 0, 0 // the copy has them
	a.Free(e, here)
}

// CopyTo copies event i to a place of Stride bytes, aligned to 8.
func (a *Arena) CopyTo(to []uint64, i uint32) {
	move(to, unsafe.Slice((*uint64)(unsafe.Pointer(a.At(i))), len(to)))
}

// Arrive copies an arrived event into the slot booked for it. from is Stride bytes,
// aligned to 8.
func (a *Arena) Arrive(there uint32, from []uint64) *Event {
	e := a.At(there)
	move(unsafe.Slice((*uint64)(unsafe.Pointer(e)), len(from)), from)
	return e
}

// halfLine is as much as the compiler copies through registers; it would copy an array by a call.
type halfLine struct{ a, b, c, d uint64 }

var _ = [1]struct{}{}[unsafe.Sizeof(halfLine{0, 0, 0, 0})-32] // compiles only if two are a line

// move copies an event. Most are one cache line, which needs no call.
func move(to, from []uint64) {
	if len(to) == 8 && len(from) == 8 {
		t, f := (*[2]halfLine)(unsafe.Pointer(&to[0])), (*[2]halfLine)(unsafe.Pointer(&from[0]))
		x, y := f[0], f[1]
		t[0], t[1] = x, y
		return
	}
	copy(to, from)
}

// owner returns the arena to which slot i, or its lane, belongs.
func (s *Space) owner(i uint32) uint32 {
	if i >= s.laneBase && s.laneBase != 0 {
		return (i - s.laneBase) >> s.shift
	}
	return i >> s.shift
}

// laneOf returns the receiver of the lane that contains slot i, if there is one.
func (s *Space) laneOf(i uint32) (to uint32, ok bool) {
	if i < s.laneBase || s.laneBase == 0 {
		return 0, false
	}
	return (i - s.laneBase) >> s.laneShift & (1<<(s.shift-s.laneShift) - 1), true
}

// addLanes gives an arena its lanes.
func (s *Space) addLanes(a *Arena) {
	if s.laneBase == 0 {
		return
	}
	n := len(s.arenas)
	a.lanes = make([]slots, n+2*laneApart)[laneApart : laneApart+n]
	for to := range a.lanes {
		first := s.laneBase + a.mine<<s.shift + uint32(to)<<s.laneShift
		a.lanes[to] = s.rangeOf(first, 1<<s.laneShift)
	}
}

// Kept payloads: copies of payloads as they were sent, next to those that handlers
// write to.

// kept is a bit of Event.Class: there is a copy of the payload. Free clears a Class that
// is not 0, and with it the bit.
const kept = 0x80

// besideCopy is the largest payload whose copy has room in the slot, bytes. Copies of larger ones are in
// blocks of their own, which only events take that were handled.
const besideCopy = 72

// NewKeepingSpace is NewSpace with room for a second payload, or where that is, in each slot, for Keep.
func NewKeepingSpace(n int, inline uintptr, maxEvents uint64, budget *mem.Budget) (*Space, error) {
	return newSpace(n, inline, true, maxEvents, budget)
}

// makeRoom sets the sizes of a Space that keeps payloads. Behind those in slots, inline bytes, is the room
// for the copy or the address of its block.
func (s *Space) makeRoom(inline uintptr) {
	room := inline
	if s.apart = inline > besideCopy; s.apart {
		room = unsafe.Sizeof(uintptr(0))
	}
	s.stride, s.inline = (Size+inline+room+15)&^15, inline
}

// Keep copies the payload of an event, of n bytes, unless it was copied since the event
// came to this PE. The copy stays until the slot is freed, or Unkeep drops it. Only an arena of
// NewKeepingSpace has the room. Keep fails when the memory limit is reached.
func (a *Arena) Keep(e *Event, n uintptr) error {
	if e.Class&kept != 0 {
		return nil
	}
	if invariants.Enabled {
		invariants.Check(a.keeps, "a payload is kept in an arena that has no room for it")
	}
	if class := a.copyClass(e); class != 0 {
		p, err := a.blocks.alloc(class)
		if err != nil {
			return err
		}
		storePointer(a.copyAt(e), p)
	}
	copy(unsafe.Slice((*byte)(a.copyOf(e)), n), unsafe.Slice((*byte)(Payload(e)), n))
	e.Class |= kept
	return nil
}

// Unkeep drops Keep's copy of a payload of n bytes if it takes a block and does not differ from the payload.
func (a *Arena) Unkeep(e *Event, n uintptr) {
	if e.Class&kept == 0 || a.copyClass(e) == 0 || !bytes.Equal(unsafe.Slice((*byte)(a.copyOf(e)), n),
		unsafe.Slice((*byte)(Payload(e)), n)) {
		return
	}
	a.freeCopy(e)
}

// Sent returns the address of Keep's copy of the payload, or of the payload itself if
// there is no copy.
func (a *Arena) Sent(e *Event) unsafe.Pointer {
	if e.Class&kept == 0 {
		return Payload(e)
	}
	return a.copyOf(e)
}

// copyClass returns the class of the block for the copy of a payload, 0 if the copy has room in the slot.
func (a *Arena) copyClass(e *Event) uint8 {
	class := e.Class &^ kept
	if class == 0 && a.space.apart {
		return classOf(a.inline)
	}
	return class
}

// copyAt returns the place in the slot of the copy of a payload, or of the address of its block.
func (a *Arena) copyAt(e *Event) unsafe.Pointer { return unsafe.Add(InSlot(e), a.inline) }

// copyOf returns the address of the copy of a payload.
func (a *Arena) copyOf(e *Event) unsafe.Pointer {
	if a.copyClass(e) != 0 {
		return *(*unsafe.Pointer)(a.copyAt(e))
	}
	return a.copyAt(e)
}

// freeCopy drops the copy of a payload.
func (a *Arena) freeCopy(e *Event) {
	if class := a.copyClass(e); class != 0 {
		a.blocks.free(a.copyOf(e), class)
	}
	e.Class &^= kept
}
