// This file owns PE: what Time Warp adds to the PE of the kernel.

package timewarp

import (
	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/engine/delta"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/report/figures"
)

// PE is the kernel's PE with what Time Warp adds: rollback, GVT and channels to other PEs.
// Conservative schedulers use only GVT and the channels.
type PE struct {
	kernel.PE
	Gate  gate      // decides about events at the horizon
	wait  wait      // why the remaining events wait
	GVTIs certainty // what is known of the events at GVT

	progress
	reports
	links
	saver
	optimism
	shortage
}

// progress is which events are not final, and how long the PE has had none.
type progress struct {
	Stragglers  []event.Key // events that arrived too late, to be settled
	Doomed      []uint32    // indices of handled events that were cancelled, to be settled
	Uncommitted int         // number of handled events that are not committed
	MostPending uint64      // most pending events seen so far
	Idled       int         // successive turns without events
	Stirred     bool        // the next turn may have events for a reason besides arrivals and GVT
}

// reports is the PE's part in the computation of GVT.
type reports struct {
	Bound   gvt.Bound   // the last GVT
	Member  *gvt.Member // takes part in the next one
	Red     bool        // RedMin is being kept
	RedAnti bool        // RedMin is the bound of an anti-message
	RedMin  gvt.Bound   // bound of what is under way
}

// links are the ways to other PEs.
type links struct {
	Team     *team
	Channels channels
	Remote   *remote // nil in a run of one rank
	Spin     int     // polls of an idle PE before it yields the processor
	Crowded  bool    // in a run of several ranks: others want the processor of the PE, see SetCrowded
}

// saver saves states and messages by deltas.
type saver struct {
	coder                   *delta.Encoder
	Before, beforeMsg, diff []uint64 // state and message before the event; room for a delta
	parts                   []uint64 // room for a state without scratch in its middle
	small                   int      // where in the event's group the copy of a small state is; 0: it is in Before
}

// wait says why a PE does not handle the next event yet.
type wait uint8

// The values of wait.
const (
	WaitNone       wait = iota // it does not wait
	WaitGVT                    // until GVT reaches the event or frees memory
	WaitCheckpoint             // until a checkpoint before the event is made
	WaitEnd                    // only events at and after the end are left, for a checkpoint
)

// WaitFor says why the PE does not handle the next event.
func (pe *PE) WaitFor(w wait) { pe.wait = w }

// GoOn says that the PE does not wait.
func (pe *PE) GoOn() { pe.wait = WaitNone }

// Waits reports whether the PE waits.
func (pe *PE) Waits() bool { return pe.wait != WaitNone }

// WaitsFor reports whether the PE waits for w.
func (pe *PE) WaitsFor(w wait) bool { return pe.wait == w }

// certainty says what is known, besides GVT, of the events at GVT.
type certainty uint8

// The values of certainty.
const (
	GVTCertain certainty = iota // they will not be cancelled
	GVTUnsure                   // the event at GVT may still be cancelled
	GVTEarly                    // conservative: no event beyond GVT may be handled
)

// gate decides about events at or beyond the horizon.
type gate interface {
	// Cross reports whether an event may be handled. If not, it puts the event back, or frees one that has lapsed.
	Cross(k event.Key, e *event.Event) bool
}

// MaxPending returns the largest number of events that were pending at once. While a
// handler runs, its own event is allocated but not pending.
func (pe *PE) MaxPending() uint64 {
	if !pe.Sequential() {
		return pe.MostPending
	}
	if peak := uint64(pe.Arena.Peak()); peak > pe.Started {
		return max(peak-1, pe.Started)
	}
	return pe.Started
}

// Kernel returns the kernel's part of the PE.
func (pe *PE) Kernel() *kernel.PE { return &pe.PE }

// Counters returns what the PE has counted until now: processed executions of the model's LPs,
// and what became of them.
func (pe *PE) Counters(processed uint64) figures.Counters {
	c := &pe.Counts
	all := figures.Counters{
		EventsProcessed: processed, EventsRolledBack: c.Undone - pe.PointsUndone, EventsAborted: c.Aborted,
		EventsRemote: c.Remote - c.Unsent, EventsPending: pe.Queue.Len(), EventsUncommitted: uint64(pe.Uncommitted),
		PrimaryRollBacks: c.Primary, SecondaryRollBacks: c.Secondary,
	}
	if net := all.NetEvents(); net >= all.EventsUncommitted { // which may hold events of analysis LPs
		all.EventsCommitted = net - all.EventsUncommitted
	}
	return all
}
