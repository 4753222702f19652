// This file owns what happens to an event that will never be rolled back: it is
// counted into the digest, traced, and shown to the model's Commit.

package ross

import (
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/meter"
)

// maxTraceSize bounds what a model may add to an event's trace record, bytes.
const maxTraceSize = 1 << 20

// TraceKind is the kind of an event trace: which events are in it (--event-trace).
type TraceKind int

// Kinds of event traces.
const (
	TraceAll       TraceKind = 1 // each execution, those undone later included
	TraceRollbacks TraceKind = 2 // events that caused a primary rollback
	TraceCommitted TraceKind = 3
)

// tracer puts records of events into a buffer of the instrumentation.
type tracer struct {
	to      *instr.Buffer
	what    TraceKind
	payload []byte
	real    float64 // when what is committed now is
	plain   bool    // nobody but the trace looks at committed events, and no model has a say in it
}

// makeTracer makes the tracer of a PE, if it has anything to trace.
func (pe *PE) makeTracer() {
	c := &pe.sim.cfg
	what := TraceKind(c.EventTrace)
	if what == 0 || what == TraceRollbacks && c.mode() != optimistic {
		return // nothing rolls back: the file stays empty
	}
	largest, plain := 0, what == TraceCommitted && !c.Digest && !c.samplesVT() && !c.checks() && pe.span > 0
	for _, t := range pe.sim.types {
		largest = max(largest, t.traceSize)
		plain = plain && t.trace == nil && t.commit == nil && !t.untraced
	}
	pe.traceAll = what == TraceAll && pe.mode == optimistic && c.Synch != RollbackCheck // which handles all events twice
	pe.setSpecial()
	pe.trace = &tracer{to: pe.probe.buffers[traceFile], what: what, payload: make([]byte, largest), plain: plain}
}

// observing reports whether anybody wants to see each committed event.
func (s *Simulation) observing() bool {
	for _, t := range s.types {
		if t.commit != nil {
			return true
		}
	}
	return s.cfg.Digest || s.cfg.EventTrace != 0 || s.cfg.samplesVT()
}

// committed shows a committed event of lp to all who want to see it. ran is
// false if the LP was suspended, so that its handler did not run. Commit sees the
// time and the signature of the event, which an optimistic LP has left behind.
func (pe *PE) committed(lp *LP, e *event.Event, ran bool) {
	if pe.trace != nil && pe.trace.plain {
		pe.tracePlain(e)
		return
	}
	pe.shown = lp
	now, cur := lp.now, pe.cur
	lp.now, pe.cur = e.Time, e
	if pe.mode == optimistic && pe.sim.cfg.Digest && lp.typ != analysisType {
		lp.digest = pe.digestEvent(lp, e)
	}
	if pe.trace != nil && pe.trace.what != TraceRollbacks && !pe.traceAll {
		if pe.mode != optimistic || pe.check != nil { // else it is that of fossil collection
			pe.traceNow(lp, e)
		} else {
			pe.addToTrace(lp, e)
		}
	}
	if lp.typ.commit != nil && ran && pe.err == nil { // a handler that failed left nothing to commit
		lp.typ.commit(lp.state, lp, (*Bits)(&e.Bits), event.Payload(e))
	}
	lp.now, pe.cur = now, cur
	pe.shown = nil
}

// traceNow adds an event to the trace that is handled now.
func (pe *PE) traceNow(lp *LP, e *event.Event) {
	pe.trace.real = pe.probe.seconds()
	pe.addToTrace(lp, e)
}

// tracePlain is addToTrace for events that nobody else looks at. It does not touch the LP.
func (pe *PE) tracePlain(e *event.Event) {
	if pe.mode != optimistic {
		pe.trace.real = pe.probe.seconds()
	}
	begin := pe.counts.Records.Start()
	if at := pe.trace.to.Reserve(instr.EventSize); at != nil {
		instr.PutEvent(at, e.Src, pe.first+uint64(e.Dst), e.SendTime, e.Time, pe.trace.real, nil)
	}
	pe.counts.Records.Add(begin, meter.SampleDeltas)
}

// addToTrace adds an event to the trace, unless the model leaves it out.
func (pe *PE) addToTrace(lp *LP, e *event.Event) {
	t, typ := pe.trace, lp.typ
	if typ.untraced {
		return
	}
	begin := pe.counts.Records.Start()
	n := typ.traceSize
	if typ.trace != nil {
		clear(t.payload[:n])
		if !typ.trace(lp, t.what, event.Payload(e), t.payload[:n]) {
			pe.counts.Records.Add(begin, meter.SampleDeltas)
			return
		}
	}
	if at := t.to.Reserve(instr.EventSize + n); at != nil {
		instr.PutEvent(at, e.Src, uint64(lp.id), e.SendTime, e.Time, t.real, t.payload[:n])
	}
	pe.counts.Records.Add(begin, meter.SampleDeltas)
}
