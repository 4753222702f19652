// This file owns the figures that a run publishes while it goes on.

package run

import (
	"math"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/report"
)

// The phases of a run, in the order of ross.RunPhase. PhaseInitialising begins with Run.
const (
	phaseMade int32 = iota
	PhaseInitialising
	phaseRunning
	phaseEnded
)

// liveRun holds the published figures of a run.
type liveRun struct {
	Phase atomic.Int32
	began atomic.Int64  // nanoseconds from Run.Created to the first event, 0 before
	took  atomic.Uint64 // bits of the seconds that the run took, after its end
	// Complete says that no event is left, or that an LP has stopped the run.
	Complete atomic.Bool
	Asked    atomic.Bool   // a reader has come since a sequential run published its figures
	Moved    atomic.Uint64 // KPs that have moved to another PE
	// nanoseconds in which one PE has handled all events, without the stretch that goes on
	alone atomic.Int64
	since atomic.Int64             // when that stretch began, nanoseconds from Run.Created; 0: none goes on
	PEs   atomic.Pointer[[]LivePE] // PEs of this rank, nil before Define
}

// begin enters the phase of events.
func (b *liveRun) begin(created time.Time) {
	b.began.Store(max(int64(time.Since(created)), 1))
	b.Enter(phaseRunning)
}

// Enter enters a phase.
func (b *liveRun) Enter(phase int32) { b.Phase.Store(phase) }

// End enters the last phase. seconds is the running time.
func (b *liveRun) End(seconds float64) {
	b.took.Store(math.Float64bits(seconds))
	b.Enter(phaseEnded)
}

// Elapsed returns the seconds since the first event, or the running time after the end.
// created is Run.Created.
func (b *liveRun) Elapsed(created time.Time) float64 {
	began := b.began.Load()
	switch {
	case began == 0:
		return 0
	case b.Phase.Load() == phaseEnded:
		return math.Float64frombits(b.took.Load())
	}
	return max((time.Since(created) - time.Duration(began)).Seconds(), 0)
}

// beginSerial is called when one PE handles all events from now on; end is for when it does not any more.
func (b *liveRun) beginSerial(created time.Time) (end func()) {
	begin := max(int64(time.Since(created)), 1)
	b.since.Store(begin)
	return func() {
		b.since.Store(0)
		b.alone.Add(int64(time.Since(created)) - begin)
	}
}

// SerialSeconds returns for how many seconds one PE has handled all events.
func (b *liveRun) SerialSeconds(created time.Time) float64 {
	ns := b.alone.Load()
	if begin := b.since.Load(); begin > 0 {
		ns += max(int64(time.Since(created))-begin, 0)
	}
	return time.Duration(ns).Seconds()
}

// LivePE holds the published figures of a PE, apart from those of other PEs in memory
// (kernel.Apart).
type LivePE struct {
	counters [numCounters]atomic.Uint64 // a report.Counters
	GVT      atomic.Uint64              // its bits
	GVTs     atomic.Uint64
	Memory   atomic.Uint64 // bytes that the rank uses, published by its first PE
	Forced   atomic.Uint64 // rounds of GVT that the PE has started before their time
	Shortage atomic.Uint64 // times that it has waited for memory
	Idle     atomic.Uint64 // bits of seconds
	Used     atomic.Uint64 // bits of seconds of processors, 0: not known
	Waited   atomic.Uint64 // bits of seconds of waiting for one
	Preempt  atomic.Uint64 // times that the PE's thread had to make way
	Pending  atomic.Uint64 // events in the queue, if KPs may move
	Next     atomic.Uint64 // bits of the time of its earliest pending event, +Inf: none; 0 in a sequential run
	ID       uint64

	_ [kernel.Apart]byte
}

// countersAsWords is a report.Counters as the words that it consists of.
type countersAsWords [numCounters]uint64

const numCounters = unsafe.Sizeof(report.Counters{}) / 8

// Write publishes counters. Readers see EventsCommitted + EventsRolledBack <= EventsProcessed:
// these are written in the order of the fields, EventsProcessed first, and read in the opposite one.
func (p *LivePE) Write(c *report.Counters) {
	for i, v := range (*countersAsWords)(unsafe.Pointer(c)) {
		put(&p.counters[i], v)
	}
}

