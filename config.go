// This file owns Config: every setting of a run, its default and its checks.
// flags.go binds the settings to the command line.

package ross

import (
	"fmt"
	"io"
	"log/slog"
	"math"
	"slices"
	"strings"

	"github.com/ross-go/ross/cmdline"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/world"
	"github.com/ross-go/ross/mapping"
)

// Config holds every setting of a run. Start from DefaultConfig: the zero value is not a usable configuration.
//
// Each field names its flag in brackets and, where there is one, the variable or option of ROSS that it stands for.
// "Virtual time" is the unit of the model's time stamps. Validate says which values are allowed.
type Config struct {
	// Synch selects the scheduler [--synch, g_tw_synchronization_protocol]: Sequential (1), Conservative (2), Optimistic
	// (3), OptimisticDebug (4), OptimisticRealTime (5) or RollbackCheck (6). Default 0: not chosen, which means Sequential
	// on one PE.
	Synch Scheduler
	// PEs is the number of PEs that run as threads of this process [--pes]. Default 1; 0 = one for each core.
	PEs int
	// NLP is the number of LPs on each PE, at least 1 [--nlp, g_tw_nlp]. Default 8. A model that leaves the number to the
	// command line registers the flag in its own group; others set it from what they are to simulate.
	NLP uint64
	// NKP is the number of KPs on each PE, at least 1 [--nkp, g_tw_nkp]. Default 16, however few LPs a PE has, as in ROSS
	// 8.1.1: KPs beyond them stay empty, and are in samples of KPs. (ROSS's page on mapping says 16 or the number of
	// LPs, whichever is lower.)
	NKP uint64
	// End is the virtual time at which the run ends: events at or after it are not delivered [--end, g_tw_ts_end].
	// At least 0, +Inf allowed. Default 100000.
	End float64
	// Batch is the number of events that a parallel scheduler processes in one turn of its loop, at least 1 [--batch,
	// g_tw_mblock]. Default 16.
	Batch uint64

	// ExtraMem is a number of events to make room for on each PE beyond what the model asked for [--extramem,
	// g_tw_events_per_pe_extra]. Default 0. Pools grow, so it is without effect but for the report.
	ExtraMem uint64
	// BuddySize makes 2^BuddySize bytes the first size of each PE's buddy memory for state deltas, 0 to 40
	// [--buddy-size, g_tw_buddy_alloc]. Default 0: start empty.
	BuddySize uint
	// LZ4Knob is LZ4's acceleration: higher is faster and compresses less [--lz4-knob, g_tw_lz4_knob]. Default 17.
	LZ4Knob int
	// ConsLookahead is the virtual time by which every event between PEs is promised to lie in its sender's future; the
	// conservative scheduler depends on it [--cons-lookahead, g_tw_lookahead]. At least 0. Default 0.005.
	ConsLookahead float64
	// MaxOptLookahead is how far in virtual time an optimistic PE may run ahead of GVT [--max-opt-lookahead,
	// g_tw_max_opt_lookahead]. Default 2^64-1: no limit.
	MaxOptLookahead uint64
	// AVLSize makes 2^AVLSize nodes the size of the index of received events, 0 to 40 [--avl-size, g_tw_avl_node_count].
	// Default 18. There is no such index: it is accepted without effect.
	AVLSize uint

	// Seeds are the four seeds of the models' random streams [--rng-seed1 to 4, g_tw_rng_seed]. All four at least 1, or
	// all 0 (default): the seeds built into ROSS. What exceeds the generator's range is clamped. Replications need seeds that
	// have no pattern in common, as rng.SeedsOf makes them; the report has a note on seeds that have one.
	Seeds [4]uint64
	// CoreSeeds are the four seeds of the engine's own streams, from which tie-breakers come [--core-rng-seed1 to 4,
	// g_tw_core_rng_seed]. As Seeds.
	CoreSeeds [4]uint64

	// ReadBuffer is the number of events that a PE can receive from the network at a time [--read-buffer]. Default 16.
	// Buffers grow, so it is without effect but for the report.
	ReadBuffer uint64
	// SendBuffer is the number of events that can be on their way to the network at a time [--send-buffer]. Default 1024.
	// Buffers grow: it is accepted without effect.
	SendBuffer uint64

	// GVTInterval is the distance from one GVT computation to the next, at least 1: turns of the scheduler's loop, or
	// milliseconds with Synch 5 [--gvt-interval, g_tw_gvt_interval]. Default 16.
	GVTInterval uint64
	// FixedGVT keeps GVTInterval as it is. Otherwise the engine stretches it, so that GVT costs at most some 2 percent
	// [--fixed-gvt]. Default false.
	FixedGVT bool
	// ReportInterval is the part of the run (1 = all of it) from one progress line of a parallel run to the next
	// [--report-interval, gvt_print_interval]. At least 0. Default 0.01; 0 and 1 print none.
	ReportInterval float64
	// ClockRate is the frequency in Hz of a clock that counts cycles, at least 1 [--clock-rate, g_tw_clock_rate]. Default
	// 1e9. Times are measured in seconds here, so it is without effect but for the report.
	ClockRate uint64

	// EngineStats chooses when the engine's counters are sampled [--engine-stats, g_st_engine_stats]: 0 never (default),
	// 1 by GVT, 2 by real time, 3 by virtual time, 4 all three.
	EngineStats int
	// ModelStats does the same for the samples that models give [--model-stats, g_st_model_stats].
	ModelStats int
	// NumGVT is the number of GVT computations from one GVT sample to the next, at least 1 [--num-gvt, g_st_num_gvt].
	// Default 10. While memory is short GVT is computed for almost every event: then only those count between which a PE
	// has committed as many events as in an interval of GVT.
	NumGVT uint64
	// RTInterval is the time in milliseconds from one real-time sample to the next [--rt-interval, g_st_rt_interval].
	// Default 1000.
	RTInterval uint64
	// VTInterval is the virtual time from one virtual-time sample to the next, above 0 [--vt-interval,
	// g_st_vt_interval]. Default 1e6.
	VTInterval float64
	// VTSampEnd is the virtual time at which virtual-time sampling stops, at least 0 [--vt-samp-end, g_st_sampling_end].
	// Default 0: at End.
	VTSampEnd float64
	// PEData, when not 0, puts the counters of each PE into a sample [--pe-data, g_st_pe_data]. Default 1.
	PEData int
	// KPData, when not 0, puts the counters of each KP into a sample [--kp-data, g_st_kp_data]. Default 0.
	KPData int
	// LPData, when not 0, puts the counters of each LP into a sample [--lp-data, g_st_lp_data]. Default 0.
	LPData int
	// EventTrace chooses the events that are written to the trace [--event-trace, g_st_ev_trace]: 0 none (default),
	// 1 every event processed, 2 those that caused a rollback, 3 those committed.
	EventTrace int
	// StatsPrefix begins the names of the instrumentation's files [--stats-prefix, g_st_stats_out]. Default "", which
	// means ross-stats.
	StatsPrefix string
	// StatsPath is the folder of the instrumentation's files [--stats-path, g_st_stats_path]. Default "", which means
	// stats-output.
	StatsPath string
	// BufferSize is the size in bytes of each buffer of the instrumentation: one for each PE and file [--buffer-size,
	// g_st_buffer_size]. Default 8,000,000, and so is 0; 256 MiB at most, and more is as much. It has to have room for a
	// sample of a PE, its KPs and LPs; what finds no room is missed, and told of in the report.
	BufferSize uint64
	// BufferFree is the percentage of a buffer, 0 to 100, that is in use when all buffers are written out at a GVT
	// [--buffer-free, g_st_buffer_free_percent]. Default 15. They are written before that if what is to come may find no
	// room. (ROSS's help calls it the percentage that is free, but ROSS takes it as this one, too.)
	BufferFree uint64
	// StatsLimit is how many bytes the files of the instrumentation may take together [--stats-limit]. The collection ends
	// before it is exceeded, with whole records in whole files, and says so; the run goes on. Each rank has an equal part,
	// and all end when one has used its part up. Default 0: no limit.
	StatsLimit uint64
	// DisableOutput, when not 0, collects samples and writes none, to measure what collecting costs [--disable-output,
	// g_st_disable_out]. Default 0.
	DisableOutput int
	// SampleCount is the number of model samples that an analysis LP has room for [--sample-count, g_st_sample_count].
	// Default 65536. The room grows: it is accepted without effect.
	SampleCount uint64
	// IOFiles is the number of data files of a checkpoint, at least 1 [--io-files, g_io_number_of_files]. Default 1. There
	// is no more than one for each PE, which the report says if more are asked for.
	IOFiles uint64
	// IOName begins the names of the checkpoints that are stored while the simulation runs, and of those that IORestart
	// looks for: a path, to which a number is added [--io-name]. Default "checkpoint".
	IOName string
	// IOInterval is the real time in seconds from one checkpoint of a running simulation to the next, at least 0
	// [--io-interval]. Default 0: none.
	IOInterval float64
	// IOVirtualInterval is the virtual time from one such checkpoint to the next, at least 0 [--io-virtual-interval].
	// They are stored at the first GVT at or after each multiple of it. Default 0: none.
	IOVirtualInterval float64
	// IOOnExit stores one more when a signal or the end of its context stops the run [--io-on-exit]. Default false.
	IOOnExit bool
	// IOKeep is how many of these checkpoints are kept, the newest ones, at least 1 [--io-keep]. Default 2.
	IOKeep uint64
	// IORestart names a checkpoint to go on from, or is "latest": the newest whole one of IOName, and the beginning if
	// there is none [--io-restart]. Default "": the run starts from its beginning.
	IORestart string
	// IOCompress compresses the partitions of checkpoints with LZ4 where that makes them smaller [--io-compress].
	// Default false.
	IOCompress bool
	// IOAsROSS loads checkpoints as ROSS does: the clock starts at 0, and each loaded event gets a fresh tie-breaker and
	// the priority 1 [--io-as-ross]. Otherwise the run goes on as if it had never been stopped. Checkpoints that ROSS has
	// stored are always loaded like that, for they hold no more. Default false.
	IOAsROSS bool
	// IOOtherOptions loads a checkpoint that was stored with other values of the model's options, or other seeds, than
	// this run has [--io-other-options]. What differs is told. Otherwise it is an ErrCheckpoint. Options that
	// Group.MayVary names, and those of the engine, may always differ. Default false.
	IOOtherOptions bool

	// MaxMemory is the ceiling in bytes on what events and state deltas take, at least 256 KiB; reaching it slows optimism
	// down [--max-memory]. Default 0: 80 % of the memory that is free at the start.
	MaxMemory uint64
	// MaxChain is the most events without delay that may follow one another, each sent by the one before, at one virtual
	// time [--max-chain]. A longer chain is an ErrChain: time would stand still for ever. Default 1,000,000; 0 is no limit.
	MaxChain uint64
	// Digest has the report end with a digest of the committed events and one of the final states, which are the same in
	// every mode [--digest]. Default false.
	Digest bool
	// PQ names the implementation of the event queue: "c", "go", or "" (default) for the best there is [--pq].
	PQ string

	// Dir is the folder that gets ross.csv and ross_all_lp_stats. Default "": neither is written. It has no flag.
	Dir string
	// EventsPerPE is the number of events of a PE's pool as the model asks for it (g_tw_events_per_pe). Default 0: the
	// engine's choice. The pool grows, so it is without effect but for the report. It has no flag.
	EventsPerPE uint64
	// IOEventsBuffered is accepted without effect: events beyond the end of the run take their place in the pool, which
	// grows (g_io_events_buffered_per_rank, how many ROSS has room for). Default 0. It has no flag.
	IOEventsBuffered uint64
	// RNGsPerLP is the number of random streams of each LP, 1 to 2^32 (g_tw_nRNG_per_lp). Default 1. It has no flag.
	RNGsPerLP uint64
	// TotalLPs is the number of LPs on all PEs of all ranks, for a custom mapping (g_tw_total_lps). Default 0: NLP for each
	// PE of each rank, which the built-in mappings always have. It has no flag.
	TotalLPs uint64
	// Mapping chooses how LPs are laid out over PEs and KPs (g_tw_mapping): mapping.Linear (default), mapping.RoundRobin
	// or mapping.Custom, which Custom describes. It has no flag.
	Mapping mapping.Kind
	// Custom holds the functions of a custom mapping (g_tw_custom_initial_mapping, g_tw_custom_lp_global_to_local_map).
	// Custom.For makes them from the numbers of the run: the field PEs is the number of one rank, and a mapping needs that of
	// all. Without Custom.PE and Custom.For the Map functions of the LP types say where an LP is. Define calls all of these, in one
	// goroutine, and nobody calls them later.
	Custom mapping.CustomFuncs
	// TypeMap gives the LP with a global id its type, as an index into the types of Define (g_tw_lp_typemap). Default
	// nil: all LPs are of the first type. Define calls it; in a run of several ranks the PEs also call it while they run,
	// several at a time. So it only reads what does not change. An id has the same type on all ranks, and for any number
	// of PEs. Simulation.TotalLPs may be asked.
	TypeMap func(gid LPID) int
	// PE holds functions that the engine calls for each PE (tw_petype).
	PE PEType
	// GVTHook is called when its trigger fires (g_tw_gvt_hook), with the PE on which it runs and whether the run has
	// reached its end. In a parallel run each PE calls it, for its own LPs, several at a time. Default nil: none.
	GVTHook func(pe *PE, pastEnd bool)
	// HookTrigger says when the hook fires first; the hook sets the next time (tw_trigger_gvt_hook_at and its like).
	// Default: never.
	HookTrigger HookTrigger
	// Output gets the report and what models print, one Write at a time. Default nil: nothing is printed.
	Output io.Writer
	// Log gets the engine's warnings, such as that a checkpoint was damaged and an older one is used, from several
	// goroutines. Those about what may be a mistake stand in the report, too, on lines that begin with "Note:". Default nil:
	// none; Options.Main sets one that writes to standard error.
	Log *slog.Logger
	// Args is the command line with the program's name, as the report prints it first. Options.Parse sets it.
	Args []string
	// ArgsFileText is what the report prints about arguments files: for each a heading, its words one on a line, and an
	// empty line. The flag --args-file sets it; "" without one.
	ArgsFileText string

	// Comm is the communicator of MPI to run on, as a Fortran handle (MPI_Comm_c2f), of which a duplicate is used
	// (tw_comm_set). Default nil: all processes that mpirun has started. Without MPI it must be nil. It has no flag.
	Comm *int32

	modelOptions ranks.Description // those of the model, as Options.Parse has found them
	withoutMode  int               // the mode that EngineStats=4 leaves out, as former flags can say; 0 none
	varying      []string          // those that may differ from a checkpoint's

	// Tests vary these; no result may depend on them.
	window    int             // size of the event queue's window, 0 the default
	ringSize  int             // room of the channels between PEs, 0 the default
	ignored   []string        // what the report says of options without effect
	disturb   func(pe *PE)    // called in each turn of an optimistic PE's loop
	initOrder func(i int) int // which LP is initialised i-th
	world     world.World     // the ranks, nil: those of MPI
	farWorth  int             // events that are worth a message to another rank, 0 the default
}

