// This file owns Snapshot: the figures of a run while it goes on, for whoever looks on.

package ross

import (
	"github.com/ross-go/ross/report"
	"math"
	"sync/atomic"
	"time"
)

// Snapshot is how a run stands, for one who looks on: see Simulation.Snapshot.
//
// Counters are sums over the PEs of this rank, as the fields of Stats of the same names
// are over all PEs; those of a run that has ended equal them, in a run of one rank. GVT,
// NumGVT and End are those of the whole run.
type Snapshot struct {
	Phase   RunPhase
	Elapsed float64 // wall-clock seconds since the first event; at the end Stats.Runtime
	GVT     float64 // virtual time before which everything is committed; End when a run has come to it
	End     float64 // virtual time at which the run ends; may be +Inf
	NumGVT  uint64  // GVT computations; 0 in a sequential run

	EventsProcessed    uint64 // forward executions, those undone later included
	EventsRolledBack   uint64 // executions undone, at most EventsProcessed
	EventsCommitted    uint64 // executions that GVT has passed: at the end, Stats.NetEvents
	EventsAborted      uint64 // events that found no memory; part of EventsRolledBack
	EventsRemote       uint64 // sent to other PEs, of whatever rank, less those cancelled
	EventsPending      uint64 // in the event queues, with cancelled ones that were not met yet
	EventsUncommitted  uint64 // executed, and may still be undone
	PrimaryRollBacks   uint64 // rollbacks caused by a straggler
	SecondaryRollBacks uint64 // rollbacks caused by an anti-message

	MemoryUsed  uint64 // bytes, of all that MemoryLimit bounds
	MemoryLimit uint64 // bytes (--max-memory)

	Rank  int // of this process, 0 to Ranks - 1
	Ranks int
	PEs   []PESnapshot // those of this rank; none before Define
}

// PESnapshot is a PE's part of a Snapshot. Fields are as there.
type PESnapshot struct {
	ID PEID

	EventsProcessed    uint64
	EventsRolledBack   uint64
	EventsCommitted    uint64
	EventsAborted      uint64
	EventsRemote       uint64
	EventsPending      uint64
	EventsUncommitted  uint64
	PrimaryRollBacks   uint64
	SecondaryRollBacks uint64

	IdleSeconds float64 // in which it had no event to handle; 0 in a sequential run
}

// RunPhase is where a run is in its life.
type RunPhase int32

// The phases of a run.
const (
	PhaseMade         RunPhase = iota // Run has not been called
	PhaseInitialising                 // Init and PreRun of the LPs
	PhaseRunning                      // events, then Final and the report
	PhaseEnded                        // Run has returned, or Close was called
)

// String returns "made", "initialising", "running" or "ended".
func (p RunPhase) String() string {
	names := [...]string{"made", "initialising", "running", "ended"}
	if p < 0 || int(p) >= len(names) {
		return "unknown"
	}
	return names[p]
}

// RollBacks returns the number of rollbacks of either cause.
func (s *Snapshot) RollBacks() uint64 { return s.PrimaryRollBacks + s.SecondaryRollBacks }

// NetEvents returns the executions that were not undone, see Stats.NetEvents.
func (s *Snapshot) NetEvents() uint64 { return s.EventsProcessed - s.EventsRolledBack }

// Efficiency returns Stats.Efficiency of the run so far, in percent.
func (s *Snapshot) Efficiency() float64 {
	return report.Efficiency(s.EventsProcessed, s.EventsRolledBack)
}

// Efficiency returns that of one PE, in percent.
func (p *PESnapshot) Efficiency() float64 {
	return report.Efficiency(p.EventsProcessed, p.EventsRolledBack)
}

// add adds the counters of a PE.
func (s *Snapshot) add(p *PESnapshot) {
	s.EventsProcessed += p.EventsProcessed
	s.EventsRolledBack += p.EventsRolledBack
	s.EventsCommitted += p.EventsCommitted
	s.EventsAborted += p.EventsAborted
	s.EventsRemote += p.EventsRemote
	s.EventsPending += p.EventsPending
	s.EventsUncommitted += p.EventsUncommitted
	s.PrimaryRollBacks += p.PrimaryRollBacks
	s.SecondaryRollBacks += p.SecondaryRollBacks
}

// Snapshot returns how the run stands. It may be called from any goroutine at any time,
// after Close too, and costs the run next to nothing: the figures are those that each PE
// published at its last GVT, a sequential run every thousand events or so. Those of
// different PEs may be of different GVTs. No call returns less of EventsProcessed,
// EventsRolledBack or GVT than one before.
func (s *Simulation) Snapshot() Snapshot {
	b := &s.live
	snap := Snapshot{Phase: RunPhase(b.phase.Load()), Elapsed: b.elapsed(s.created),
		End: s.cfg.End, MemoryLimit: s.cfg.MaxMemory, Rank: s.rank, Ranks: s.ranks}
	pes := b.pes.Load()
	if pes == nil {
		return snap
	}
	b.asked.Store(true)
	first := &(*pes)[0]
	snap.GVT = math.Float64frombits(first.gvt.Load())
	snap.NumGVT, snap.MemoryUsed = first.gvts.Load(), first.memory.Load()
	snap.PEs = make([]PESnapshot, len(*pes))
	for i := range *pes {
		snap.PEs[i] = (*pes)[i].read()
		snap.add(&snap.PEs[i])
	}
	return snap
}

