// This file owns timers: events that an LP sends itself and may cancel before they happen.

package kernel

import (
	"math"
	"unsafe"

	"github.com/ross-go/ross/internal/settings"
)

// Timers are the timers of an LP. Each armed timer has a slot; a slot is used again when its
// timer has expired or was cancelled, and then has another number. Slots are taken in the order
// in which they became free, the last one first. Both Arm and disarm can be undone, newest
// first, without any data but the slot.
//
// A cancelled timer leaves its event in the queue, where it finds, when its time has come, that
// the number of its slot has changed. So cancelling never searches the queue, and is undone by
// undoing a change in the LP, to which the event belongs as well. The event then gives the LP back
// the time that it had before, see passOver.
type Timers struct {
	Slots []TimerSlot
	Free  uint32 // first free slot, from 1; 0 if there is none
}

// TimerSlot is the place of a timer.
type TimerSlot struct {
	Number uint32 // of the timer that has the slot, or of the next one
	Next   uint32 // next free slot, from 1, of a free one; 0 if there is none
}

// timerRef is what an event of After has behind its message.
type timerRef struct{ Slot, Number uint32 }

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
	t := &x.Timers
	slot := t.Free
	if slot == 0 {
		t.Slots = append(t.Slots, TimerSlot{Number: 1})
		slot = uint32(len(t.Slots))
	} else {
		t.Free = t.Slots[slot-1].Next
	}
	number := t.Slots[slot-1].Number
	if payload != nil {
		*(*timerRef)(unsafe.Add(payload, to.Size-TimerSize)) = timerRef{slot, number}
	}
	lp.noteTimer(slot, 0)
	lp.dispatchTimers()
	return payload, uint64(number)<<32 | uint64(slot)
}

// Armed reports whether a timer waits for its time.
func (lp *LP) Armed(timer uint64) bool {
	slot, number := uint32(timer), uint32(timer>>32)
	x := lp.Extra()
	return x != nil && slot-1 < uint32(len(x.Timers.Slots)) && x.Timers.Slots[slot-1].Number == number
}

// expire disarms the timer of an event whose time has come. It reports false if the timer was
// cancelled.
func (lp *LP) expire(r timerRef) bool { return lp.Disarm(uint64(r.Number)<<32 | uint64(r.Slot)) }

// Disarm makes the event of a timer do nothing. It reports whether the timer was waiting.
func (lp *LP) Disarm(timer uint64) bool {
	if !lp.Armed(timer) {
		return false
	}
	slot := uint32(timer)
	lp.Extra().Timers.release(slot)
	lp.noteTimer(slot, 1)
	return true
}

// noteTimer records in the history that a slot was taken, or, if released is 1, given back.
func (lp *LP) noteTimer(slot uint32, released uint64) {
	if pe := lp.PE; pe.Mode == settings.Optimistic && pe.Current != nil {
		lp.record(TagTimer, uint64(slot)<<1|released, 0)
	}
}

// release gives a slot back.
func (t *Timers) release(slot uint32) {
	s := &t.Slots[slot-1]
	s.Number++
	s.Next, t.Free = t.Free, slot
}

// UndoTimer undoes what the payload of a record says.
func (lp *LP) UndoTimer(what uint64) {
	t := &lp.Extra().Timers
	slot := uint32(what >> 1)
	s := &t.Slots[slot-1]
	if what&1 == 0 { // it was taken
		s.Next, t.Free = t.Free, slot
		return
	}
	s.Number--
	t.Free = s.Next
}

// Timers returns the timers of lp, which must not be changed.
func (lp *LP) Timers() *Timers {
	if lp.Extra() == nil {
		return &noTimers
	}
	return &lp.Extra().Timers
}

var noTimers Timers

// SetTimers replaces the timers of lp.
func (lp *LP) SetTimers(t Timers) {
	if len(t.Slots) == 0 && lp.Extra() == nil {
		return
	}
	lp.more().Timers = t
	lp.dispatchTimers()
}

// dispatchTimers makes the LP look at what its events have, once it has timers.
func (lp *LP) dispatchTimers() {
	if set := &lp.PE.Run.Set; !set.KeepsSent() && !set.Digest && !lp.Suspended() {
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