// DefaultConfig returns the configuration of a run without any flag: the defaults of ROSS 8.1.1.
func DefaultConfig() Config {
	return Config{
		PEs: 1, NLP: 8, NKP: 16, End: 100000, Batch: 16,
		LZ4Knob: 17, ConsLookahead: 0.005, MaxOptLookahead: math.MaxUint64, AVLSize: 18,
		ReadBuffer: 16, SendBuffer: 1024,
		GVTInterval: 16, ReportInterval: 0.01, ClockRate: 1e9,
		NumGVT: 10, RTInterval: 1000, VTInterval: 1e6, PEData: 1,
		BufferSize: 8000000, BufferFree: 15,
		SampleCount: 65536, IOFiles: 1, IOName: "checkpoint", IOKeep: 2,
		RNGsPerLP: 1, MaxChain: 1e6,
	}
}

const (
	minMemory     = 256 << 10 // MaxMemory: below this not even empty pools fit
	maxStreams    = 1 << 32   // RNGsPerLP: beyond any memory
	maxIOInterval = 1e9       // IOInterval: beyond what a time.Duration holds
	maxLogSize    = 40        // BuddySize, AVLSize: 2^40 is beyond any machine, so larger ones are slips
)

// Validate returns nil, or an error (ErrUsage) about the first setting that no run can have: its flag, its value and the
// way out. It does not look at what depends on the machine or on the model.
func (c *Config) Validate() error {
	for _, r := range c.rules() {
		if !r.ok {
			return cmdline.Usagef("%s=%v: out of range; give %s", r.setting, r.value, r.want)
		}
	}
	if err := checkSeeds("rng-seed", c.Seeds); err != nil {
		return err
	}
	return checkSeeds("core-rng-seed", c.CoreSeeds)
}