// liveRun is what those see who look at a simulation while it runs.
type liveRun struct {
	phase atomic.Int32
	began atomic.Int64             // nanoseconds from Simulation.created to the first event, 0 before
	took  atomic.Uint64            // bits of the seconds of a run that has ended
	asked atomic.Bool              // somebody has looked since a sequential run published its figures
	pes   atomic.Pointer[[]livePE] // those of this rank, nil before Define
}

// begin begins the phase of events.
func (b *liveRun) begin(created time.Time) {
	b.began.Store(max(int64(time.Since(created)), 1))
	b.enter(PhaseRunning)
}

func (b *liveRun) enter(p RunPhase) { b.phase.Store(int32(p)) }

// end ends the last phase, of a run that has taken so many seconds.
func (b *liveRun) end(seconds float64) {
	b.took.Store(math.Float64bits(seconds))
	b.enter(PhaseEnded)
}

func (b *liveRun) elapsed(created time.Time) float64 {
	began := b.began.Load()
	switch {
	case began == 0:
		return 0
	case RunPhase(b.phase.Load()) == PhaseEnded:
		return math.Float64frombits(b.took.Load())
	}
	return max((time.Since(created) - time.Duration(began)).Seconds(), 0)
}

// livePE is what a PE publishes, in pages of its own, see apart.
//
// Whoever reads it sees committed + undone <= processed: the PE writes them in the order
// of the fields, and a reader takes them in the opposite one.
type livePE struct {
	processed, undone      atomic.Uint64
	committed, uncommitted atomic.Uint64
	pending                atomic.Uint64
	gvt                    atomic.Uint64 // its bits
	gvts                   atomic.Uint64
	memory                 atomic.Uint64 // bytes that the rank uses; the first PE has it
	primary, secondary     atomic.Uint64
	aborted, remote        atomic.Uint64
	idle                   atomic.Uint64 // bits of seconds
	id                     PEID

	_ [apart]byte
}

// read returns what a PE has published.
func (p *livePE) read() PESnapshot {
	s := PESnapshot{ID: p.id, EventsCommitted: p.committed.Load()}
	s.EventsRolledBack = p.undone.Load()
	s.EventsProcessed = p.processed.Load()
	s.EventsUncommitted, s.EventsPending = p.uncommitted.Load(), p.pending.Load()
	s.EventsAborted, s.EventsRemote = p.aborted.Load(), p.remote.Load()
	s.PrimaryRollBacks, s.SecondaryRollBacks = p.primary.Load(), p.secondary.Load()
	s.IdleSeconds = math.Float64frombits(p.idle.Load())
	return s
}

// put changes a figure. To look first is cheaper than to write: many seldom change.
func put(to *atomic.Uint64, v uint64) {
	if to.Load() != v {
		to.Store(v)
	}
}

// openLive makes the all of the PEs.
func (s *Simulation) openLive() {
	all := make([]livePE, len(s.pes))
	for i, pe := range s.pes {
		all[i].id = pe.id
		pe.live = &all[i]
		pe.publish()
	}
	s.live.pes.Store(&all)
}

// publish has others see the figures of the PE, at a GVT.
func (pe *PE) publish() { pe.publishWith(pe.counts.Processed-pe.analysed(), pe.uncommitted) }

func (pe *PE) publishWith(processed uint64, uncommitted int) {
	c, p := &pe.counts, pe.live
	undone := c.Undone - pe.pointsUndone
	put(&p.processed, processed)
	put(&p.undone, undone)
	if net := processed - undone; net >= uint64(uncommitted) { // which may hold events of analysis LPs
		put(&p.committed, max(net-uint64(uncommitted), p.committed.Load()))
	}
	put(&p.uncommitted, uint64(uncommitted))
	put(&p.pending, pe.q.Len())
	put(&p.primary, c.Primary)
	put(&p.secondary, c.Secondary)
	put(&p.aborted, c.Aborted)
	put(&p.remote, c.Remote-c.Unsent)
	put(&p.idle, math.Float64bits(c.IdleSeconds))
	if pe.id == pe.sim.base {
		put(&p.gvts, c.GVTs)
		put(&p.memory, pe.sim.budget.Used())
		if at := pe.reached(); at > math.Float64frombits(p.gvt.Load()) {
			p.gvt.Store(math.Float64bits(at))
		}
	}
}

// reached returns GVT for the eye: where no event is left it is the end of the run, and
// unknown, 0, if that is never.
func (pe *PE) reached() float64 {
	switch {
	case pe.gvt < math.MaxFloat64:
		return min(pe.gvt, pe.end)
	case math.IsInf(pe.end, 1):
		return 0
	}
	return pe.end
}

// publishEvery is how many events a sequential run handles, if nobody asks, until it publishes
// its figures: with few events pending it would else do little else.
const publishEvery = 1024

// publishSometimes publishes the figures of a PE that has no GVTs.
func (pe *PE) publishSometimes() {
	b := &pe.sim.live
	if pe.counts.Processed-pe.live.processed.Load() < publishEvery && !b.asked.Load() {
		return
	}
	b.asked.Store(false)
	pe.publish()
}

// publishLast publishes the figures of the report.
func (pe *PE) publishLast() {
	processed := uint64(0)
	for i := range pe.lpSlab {
		processed += pe.lpSlab[i].processed
	}
	pe.publishWith(processed, 0)
	put(&pe.live.committed, processed-(pe.counts.Undone-pe.pointsUndone)) // less than before, if the run failed
}
