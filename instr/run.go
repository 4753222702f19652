// This file owns run.json: what ran, with which settings, and how it ended.

package instr

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

const (
	// RunName is the name of the file that describes a run, in the folder of its files.
	RunName = "run.json"
	// RunVersion is the version of RunInfo. Members that are added later do not change it: readers
	// leave out what they do not know.
	RunVersion = 1
)

// The states of a run, RunInfo.State.
const (
	RunRunning  = "running"  // it has not ended, or its process was killed
	RunComplete = "complete" // it reached its end
	RunStopped  = "stopped"  // a signal or the program stopped it before
	RunFailed   = "failed"   // an error ended it
)

// RunInfo describes a run. Times are in UTC. Figures are those of all ranks.
type RunInfo struct {
	Version int       `json:"version"`          // RunVersion
	ID      string    `json:"id"`               // different for each run
	State   string    `json:"state"`            // RunRunning and so on
	Reason  string    `json:"reason,omitempty"` // why a run was stopped, or its error: one line
	Detail  string    `json:"detail,omitempty"` // further lines of that error, such as a stack; at most MaxDetail bytes
	Begin   time.Time `json:"begin"`
	End     time.Time `json:"end,omitzero"` // zero while it runs

	Model   string    `json:"model"`   // name of the program
	Command []string  `json:"command"` // words of the command line, with the program
	Engine  RunEngine `json:"engine"`
	Host    RunHost   `json:"host"`

	Synch     int      `json:"synch"`     // --synch
	Scheduler string   `json:"scheduler"` // its name: "sequential", "conservative", "optimistic" and so on
	Ranks     uint64   `json:"ranks"`
	PEs       uint64   `json:"pes"`      // of all ranks
	KPs       uint64   `json:"kps"`      // of all PEs
	LPs       uint64   `json:"lps"`      // of all PEs
	EndTime   *float64 `json:"end_time"` // virtual time at which the run ends; nil: never
	// Options are the values of all options of the engine and the model, also those left at their
	// defaults, by name without dashes.
	Options map[string]string `json:"options,omitempty"`

	Types []RunType `json:"lp_types,omitempty"`
	// TypeRanges list the LPs of each type, in ascending order of ids. They are left out if
	// there are more than MaxTypeRanges.
	TypeRanges []RunTypeRange `json:"lp_type_ranges,omitempty"`

	// Exact is the layout of the block that ends each record of an event trace with --trace-exact, ExactLayout; "" without
	// that. The layouts of Types then have it as well.
	Exact string `json:"trace_exact,omitempty"`
	// Messages are the names of the types of messages, by Exact.Message; only with Exact.
	Messages []string `json:"messages,omitempty"`

	Result *RunResult `json:"result,omitempty"` // nil while it runs

	Record *RunRecord `json:"record,omitempty"` // what the run can be made again from; nil without --record
	Seal   *RunSeal   `json:"seal,omitempty"`   // nil without --record, and until the run is closed
}

// MaxDetail is the largest length of RunInfo.Detail, in bytes.
const MaxDetail = 1 << 14

// MaxTypeRanges is the largest number of RunInfo.TypeRanges.
const MaxTypeRanges = 10000

// RunEngine is the engine of a run.
type RunEngine struct {
	Version string `json:"version"`  // of the engine, as in its report
	Go      string `json:"go"`       // of the toolchain
	System  string `json:"system"`   // GOOS/GOARCH
	Queue   string `json:"queue"`    // event queue: "c" or "go"
	Program string `json:"revision"` // of the program's source, or ""
}

// RunHost is the machine of rank 0.
type RunHost struct {
	Name       string `json:"name"`
	Processors int    `json:"processors"` // that the process may use
}

// RunType is a type of LPs. Layouts have the form name:kind,name:kind. Kinds are i8, u8, i16, u16, i32, u32,
// i64, u64, f32, f64 and xN for N other bytes; kind[n] is an array. Empty: not known.
type RunType struct {
	Name   string `json:"name"`
	Trace  string `json:"trace,omitempty"`  // layout of what the type adds to events of a trace
	Sample string `json:"sample,omitempty"` // layout of its samples
	Point  string `json:"point,omitempty"`  // layout of its samples at virtual times
}

