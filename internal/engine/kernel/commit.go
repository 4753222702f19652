// This file owns commit: an event that will never be rolled back is mixed into the digest,
// traced, and shown to the model's Commit.

package kernel

import (
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/meter"
	"github.com/ross-go/ross/internal/sys/ticks"
)

// MaxTraceSize is the most that a model may add to the trace record of an event, in bytes.
const MaxTraceSize = 1 << 20

// TraceKind says which events are in an event trace.
type TraceKind int

// The kinds of event traces.
const (
	TraceAll       TraceKind = 1 // each execution, including those undone later
	TraceRollbacks TraceKind = 2 // events that caused a primary rollback
	TraceCommitted TraceKind = 3 // committed events
)

// Tracer writes records of events to an instrumentation buffer.
type Tracer struct {
	To      *instr.Buffer // of the trace file
	What    TraceKind     // which events are traced
	Payload []byte        // room for what the model adds to a record
	real    float64       // real time of the records, in seconds since the run began
	Clock   *ticks.Clock  // of the PE
	AtOnce  bool          // each execution is traced when it happens
	Plain   bool          // committed events are only traced, and no model changes their records
}

// Now sets the real time of the next records to the present.
func (t *Tracer) Now() { t.real = t.Clock.Seconds(ticks.Now()) }

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
	if pe.Trace != nil && pe.Trace.Plain {
		pe.TracePlain(e)
		return
	}
	pe.Show(lp)
	now, cur := lp.Now, pe.Current
	lp.Now, pe.Current = e.Time, e
	if set := &pe.Run.Set; set.Digest && set.KeepsSent() && !lp.Type().Hidden { // otherwise handleDigested has done so
		lp.SetDigest(pe.DigestEvent(lp, e))
	}
	if pe.Trace != nil && pe.Trace.What != TraceRollbacks && !pe.Trace.AtOnce {
		if !pe.Undoes() || pe.Checked { // otherwise FossilCollect sets the time
			pe.TraceNow(lp, e)
		} else {
			pe.addToTrace(lp, e)
		}
	}
	if m := pe.MessageOf(e); m.Commit != nil && ran && pe.Err == nil { // a failed handler leaves nothing to commit
		pe.commits = true
		m.Commit(lp.State, lp, pe.undoOf(m, e, group), event.Payload(e))
		pe.commits = false
	}
	lp.Now, pe.Current = now, cur
	pe.Hide()
}

// TraceNow adds an event to the trace, with the present as its real time.
func (pe *PE) TraceNow(lp *LP, e *event.Event) {
	pe.Trace.Now()
	pe.addToTrace(lp, e)
}

// TracePlain adds an event to a trace whose Tracer is Plain. It does not touch the LP.
func (pe *PE) TracePlain(e *event.Event) {
	if !pe.Undoes() {
		pe.Trace.Now()
	}
	begin := pe.Counts.Records.Start()
	if at := pe.Trace.To.Reserve(instr.EventSize); at != nil {
		instr.PutEvent(at, e.Src, pe.GID(e.Dst), e.SendTime, e.Time, pe.Trace.real, nil)
	}
	pe.Counts.Records.Add(begin, meter.SampleDeltas)
}

// addToTrace adds an event to the trace, unless the model leaves it out.
func (pe *PE) addToTrace(lp *LP, e *event.Event) {
	t, typ := pe.Trace, lp.Type()
	if typ.Untraced {
		return
	}
	begin := pe.Counts.Records.Start()
	n := typ.TraceSize
	if trace := pe.MessageOf(e).Trace; trace != nil {
		clear(t.Payload[:n])
		if !trace(lp, t.What, event.Payload(e), t.Payload[:n]) {
			pe.Counts.Records.Add(begin, meter.SampleDeltas)
			return
		}
	}
	if at := t.To.Reserve(instr.EventSize + n); at != nil {
		instr.PutEvent(at, e.Src, uint64(lp.ID), e.SendTime, e.Time, t.real, t.Payload[:n])
	}
	pe.Counts.Records.Add(begin, meter.SampleDeltas)
}
