// This file owns what a run leaves and shows: Gather and Reduce for results of the LPs of all ranks, Snapshot for
// figures while it goes on, and the figures of package report.

package ross

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/num/fold"
	"github.com/ross-go/ross/internal/sys/flat"
	"github.com/ross-go/ross/internal/sys/plain"
	"github.com/ross-go/ross/report"
)

// Gather returns of(lp, state) for each LP whose state is an S, in the order of LP ids, including
// the LPs of other ranks. LPs with other states are left out; a T may hold lp.ID() if the caller
// needs to know whose value it is.
//
// Call Gather after Run has returned without an error. In a run of several ranks all ranks call
// it, and each of them gets all values; Reduce needs less memory if only a total is wanted. of is
// called for the LPs of this rank, by one goroutine. It may read the state, its blocks
// (Block.Of) and the LP, but must not send. After a run with --synch=4 the states are those before
// the first event, since that scheduler undoes everything.
//
// T may be or hold numbers, strings, slices, maps, pointers and structs of these, also in fields
// that are not exported. The values are copies: they share no memory with the states. A T that
// holds channels, functions or interfaces is an ErrModel, and so is an S that no LP type has as
// its state. A panic of the given function on one rank is an ErrPanic on all.
func Gather[S, T any](sim *Simulation, of func(lp *LP, state *S) T) ([]T, error) {
	r := results[S, T]{sim: sim, name: "Gather", of: of}
	parts, err := r.all()
	if err != nil {
		return nil, err
	}
	values := make([]T, len(parts))
	for i := range parts {
		values[i] = parts[i].Value
	}
	return values, nil
}

// Reduce returns one value made of of(lp, state) for each LP whose state is an S, including the
// LPs of other ranks: merge makes one value of two. Without such an LP it returns the zero T.
// Reduce has the same rules as Gather.
//
// merge(a, b) is called for neighbours, where a belongs to LPs with lower ids than b. It may change
// a and b and return one of them. Which values are merged with which depends only on the ids, so
// the result has the same bits, even of floating-point sums, with any scheduler, mapping and
// number of PEs and ranks, and on each rank. (Values are merged in pairs, not one after another;
// sums of floating-point numbers therefore differ in the last bits from those of a loop over the
// LPs, and are more accurate.)
func Reduce[S, T any](sim *Simulation, of func(lp *LP, state *S) T, merge func(a, b T) T) (total T, err error) {
	r := results[S, T]{sim: sim, name: "Reduce", of: of, merge: merge}
	parts, err := r.all()
	if err == nil {
		err = sim.r.Cluster.Agree(r.guard(func() { total, _ = fold.All(sim.r.Total, parts, merge) }))
	}
	if err != nil {
		return *new(T), err
	}
	return total, nil
}

// results collects values of type T of the LPs with states of type S.
type results[S, T any] struct {
	sim   *Simulation
	name  string // of the function that the program calls
	of    func(lp *LP, state *S) T
	merge func(a, b T) T // nil: values are not merged
	codec flat.Codec[T]
	at    *LP   // whose value is being computed; nil: values are being merged
	err   error // of copying a value
}

// all returns the values of all ranks, merged where each rank can alone, in the order of LPs.
func (r *results[S, T]) all() ([]fold.Part[T], error) {
	s := r.sim
	var parts []fold.Part[T]
	var own []byte
	err := r.check()
	if err == nil {
		parts, err = r.local()
	}
	if err == nil && s.r.Cluster.Ranks > 1 {
		own, err = r.encode(parts)
	}
	call := fmt.Sprintf("%s of a %v for each %v", r.name, reflect.TypeFor[T](), reflect.TypeFor[S]())
	if err = s.collective(call, err); err != nil || s.r.Cluster.Ranks <= 1 {
		return parts, err
	}
	lists, err := s.r.Cluster.Gather(own)
	if err != nil {
		return nil, err
	}
	if parts, err = r.decode(lists); err != nil {
		return nil, fmt.Errorf("ross: %s: %w", call, err)
	}
	return parts, nil
}

// check returns an error if there are no values of this kind.
func (r *results[S, T]) check() (err error) {
	if r.sim.stage != stageRun || !r.sim.ran {
		return fmt.Errorf("ross: %s: call it after Run, which must not have failed, and before Close", r.name)
	}
	if r.of == nil || r.merge == nil && r.name == "Reduce" {
		return fmt.Errorf("ross: %s: a function is nil: %w", r.name, ErrModel)
	}
	if r.codec, err = flat.For[T](); err != nil {
		return fmt.Errorf("ross: %s: result of the function: %w: %w", r.name, ErrModel, err)
	}
	state := plain.TypeWord[S]()
	if !slices.ContainsFunc(r.sim.r.Types, func(t *kernel.Type) bool { return t.StateType == state }) {
		var names []string
		for _, t := range r.sim.r.Types {
			names = append(names, fmt.Sprintf("%q", t.Name))
		}
		return fmt.Errorf(
			"ross: %s: no LP type has the state %v: %w: the types of Define are %s; give a function of the state of one of them",
			r.name, reflect.TypeFor[S](), ErrModel, strings.Join(names, ", "))
	}
	return nil
}

// local returns the values of the LPs of this rank.
func (r *results[S, T]) local() (parts []fold.Part[T], err error) {
	n := 0
	for _, pe := range r.sim.r.Locals {
		n += len(pe.LPs)
	}
	ids := make([]uint64, 0, n)
	for _, pe := range r.sim.r.Locals {
		for i := range pe.LPs {
			ids = append(ids, pe.LPs[i].ID)
		}
	}
	if !slices.IsSorted(ids) {
		slices.Sort(ids)
	}
	err = r.guard(func() { parts = fold.Local(r.sim.r.Total, ids, r.value, r.merge) })
	return parts, errors.Join(err, r.err)
}