// Layout returns the layout of what the type adds to records of a kind: KindEvent, KindModel or
// KindVTModel. It is empty if it is not known, and for other kinds. An error names the type.
func (t *RunType) Layout(kind Kind) (Layout, error) {
	text := ""
	switch kind {
	case KindEvent:
		text = t.Trace
	case KindModel:
		text = t.Sample
	case KindVTModel:
		text = t.Point
	}
	l, err := ParseLayout(text)
	if err != nil {
		return nil, fmt.Errorf("%s: layout of type %q: %w", RunName, t.Name, err)
	}
	return l, nil
}

// RunTypeRange means that the LPs First to First+Count-1 have the type Types[Type].
type RunTypeRange struct {
	First uint64 `json:"first"`
	Count uint64 `json:"count"`
	Type  int    `json:"type"`
}

// TypeOf returns the place in Types of the type of an LP, -1 if it is not known.
func (r *RunInfo) TypeOf(lp uint64) int {
	if len(r.TypeRanges) == 0 && len(r.Types) == 1 && lp < r.LPs {
		return 0
	}
	i, _ := slices.BinarySearchFunc(r.TypeRanges, lp, func(t RunTypeRange, lp uint64) int {
		switch {
		case t.First+t.Count <= lp:
			return -1
		case t.First > lp:
			return 1
		}
		return 0
	})
	if i == len(r.TypeRanges) || lp < r.TypeRanges[i].First || uint(r.TypeRanges[i].Type) >= uint(len(r.Types)) {
		return -1
	}
	return r.TypeRanges[i].Type
}

// RunResult has the figures of a run that has ended.
type RunResult struct {
	Runtime    float64 `json:"runtime_seconds"` // from the first event to the last
	EventRate  float64 `json:"event_rate"`      // net events per second
	Efficiency float64 `json:"efficiency_percent"`
	NetEvents  uint64  `json:"net_events"`
	Processed  uint64  `json:"events_processed"`
	RolledBack uint64  `json:"events_rolled_back"`
	// Of RolledBack: handled, but neither committed nor rolled back when the run ended before its end. They are not in
	// Efficiency.
	Undecided  uint64 `json:"events_undecided,omitempty"`
	Aborted    uint64 `json:"events_aborted"`
	Primary    uint64 `json:"primary_rollbacks"`
	Secondary  uint64 `json:"secondary_rollbacks"`
	GVTs       uint64 `json:"gvt_computations"`
	ForcedGVTs uint64 `json:"gvt_forced"`
	// all-reduces for GVT, which all_reduce_count of samples counts, and those in memory that ranks of a machine share
	AllReduces    uint64 `json:"all_reduces,omitempty"`
	SharedReduces uint64 `json:"all_reduces_in_shared_memory,omitempty"`
	RemoteSends   uint64 `json:"events_remote"`      // to other PEs
	NetworkSends  uint64 `json:"network_sends"`      // messages to other ranks
	MemoryBytes   uint64 `json:"memory_bytes"`       // held at the end, of those that --max-memory bounds
	MemoryPeak    uint64 `json:"memory_peak_bytes"`  // most at once, of each rank, added up
	MemoryLimit   uint64 `json:"memory_limit_bytes"` // of a rank
	Digest        string `json:"digest,omitempty"`   // 16 hexadecimal digits (--digest)
	StateDigest   string `json:"state_digest,omitempty"`
	Incomplete    string `json:"incomplete,omitempty"` // why the files of the run lack something

	// What shows why a run was slow. 0: none, or not known.
	IdleSeconds float64 `json:"idle_seconds,omitempty"` // sum over all PEs
	// deltas of states, and memory for them and for models: sum over all PEs
	SavingSeconds float64 `json:"state_saving_seconds,omitempty"`
	Shortages     uint64  `json:"memory_shortages,omitempty"`    // times that a PE waited for memory
	Window        uint64  `json:"window_events,omitempty"`       // of optimism at the end, the narrowest of a PE
	LeastWindow   uint64  `json:"window_least_events,omitempty"` // the narrowest at any time

	// Handlers are what the events took by types of messages, of the PEs of rank 0: those that were timed, one in some.
	Handlers []RunHandler `json:"handlers,omitempty"`

	Balance *RunBalance `json:"balance,omitempty"` // nil: KPs stayed where they were

	Processors *RunProcessors `json:"processors,omitempty"` // nil: not known

	// Placement says which processors the PEs of rank 0 were bound to, or why they were not although --bind asked for
	// that; "": neither.
	Placement string `json:"placement,omitempty"`
}

