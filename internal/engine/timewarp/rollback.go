// This file owns rollback: undoing the events of a KP that were handled too early.

package timewarp

import (
	"math/bits"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/sys/invariants"
)

// rollbackFrom undoes the events of a KP that are not before a key.
func (pe *PE) rollbackFrom(kp *kernel.KP, k event.Key) {
	arena := pe.Arena
	n := pe.Rollback(kp, func(key event.Key, _ *event.Event) bool { return !arena.Less(key, k) })
	pe.Counts.Lengths[bits.Len(uint(n))]++
	pe.Counts.Rolled += uint64(n)
}

// Rollback undoes the events of a KP, newest first, as long as undo returns true, and
// returns their number.
func (pe *PE) Rollback(kp *kernel.KP, undo func(event.Key, *event.Event) bool) int {
	h := &kp.History
	n := 0
	for !h.Empty() {
		i := h.At(h.Last).Event
		e := pe.Arena.At(i)
		k := event.KeyOf(e, i)
		if !undo(k, e) {
			break
		}
		if invariants.Enabled {
			pe.checkGVT(i, "is undone")
		}
		pe.undo(kp, e)
		e.State = event.Pending
		pe.Queue.Push(k)
		n++
		pe.Counts.Undone++ // now, since Reverse of the next event may panic
		pe.Uncommitted--
	}
	kp.Repay()
	pe.setNewest(kp)
	return n
}

// setNewest sets the key of the newest event that a KP has handled.
func (pe *PE) setNewest(kp *kernel.KP) {
	if kp.History.Empty() {
		kp.Newest = event.Key{}
		return
	}
	i := kp.History.At(kp.History.Last).Event
	kp.Newest = event.KeyOf(pe.Arena.At(i), i)
}

// undo undoes the newest event of a KP: first what the model did, by Reverse, then what the
// engine has recorded, newest first, then the LP's time.
func (pe *PE) undo(kp *kernel.KP, e *event.Event) {
	h := &kp.History
	g := h.At(h.Last)
	lp := pe.At(e.Dst)
	if pe.Trace.RecordsUndone() {
		pe.TraceUndone(lp, e)
	}
	if invariants.Enabled {
		invariants.Check(lp.Type().Saving != kernel.SaveNever || pe.Err != nil,
			"an event of LP %d is undone, which cannot be", lp.ID)
	}
	if lp.Type().Saving == kernel.SaveByReverse && g.Flags&(kernel.GroupIdle|kernel.GroupKeep) == 0 {
		if m := pe.MessageOf(e); m.Reverse != nil {
			lp.Now = e.Time
			pe.Current, pe.Shown = e, lp
			m.Reverse(lp.State, lp, m.UndoData(h, h.Last, e), event.Payload(e))
			pe.Current, pe.Shown = nil, nil
		}
	}
	switch {
	case g.Flags&kernel.GroupLapsed != 0: // it was not counted
		pe.Counts.Undone--
		pe.LapsedIn++
	case pe.PerLP != nil:
		pe.PerLP[lp.Index()].Undone++
	}
	if g.Flags&(kernel.GroupIdle|kernel.GroupVoid) == kernel.GroupIdle {
		pe.Counts.Ignored--
	}
	pe.UndoRecords(kp, lp, e)
	if e.Class != 0 && !pe.Checked { // the copy of a large message is needed again when the event is handled
		pe.Arena.Unkeep(e, pe.MessageOf(e).Size)
	}
	lp.Now = g.Now
	h.Head = h.Last
	h.Last -= int(g.Back)
}

// RollbackTo undoes all events that are not before a bound. An event that cannot be undone
// was at GVT when it was handled, so that the KP's other events are before the bound.
func (pe *PE) RollbackTo(b *gvt.Bound) {
	whole := pe.Counts.Enter()
	defer func() { pe.Counts.Leave(whole, &pe.Counts.UndoSeconds) }()
	for _, kp := range pe.Mine {
		pe.Rollback(kp, func(_ event.Key, e *event.Event) bool {
			return !b.Passed(e, pe.Base(), pe.Arena.Lines) && pe.At(e.Dst).Type().Saving != kernel.SaveNever
		})
	}
	pe.Settle()
}
