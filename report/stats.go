// This file owns Stats: every figure of a finished run, and those that follow
// from others by arithmetic. It computes; report.go, csv.go print.

package report

import (
	"math"
)

// Stats holds the figures of a run (tw_statistics in ROSS). Counters are sums
// over all PEs and times are the largest of any PE, unless a field says
// otherwise. The zero Stats is that of a run without events, and prints.
type Stats struct {
	// Synch is the scheduler that ran, by its number on the command line
	// (--synch, g_tw_synchronization_protocol): 1 sequential, 2 conservative,
	// 3 optimistic, 4 optimistic debug, 5 optimistic real time, 6 rollback
	// check. 2 adds the line with MinOffset to the report.
	Synch int
	// Ranks is the number of processes (tw_nnodes in ROSS, where it is also the
	// number of PEs); 0 counts as 1. More than one adds the network block.
	Ranks uint64

	TotalPEs uint64  // PEs of all processes
	KPsPerPE uint64  // KPs on each PE (g_tw_nkp)
	TotalLPs uint64  // LPs of the model on all PEs (g_tw_total_lps)
	End      float64 // virtual time at which the run ends (g_tw_ts_end); may be +Inf
	Mapping  string  // LP to PE: "linear", "round robin" or "model defined" (g_tw_mapping)

	// The event pool of one PE, in events. ROSS prints the pool's three parts
	// under these labels; TotalEvents is not their sum.
	ModelEvents   uint64 // EventsAllocated less NetworkEvents
	NetworkEvents uint64 // kept back for what comes over the network (g_tw_gvt_threshold)
	TotalEvents   uint64 // asked for by the model, without --extramem (g_tw_events_per_pe)

	// Of a run that ended with an error, what was neither committed nor undone
	// counts as rolled back.

	EventsProcessed    uint64 // forward executions, those undone later included (s_nevent_processed)
	EventsAborted      uint64 // sends that found no memory; part of EventsRolledBack (s_nevent_abort)
	EventsRolledBack   uint64 // executions undone, at most EventsProcessed (s_e_rbs)
	PEEventTies        uint64 // events of equal signature at a queue's head; the tie-breaker keeps it 0 (s_pe_event_ties)
	SendLocRemote      uint64 // events sent to another PE of the same process, less those cancelled (s_nsend_loc_remote)
	SendNetRemote      uint64 // events sent to a PE of another process (s_nsend_net_remote)
	PrimaryRollBacks   uint64 // rollbacks caused by a straggler (s_rb_primary)
	SecondaryRollBacks uint64 // rollbacks caused by an anti-message (s_rb_secondary)
	FossilCollects     uint64 // fossil collections tried: one a GVT where events are rolled back (s_fc_attempts)
	NumGVT             uint64 // GVT computations, not summed: all PEs take part in each (g_tw_gvt_done)
	EventsPastEnd      uint64 // sends to End or later, never delivered (s_events_past_end)
	RemoteSends        uint64 // messages put on the network, anti-messages included; 0 within a process (s_nsend_network)
	RemoteRecvs        uint64 // messages taken from the network (s_nread_network)

	// Events of analysis LPs, which the counters above leave out: their forward executions,
	// and how many of those were undone. With samples at virtual times only.
	AnalysisProcessed  uint64
	AnalysisRolledBack uint64

	// MinOffset is the least delay of any send to another PE, in virtual time,
	// those of events undone later included (g_tw_min_detected_offset). Only a
	// conservative run prints it. math.MaxFloat64: there was none.
	MinOffset float64

	EventsAllocated uint64 // events that had room in the pools of all PEs: the most that existed at once, or somewhat more
	MemoryAllocated uint64 // bytes that the run has at its end, of all that --max-memory bounds; printed in KiB (tw_calloc_stats)
	MemoryWasted    uint64 // bytes of it that are for events and never held one; printed in KiB

	Sizes StructSizes
	Times PhaseTimes

	Runtime   float64 // wall-clock seconds from the first event to the last (s_max_run_time)
	ClockRate uint64  // cycles a second of the clock behind Times (--clock-rate); 0 counts as 1e9

	GVTInterval         uint64 // --gvt-interval: batches between GVTs, with Synch 5 milliseconds
	GVTRealTimeInterval uint64 // the same in cycles, Synch 5 only (g_tw_gvt_realtime_interval)
	Batch               uint64 // --batch: events a PE runs between looks at its inbox (g_tw_mblock)
	ForcedGVT           uint64 // GVTs asked for before their interval was over: by a PE without events or memory, or at a stop (gvt_force)
	AllReduceCalls      uint64 // all-reduce rounds that the GVTs took; 0 within a process (all_reduce_cnt)

	// What ROSS does not have.
	Digest *uint64 // digest over the committed events; nil: not asked for (--digest)
	// StateDigest is a digest over the states of all LPs as the last events left them,
	// before Final; nil: not asked for (--digest), or the run ended with an error. See
	// Checker.Digest for states that are not exactly the same in every run.
	StateDigest *uint64
	PQ          string   // event queue that ran: "c" or "go" (--pq)
	MaxMemory   uint64   // ceiling on memory in bytes (--max-memory); 0: none was set
	Extra       []Figure // more lines for the end of the report, in this order
}

