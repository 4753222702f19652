// This file owns the event trace: which events are in it, when each of them is traced, and what a record holds.

package kernel

import (
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/meter"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/sys/ticks"
	"github.com/ross-go/ross/rng"
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

// TraceMoment says when an event is traced.
type TraceMoment uint8

// The moments at which events are traced.
const (
	OnHandle   TraceMoment = iota // when its handler has run
	OnRollback                    // when it has caused a primary rollback
	OnCommit                      // when it is committed
)

// Tracer writes records of events to an instrumentation buffer. A PE without an event trace has none (nil).
type Tracer struct {
	to      *instr.Buffer // of the trace file
	what    TraceKind     // which events are traced
	when    TraceMoment   // when they are
	payload []byte        // room for what the model adds to a record
	real    float64       // real time of the records, in seconds since the run began
	Clock   *ticks.Clock  // of the PE
	plain   bool          // committed events are only traced, and no model changes their records
	exact   bool          // each record ends with an exact block
	before  rng.State     // of the tie-breakers of the LP that runs, before its event, if the trace is exact
}

// SetTrace has the PE write its event trace to a buffer, if the settings ask for one and there can be something in it.
func (pe *PE) SetTrace(to *instr.Buffer, clock *ticks.Clock) {
	set := &pe.Run.Set
	what := TraceKind(set.Instruments.Trace)
	if what == 0 || what == TraceRollbacks && set.Mode() != settings.Optimistic {
		return // nothing rolls back: the file stays empty
	}
	t := &Tracer{to: to, what: what, when: OnCommit, Clock: clock, exact: set.Instruments.TraceExact}
	switch {
	case what == TraceRollbacks:
		t.when = OnRollback
	case what == TraceAll && pe.Undoes() && set.Synch != settings.SynchCheck: // the check handles all events twice
		t.when = OnHandle
	}
	t.plain = what == TraceCommitted && !t.exact && !set.Digest && !set.SamplesVT() && !set.Checks() && pe.Consecutive()
	largest := 0
	for _, typ := range pe.Run.Types {
		largest = max(largest, pe.Run.TraceSize(typ))
		t.plain = t.plain && !typ.Untraced
	}
	for _, m := range pe.Run.Messages {
		t.plain = t.plain && m.Trace == nil && m.Commit == nil
	}
	t.payload = make([]byte, largest)
	pe.Trace = t
	pe.SetSpecial()
}

// IsDue reports whether events are traced at a moment.
func (t *Tracer) IsDue(m TraceMoment) bool { return t != nil && t.when == m }

// IsPlain reports whether committed events are only traced, and no model changes their records.
func (t *Tracer) IsPlain() bool { return t != nil && t.plain }

// RecordSize returns the most bytes that an event takes in the trace.
func (t *Tracer) RecordSize() int { return instr.EventSize + len(t.payload) }

// Now sets the real time of the next records to the present.
func (t *Tracer) Now() { t.real = t.Clock.Seconds(ticks.Now()) }

// TraceNow adds an event to the trace, with the present as its real time. The group of the event is as in Committed.
func (pe *PE) TraceNow(lp *LP, e *event.Event, what instr.ExactWhat, group int) {
	pe.Trace.Now()
	pe.addToTrace(lp, e, what, group)
}

// TracePlain adds an event to a trace whose Tracer is plain. It does not touch the LP.
func (pe *PE) TracePlain(e *event.Event) {
	if !pe.Undoes() {
		pe.Trace.Now()
	}
	begin := pe.Counts.Records.Begin()
	if at := pe.Trace.to.Reserve(instr.EventSize); at != nil {
		instr.PutEvent(at, e.Src, pe.GID(e.Dst), e.SendTime, e.Time, pe.Trace.real, nil)
	}
	pe.Counts.Records.End(begin, meter.SampleDeltas)
}

// addToTrace adds an event to the trace, unless the model leaves it out. The group of the event is as in Committed.
func (pe *PE) addToTrace(lp *LP, e *event.Event, what instr.ExactWhat, group int) {
	t, typ := pe.Trace, lp.Type()
	if typ.Untraced {
		return
	}
	begin := pe.Counts.Records.Begin()
	n := typ.TraceSize
	if trace := pe.MessageOf(e).Trace; trace != nil {
		clear(t.payload[:n])
		if !trace(lp, t.what, event.Payload(e), t.payload[:n]) {
			pe.Counts.Records.End(begin, meter.SampleDeltas)
			return
		}
	}
	if t.exact {
		pe.exactBlock(t.payload[n:], lp, e, what, group)
		n += instr.ExactSize
	}
	if at := t.to.Reserve(instr.EventSize + n); at != nil {
		instr.PutEvent(at, e.Src, uint64(lp.ID), e.SendTime, e.Time, t.real, t.payload[:n])
	}
	pe.Counts.Records.End(begin, meter.SampleDeltas)
}
