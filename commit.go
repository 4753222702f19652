// This file owns what happens to an event that will never be rolled back: it is
// counted into the digest, traced, and shown to the model's Commit.

package ross

import (
	"time"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/event"
)

// maxTraceSize bounds what a model may add to an event's trace record, bytes.
const maxTraceSize = 1 << 20

// tracer writes the event trace of a run (--event-trace).
type tracer struct {
	w     *instr.TraceWriter
	buf   []byte
	start time.Time
}

// observing reports whether anybody wants to see each committed event.
func (s *Simulation) observing() bool {
	for _, t := range s.types {
		if t.commit != nil {
			return true
		}
	}
	return s.cfg.Digest || s.trace != nil
}

// committed shows a committed event of lp to all who want to see it.
func (pe *PE) committed(lp *LP, e *event.Event) {
	pe.shown = lp
	if pe.sim.cfg.Digest {
		pe.digestEvent(lp, e)
	}
	if pe.trace != nil {
		pe.trace.add(lp, e)
	}
	if lp.typ.commit != nil && pe.err == nil { // a handler that failed left nothing to commit
		lp.typ.commit(lp.state, lp, (*Bits)(&e.Bits), event.Payload(e))
	}
	pe.shown = nil
}

func (t *tracer) add(lp *LP, e *event.Event) {
	buf := t.buf[:lp.typ.traceSize]
	if lp.typ.trace != nil {
		clear(buf)
		if !lp.typ.trace(lp, event.Payload(e), buf) {
			return
		}
	}
	t.w.Add(e.Src, uint64(lp.id), e.SendTime, e.Time, time.Since(t.start).Seconds(), buf)
}