// value returns the value of an LP; ok is false if its state is not an S. A value with pointers is
// copied, since merge may change it.
func (r *results[S, T]) value(id uint64) (v T, ok bool) {
	lp := r.sim.LP(LPID(id))
	state := StateOf[S](lp)
	if state == nil || r.err != nil {
		return v, false
	}
	r.at = lp
	v = r.of(lp, state)
	r.at = nil
	if r.codec.Plain() {
		return v, true
	}
	b, err := r.codec.Append(nil, &v)
	var own T
	if err == nil {
		_, err = r.codec.Read(b, &own)
	}
	if err != nil {
		r.err = fmt.Errorf("ross: %s: value of %s (%s): %w: %w", r.name, lp.k.Name(), lp.TypeName(), ErrModel, err)
	}
	return own, true
}

// guard calls functions of the program, and returns a panic as an error.
func (r *results[S, T]) guard(f func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			where := "merge"
			if r.at != nil {
				where = fmt.Sprintf("the function for %s (%s)", r.at.k.Name(), r.at.TypeName())
			}
			err = fmt.Errorf("ross: %s: %s panicked: %v: %w", r.name, where, p, ErrPanic)
		}
	}()
	f()
	return nil
}

// encode returns the bytes of the values of this rank.
func (r *results[S, T]) encode(parts []fold.Part[T]) (b []byte, err error) {
	for i := range parts {
		b = append(b, plain.BytesOf(&parts[i].First, 1)...)
		if b, err = r.codec.Append(b, &parts[i].Value); err != nil {
			return nil, fmt.Errorf("ross: %s: merged value of LP %d and others: %w: %w", r.name, parts[i].First, ErrModel, err)
		}
	}
	return b, nil
}

// decode returns the values of all ranks in the order of LPs.
func (r *results[S, T]) decode(lists [][]byte) (parts []fold.Part[T], err error) {
	for _, b := range lists {
		for len(b) > 0 {
			var p fold.Part[T]
			b = b[copy(plain.BytesOf(&p.First, 1), b):]
			if b, err = r.codec.Read(b, &p.Value); err != nil {
				return nil, err
			}
			parts = append(parts, p)
		}
	}
	byFirst := func(a, b fold.Part[T]) int {
		if a.First < b.First {
			return -1
		}
		return 1
	}
	if !slices.IsSortedFunc(parts, byFirst) {
		slices.SortFunc(parts, byFirst)
	}
	return parts, nil
}

// Snapshot describes the progress of a run, see Simulation.Snapshot.
//
// Counters are sums over the PEs of this rank; the fields of Summary with the same names are
// sums over all PEs. At the end of a run of one rank they are equal. GVT, NumGVT and End are
// those of the whole run.
type Snapshot struct {
	Phase   RunPhase // of this rank
	Elapsed float64  // wall-clock seconds since the first event; Summary.Runtime after the end
	GVT     float64  // virtual time before which everything is committed; End once the run has reached it
	End     float64  // virtual time at which the run ends; may be +Inf
	NumGVT  uint64   // GVT computations; 0 in a sequential run
	// ForcedGVTs is how many of them PEs of this rank have started before their time, for want of memory or of events.
	ForcedGVTs uint64
	// KPsMoved is the number of KPs of this rank that have moved to another PE (Config.Tuning.FixedKPs).
	KPsMoved uint64
	// OnePESeconds is the time in which one PE has handled the events of all PEs of this rank (Config.Tuning.FixedKPs,
	// Auto).
	OnePESeconds float64
	// Complete says that no event before End is left, or that an LP has stopped the run
	// (LP.Stop, LP.StopAfter). Final and the report may still be to come. It is false if the run failed.
	Complete bool

	Counters

	MemoryUsed  uint64 // bytes in use of those that MemoryLimit bounds
	MemoryLimit uint64 // bytes (--max-memory)
	Shortages   uint64 // times that a PE of this rank has waited for memory

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
		Complete: b.Complete.Load(), End: s.cfg.End, MemoryLimit: s.cfg.MaxMemory, Rank: s.r.Cluster.Rank,
		Ranks: s.r.Cluster.Ranks}
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
			ProcessorSeconds: math.Float64frombits(pe.Used.Load()), ProcessorWait: math.Float64frombits(pe.Waited.Load()),
			Preempted: pe.Preempt.Load(),
			LVT:       max(math.Float64frombits(pe.Next.Load()), snap.GVT)}
		snap.Add(&snap.PEs[i].Counters)
		snap.ForcedGVTs += pe.Forced.Load()
		snap.Shortages += pe.Shortage.Load()
	}
	return snap
}

// Summary holds the figures of a run (tw_statistics), as the report, ross.csv and
// Simulation.Summary present them.
type Summary = report.Summary

// Counters count what became of events and of rollbacks: in a run (Summary), until now (Snapshot),
// or on a PE (PESnapshot).
type Counters = report.Counters

// Figure is a line of the report that ROSS does not have.
type Figure = report.Figure

// StructSizes holds the sizes in bytes of structures of the engine and the model.
type StructSizes = report.StructSizes

// PhaseTimes holds the seconds that a run spent in its phases.
type PhaseTimes = report.PhaseTimes
