// This file owns the choice of the events to trace.

package collect

import (
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/settings"
)

// makeTracer makes the tracer of a PE, if there is anything to trace.
func (p *Probe) makeTracer() {
	pe := p.pe
	c := &pe.Run.Set
	what := kernel.TraceKind(c.EventTrace)
	if what == 0 || what == kernel.TraceRollbacks && c.Mode() != settings.Optimistic {
		return // nothing rolls back: the file stays empty
	}
	largest, plain := 0, what == kernel.TraceCommitted && !c.Digest && !c.SamplesVT() && !c.Checks() && pe.Consecutive()
	for _, t := range pe.Run.Types {
		largest = max(largest, t.TraceSize)
		plain = plain && !t.Untraced
	}
	for _, m := range pe.Run.Messages {
		plain = plain && m.Trace == nil && m.Commit == nil
	}
	// The check of rollback handles all events twice, and so traces them at commit.
	pe.Trace = &kernel.Tracer{To: p.Buffers[TraceFile], What: what, Payload: make([]byte, largest), Plain: plain, Clock: p.clock,
		AtOnce: what == kernel.TraceAll && pe.Mode == settings.Optimistic && c.Synch != settings.SynchCheck}
	pe.SetSpecial()
}
