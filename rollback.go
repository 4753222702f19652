// This file owns rollback: what happens to stragglers, to cancelled events, and
// to the events that were handled too early.

package ross

import (
	"math/bits"
	"time"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/invariants"
	"github.com/ross-go/ross/internal/meter"
)

// accept puts an event that is new on this PE where it belongs: into the queue,
// or into the list of stragglers if its KP has handled a later one already.
func (pe *PE) accept(k event.Key) {
	if invariants.Enabled {
		pe.checkGVT(k.Index(), "arrives")
	}
	// No KP has handled anything after the front, so most events need no look
	// at their KP.
	if k.TS <= pe.front && pe.late(k) {
		pe.arena.At(k.Index()).State = event.Straggler
		pe.stragglers = append(pe.stragglers, k)
		pe.after = true
		return
	}
	pe.q.Push(k)
}

// checkGVT asserts that GVT has not passed an event to which something happens.
// Where nothing is speculation, GVT is gvt.Max.
func (pe *PE) checkGVT(i uint32, what string) {
	e := pe.arena.At(i)
	invariants.Check(pe.bound.IsMax() || !pe.isPassed(e), "event %d at %g %s when GVT is %g", i, e.Time, what, pe.gvt)
}

// late reports whether the KP of an event has handled a later one.
func (pe *PE) late(k event.Key) bool {
	kp := pe.at(pe.arena.At(k.Index()).Dst).kp
	return pe.arena.Less(k, kp.newest)
}

// cancel undoes the sending of an event that is on this PE.
func (pe *PE) cancel(i uint32) {
	e := pe.arena.At(i)
	switch e.State {
	case event.Pending, event.Straggler:
		pe.dead++
		e.State = event.Cancelled // dropped when the queue or the list comes to it
	case event.Processed:
		pe.doomed = append(pe.doomed, i)
	default:
		if invariants.Enabled {
			invariants.Check(false, "event %d cancelled in state %d", i, e.State)
		}
	}
}

// settle rolls back what stragglers and cancelled events require. Rollbacks that
// cause others put them into the lists, so that chains of them need no stack.
func (pe *PE) settle() {
	if len(pe.stragglers)+len(pe.doomed) == 0 {
		return
	}
	pe.after = false
	pe.cur, pe.running = nil, nil
	c := &pe.counts
	whole := c.Enter()
	sampled, cancelling := c.Settles.Due(), 0.0
	for len(pe.stragglers)+len(pe.doomed) > 0 {
		if len(pe.doomed) == 0 {
			n := len(pe.stragglers) - 1
			k := pe.stragglers[n]
			pe.stragglers = pe.stragglers[:n]
			pe.catchUp(k)
		} else if sampled {
			begin := time.Now()
			pe.annihilateAll()
			cancelling += meter.Since(begin)
		} else {
			pe.annihilateAll()
		}
	}
	if sampled {
		weight := c.Settles.Weigh(meter.SampleSettle)
		c.SampledSettle += weight * meter.Since(whole.Begin)
		c.SampledCancel += weight * cancelling
	}
	c.Leave(whole, &c.SettleSeconds)
}

// annihilateAll cancels handled events until none is to be cancelled.
func (pe *PE) annihilateAll() {
	for n := len(pe.doomed) - 1; n >= 0; n = len(pe.doomed) - 1 {
		i := pe.doomed[n]
		pe.doomed = pe.doomed[:n]
		pe.annihilate(i)
	}
}

// catchUp rolls the KP of a straggler back to before it, and has it wait with
// the other events.
func (pe *PE) catchUp(k event.Key) {
	e := pe.arena.At(k.Index())
	if e.State == event.Cancelled {
		pe.arena.Free(e, k.Index())
		return
	}
	kp := pe.at(e.Dst).kp
	if pe.arena.Less(k, kp.newest) {
		pe.counts.Primary++
		kp.primary++
		kp.rollbackFrom(k)
		if pe.trace != nil && pe.trace.what == TraceRollbacks {
			pe.traceNow(pe.at(e.Dst), e)
		}
	}
	e.State = event.Pending
	pe.q.Push(k)
}

// annihilate cancels an event that has been handled: its KP goes back to before
// it.
func (pe *PE) annihilate(i uint32) {
	e := pe.arena.At(i)
	pe.dead++
	if e.State == event.Pending { // a rollback has undone it in the meantime
		e.State = event.Cancelled
		return
	}
	kp := pe.at(e.Dst).kp
	pe.counts.Secondary++
	kp.secondary++
	kp.rollbackFrom(event.KeyOf(e, i))
	if invariants.Enabled {
		invariants.Check(e.State == event.Pending, "event %d is in state %d after its rollback", i, e.State)
	}
	e.State = event.Cancelled
}