// Read returns the counters that the PE has published.
func (p *LivePE) Read() (c report.Counters) {
	words := (*countersAsWords)(unsafe.Pointer(&c))
	for i := len(words) - 1; i >= 0; i-- {
		words[i] = p.counters[i].Load()
	}
	return c
}

// put changes a figure. Reading first is cheaper than writing, since many figures seldom change.
func put(to *atomic.Uint64, v uint64) {
	if to.Load() != v {
		to.Store(v)
	}
}

// openLive makes the published figures of all PEs.
func (s *Engine) openLive() {
	all := make([]LivePE, len(s.Locals))
	for i, pe := range s.Locals {
		all[i].ID = pe.ID
		pe.Live = &all[i]
		pe.publish()
	}
	s.Live.PEs.Store(&all)
}

// publish publishes the figures of the PE, at a GVT.
func (pe *PE) publish() {
	if pe.Engine.balance != nil {
		pe.splitIdle() // whose decisions need to know how long the PE has had nothing to do
		put(&pe.Live.Pending, pe.Queue.Len())
	}
	c, p := pe.Counters(pe.Counts.Processed-pe.Analysed()), pe.Live
	c.EventsCommitted = max(c.EventsCommitted, p.Read().EventsCommitted)
	p.Write(&c)
	pe.tellUse()
	put(&p.Forced, pe.Counts.Forced)
	put(&p.Shortage, pe.Counts.Shortages)
	put(&p.Idle, math.Float64bits(pe.Counts.IdleSeconds))
	put(&p.Next, math.Float64bits(pe.next))
	if pe.ID == pe.Run.Base {
		put(&p.GVTs, pe.Counts.GVTs)
		put(&p.Memory, pe.Run.Budget.Used())
		if at := pe.Reached(); at > math.Float64frombits(p.GVT.Load()) {
			p.GVT.Store(math.Float64bits(at))
		}
	}
}

// putUse publishes what the PE's thread has used.
func (pe *PE) putUse() {
	if pe.thread.got.unknown > 0 {
		return
	}
	put(&pe.Live.Used, math.Float64bits(pe.thread.got.seconds))
	put(&pe.Live.Waited, math.Float64bits(pe.thread.got.waited))
	put(&pe.Live.Preempt, pe.thread.got.preempted)
}

// LastGVT returns the last GVT of the PE, or of the first PE of the process if other PEs may handle the
// events of its LPs.
func (pe *PE) LastGVT() float64 {
	if pe.Run.Away() > 0 {
		return math.Float64frombits(pe.Engine.Locals[0].Live.GVT.Load())
	}
	return pe.GVT
}

// publishEvery is the number of events after which a sequential run publishes its figures if
// no reader asks. With few pending events it would otherwise spend most of its time on that.
const publishEvery = 1024

// publishSometimes publishes the figures of a PE that computes no GVT.
func (pe *PE) publishSometimes() {
	b := &pe.Engine.Live
	if pe.Counts.Processed-pe.Live.counters[0].Load() < publishEvery && !b.Asked.Load() {
		return
	}
	b.Asked.Store(false)
	pe.publish()
}

// processed returns the number of events that the PE has handled, without those of analysis LPs, after
// the run. Where KPs have moved that is not what its LPs have handled. Events that a panic has ended
// count for the first PE then.
func (pe *PE) processed() (n uint64) {
	ofLPs := func(pe *PE) (n uint64) {
		for i := range pe.LPs {
			n += pe.LPs[i].Processed
		}
		return n
	}
	s := pe.Engine
	if s.balance == nil || s.balance.Times == 0 {
		return ofLPs(pe)
	}
	if n = pe.Counts.Processed - pe.Analysed(); pe.ID == s.Base {
		for _, other := range s.Locals {
			n += ofLPs(other) - (other.Counts.Processed - other.Analysed())
		}
	}
	return n
}

// lastCounters returns the counters of the report, and publishes them.
func (pe *PE) lastCounters() report.Counters {
	processed := pe.processed()
	pe.publish()
	pe.putUse()
	c := pe.Counters(processed)
	c.EventsCommitted, c.EventsUncommitted = c.NetEvents(), 0 // less than before, if the run failed
	c.EventsUndecided = min(pe.Counts.Lost, c.EventsRolledBack)
	pe.Live.Write(&c)
	return c
}
