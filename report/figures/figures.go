// Package figures has the figures that a run, a PE and a moment of either have in common: [Counters] of events and of
// rollbacks, [PhaseTimes] and [StructSizes]. The engine counts with them, and package report, which calls them by the
// same names, prints them.
package figures

import "github.com/ross-go/ross/internal/num/counters"

// Counters count what became of events and of rollbacks: in a run, on a PE, or until now. The
// events of analysis LPs are left out.
type Counters struct {
	// forward executions, including those undone later (s_nevent_processed)
	EventsProcessed uint64 `merge:"sum" json:"events_processed"`
	// executions undone, at most EventsProcessed (s_e_rbs)
	EventsRolledBack uint64 `merge:"sum" json:"events_rolled_back"`
	// of these, executions that no rollback has undone: the run ended, by an error or a signal, before GVT passed them
	EventsUndecided uint64 `merge:"sum" json:"events_undecided"`
	// executions that GVT has passed; at the end of a run, NetEvents
	EventsCommitted uint64 `merge:"sum" json:"events_committed"`
	// executions that found no memory for a send; part of EventsRolledBack (s_nevent_abort)
	EventsAborted uint64 `merge:"sum" json:"events_aborted"`
	// sent to other PEs, of any rank, less those cancelled
	EventsRemote uint64 `merge:"sum" json:"events_remote"`
	// in the event queues, including cancelled ones not yet met
	EventsPending     uint64 `merge:"sum" json:"events_pending"`
	EventsUncommitted uint64 `merge:"sum" json:"events_uncommitted"` // executed, and may still be undone
	PrimaryRollBacks  uint64 `merge:"sum" json:"primary_rollbacks"`  // rollbacks caused by a straggler (s_rb_primary)
	// rollbacks caused by an anti-message (s_rb_secondary)
	SecondaryRollBacks uint64 `merge:"sum" json:"secondary_rollbacks"`
}

// Add adds the counters of another PE, or of another rank.
func (c *Counters) Add(o *Counters) { sums.Merge(c, o) }

// RollBacks returns the number of rollbacks of either cause (s_rb_total).
func (c Counters) RollBacks() uint64 { return c.PrimaryRollBacks + c.SecondaryRollBacks }

// NetEvents returns the number of events that were executed and not undone: in a run that reached
// its end, the committed ones (s_net_events).
func (c Counters) NetEvents() uint64 { return c.EventsProcessed - c.EventsRolledBack }

// Efficiency returns 100 * (1 - undone / net) in percent: 100 when nothing was undone, below 0 when
// more was undone than stayed. If no event stayed, ROSS divides by zero and prints -nan or -inf.
// Here a run without events is at 100, and a run that undid all its events at 0, as in ROSS's own
// samples. Events that the end of the run left undecided do not count.
func (c Counters) Efficiency() float64 {
	return Efficiency(c.EventsProcessed-c.EventsUndecided, c.EventsRolledBack-c.EventsUndecided)
}

// Efficiency returns 100 * (1 - undone / net) in percent for a part of a run: 100 when nothing was
// undone.
func Efficiency(processed, undone uint64) float64 {
	switch {
	case undone == 0:
		return 100
	case processed == undone:
		return 0
	}
	return 100 * (1 - float64(undone)/float64(processed-undone))
}

// StructSizes are the bytes of one of each structure (sizeof in ROSS).
type StructSizes struct {
	PE             uint64 // tw_pe
	KP             uint64 // tw_kp
	LP             uint64 // tw_lp, without the next two
	LPModel        uint64 // the model's state of an LP (state_sz)
	LPRNGs         uint64 // the random streams of an LP
	TotalLP        uint64 // an LP with model state and streams
	Event          uint64 // tw_event, without payload
	EventWithModel uint64 // an event with its payload (g_tw_msg_sz)
}

// PhaseTimes are wall-clock seconds spent in each part of the engine. Each is that of the PE that
// spent most on it, so they do not add up to Total. Those of one PE exclude one another, except AVL, Trees,
// LZ4, Deltas, Buddy and InstComp, which are parts of others. Times marked as sampled are estimates: to
// measure each would cost more than the work itself.
type PhaseTimes struct {
	Init float64 `merge:"max"` // from start to the first event (s_init)
	// refilling the window of the pending-event set, sampled; its pushes and pops are in EventProcess (s_pq)
	PQ float64 `merge:"max"`
	// index of what has come from other ranks, a log with trees: entries and searches among the newest, sampled; sweeps;
	// and Trees. 0 in a run of one rank (s_avl)
	AVL       float64 `merge:"max"`
	Trees     float64 `merge:"max"` // AVL trees of that index: making them, and searching in them
	LZ4       float64 `merge:"max"` // LZ4, which deltas of states go through from 4 KiB on, sampled (s_lz4)
	Deltas    float64 `merge:"max"` // packing and unpacking of state deltas, with LZ4, sampled; not in ROSS's lists
	Buddy     float64 `merge:"max"` // memory of state deltas and of Alloc, sampled (s_buddy)
	RIOLoad   float64 `merge:"max"` // reading a checkpoint (s_rio_load)
	RIOLPInit float64 `merge:"max"` // LP initialisation, from a checkpoint or not; part of Init (s_rio_lp_init)
	// events: the model's handlers, and the rest of a loop that was not idle (s_event_process)
	EventProcess float64 `merge:"max"`
	// cancelled events, with the rollbacks that they cause; sampled among all rollbacks (s_cancel_q)
	EventCancel     float64 `merge:"max"`
	EventAbort      float64 `merge:"max"` // aborting events because of lack of memory (s_event_abort)
	GVT             float64 `merge:"max"` // computing GVT (s_gvt)
	FossilCollect   float64 `merge:"max"` // committing and freeing events, with the model's Commit (s_fossil_collect)
	PrimaryRollback float64 `merge:"max"` // rollbacks caused by stragglers, by the GVT hook, or at the end (s_rollback)
	NetRead         float64 `merge:"max"` // receiving from other PEs, sampled except in rounds of GVT (s_net_read)
	NetOther        float64 `merge:"max"` // sending to other PEs, likewise (s_net_other)
	InstComp        float64 `merge:"max"` // collecting traced data, sampled (s_stat_comp)
	InstWrite       float64 `merge:"max"` // writing it if several PEs share a file, and completing the file (s_stat_write)
	Total           float64 `merge:"max"` // the whole run (s_total)
}

// Most raises each time to that of another PE if that is greater.
func (t *PhaseTimes) Most(o PhaseTimes) { longest.Merge(t, &o) }

// How figures of two PEs become one: the tags of the fields say it.
var (
	sums    = counters.Of[Counters]()
	longest = counters.Of[PhaseTimes]()
)
