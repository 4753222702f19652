// This file owns commit: an event that will never be rolled back is mixed into the digest,
// traced, and shown to the model's Commit.

package kernel

import (
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/engine/event"
)

// Committed mixes a committed event of lp into the digest, traces it, and calls the model's
// Commit. ran is false if the LP was suspended, so that its handler did not run. During
// Commit the LP's time and signature are those of the event, although an optimistic LP has
// moved on. An event that has lapsed is left out.
//
// group is the word of the history of the LP's KP at which the event's group begins, or NoGroup
// if there is no history.
func (pe *PE) Committed(lp *LP, e *event.Event, ran bool, group int) {
	if pe.omit {
		pe.omit = false
		return
	}
	if pe.Trace.IsPlain() {
		pe.TracePlain(e)
		return
	}
	pe.Show(lp)
	now, cur := lp.Now, pe.Current
	lp.Now, pe.Current = e.Time, e
	if set := &pe.Run.Set; set.Digest && set.KeepsSent() && !lp.Type().Hidden { // otherwise handleDigested has done so
		lp.SetDigest(pe.DigestEvent(lp, e))
	}
	if pe.Trace.IsDue(OnCommit) {
		if !pe.Undoes() || pe.Checked { // otherwise FossilCollect sets the time
			pe.TraceNow(lp, e, instr.ExactHandled, group)
		} else {
			pe.addToTrace(lp, e, instr.ExactHandled, group)
		}
	}
	if m := pe.MessageOf(e); m.Commit != nil && ran && pe.Err == nil { // a failed handler leaves nothing to commit
		pe.AddUp()
		direct := pe.direct
		pe.commits, pe.direct = true, false
		m.Commit(lp.State, lp, pe.undoOf(m, e, group), event.Payload(e))
		pe.commits, pe.direct = false, direct
	}
	lp.Now, pe.Current = now, cur
	pe.Hide()
}
