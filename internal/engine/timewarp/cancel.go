// This file owns cancellation: events whose send is undone, on this PE or, with
// anti-messages, on others.

package timewarp

import (
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/sys/invariants"
)

// cancel undoes the send of an event that is on this PE.
func (pe *PE) cancel(i uint32) {
	e := pe.Arena.At(i)
	switch e.State {
	case event.Pending, event.Tied, event.Straggler:
		pe.Dead++
		e.State = event.Cancelled // dropped when its turn comes in the queue or the list
	case event.Processed:
		pe.Doomed = append(pe.Doomed, i)
	default:
		if invariants.Enabled {
			invariants.Check(false, "event %d cancelled in state %d", i, e.State)
		}
	}
}

// annihilateAll annihilates the doomed events, including those that become doomed
// meanwhile.
func (pe *PE) annihilateAll() {
	for n := len(pe.Doomed) - 1; n >= 0; n = len(pe.Doomed) - 1 {
		i := pe.Doomed[n]
		pe.Doomed = pe.Doomed[:n]
		pe.annihilate(i)
	}
}

// annihilate cancels an event that has been handled: it rolls the event's KP back to before
// it.
func (pe *PE) annihilate(i uint32) {
	e := pe.Arena.At(i)
	pe.Dead++
	if e.Waits() { // a rollback has undone it since
		e.State = event.Cancelled
		return
	}
	kp := pe.At(e.Dst).KP
	pe.Counts.Secondary++
	kp.Secondary++
	pe.rollbackFrom(kp, event.KeyOf(e, i))
	if invariants.Enabled {
		invariants.Check(e.Waits(), "event %d is in state %d after its rollback", i, e.State)
	}
	e.State = event.Cancelled
}

// unsend cancels an event sent to another PE, which knows it by the index or id there. If
// the event has not left yet, unsend removes it from the unsent list, otherwise it sends an
// anti-message. cause is the event that sent it, and so is before it.
func (pe *PE) unsend(cause *event.Event, there, to uint32) {
	list := pe.unsent(to)
	far := pe.isRemote(to)
	if far {
		pe.Counts.NetUnsent++
	}
	for n := len(list) - 1; n >= 0 && n >= len(list)-unsentSearch; n-- {
		if o := &list[n]; o.there == there && o.here != 0 {
			pe.Arena.Free(pe.Arena.At(o.here), o.here)
			if !far {
				pe.Arena.Cancel(there, o.here)
			}
			*o = outgoing{}
			pe.Channels.Balance--
			return
		}
	}
	pe.Counts.Antis++
	least, b := &pe.Channels.AntiMin, pe.BoundAt(cause)
	if far {
		least = &pe.Remote.peer(to).antiMin
	}
	if b.Compare(least, pe.Arena.Lines) < 0 {
		pe.setAntiMin(least, b)
	}
	if far {
		pe.emitRemote(outgoing{there: there}, cause, pe.Remote.peer(to))
		return
	}
	pe.emit(outgoing{there: there}, cause, to-pe.Channels.Base)
}

// unsentSearch is the number of unsent entries, newest first, that unsend searches. An
// anti-message is always correct; removing the event is only cheaper.
const unsentSearch = 64
