// This file owns what an exact trace adds to a record: the exact times of the event, and what tells its cause from all
// other events.

package kernel

import (
	"unsafe"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/engine/event"
)

// isExact reports whether there is a trace, and its records are exact.
func (t *Tracer) isExact() bool { return t != nil && t.exact }

// RecordsUndone reports whether the trace has a record for each execution that is undone.
func (t *Tracer) RecordsUndone() bool { return t.isExact() && t.when == OnHandle }

// TraceSize returns how many bytes follow the fixed ones of records for LPs of a type in a trace.
func (r *Run) TraceSize(t *Type) int {
	if r.Set.Instruments.TraceExact {
		return t.TraceSize + instr.ExactSize
	}
	return t.TraceSize
}

// handleExact is the handler of LPs in a run with an exact trace. It notes where in its stream of tie-breakers the LP
// is before the event, and how many the event draws: one for each send, so that they are those of its effects.
func handleExact(state unsafe.Pointer, lp *LP, msg unsafe.Pointer) {
	pe, inner := lp.PE, handleMessage // which knows timers as well
	switch set := &pe.Run.Set; {
	case set.KeepsSent():
		inner = handleKept
	case set.Digest:
		inner = handleDigested
	}
	if !pe.Trace.isExact() {
		inner(state, lp, msg)
		return
	}
	before := lp.Core.State()
	pe.Trace.before = before
	inner(state, lp, msg)
	if pe.Trace.when == OnCommit && pe.KeepsHistory() && pe.Current != nil {
		lp.record(TagDraws, lp.Core.Count()-before.Count, 0)
	}
}

// exactBlock writes the block of an event of lp, whose handler ran. group is as in Committed.
func (pe *PE) exactBlock(to []byte, lp *LP, e *event.Event, what instr.ExactWhat, group int) {
	x := instr.Exact{SendTS: e.SendTime, RecvTS: e.Time, Tie: e.Tie, Message: e.Type, What: what}
	if e.Lineage != 0 {
		x.Tie = pe.Arena.Lines.Tie(e.Lineage)
	}
	switch {
	case lp.Type().Hidden:
		x.Draws = instr.UnknownDraws
	case what == instr.ExactLate: // its handler has yet to run
	case group != NoGroup:
		h := &lp.KP.History
		core, g := lp.Core, h.At(group)
		core.Rewind(g.Ties)
		x.Stream = core.State().C
		if pe.Trace.when == OnHandle {
			x.Draws = uint32(lp.Core.Count()) - g.Ties
			break
		}
		for r := h.Group(group); r.Next(); {
			if r.Tag == TagDraws {
				x.Draws = uint32(r.What)
				break
			}
		}
	case pe.Skipped: // no handler ran
		x.Stream = lp.Core.State().C
	default:
		x.Stream, x.Draws = pe.Trace.before.C, uint32(lp.Core.Count()-pe.Trace.before.Count)
	}
	instr.PutExact(to, &x)
}

// TraceUndone adds to an exact trace of all executions that the newest event of a KP is about to be undone. The LP is
// as its handler has left it.
func (pe *PE) TraceUndone(lp *LP, e *event.Event) {
	h := &lp.KP.History
	if h.At(h.Last).Flags&GroupLapsed != 0 { // it has no record
		return
	}
	now := lp.Now
	lp.Now, pe.Current, pe.Shown = e.Time, e, lp
	pe.Trace.Now()
	pe.addToTrace(lp, e, instr.ExactUndone, h.Last)
	pe.Current, pe.Shown = nil, nil
	lp.Now = now
}
