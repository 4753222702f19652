// This file owns the figures as JSON.

package live

import (
	"math"
	"time"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
)

// figures are those of a rank, or sums over all ranks. The names are those of ross.Snapshot, in the
// usual style of JSON.
type figures struct {
	Phase   string   `json:"phase"`
	Elapsed float64  `json:"elapsed_seconds"`
	GVT     float64  `json:"gvt"`
	End     *float64 `json:"end"` // null: never
	NumGVT  uint64   `json:"gvt_computations"`
	Forced  uint64   `json:"gvt_forced"`
	Moved   uint64   `json:"kps_moved"`
	OnePE   float64  `json:"one_pe_seconds"` // in which one PE has handled all events
	// Complete is true if no event is left, or that the model has stopped the run.
	Complete bool `json:"complete"`

	ross.Counters
	Efficiency  float64 `json:"efficiency_percent"` // hides the method of Counters
	MemoryUsed  uint64  `json:"memory_bytes"`
	MemoryLimit uint64  `json:"memory_limit_bytes"`
	Shortages   uint64  `json:"memory_shortages"`

	Rank  int          `json:"rank"`
	Ranks int          `json:"ranks"`
	PEs   []peDocument `json:"pes"`
}

type peDocument struct {
	ID   uint64 `json:"pe"`
	Rank int    `json:"rank"`
	ross.Counters
	Efficiency float64  `json:"efficiency_percent"`
	Idle       float64  `json:"idle_seconds"`
	LVT        *float64 `json:"lvt"`               // null: it has no event
	Processor  float64  `json:"processor_seconds"` // for which it had one; 0: not known
	Waited     float64  `json:"processor_wait_seconds"`
	Preempted  uint64   `json:"preempted"` // times that it lost it although it had more to do

	// Of the last seconds, document.Window, or, in the end, of the whole run.
	IdleShare float64 `json:"idle_percent"`        // of the time
	Undone    float64 `json:"rolled_back_percent"` // of the events processed
}

// rankDocument is /rank.json: the figures of this rank, for rank 0.
type rankDocument struct {
	ID string `json:"id"` // of the run, on this rank
	figures
}

// document is /snapshot.json: on rank 0 the figures of all ranks, on any other its own.
type document struct {
	figures
	Run runDocument `json:"run"`
	// committed events per second of the last seconds; in the end, of the run
	Rate   float64 `json:"event_rate"`
	Window float64 `json:"window_seconds"` // what the last seconds are
	// PEs that have handled events in the last seconds; in the end, in the run
	Handling  int         `json:"pes_handling"`
	Got       *float64    `json:"processors"`       // that the PEs have had in the last seconds; null: not known
	Progress  *float64    `json:"progress_percent"` // null: not known
	Left      *float64    `json:"seconds_left"`     // null: not known
	AllRanks  []knownRank `json:"all_ranks"`
	Findings  []finding   `json:"findings"`
	Collected string      `json:"stats_path"` // where files for a report go, "" without
	Goodbye   bool        `json:"last"`       // these are the last figures of the run
}

// runDocument describes which run this is, and how it ended.
type runDocument struct {
	ID        string    `json:"id"`
	Model     string    `json:"model"`
	State     string    `json:"state"` // instr.RunRunning and so on
	Reason    string    `json:"reason"`
	Begin     time.Time `json:"begin"`
	Scheduler string    `json:"scheduler"`
	Version   string    `json:"version"`
}

// knownRank is what rank 0 knows of a rank.
type knownRank struct {
	Rank        int    `json:"rank"`
	Trouble     string `json:"trouble"` // why there are no figures of it, or only old ones; "" if there are
	Address     string `json:"address"` // of its server, "" if unknown
	MemoryUsed  uint64 `json:"memory_bytes"`
	MemoryLimit uint64 `json:"memory_limit_bytes"`
}

// finite returns a number for JSON, nil if it is not one.
func finite(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return &x
}

func newFigures(s ross.Snapshot) figures {
	f := figures{
		Phase: s.Phase.String(), Elapsed: s.Elapsed, GVT: s.GVT, End: finite(s.End), NumGVT: s.NumGVT, Forced: s.ForcedGVTs,
		Shortages: s.Shortages, Moved: s.KPsMoved, OnePE: s.OnePESeconds, Complete: s.Complete,
		Counters: s.Counters, Efficiency: s.Efficiency(), MemoryUsed: s.MemoryUsed, MemoryLimit: s.MemoryLimit,
		Rank: s.Rank, Ranks: s.Ranks, PEs: make([]peDocument, len(s.PEs)),
	}
	for i, p := range s.PEs {
		f.PEs[i] = peDocument{ID: uint64(p.ID), Rank: s.Rank, Efficiency: p.Efficiency(), Idle: p.IdleSeconds,
			Counters: p.Counters, LVT: finite(p.LVT),
			Processor: p.ProcessorSeconds, Waited: p.ProcessorWait, Preempted: p.Preempted}
	}
	return f
}

// add adds the figures of another rank.
func (f *figures) add(o *figures) {
	f.Counters.Add(&o.Counters)
	f.Efficiency = f.Counters.Efficiency()
	f.MemoryUsed += o.MemoryUsed
	f.MemoryLimit += o.MemoryLimit
	f.Forced = max(f.Forced, o.Forced) // ranks compute the same GVTs
	f.Shortages += o.Shortages
	f.OnePE = max(f.OnePE, o.OnePE)
	f.PEs = append(f.PEs, o.PEs...)
}

func newRunDocument(r *instr.RunInfo) runDocument {
	return runDocument{ID: r.ID, Model: r.Model, State: r.State, Reason: r.Reason, Begin: r.Begin, Scheduler: r.Scheduler,
		Version: r.Engine.Version}
}

// sampleOf returns what history keeps of figures.
func sampleOf(f *figures) sample {
	return sample{f.Elapsed, f.GVT, f.EventsProcessed, f.EventsRolledBack, f.EventsCommitted, f.MemoryUsed}
}
