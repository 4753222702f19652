// This file owns lapsed events: those of timers that were cancelled. They are no events of the model, whether they are
// still in the queue or not: nothing counts them, and no result depends on when they leave it.

package kernel

import (
	"unsafe"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/sys/invariants"
)

// Lapsed reports whether the timer of event e of lp was cancelled.
func (lp *LP) Lapsed(e *event.Event) bool {
	r := lp.PE.timerOf(e)
	return r != nil && !lp.Armed(r.name())
}

// timerOf returns the timer of an event, nil if it is no event of After.
func (pe *PE) timerOf(e *event.Event) *timerRef {
	m := pe.MessageOf(e)
	if m.Word != unsafe.Pointer(m) {
		return nil
	}
	return (*timerRef)(unsafe.Add(event.Payload(e), m.Size-TimerSize))
}

// HasLapsed reports whether an event in the queue has lapsed for good, because nothing of its KP can be undone.
func (pe *PE) HasLapsed(e *event.Event) bool {
	lp := pe.At(e.Dst)
	return lp.Lapsed(e) && lp.KP.History.Empty()
}

// countLapsed counts lapsed events that are new in the queue, or that are not in it any more.
func (lp *LP) countLapsed(n int) {
	pe := lp.PE
	if pe.serial {
		pe = pe.Run.PEs[0] // which has the queue
	}
	pe.LapsedIn += n
}

// skip is called in place of the handler for the running event, which has lapsed. It is counted out, and gives lp the
// time of the event before: it is no event of the model.
func (lp *LP) skip() {
	pe := lp.PE
	lp.Processed--
	lp.countLapsed(-1)
	if pe.Undoes() {
		pe.Counts.Processed-- // the batch counts it
		h := &lp.KP.History
		g := h.At(h.Last)
		g.Flags |= GroupIdle | GroupVoid | GroupLapsed
		lp.Now = g.Now
		return
	}
	pe.Skipped, pe.omit = true, true
	pe.Passed = max(pe.Passed, lp.Now)
	lp.Now = pe.Earlier
	if pe.serial {
		pe = pe.Run.PEs[0]
	}
	pe.Counts.Processed--
}

// DropLapsed frees an event that has lapsed for good, and has left the queue.
func (pe *PE) DropLapsed(e *event.Event, i uint32) {
	pe.Arena.Free(e, i)
	pe.LapsedIn--
}

// Least returns the least key of an event that has not been cancelled, and will not be dropped as one that has
// lapsed for good: the queue frees those before it, so that they hold back neither GVT nor what comes before them.
func (pe *PE) Least() (k event.Key, ok bool) {
	for {
		n := pe.Queue.Len()
		k, ok = pe.Queue.Min()
		pe.buried(n - pe.Queue.Len())
		if !ok {
			return k, false
		}
		e := pe.Arena.At(k.Index())
		if !pe.HasLapsed(e) {
			return k, true
		}
		_, _ = pe.Queue.Pop()
		pe.DropLapsed(e, k.Index())
	}
}

// leastSweep is the number of cancelled and lapsed events for which the queue is swept. Fewer take little memory.
const leastSweep = 1024

// MustSweep reports whether more than half of the events in the queue are of no use: cancelled, or lapsed since the
// last sweep. So each of them pays for the look at at most two events.
func (pe *PE) MustSweep() bool {
	n, least := pe.Dead+uint64(max(pe.LapsedIn-pe.lapsedKept, 0)), uint64(leastSweep)
	if set := &pe.Run.Set; set.Sweep > 0 {
		least = set.Sweep
	} else if invariants.Enabled {
		least = 4
	}
	return n >= least && n > pe.Queue.Len()/2
}

// Sweep frees the events in the queue that are cancelled, and those that have lapsed for good: what cancelled their
// timers cannot be undone any more. It returns how many were the latter. No handler may be running.
func (pe *PE) Sweep() (lapsed int) {
	pe.turnTimers(^uint32(0))
	pe.Queue.Purge(func(e *event.Event) bool {
		r := pe.timerOf(e)
		if r == nil {
			return false
		}
		t := pe.At(e.Dst).Timers()
		if r.slot-1 < uint32(len(t.Slots)) && int32(r.number-t.Slots[r.slot-1].Number) >= 0 {
			return false
		}
		lapsed++
		return true
	})
	pe.turnTimers(1)
	pe.Dead = 0
	pe.LapsedIn -= lapsed
	pe.lapsedKept = pe.LapsedIn
	return lapsed
}

// turnTimers adds by to the number of a slot each time that an uncommitted event has given it back. With -1 the numbers
// become those of committed events.
func (pe *PE) turnTimers(by uint32) {
	for _, kp := range pe.Mine {
		h := &kp.History
		for at := h.Tail; at != h.Head; at += int(h.At(at).Size) {
			lp := pe.At(pe.Arena.At(h.At(at).Event).Dst)
			for r := h.Group(at); r.Next(); {
				if r.Tag == TagTimer && r.What&(1<<slotBits-1) != slotTaken {
					lp.extra().timers.Slots[r.What>>slotBits-1].Number += by
				}
			}
		}
	}
}
