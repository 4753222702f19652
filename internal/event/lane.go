// Lane: the slots of events that one PE sends to another. The sender hands them out,
// so it knows which slot of the receiver an event will have, and can name it in an
// anti-message. Only the receiver touches their memory: it copies the event there
// when it arrives. So no cache line of a slot ever moves from one processor to
// another.

package event

import "unsafe"

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

// move copies an event. Most are one cache line, which needs no call.
func move(to, from []uint64) {
	if len(to) != 8 || len(from) != 8 {
		copy(to, from)
		return
	}
	a, b, c, d := from[0], from[1], from[2], from[3]
	e, f, g, h := from[4], from[5], from[6], from[7]
	to[0], to[1], to[2], to[3] = a, b, c, d
	to[4], to[5], to[6], to[7] = e, f, g, h
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