type configRule struct {
	setting string
	value   any
	ok      bool
	want    string
}

func (c *Config) rules() []configRule {
	atLeast1 := func(name string, v uint64) configRule { return configRule{"option --" + name, v, v >= 1, "1 or more"} }
	choice := func(name string, v, last int) configRule {
		return configRule{"option --" + name, v, 0 <= v && v <= last, fmt.Sprintf("0 to %d", last)}
	}
	// The comparison is false for NaN too.
	notNegative := func(name string, v float64) configRule { return configRule{"option --" + name, v, v >= 0, "0 or more"} }
	logSize := func(name string, v uint) configRule {
		return configRule{"option --" + name, v, v <= maxLogSize, fmt.Sprintf("0 to %d: it is an exponent of 2", maxLogSize)}
	}
	return []configRule{
		choice("synch", int(c.Synch), int(RollbackCheck)),
		{"option --pes", c.PEs, c.PEs >= 0, "1 or more, or 0 for one PE on each core"},
		atLeast1("nlp", c.NLP),
		atLeast1("nkp", c.NKP),
		{"option --end", c.End, c.End >= 0, "a virtual time of 0 or more, or inf"},
		atLeast1("batch", c.Batch),
		logSize("buddy-size", c.BuddySize),
		notNegative("cons-lookahead", c.ConsLookahead),
		logSize("avl-size", c.AVLSize),
		atLeast1("gvt-interval", c.GVTInterval),
		notNegative("report-interval", c.ReportInterval),
		atLeast1("clock-rate", c.ClockRate),
		choice("engine-stats", c.EngineStats, 4),
		choice("model-stats", c.ModelStats, 4),
		atLeast1("num-gvt", c.NumGVT),
		{"option --vt-interval", c.VTInterval, c.VTInterval > 0, "a virtual time above 0"},
		notNegative("vt-samp-end", c.VTSampEnd),
		choice("event-trace", c.EventTrace, 3),
		{"option --buffer-free", c.BufferFree, c.BufferFree <= 100, "a percentage, 0 to 100"},
		atLeast1("io-files", c.IOFiles),
		{"option --io-name", cmdline.Quote(c.IOName), c.IOName != "" || !c.storesRunning(), "the path and the beginning of a file name"},
		{"option --io-interval", c.IOInterval, c.IOInterval >= 0 && c.IOInterval <= maxIOInterval, "seconds, 0 or more, up to a billion"},
		{"option --io-virtual-interval", c.IOVirtualInterval, c.IOVirtualInterval >= 0 && c.IOVirtualInterval <= math.MaxFloat64, "a finite virtual time of 0 or more"},
		atLeast1("io-keep", c.IOKeep),
		{"option --max-memory", cmdline.FormatBytes(c.MaxMemory), c.MaxMemory == 0 || c.MaxMemory >= minMemory,
			"256K or more, or 0 for 80 % of free memory"},
		{"option --pq", cmdline.Quote(c.PQ), slices.Contains([]string{"", "c", "go"}, c.PQ),
			"c or go, or leave it out for the best there is"},
		{"Config.RNGsPerLP", c.RNGsPerLP, c.RNGsPerLP >= 1 && c.RNGsPerLP <= maxStreams, "1 to 2^32"},
	}
}

// checkSeeds refuses a set of which only a part was given: the rest would silently be other seeds than the user's.
func checkSeeds(name string, seeds [4]uint64) error {
	var missing []string
	for i, seed := range seeds {
		if seed == 0 {
			missing = append(missing, fmt.Sprintf("--%s%d", name, i+1))
		}
	}
	if len(missing) == 0 || len(missing) == len(seeds) {
		return nil
	}
	return cmdline.Usagef("option %s: missing or 0; give all four of --%s1 to 4, each 1 or more, or none of them",
		strings.Join(missing, ", "), name)
}
