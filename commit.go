// This file owns what happens to an event that will never be rolled back: it is
// counted into the digest, traced, and shown to the model's Commit.

package ross

import (
	"sync"
	"time"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/event"
)

// maxTraceSize bounds what a model may add to an event's trace record, bytes.
const maxTraceSize = 1 << 20

// tracer writes the event trace of a run (--event-trace).
type tracer struct {
	w     *instr.TraceWriter
	lock  *sync.Mutex // of w, if several PEs write
	what  int         // traceAll, ...
	buf   []byte
	start time.Time
	held  []tracedEvent // with a lock: what is to be written at the next GVT
	bytes []byte        // and the payloads
}

// tracedEvent is a record that is not written yet.
type tracedEvent struct {
	src, dst         uint64
	send, recv, real float64
	size             int
}

// What --event-trace asks for.
const (
	traceAll       = 1
	traceRollbacks = 2
	traceCommitted = 3
)

// observing reports whether anybody wants to see each committed event.
func (s *Simulation) observing() bool {
	for _, t := range s.types {
		if t.commit != nil {
			return true
		}
	}
	return s.cfg.Digest || s.trace != nil
}

// committed shows a committed event of lp to all who want to see it. ran is
// false if the LP was suspended, so that its handler did not run. Commit sees the
// time and the signature of the event, which an optimistic LP has left behind.
func (pe *PE) committed(lp *LP, e *event.Event, ran bool) {
	pe.shown = lp
	now, cur := lp.now, pe.cur
	lp.now, pe.cur = e.Time, e
	if pe.sim.cfg.Digest {
		pe.digestEvent(lp, e)
	}
	if pe.trace != nil && pe.trace.what != traceRollbacks && !pe.traceAll {
		pe.addToTrace(lp, e)
	}
	if lp.typ.commit != nil && ran && pe.err == nil { // a handler that failed left nothing to commit
		lp.typ.commit(lp.state, lp, (*Bits)(&e.Bits), event.Payload(e))
	}
	lp.now, pe.cur = now, cur
	pe.shown = nil
}

// addToTrace adds an event to the trace.
func (pe *PE) addToTrace(lp *LP, e *event.Event) {
	begin := pe.counts.records.start()
	pe.trace.add(lp, e)
	pe.counts.records.add(begin, sampleDeltas)
}

// flushTrace writes what the trace holds back.
func (pe *PE) flushTrace() {
	whole := pe.counts.enter()
	pe.trace.flush()
	pe.counts.leave(whole, &pe.counts.writeSeconds)
}

func (t *tracer) add(lp *LP, e *event.Event) {
	buf := t.buf[:lp.typ.traceSize]
	if lp.typ.trace != nil {
		clear(buf)
		if !lp.typ.trace(lp, event.Payload(e), buf) {
			return
		}
	}
	now := time.Since(t.start).Seconds()
	if t.lock == nil {
		t.w.Add(e.Src, uint64(lp.id), e.SendTime, e.Time, now, buf)
		return
	}
	t.held = append(t.held, tracedEvent{e.Src, uint64(lp.id), e.SendTime, e.Time, now, len(buf)})
	t.bytes = append(t.bytes, buf...)
}

// flush writes what several PEs hold back, so that their records do not mix.
func (t *tracer) flush() {
	if len(t.held) == 0 {
		return
	}
	t.lock.Lock()
	defer t.lock.Unlock()
	payload := t.bytes
	for i := range t.held {
		r := &t.held[i]
		t.w.Add(r.src, r.dst, r.send, r.recv, r.real, payload[:r.size])
		payload = payload[r.size:]
	}
	t.held, t.bytes = t.held[:0], t.bytes[:0]
}
