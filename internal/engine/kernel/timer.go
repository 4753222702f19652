// This file owns timers: events that an LP sends itself and may cancel before they happen.

package kernel

import (
	"math"
	"unsafe"
)

// Timers are the timers of an LP. Each armed timer has a slot; a slot is used again when its
// timer has expired or was cancelled, and then has another number. Slots are taken in the order
// in which they became free, the last one first. Both Arm and disarm can be undone, newest
// first, without any data but the slot.
//
// A cancelled timer leaves its event, which has lapsed, in the queue: that the number of its slot has changed
// says so. So cancelling never searches the queue, and is undone by undoing a change in the LP, to which the
// event belongs as well. The file lapsed.go has what becomes of the event.
type Timers struct {
	Slots []TimerSlot
	Free  uint32 // first free slot, from 1; 0 if there is none
}

// TimerSlot is the place of a timer.
type TimerSlot struct {
	Number uint32 // of the timer that has the slot, or of the next one
	Next   uint32 // of a free slot: the next free one, from 1, 0 if there is none; of another: noEvent or 0
}

// noEvent is TimerSlot.Next of a timer whose event is past the end of the run, so that there is none.
const noEvent = 1

// What a record says of a slot.
const (
	slotTaken     = iota
	slotExpired   // given back by the event of the timer
	slotLapsed    // given back by Cancel, and the timer has an event
	slotCancelled // given back by Cancel, and it has none
	slotBits      = 2
)

// timerRef is what an event of After has behind its message.
type timerRef struct{ slot, number uint32 }

// TimerSize is the size in bytes of what follows the message of an event of After.
const TimerSize = unsafe.Sizeof(timerRef{})

// TimedSize returns the size in bytes of a message with the number of a timer behind it.
func TimedSize(msg uintptr) uintptr { return (msg+7)&^7 + TimerSize }

// Arm sends lp an event after a delay, with a message of the Go type that word identifies. It
// returns the address of the payload, which is nil if the event will not be delivered, and the
// number of the timer, 0 after a mistake.
func (lp *LP) Arm(delay, prio float64, word unsafe.Pointer) (payload unsafe.Pointer, timer uint64) {
	id, ok := lp.Type().find(word)
	if !ok {
		lp.refuseMessage(lp.ID, word)
		return nil, 0
	}
	to := lp.PE.Run.Messages[id].Timed
	if lp.PE.Running != lp || !(delay >= 0) || delay > math.MaxFloat64 {
		lp.Schedule(lp.ID, delay, prio, to.Word, to.Size) // reports the mistake
		return nil, 0
	}
	// A timer past the end waits as well: whether its event is kept depends on checkpoints.
	payload = lp.Schedule(lp.ID, delay, prio, to.Word, to.Size)
	x := lp.more()
	t := &x.timers
	slot := t.Free
	if slot == 0 {
		t.Slots = append(t.Slots, TimerSlot{Number: 1})
		slot = uint32(len(t.Slots))
	} else {
		t.Free = t.Slots[slot-1].Next
	}
	s := &t.Slots[slot-1]
	if s.Next = noEvent; payload != nil {
		s.Next = 0
		*(*timerRef)(unsafe.Add(payload, to.Size-TimerSize)) = timerRef{slot, s.Number}
	}
	lp.noteTimer(slot, slotTaken)
	lp.dispatchTimers()
	return payload, s.name(slot)
}

// Armed reports whether a timer waits for its time.
func (lp *LP) Armed(timer uint64) bool {
	slot, number := uint32(timer), uint32(timer>>32)
	x := lp.extra()
	return x != nil && slot-1 < uint32(len(x.timers.Slots)) && x.timers.Slots[slot-1].Number == number
}

// expire disarms the timer of an event whose time has come. It reports false if the timer was
// cancelled.
func (lp *LP) expire(r timerRef) bool {
	if !lp.Armed(r.name()) {
		return false
	}
	lp.release(r.slot, slotExpired)
	return true
}

// Disarm makes the event of a timer do nothing. It reports whether the timer was waiting.
func (lp *LP) Disarm(timer uint64) bool {
	if !lp.Armed(timer) {
		return false
	}
	slot := uint32(timer)
	if lp.extra().timers.Slots[slot-1].Next == noEvent {
		lp.release(slot, slotCancelled)
		return true
	}
	lp.release(slot, slotLapsed)
	lp.countLapsed(1)
	return true
}

// name returns the number of the timer that has a slot.
func (s *TimerSlot) name(slot uint32) uint64 { return uint64(s.Number)<<32 | uint64(slot) }

// name returns the number of the timer.
func (r timerRef) name() uint64 { return uint64(r.number)<<32 | uint64(r.slot) }

// noteTimer records in the history what became of a slot.
func (lp *LP) noteTimer(slot uint32, what uint64) {
	if pe := lp.PE; pe.KeepsHistory() && pe.Current != nil {
		lp.record(TagTimer, uint64(slot)<<slotBits|what, 0)
	}
}

// release gives a slot back; what says why.
func (lp *LP) release(slot uint32, what uint64) {
	t := &lp.extra().timers
	s := &t.Slots[slot-1]
	s.Number++
	s.Next, t.Free = t.Free, slot
	lp.noteTimer(slot, what)
}

// UndoTimer undoes what the payload of a record says.
func (lp *LP) UndoTimer(what uint64) {
	t := &lp.extra().timers
	slot := uint32(what >> slotBits)
	s := &t.Slots[slot-1]
	what &= 1<<slotBits - 1
	if what == slotTaken {
		s.Next, t.Free = t.Free, slot
		return
	}
	s.Number--
	t.Free, s.Next = s.Next, 0
	switch what {
	case slotLapsed:
		lp.countLapsed(-1)
	case slotCancelled:
		s.Next = noEvent
	}
}

// Timers returns the timers of lp, which must not be changed.
func (lp *LP) Timers() *Timers {
	if lp.extra() == nil {
		return &noTimers
	}
	return &lp.extra().timers
}

var noTimers Timers

// SetTimers replaces the timers of lp.
func (lp *LP) SetTimers(t Timers) {
	if len(t.Slots) == 0 && lp.extra() == nil {
		return
	}
	lp.more().timers = t
	lp.dispatchTimers()
}

// dispatchTimers makes the LP look at what its events have, once it has timers.
func (lp *LP) dispatchTimers() {
	if set := &lp.PE.Run.Set; !set.KeepsSent() && !set.Digest && !set.ExactTrace() && !lp.Suspended() {
		lp.setHandler(handleMessage)
	}
}

// Valid reports whether the chain of free slots is whole.
func (t *Timers) Valid() bool {
	n, at := 0, t.Free
	for ; at != 0 && n <= len(t.Slots); n++ {
		if int(at) > len(t.Slots) {
			return false
		}
		at = t.Slots[at-1].Next
	}
	return at == 0
}