// Figure is a line that a caller adds to the end of the report.
type Figure struct {
	Label string // one line, without tabs
	Value string // as it is to be printed
}

// StructSizes are the bytes of one of each structure (sizeof in ROSS).
type StructSizes struct {
	PE             uint64 // tw_pe
	KP             uint64 // tw_kp
	LP             uint64 // tw_lp, without what the next two hold
	LPModel        uint64 // the model's state of an LP (state_sz)
	LPRNGs         uint64 // the random streams of an LP
	TotalLP        uint64 // an LP with model state and streams
	Event          uint64 // tw_event, without payload
	EventWithModel uint64 // an event with its payload (g_tw_msg_sz)
}

// PhaseTimes are wall-clock seconds spent in each part of the engine, of the PE
// that spent most on it, so that they do not add up to Total. Those of one PE
// exclude one another, but for LZ4, Buddy and InstComp, which are parts of others.
// What is marked as sampled is estimated: to time each would cost more than what
// is timed.
type PhaseTimes struct {
	Init            float64 // from start to the first event (s_init)
	PQ              float64 // refilling the window of the pending-event set, sampled; its ends are EventProcess (s_pq)
	AVL             float64 // index of received events: 0 within a process, where anti-messages name events (s_avl)
	LZ4             float64 // packing and unpacking of state deltas, sampled (s_lz4)
	Buddy           float64 // memory of state deltas and of Alloc, sampled (s_buddy)
	RIOLoad         float64 // reading a checkpoint (s_rio_load)
	RIOLPInit       float64 // LP initialisation, from a checkpoint or not; part of Init (s_rio_lp_init)
	EventProcess    float64 // events: the model's handlers, and what the other parts leave of a loop that was not idle (s_event_process)
	EventCancel     float64 // cancelled events, with the rollbacks that they cause; sampled among all rollbacks (s_cancel_q)
	EventAbort      float64 // giving up events for want of memory (s_event_abort)
	GVT             float64 // computing GVT (s_gvt)
	FossilCollect   float64 // committing and freeing events, with the model's Commit (s_fossil_collect)
	PrimaryRollback float64 // rollbacks caused by stragglers, by the GVT hook, or at the end (s_rollback)
	NetRead         float64 // taking in what other PEs sent, sampled but for rounds of GVT (s_net_read)
	NetOther        float64 // handing over what goes to other PEs, likewise (s_net_other)
	InstComp        float64 // collecting what is traced, sampled (s_stat_comp)
	InstWrite       float64 // writing it, where several PEs share a file, and completing the file (s_stat_write)
	Total           float64 // the whole run (s_total)
}

// TotalKPs returns the number of KPs on all PEs.
func (s Stats) TotalKPs() uint64 { return s.TotalPEs * s.KPsPerPE }

// PEsPerRank returns the number of PEs that share a process (--pes).
func (s Stats) PEsPerRank() uint64 { return s.TotalPEs / max(s.Ranks, 1) }

// RollBacks returns the number of rollbacks of either cause (s_rb_total).
func (s Stats) RollBacks() uint64 { return s.PrimaryRollBacks + s.SecondaryRollBacks }

// NetEvents returns the number of events that were executed and stayed so: in a
// run that reached its end, the committed ones (s_net_events).
func (s Stats) NetEvents() uint64 { return s.EventsProcessed - s.EventsRolledBack }

// EventRate returns net events a second of Runtime, 0 for a run that took no
// measurable time.
func (s Stats) EventRate() float64 {
	if s.Runtime <= 0 {
		return 0
	}
	return float64(s.NetEvents()) / s.Runtime
}

