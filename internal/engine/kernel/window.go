// This file owns the window of the events that come next: filling it, reading ahead into
// the cache, and ending the batch being handled.

package kernel

import (
	"math"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/meter"
	"github.com/ross-go/ross/internal/sys/invariants"
)

// TimeBits maps a time to bits whose order is that of the times. Times before 0 count as 0.
func TimeBits(t float64) uint64 {
	if !(t > 0) {
		return 0
	}
	return math.Float64bits(t)
}

// BoundAt returns the bound of an event for an LP of this process.
func (pe *PE) BoundAt(e *event.Event) gvt.Bound { return gvt.Of(e, pe.Base()) }

// StopBatch ends the batch after the event being handled.
func (pe *PE) StopBatch() {
	pe.Unused += pe.Left
	pe.Left = 0
}

// nearEvents is the number of events that fit, with their LPs, into the first-level cache.
// Up to that many, reading ahead is not worthwhile.
const nearEvents = 256

// WarmCaches reads words of each event in the window, of its LP and of the LP's state, to
// bring them into the cache before they are handled: of an event two lines. These reads do not wait for one
// another, unlike those of the handlers, which run one after the other. They are reads
// rather than prefetches because processors drop a prefetch whose page is not in the TLB,
// which is where it would help most. What else messages have is read ahead later, one before each event: see
// Arena.Ahead.
func (pe *PE) WarmCaches() {
	if pe.Arena.Peak() < nearEvents {
		return
	}
	keys := pe.Queue.Window()
	sum := pe.Arena.WarmSlots(keys)
	for n := len(keys); n > 0; n -= min(n, warmAtOnce) {
		sum += pe.warmLPs(keys[max(0, n-warmAtOnce):n])
	}
	pe.Touched = sum // so that the compiler keeps the reads
	pe.Arena.Foresee(keys)
	pe.Arena.Ahead(event.Lead)
}

// warmAtOnce is the most events whose LPs are read together.
const warmAtOnce = 64

// warmLPs reads words of events, of their LPs and of the states of these. It returns the sum of the words.
func (pe *PE) warmLPs(keys []event.Key) (sum uint64) {
	var lps [warmAtOnce]*LP
	for i, k := range keys {
		e := pe.Arena.At(k.Index())
		lps[i%warmAtOnce] = pe.At(e.Dst)
	}
	for _, lp := range lps[:len(keys)] {
		sum += uint64(lp.ID) + lp.Processed
	}
	for _, lp := range lps[:len(keys)] {
		sum += uint64(*(*byte)(lp.State)) // even a state of size 0 has an address
	}
	return sum
}

// Survives decides about an event that the queue gave in another state than Pending: one with the signature of an event
// before it is counted and is Pending again; one that was cancelled is freed.
func (pe *PE) Survives(e *event.Event, i uint32) bool {
	if e.State == event.Tied {
		e.State = event.Pending
		pe.Counts.Ties++
		return true
	}
	pe.DropCancelled(e, i)
	return false
}

// DropCancelled frees an event that was cancelled while it was pending.
func (pe *PE) DropCancelled(e *event.Event, i uint32) {
	if invariants.Enabled {
		invariants.Check(e.State == event.Cancelled, "event %d popped in state %d", i, e.State)
	}
	pe.Arena.Free(e, i)
	pe.buried(1)
}

// buried is called when n cancelled events are no longer in the queue. The count need not be exact: KPs that move
// take cancelled events with them.
func (pe *PE) buried(n uint64) { pe.Dead -= min(n, pe.Dead) }

// Refill refills the queue's window.
func (pe *PE) Refill() {
	begin := pe.Phases.Refills.Start()
	pe.Queue.Refill()
	pe.Phases.Refills.Add(begin, meter.SampleEvery)
}
