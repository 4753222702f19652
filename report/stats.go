// This file owns Stats: every figure of a finished run, and those computed from others, with the
// names of those that the engine counts, package figures. text.go and csv.go print them.

package report

import (
	"math"

	"github.com/ross-go/ross/internal/num/counters"
	"github.com/ross-go/ross/report/figures"
)

// Summary holds the figures of a run (tw_statistics in ROSS). Counters are sums over all PEs and
// times are the largest of any PE, unless a field says otherwise. The zero Summary is that of a run
// without events, and can be printed.
type Summary struct {
	// Synch is the scheduler that ran, by its number on the command line
	// (--synch, g_tw_synchronization_protocol): 1 sequential, 2 conservative,
	// 3 optimistic, 4 optimistic debug, 5 optimistic real time, 6 rollback
	// check, 100 chosen while the run went on (ross.Auto). 2 adds the line with
	// MinOffset to the report.
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
	NetworkEvents uint64 // reserved for events from the network (g_tw_gvt_threshold)
	TotalEvents   uint64 // requested by the model, without --extramem (g_tw_events_per_pe)

	// Counters are those of the run. If it ended with an error, events neither committed nor undone
	// count as rolled back.
	Counters

	// events whose signature was that of an event before them in the queue, also if undone (s_pe_event_ties)
	PEEventTies uint64 `merge:"sum"`
	// events sent to another PE of the same process, less those cancelled (s_nsend_loc_remote)
	SendLocRemote uint64 `merge:"sum"`
	SendNetRemote uint64 `merge:"sum"` // events sent to a PE of another process (s_nsend_net_remote)
	// fossil collections tried: one for each GVT if events can be rolled back (s_fc_attempts)
	FossilCollects uint64 `merge:"sum"`
	NumGVT         uint64 `merge:"max"` // GVT computations, not summed, because all PEs take part in each (g_tw_gvt_done)
	EventsPastEnd  uint64 `merge:"sum"` // sends to End or later, never delivered (s_events_past_end)
	// messages sent over the network, including anti-messages; 0 within a process (s_nsend_network)
	RemoteSends uint64 `merge:"sum"`
	RemoteRecvs uint64 `merge:"sum"` // messages received from the network (s_nread_network)

	// Events of analysis LPs, which the counters above leave out: their forward executions,
	// and how many of those were undone. With samples at virtual times only.
	AnalysisProcessed  uint64 `merge:"sum"`
	AnalysisRolledBack uint64 `merge:"sum"`

	// MinOffset is the least delay of any send to another PE, in virtual time, including sends
	// undone later (g_tw_min_detected_offset). Only a conservative run prints it. math.MaxFloat64:
	// there was none.
	MinOffset float64 `merge:"min"`

	// events that had room in the pools of all PEs: the most that existed at once, or somewhat more
	EventsAllocated uint64 `merge:"sum"`
	// bytes limited by --max-memory that the run holds at its end; printed in KiB (tw_calloc_stats)
	MemoryAllocated uint64 `merge:"sum"`
	MemoryWasted    uint64 `merge:"sum"` // bytes of these for events that never held one; printed in KiB

	Sizes StructSizes
	Times PhaseTimes

	Runtime   float64 `merge:"max"` // wall-clock seconds from the first event to the last (s_max_run_time)
	ClockRate uint64  // cycles a second of the clock behind Times (--clock-rate); 0 counts as 1e9

	GVTInterval         uint64 // --gvt-interval: batches between GVTs, with Synch 5 milliseconds
	GVTRealTimeInterval uint64 // the same in cycles, Synch 5 only (g_tw_gvt_realtime_interval)
	Batch               uint64 // --batch: events a PE runs between polls of its inbox (g_tw_mblock)
	// GVTs requested before their interval was over: by a PE without events or memory, or at a stop (gvt_force); of the
	// rank that requested most
	ForcedGVT      uint64 `merge:"max"`
	AllReduceCalls uint64 // all-reduce rounds of all GVTs; 0 within a process (all_reduce_cnt)
	SharedReduces  uint64 // of these, through memory that the ranks of a machine share; the others are by MPI

	// What ROSS does not have.
	Digest *uint64 // digest over the committed events; nil: not requested (--digest)
	// StateDigest is a digest over the states of all LPs as the last events left them, before
	// Final; nil: not requested (--digest), or the run ended with an error. See Checker.Digest for
	// states that are not exactly the same in every run.
	StateDigest *uint64
	PQ          string   // event queue that ran: "c" or "go" (--pq)
	MaxMemory   uint64   // limit on memory in bytes (--max-memory); 0: none was set
	Extra       []Figure // more lines for the end of the report, in this order
}

// Figure is a line that a caller adds to the end of the report.
type Figure struct {
	Label string // one line, without tabs
	Value string // as printed
}

// TotalKPs returns the number of KPs on all PEs.
func (s Summary) TotalKPs() uint64 { return s.TotalPEs * s.KPsPerPE }

// PEsPerRank returns the number of PEs that share a process (--pes).
func (s Summary) PEsPerRank() uint64 { return s.TotalPEs / max(s.Ranks, 1) }

// EventRate returns net events per second of Runtime, 0 for a run that took no measurable time.
func (s Summary) EventRate() float64 {
	if s.Runtime <= 0 {
		return 0
	}
	return float64(s.NetEvents()) / s.Runtime
}

// PercentLocRemote returns SendLocRemote in percent of net events, 0 if there
// are none (ROSS: -nan).
func (s Summary) PercentLocRemote() float64 { return s.percentOfNet(s.SendLocRemote) }

// PercentNetRemote returns SendNetRemote in percent of net events, 0 if there
// are none (ROSS: -nan).
func (s Summary) PercentNetRemote() float64 { return s.percentOfNet(s.SendNetRemote) }

func (s Summary) percentOfNet(n uint64) float64 {
	net := s.NetEvents()
	if net == 0 {
		return 0
	}
	return float64(n) / float64(net) * 100
}

// AverageReduction returns all-reduce rounds per GVT. Without any GVT, as in a
// sequential run, it is NaN, which the report prints as ROSS does: -nan.
func (s Summary) AverageReduction() float64 {
	if s.NumGVT == 0 {
		return math.NaN()
	}
	return float64(s.AllReduceCalls) / float64(s.NumGVT)
}

// clockRate returns ClockRate in cycles a second, never 0.
func (s Summary) clockRate() float64 {
	if s.ClockRate == 0 {
		return 1e9
	}
	return float64(s.ClockRate)
}

// ranks merges summaries: the tags of the fields say how, and those of Counters and PhaseTimes.
var ranks = counters.Of[Summary]()

// Add adds the figures of another rank.
func (s *Summary) Add(o *Summary) { ranks.Merge(s, o) }

// Counters count what became of events and of rollbacks: in a run, on a PE, or until now. The
// events of analysis LPs are left out.
type Counters = figures.Counters

// PhaseTimes are wall-clock seconds spent in each part of the engine. Each is that of the PE that
// spent most on it, so they do not add up to Total.
type PhaseTimes = figures.PhaseTimes

// StructSizes are the bytes of one of each structure (sizeof in ROSS).
type StructSizes = figures.StructSizes

// Efficiency returns 100 * (1 - undone / net) in percent for a part of a run: 100 when nothing was
// undone.
func Efficiency(processed, undone uint64) float64 { return figures.Efficiency(processed, undone) }
