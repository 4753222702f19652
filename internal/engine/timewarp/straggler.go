// This file owns stragglers: events that arrive after their KP has handled a later one.

package timewarp

import (
	"time"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/meter"
	"github.com/ross-go/ross/internal/sys/invariants"
)

// accept puts an event that is new on this PE into the queue, or into the list of
// stragglers if its KP has already handled a later one.
func (pe *PE) accept(k event.Key) {
	if invariants.Enabled {
		pe.checkGVT(k.Index(), "arrives")
	}
	// No KP has handled anything after the front, so that most events need no look at their
	// KP.
	if k.TS <= pe.Front && pe.late(k) {
		pe.Arena.At(k.Index()).State = event.Straggler
		pe.Stragglers = append(pe.Stragglers, k)
		pe.After = max(pe.After, kernel.AfterSettle)
		return
	}
	pe.Queue.Push(k)
}

// checkGVT asserts that GVT has not passed an event to which something happens. GVT is
// gvt.Max in schedulers that do not speculate.
func (pe *PE) checkGVT(i uint32, what string) {
	e := pe.Arena.At(i)
	invariants.Check(pe.Bound.IsMax() || !pe.isPassed(e), "event %d at %g %s when GVT is %g", i, e.Time, what, pe.GVT)
}

// late reports whether the KP of an event has handled a later one.
func (pe *PE) late(k event.Key) bool {
	kp := pe.At(pe.Arena.At(k.Index()).Dst).KP
	return pe.Arena.Less(k, kp.Newest)
}

// Settle does the rollbacks that stragglers and cancelled events require. Rollbacks that
// cause others put them into the lists, so that chains of them need no stack.
func (pe *PE) Settle() {
	if len(pe.Stragglers)+len(pe.Doomed) == 0 {
		return
	}
	if pe.After == kernel.AfterSettle {
		pe.After = kernel.AfterNone
	}
	pe.Current, pe.Running = nil, nil
	c := &pe.Counts
	whole := c.Enter()
	sampled, cancelling := c.Settles.Due(), 0.0
	for len(pe.Stragglers)+len(pe.Doomed) > 0 {
		if len(pe.Doomed) == 0 {
			n := len(pe.Stragglers) - 1
			k := pe.Stragglers[n]
			pe.Stragglers = pe.Stragglers[:n]
			pe.catchUp(k)
		} else if sampled {
			begin := time.Now()
			pe.annihilateAll()
			cancelling += meter.Since(begin)
		} else {
			pe.annihilateAll()
		}
	}
	if sampled {
		weight := c.Settles.Weigh(meter.SampleSettle)
		c.SampledSettle += weight * meter.Since(whole.Begin)
		c.SampledCancel += weight * cancelling
	}
	c.Leave(whole, &c.SettleSeconds)
}

// catchUp rolls the KP of a straggler back to before it, and puts the straggler into the
// queue.
func (pe *PE) catchUp(k event.Key) {
	e := pe.Arena.At(k.Index())
	if e.State == event.Cancelled {
		pe.DropCancelled(e, k.Index())
		return
	}
	kp := pe.At(e.Dst).KP
	if pe.Arena.Less(k, kp.Newest) {
		pe.Counts.Primary++
		kp.Primary++
		pe.rollbackFrom(kp, k)
		if pe.Trace.IsDue(kernel.OnRollback) {
			pe.TraceNow(pe.At(e.Dst), e, instr.ExactLate, kernel.NoGroup)
		}
	}
	e.State = event.Pending
	pe.Queue.Push(k)
}
