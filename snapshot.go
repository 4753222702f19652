// This file owns Snapshot: the figures of a run while it goes on.

package ross

import (
	"math"
)

// Snapshot describes the progress of a run, see Simulation.Snapshot.
//
// Counters are sums over the PEs of this rank; the fields of Stats with the same names are
// sums over all PEs. At the end of a run of one rank they are equal. GVT, NumGVT and End are
// those of the whole run.
type Snapshot struct {
	Phase   RunPhase // of this rank
	Elapsed float64  // wall-clock seconds since the first event; Stats.Runtime after the end
	GVT     float64  // virtual time before which everything is committed; End once the run has reached it
	End     float64  // virtual time at which the run ends; may be +Inf
	NumGVT  uint64   // GVT computations; 0 in a sequential run
	// KPsMoved is the number of KPs of this rank that have moved to another PE (Config.Balance).
	KPsMoved uint64
	// OnePESeconds is the time in which one PE has handled the events of all PEs of this rank (Config.Balance, Auto).
	OnePESeconds float64
	// Complete says that no event before End is left, or that an LP has stopped the run
	// (LP.Stop, LP.StopAfter). Final and the report may still be to come. It is false if the run failed.
	Complete bool

	Counters

	MemoryUsed  uint64 // bytes in use of those that MemoryLimit bounds
	MemoryLimit uint64 // bytes (--max-memory)

	Rank  int          // number of this process, 0 to Ranks - 1
	Ranks int          // number of processes of the run
	PEs   []PESnapshot // PEs of this rank; empty before Define
}

// PESnapshot is the part of a Snapshot that concerns one PE. Fields have the same meaning as
// in Snapshot.
type PESnapshot struct {
	ID PEID // index among all PEs of the run

	Counters

	IdleSeconds float64 // time without an event to handle; 0 in a sequential run
	// ProcessorSeconds is the time for which the PE has had a processor, ProcessorWait that for which it has waited
	// for one, and Preempted is how often it lost one although it had more to do. They are read about ten times a
	// second, on Linux, where each PE has a thread of its own; 0 otherwise.
	ProcessorSeconds, ProcessorWait float64
	Preempted                       uint64
	// LVT is the PE's local virtual time: when it last reported to GVT, its earliest pending event had
	// this time, and +Inf stands for none. It is at least GVT: the PE that is at GVT holds the others
	// back, unless an event to it is under way.
	LVT float64
}

// RunPhase is the phase that a run is in.
type RunPhase int32

// The phases of a run.
const (
	PhaseMade         RunPhase = iota // Run has not been called
	PhaseInitialising                 // Init and PreRun of the LPs
	PhaseRunning                      // events, then Final and the report
	PhaseEnded                        // Run has returned, or Close has been called
)

// String returns "made", "initialising", "running" or "ended".
func (p RunPhase) String() string {
	names := [...]string{"made", "initialising", "running", "ended"}
	if p < 0 || int(p) >= len(names) {
		return "unknown"
	}
	return names[p]
}

// Snapshot returns the progress of the run. It may be called from any goroutine at any time,
// even after Close, and costs the run almost nothing: it reads figures that each PE publishes
// at every GVT, and a sequential run about every thousand events. The figures of different PEs
// may belong to different GVTs. EventsProcessed, EventsRolledBack and GVT never decrease from
// one call to the next.
func (s *Simulation) Snapshot() Snapshot {
	b := &s.r.Live
	snap := Snapshot{Phase: RunPhase(b.Phase.Load()), Elapsed: b.Elapsed(s.r.Created),
		Complete: b.Complete.Load(), End: s.cfg.End, MemoryLimit: s.cfg.MaxMemory, Rank: s.r.Cluster.Rank, Ranks: s.r.Cluster.Ranks}
	snap.OnePESeconds = b.SerialSeconds(s.r.Created)
	pes := b.PEs.Load()
	if pes == nil {
		return snap
	}
	b.Asked.Store(true)
	first := &(*pes)[0]
	snap.GVT = math.Float64frombits(first.GVT.Load())
	snap.NumGVT, snap.MemoryUsed, snap.KPsMoved = first.GVTs.Load(), first.Memory.Load(), b.Moved.Load()
	snap.PEs = make([]PESnapshot, len(*pes))
	for i := range *pes {
		pe := &(*pes)[i]
		snap.PEs[i] = PESnapshot{ID: PEID(pe.ID), Counters: pe.Read(), IdleSeconds: math.Float64frombits(pe.Idle.Load()),
			ProcessorSeconds: math.Float64frombits(pe.Used.Load()), ProcessorWait: math.Float64frombits(pe.Waited.Load()), Preempted: pe.Preempt.Load(),
			LVT: max(math.Float64frombits(pe.Next.Load()), snap.GVT)}
		snap.Add(&snap.PEs[i].Counters)
	}
	return snap
}