// RunHandler is what was measured of the events with a type of message.
type RunHandler struct {
	Type    string  `json:"type"`    // of the LPs that receive them
	Message string  `json:"message"` // name of the Go type
	Timed   uint64  `json:"timed"`   // events that were timed
	Seconds float64 `json:"seconds"` // that handling these took, with the queue and what is recorded to undo them
}

// RunProcessors is what the PEs got of the processors. It is known where each PE has a thread of its own,
// on Linux.
type RunProcessors struct {
	RunPEProcessor // sums over the PEs
	// Of each PE, in the order of their numbers; left out if there are many.
	OfPE []RunPEProcessor `json:"pes,omitempty"`
}

// RunPEProcessor is the part of a PE in RunProcessors.
type RunPEProcessor struct {
	Seconds   float64 `json:"seconds"`        // in which it had a processor
	Waited    float64 `json:"waited_seconds"` // in which it could have run and had none
	Preempted uint64  `json:"preempted"`      // times that it lost its processor although it had more to do
}

// RunBalance is what happened to the load of the PEs of rank 0 in a run with --balance=on. Shares are of
// the time that events of the process take.
type RunBalance struct {
	Moves uint64 `json:"kps_moved"` // KPs that moved to another PE
	Times uint64 `json:"times"`     // times that KPs moved
	// of each PE, when first measured; none: the PEs were loaded alike
	Before []float64 `json:"shares_before,omitempty"`
	After  []float64 `json:"shares_after,omitempty"`     // of each PE that handles events, as the last plan leaves it
	Active int       `json:"active_pes"`                 // PEs that handled events at the end
	Alone  float64   `json:"one_pe_seconds,omitempty"`   // time in which one PE handled all events
	LP     uint64    `json:"busiest_lp"`                 // when last measured, if its share is not 0
	Share  float64   `json:"busiest_lp_share,omitempty"` //
	// "KP k of PE p", by the mapping; "all KPs of PE p" if these stay together
	KP   string  `json:"busiest_kp,omitempty"`
	OfKP float64 `json:"busiest_kp_share,omitempty"` //
}

// ReadRunInfo reads the description of a run: path is its file or the folder with it. The error
// wraps fs.ErrNotExist if there is no such file, and says where a damaged one is damaged.
func ReadRunInfo(path string) (*RunInfo, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, RunName)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := &RunInfo{}
	if err := json.Unmarshal(text, r); err != nil {
		where := ""
		if syntax, is := errors.AsType[*json.SyntaxError](err); is {
			where = fmt.Sprintf(", damaged at byte %d", syntax.Offset)
		} else if typ, is := errors.AsType[*json.UnmarshalTypeError](err); is {
			where = fmt.Sprintf(", damaged at byte %d", typ.Offset)
		}
		return nil, fmt.Errorf("%s: no description of a run%s: %w", path, where, err)
	}
	if r.Version < 1 || r.Version > RunVersion {
		return nil, fmt.Errorf("%s: version %d of the description of a run, and this program reads 1 to %d: use a newer one",
			path, r.Version, RunVersion)
	}
	return r, nil
}

// Write writes the description to its file in a folder. A reader sees the old or the new file.
func (r *RunInfo) Write(dir string) error {
	text, err := r.encode()
	if err != nil {
		return err
	}
	path := filepath.Join(dir, RunName)
	err = os.WriteFile(path+PartSuffix, text, 0o644)
	if err == nil {
		err = os.Rename(path+PartSuffix, path)
	}
	if err != nil {
		if gone := os.Remove(path + ".part"); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}

// encode returns the text of the file.
func (r *RunInfo) encode() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(r); err != nil {
		return nil, fmt.Errorf("%s: %w", RunName, err)
	}
	return b.Bytes(), nil
}