// rollbackFrom undoes the events of a KP that are not before a key.
func (kp *KP) rollbackFrom(k event.Key) {
	arena := kp.pe.arena
	n := kp.rollback(func(key event.Key, _ *event.Event) bool { return !arena.Less(key, k) })
	kp.pe.counts.Lengths[bits.Len(uint(n))]++
	kp.pe.counts.Rolled += uint64(n)
}

// rollback undoes the events of a KP, newest first, as long as undo says so, and
// returns how many that were.
func (kp *KP) rollback(undo func(event.Key, *event.Event) bool) int {
	pe, h := kp.pe, &kp.hist
	n := 0
	for !h.empty() {
		i := h.at(h.last).event
		e := pe.arena.At(i)
		k := event.KeyOf(e, i)
		if !undo(k, e) {
			break
		}
		if invariants.Enabled {
			pe.checkGVT(i, "is undone")
		}
		kp.undo(e)
		e.State = event.Pending
		pe.q.Push(k)
		n++
		pe.counts.Undone++ // here, since Reverse of the next one may panic
		pe.uncommitted--
	}
	kp.repay()
	kp.setNewest()
	return n
}

// setNewest finds the newest event that a KP has handled.
func (kp *KP) setNewest() {
	if kp.hist.empty() {
		kp.newest = event.Key{}
		return
	}
	i := kp.hist.at(kp.hist.last).event
	kp.newest = event.KeyOf(kp.pe.arena.At(i), i)
}

// undo takes the newest event of a KP back: what the model did to the state, what
// the engine knows of, newest first, then the time.
func (kp *KP) undo(e *event.Event) {
	pe, h := kp.pe, &kp.hist
	g := h.at(h.last)
	lp := pe.at(e.Dst)
	if invariants.Enabled {
		invariants.Check(lp.typ.saving != SaveNever || pe.err != nil, "an event of LP %d is undone, which cannot be", lp.id)
	}
	if lp.typ.reverse != nil && g.flags&(groupIdle|groupKeep) == 0 && lp.typ.saving == SaveByReverse {
		lp.now = e.Time
		pe.cur, pe.shown = e, lp
		lp.typ.reverse(lp.state, lp, (*Bits)(&e.Bits), event.Payload(e))
		pe.cur, pe.shown = nil, nil
	}
	if g.flags&groupIdle != 0 {
		pe.counts.Ignored--
	}
	if pe.perLP != nil {
		pe.perLP[e.Dst].Undone++
	}
	kp.undoRecords(lp, e)
	lp.now = g.now
	h.head = h.last
	h.last -= int(g.back)
}

// unsend cancels an event that went to another PE, which knows it by an index:
// with an anti-message, or, if it has not left yet, by taking it out of what is
// unsent. cause is the event that sent it, so that it is after that.
func (pe *PE) unsend(cause *event.Event, there, to uint32) {
	list := pe.unsent(to)
	far := pe.isFar(to)
	if far {
		pe.counts.FarUnsent++
		pe.settled(to, there) // what is sent with the id next leaves after the anti-message
	}
	for n := len(list) - 1; n >= 0 && n >= len(list)-unsentSearch; n-- {
		if o := &list[n]; o.there == there && o.here != 0 {
			pe.arena.Free(pe.arena.At(o.here), o.here)
			if !far {
				pe.arena.Cancel(there, o.here)
			}
			*o = outgoing{}
			pe.ch.gave--
			return
		}
	}
	pe.counts.Antis++
	least, b := &pe.ch.antiMin, pe.boundAt(cause)
	if far {
		least = &pe.far.peer(to).antiMin
	}
	if b.Compare(least, pe.arena.Lines) < 0 {
		pe.setAntiMin(least, b)
	}
	if far {
		pe.emitFar(outgoing{there: there}, cause, pe.far.peer(to))
		return
	}
	pe.emit(outgoing{there: there}, cause, to-pe.ch.base)
}

// unsentSearch is how much of what is unsent is looked at: an anti-message is always
// right, taking the event back is only cheaper.
const unsentSearch = 64

// rollbackTo undoes all events that are not before a bound. One that cannot be
// undone was at GVT when it was handled, so that all the KP's others are before
// the bound.
func (pe *PE) rollbackTo(b *gvt.Bound) {
	whole := pe.counts.Enter()
	defer func() { pe.counts.Leave(whole, &pe.counts.UndoSeconds) }()
	for i := range pe.kps {
		pe.kps[i].rollback(func(_ event.Key, e *event.Event) bool {
			return !b.Passed(e, uint32(pe.id), pe.arena.Lines) && pe.at(e.Dst).typ.saving != SaveNever
		})
	}
	pe.settle()
}