// Efficiency returns 100 * (1 - undone / net) in percent: 100 when nothing was
// undone, below 0 when more was undone than stayed. ROSS divides by zero where
// no event stayed, and prints -nan or -inf. Here a run without events is at
// 100, and one that undid all it did at 0, as in ROSS's own samples.
func (s Stats) Efficiency() float64 { return Efficiency(s.EventsProcessed, s.EventsRolledBack) }

// Efficiency returns 100 * (1 - undone / net) in percent of a part of a run, of which so many events were undone: 100 when
// nothing was.
func Efficiency(processed, undone uint64) float64 {
	switch {
	case undone == 0:
		return 100
	case processed == undone:
		return 0
	}
	return 100 * (1 - float64(undone)/float64(processed-undone))
}

// PercentLocRemote returns SendLocRemote in percent of net events, 0 if there
// are none (ROSS: -nan).
func (s Stats) PercentLocRemote() float64 { return s.percentOfNet(s.SendLocRemote) }

// PercentNetRemote returns SendNetRemote in percent of net events, 0 if there
// are none (ROSS: -nan).
func (s Stats) PercentNetRemote() float64 { return s.percentOfNet(s.SendNetRemote) }

func (s Stats) percentOfNet(n uint64) float64 {
	net := s.NetEvents()
	if net == 0 {
		return 0
	}
	return float64(n) / float64(net) * 100
}

// AverageReduction returns all-reduce rounds per GVT. Without any GVT, as in a
// sequential run, it is NaN, which the report prints as ROSS does: -nan.
func (s Stats) AverageReduction() float64 {
	if s.NumGVT == 0 {
		return math.NaN()
	}
	return float64(s.AllReduceCalls) / float64(s.NumGVT)
}

// clockRate returns ClockRate in cycles a second, never 0.
func (s Stats) clockRate() float64 {
	if s.ClockRate == 0 {
		return 1e9
	}
	return float64(s.ClockRate)
}

// Add adds the figures of another rank.
func (s *Stats) Add(o *Stats) {
	for _, f := range []struct{ to, of *uint64 }{
		{&s.EventsProcessed, &o.EventsProcessed}, {&s.EventsAborted, &o.EventsAborted}, {&s.EventsRolledBack, &o.EventsRolledBack},
		{&s.AnalysisProcessed, &o.AnalysisProcessed}, {&s.AnalysisRolledBack, &o.AnalysisRolledBack},
		{&s.PEEventTies, &o.PEEventTies}, {&s.SendLocRemote, &o.SendLocRemote}, {&s.SendNetRemote, &o.SendNetRemote},
		{&s.PrimaryRollBacks, &o.PrimaryRollBacks}, {&s.SecondaryRollBacks, &o.SecondaryRollBacks},
		{&s.FossilCollects, &o.FossilCollects}, {&s.EventsPastEnd, &o.EventsPastEnd},
		{&s.RemoteSends, &o.RemoteSends}, {&s.RemoteRecvs, &o.RemoteRecvs}, {&s.ForcedGVT, &o.ForcedGVT},
		{&s.EventsAllocated, &o.EventsAllocated}, {&s.MemoryAllocated, &o.MemoryAllocated}, {&s.MemoryWasted, &o.MemoryWasted},
	} {
		*f.to += *f.of
	}
	s.NumGVT = max(s.NumGVT, o.NumGVT)
	s.MinOffset = min(s.MinOffset, o.MinOffset)
	s.Runtime = max(s.Runtime, o.Runtime)
	s.Times.Most(o.Times)
}

// Most raises each time to that of another PE.
func (t *PhaseTimes) Most(o PhaseTimes) {
	for _, f := range []struct {
		to *float64
		of float64
	}{
		{&t.Init, o.Init}, {&t.PQ, o.PQ}, {&t.AVL, o.AVL}, {&t.LZ4, o.LZ4}, {&t.Buddy, o.Buddy},
		{&t.RIOLoad, o.RIOLoad}, {&t.RIOLPInit, o.RIOLPInit}, {&t.EventProcess, o.EventProcess},
		{&t.EventCancel, o.EventCancel}, {&t.EventAbort, o.EventAbort}, {&t.GVT, o.GVT},
		{&t.FossilCollect, o.FossilCollect}, {&t.PrimaryRollback, o.PrimaryRollback},
		{&t.NetRead, o.NetRead}, {&t.NetOther, o.NetOther}, {&t.InstComp, o.InstComp},
		{&t.InstWrite, o.InstWrite}, {&t.Total, o.Total},
	} {
		*f.to = math.Max(*f.to, f.of)
	}
}
