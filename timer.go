// This file owns Timer: an event that its LP may cancel.

package ross

import "github.com/ross-go/ross/internal/plain"

// Timer names an event that After has sent. It consists of numbers, so states, blocks and messages
// may hold it. The zero Timer names none.
type Timer struct {
	lp     uint64 // its id + 1
	number uint64
}

// After sends lp itself an event with a message, as Send does, which lp can cancel until the event
// happens: a timeout, a retransmission, the end of a service that may be interrupted. The type of
// lp needs a handler for M. Call After from Init, PreRun and Event of lp.
//
// A cancelled event does not vanish: at its time it is counted and committed, and it is part of the
// digest, but no handler is called for it. Until then it takes the memory of an event. It is no event
// of the model: LP.Now in Final, the end of a run without an end, and averages of package stats do not
// depend on it. GVT passes its time, however, so that a GVT hook or a checkpoint that is due before
// then comes about.
func After[M any](lp *LP, delay float64, msg M) Timer {
	return AfterPriority(lp, delay, DefaultPriority, msg)
}

// AfterPriority is After with a priority, see SendPriority.
func AfterPriority[M any](lp *LP, delay, priority float64, msg M) Timer {
	if !(priority >= 0 && priority <= 1) {
		lp.k.Blame(ErrPriority, "a priority must be in [0, 1]", "set a timer with priority %g", priority)
		return Timer{}
	}
	p, number := lp.k.Arm(delay, priority, plain.TypeWord[M]())
	if p != nil {
		*(*M)(p) = msg
	}
	if number == 0 {
		return Timer{}
	}
	return Timer{lp.k.ID + 1, number}
}

// Cancel makes the event of the timer do nothing. It reports whether it was still to come: for an
// event that has happened, the one that is happening, one that was cancelled before, and the zero
// Timer, Cancel returns false and has no effect. If the event that cancels is undone, the timer
// waits again. An LP cancels only its own timers, in Init, PreRun and Event; anything else is an
// ErrTimer.
func (t Timer) Cancel(lp *LP) bool {
	if t.number == 0 {
		return false
	}
	k := &lp.k
	switch {
	case t.lp != k.ID+1:
		k.Blame(ErrTimer, "send that LP an event, and let it cancel the timer", "cancelled a timer of %s", k.NameFor(t.lp-1))
	case k.PE.Running != k:
		k.Blame(ErrTimer, "cancel timers in Init, PreRun or Event", "cancelled a timer outside of its handlers")
	default:
		return k.Disarm(t.number)
	}
	return false
}

// Pending reports whether the timer, one of lp, waits for its time.
func (t Timer) Pending(lp *LP) bool { return t.lp == lp.k.ID+1 && lp.k.Armed(t.number) }
