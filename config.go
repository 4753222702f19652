// This file owns Config: every setting of a run, its default and its checks, and Scheduler: the ways in which a simulation
// runs, with their numbers and names. The file flags.go binds the settings to flags.

package ross

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/cmdline"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/internal/usage"
	"github.com/ross-go/ross/internal/watch"
	"github.com/ross-go/ross/internal/world"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/rng"
)

// Config holds every setting of a run. A field that is 0, false or empty has its default, so that a program gives
// only what it wants otherwise:
//
//	ross.Config{Synch: ross.Optimistic, End: 1000}
//
// Where a field is to be 0 and its default is another number, start from DefaultConfig and set it: there every
// field counts as it is.
//
// Each field names its flag in brackets and, if there is one, the variable or option of ROSS that corresponds to
// it. "Virtual time" is measured in the unit of the model's time stamps. Validate checks the ranges of values.
type Config struct {
	// Synch selects the scheduler [--synch, g_tw_synchronization_protocol]: Sequential (1), Conservative (2),
	// Optimistic (3), OptimisticDebug (4), OptimisticRealTime (5) or RollbackCheck (6). Default 0, which means
	// Sequential.
	Synch Scheduler
	// PEs is the number of PEs that run as threads of this process [--pes]. 0 means one for each core, and 1 if the
	// scheduler needs no more; DefaultConfig has 1. If it is 1 and was not given on the command line, Auto chooses the
	// number, see there; so it does for 0 in a Config that DefaultConfig has not made.
	PEs int
	// NLP is the number of LPs on each PE, at least 1 [--nlp, g_tw_nlp]. Default 8. It counts only if TotalLPs is 0. A
	// model that leaves the number to the command line calls RegisterLPs, which adds the flags of both to a group of
	// the model; other models compute the number from what they simulate.
	NLP uint64
	// NKP is the number of KPs on each PE, at least 1 [--nkp, g_tw_nkp]. Default 16, even if a PE has fewer LPs, as
	// in ROSS 8.1.1: surplus KPs stay empty, but appear in samples of KPs. (ROSS's page on mapping says that the
	// default is 16 or the number of LPs, whichever is lower.)
	NKP uint64
	// End is the virtual time at which the run ends: events at or after it are not delivered [--end, g_tw_ts_end]. At
	// least 0; +Inf is allowed. Default 100000.
	End float64
	// WarmUp is the virtual time at which the statistics of package stats begin [--warm-up]: what events before it
	// record is dropped, except the values of levels. Finite, at least 0. Default 0. It does not affect the events.
	// A run that starts from a checkpoint has that of the run that stored it, or one that is not before the checkpoint.
	WarmUp float64
	// Batch is the number of events that a parallel scheduler processes in one turn of its loop, at least 1 [--batch,
	// g_tw_mblock]. Default 16.
	Batch uint64

	// ExtraMem is the number of events to reserve on each PE in addition to those the model asked for [--extramem,
	// g_tw_events_per_pe_extra]. Default 0. It is without effect except on the report, because pools grow.
	ExtraMem uint64
	// BuddySize makes 2^BuddySize bytes the initial size of each PE's buddy memory for state deltas, 0 to 40
	// [--buddy-size, g_tw_buddy_alloc]. Default 0: the memory starts empty.
	BuddySize uint
	// LZ4Knob is the acceleration factor of LZ4: higher is faster and compresses less [--lz4-knob, g_tw_lz4_knob].
	// Default 17.
	LZ4Knob int
	// ConsLookahead is the lookahead of the conservative scheduler: the model promises that every event for another
	// PE has at least this delay [--cons-lookahead, g_tw_lookahead]. At least 0. Default 0.005. If all LP types
	// declare a Lookahead, it is at least the least of these.
	ConsLookahead float64
	// MaxOptLookahead is the virtual time that an optimistic PE may run ahead of GVT [--max-opt-lookahead,
	// g_tw_max_opt_lookahead]. Default 2^64-1: no limit.
	MaxOptLookahead uint64
	// AVLSize makes 2^AVLSize events those for which the index of what has come from other ranks has room at
	// first, 0 to 40 [--avl-size, g_tw_avl_node_count]. Default 10, where ROSS has 18: the index grows if that is
	// not enough. A larger one is swept more rarely. More than 2^24 count as 2^24.
	AVLSize uint
	// AVL names the implementation of the trees of that index (package avl): "c", "go", or "" (default) for the
	// best available [--avl].
	AVL string

	// Seed is a number from which all seeds of the run are made, those of Seeds and CoreSeeds [--seed]: any two
	// numbers give unrelated streams (rng.RunSeeds). Default 0: Seeds and CoreSeeds hold. Give either Seed or those.
	Seed uint64
	// Replication is the number of the run among runs with the same seeds, 0 to 2^24-1 [--replication]: each number
	// draws from another part of every stream, 2^48 draws long, so that no two replications share a draw
	// (rng.Seeds.Replication). Default 0: the beginning of the streams.
	Replication uint64
	// Seeds are the four seeds of the models' random streams [--rng-seed1 to 4, g_tw_rng_seed]: all at least 1, or
	// all 0 (default), which means the seeds built into ROSS. Values beyond the generator's range are clamped.
	// Runs that are to be independent need seeds without a pattern in common; the report has a note about seeds with
	// a pattern. Seed and Replication have no such risk.
	Seeds [4]uint64
	// CoreSeeds are the four seeds of the engine's own streams, from which tie-breakers are drawn [--core-rng-seed1
	// to 4, g_tw_core_rng_seed]. The same rules apply as for Seeds.
	CoreSeeds [4]uint64

	// ReadBuffer is the number of events that a PE can receive from the network at a time [--read-buffer]. Default
	// 16. It is without effect except on the report, because buffers grow.
	ReadBuffer uint64
	// SendBuffer is the number of events that can be on their way to the network at a time [--send-buffer]. Default
	// 1024. It is accepted without effect, because buffers grow.
	SendBuffer uint64

	// GVTInterval is the distance between GVT computations, at least 1: in turns of the scheduler's loop, or in
	// milliseconds with OptimisticRealTime [--gvt-interval, g_tw_gvt_interval]. Default 16.
	GVTInterval uint64
	// FixedGVT keeps GVTInterval as it is. Otherwise the engine stretches the interval so that GVT takes at most
	// about 2 percent of the time [--fixed-gvt]. Default false.
	FixedGVT bool
	// ReportInterval is the fraction of the run between two progress lines of a parallel run [--report-interval,
	// gvt_print_interval]. At least 0. Default 0.01, which is 1 percent; 0 and 1 print none. If Output is an *os.File
	// other than a terminal, such as that of a pipe, the default prints none either, in a sequential run too: give the
	// flag, or another value, for lines there.
	ReportInterval float64
	// ClockRate is the frequency in Hz of a clock that counts cycles, at least 1 [--clock-rate, g_tw_clock_rate].
	// Default 1e9. It is without effect except on the report, because this engine measures times in seconds.
	ClockRate uint64

	// EngineStats chooses when the engine's counters are sampled [--engine-stats, g_st_engine_stats]: 0 never
	// (default), 1 by GVT, 2 by real time, 3 by virtual time, 4 all three. Those of PEs by real time have the memory
	// next to them, see instr.Memory.
	EngineStats int
	// ModelStats does the same for the samples of models [--model-stats, g_st_model_stats].
	ModelStats int
	// NumGVT is the number of GVT computations between two samples by GVT, at least 1 [--num-gvt, g_st_num_gvt].
	// Default 10. When memory is short, GVT is computed for almost every event; a computation then counts only if a
	// PE has committed as many events as in a GVT interval since the last one that counted.
	NumGVT uint64
	// RTInterval is the time in milliseconds between two samples by real time [--rt-interval, g_st_rt_interval].
	// Default 1000.
	RTInterval uint64
	// VTInterval is the virtual time between two samples by virtual time, above 0 [--vt-interval, g_st_vt_interval].
	// Default 1e6.
	VTInterval float64
	// VTSampEnd is the virtual time at which sampling by virtual time stops, at least 0 [--vt-samp-end,
	// g_st_sampling_end]. Default 0, which means End.
	VTSampEnd float64
	// PEData, if not 0, includes the counters of each PE in samples [--pe-data, g_st_pe_data]. Default 1.
	PEData int
	// KPData, if not 0, includes the counters of each KP in samples [--kp-data, g_st_kp_data]. Default 0.
	KPData int
	// LPData, if not 0, includes the counters of each LP in samples [--lp-data, g_st_lp_data]. Default 0.
	LPData int
	// EventTrace chooses the events that are written to the trace [--event-trace, g_st_ev_trace]: 0 none (default), 1
	// every event processed, 2 those that caused a rollback, 3 those committed.
	EventTrace int
	// StatsPrefix is the beginning of the names of the instrumentation's files [--stats-prefix, g_st_stats_out].
	// Default "", which means ross-stats.
	StatsPrefix string
	// StatsPath is the folder of the instrumentation's files [--stats-path, g_st_stats_path]. Default "", which means
	// stats-output.
	StatsPath string
	// BufferSize is the size in bytes of each buffer of the instrumentation; each PE has one for each file
	// [--buffer-size, g_st_buffer_size]. Default 8,000,000, which 0 also means; values above 256 MiB mean 256 MiB. A low
	// MaxMemory makes it less: all buffers take a sixteenth of it, or what a sample of the engine needs. A
	// buffer must have room for a sample of a PE with its KPs and LPs. Data that finds no room is lost, and the
	// report says so.
	BufferSize uint64
	// BufferFree is the percentage of a buffer, 0 to 100, that must be in use for all buffers to be written out at a
	// GVT [--buffer-free, g_st_buffer_free_percent]. Default 15. They are written earlier if the next data might find
	// no room. (ROSS's help calls it the percentage that is free, but ROSS also uses it as the percentage in use.)
	BufferFree uint64
	// StatsLimit is the maximum total size in bytes of the instrumentation's files [--stats-limit]. The collection
	// ends before it is exceeded, with whole records in whole files, and says so; the run goes on. Each rank has an
	// equal share, and all stop when one has used its share. Default 0: no limit.
	StatsLimit uint64
	// Statistics says what becomes of the statistics of package stats at the end of the run [--statistics]: 0 nothing
	// (default), or the sum of 1 a table in the report, 2 the files <StatsPrefix>-statistics.csv and .json in
	// StatsPath, and 4 the file <StatsPrefix>-statistics-lps.csv there, which has a line for each LP and a column for
	// each figure. A run that its context stops, by Ctrl-C for example, has them up to where it came.
	// Programs can also call stats.Collect.
	Statistics int
	// Quantiles are those that tables of statistics have of all histograms, 1 to 64 numbers from 0 to 1
	// [--quantiles=0.5,0.95]. Default nil: those in the tag of each, or else 0.5, 0.9 and 0.99.
	Quantiles []float64
	// DisableOutput, if not 0, collects samples without writing them, to measure the cost of collecting
	// [--disable-output, g_st_disable_out]. The description of the run, run.json, is written. Default 0.
	DisableOutput int
	// SampleCount is the number of model samples that an analysis LP has room for [--sample-count,
	// g_st_sample_count]. Default 65536. It is accepted without effect, because the room grows.
	SampleCount uint64
	// IOFiles is the number of data files of a checkpoint, at least 1 [--io-files, g_io_number_of_files]. Default 1.
	// There is at most one for each PE; if more are asked for, the report says so.
	IOFiles uint64
	// IOName is the path and the beginning of the names of checkpoints that are stored during the run and that
	// IORestart looks for; a number is appended [--io-name]. Default "checkpoint".
	IOName string
	// IOInterval is the real time in seconds between two checkpoints of a running simulation, 0 to 1e9
	// [--io-interval]. Default 0: none.
	IOInterval float64
	// IOVirtualInterval is the virtual time between two checkpoints of a running simulation, at least 0
	// [--io-virtual-interval]. They are stored at the first GVT at or after each multiple of it. Default 0: none.
	IOVirtualInterval float64
	// IOOnExit stores another checkpoint when a signal or the end of its context stops the run [--io-on-exit].
	// Default false.
	IOOnExit bool
	// IOKeep is the number of checkpoints of a running simulation that are kept, the newest ones, at least 1
	// [--io-keep]. Default 2.
	IOKeep uint64
	// IORestart names the checkpoint to start from [--io-restart]. "latest" means the newest complete checkpoint of
	// IOName, or the beginning of the simulation without one. Default "": the beginning.
	IORestart string
	// IOCompress compresses the partitions of checkpoints with LZ4 where that makes them smaller [--io-compress].
	// Default false.
	IOCompress bool
	// IOAsROSS loads checkpoints as ROSS does: the clock starts at 0, and each loaded event gets a fresh tie-breaker
	// and the priority 1 [--io-as-ross]. Otherwise the run goes on as if it had never stopped. Checkpoints stored by
	// ROSS are always loaded in this way, because they contain nothing more. Default false.
	IOAsROSS bool
	// IOOtherOptions allows a checkpoint that was stored with other seeds, or other values of the model's options,
	// than those of this run [--io-other-options]; differences are reported as a warning. Otherwise they are an
	// ErrCheckpoint. Options marked with Group.MayVary and options of the engine may always differ. Default false.
	IOOtherOptions bool

	// MaxMemory is the maximum memory in bytes for events and state deltas, at least 256 KiB; near it, optimism slows
	// down, and KPs do not move [--max-memory]. 2 to 4 PEs find room in twice the memory of a sequential run, 256 KiB for
	// each PE, and a few of the largest messages and states (docs/running.md, "Memory"). Default 0: 80 % of the memory
	// that is free at the start.
	MaxMemory uint64
	// MaxChain is the maximum number of events without delay in a chain, each sent by the one before, at one virtual
	// time [--max-chain]. A longer chain is an ErrChain, since time would stand still for ever. Default 1,000,000; 0
	// means no limit.
	MaxChain uint64
	// Digest adds to the end of the report a digest of the committed events and one of the final states, which are
	// the same in every mode [--digest]. Default false.
	Digest bool
	// Watch names LPs whose committed events are printed, one by one, with all that they did [--watch]: ids and labels
	// (Type.Label), separated by commas, each with an interval of virtual time if need be, such as 7 or
	// 7@10..20,"router (3,4)"@..5. An interval includes both ends, and either may be left out. A label with a comma or
	// an @ in it, and one of digits, stands in double quotes, as Go writes strings. Each rank prints the events of its
	// own LPs to Output, in the order of their signatures: the same text in every scheduler, and on any number of PEs.
	// OptimisticDebug commits no event and prints none. Default "": none. docs/running.md has more ("Watching LPs").
	Watch string
	// WatchLimit is the number of lines that Watch prints at most, on each rank [--watch-limit]. Default 10,000; 0
	// means no limit.
	WatchLimit uint64
	// Report is "full" for the report of ROSS, which is the default, also for "", or "short" for what ran and how it
	// went in about ten lines [--report].
	Report string
	// Balance is "on" if KPs may move between the PEs of a process while a parallel run goes on, when one of them has more to do
	// than others or less of a processor, which is the default, also for "", or "off" if they stay where the mapping puts them
	// [--balance]. Results do not depend on it. A model whose LPs of one PE share variables that they write needs "off", since
	// any PE may handle their events. KPs do not move in a run with a GVT hook or an event trace.
	Balance string
	// PQ names the implementation of the event queue: "c", "go", or "" (default) for the best available [--pq].
	PQ string

	// Dir is the folder for ross.csv and ross_all_lp_stats. Default "": neither is written. It has no flag.
	Dir string
	// EventsPerPE is the size of a PE's event pool that the model asks for (g_tw_events_per_pe). Default 0: the
	// engine chooses. It is without effect except on the report, because the pool grows. It has no flag.
	EventsPerPE uint64
	// IOEventsBuffered is the number of events beyond the end of the run that ROSS has room for
	// (g_io_events_buffered_per_rank). Default 0. It is accepted without effect, because these events take their
	// place in the pool, which grows. It has no flag.
	IOEventsBuffered uint64
	// RNGsPerLP is the number of random streams of each LP, 1 to 2^32 (g_tw_nRNG_per_lp). Default 1. It has no flag.
	RNGsPerLP uint64
	// TotalLPs is the number of LPs on all PEs of all ranks, with any mapping [--lps, g_tw_total_lps]. It need not be
	// a multiple of the number of PEs: with the built-in mappings, the first PEs then have one LP more than the others.
	// Default 0, which means NLP for each PE of each rank. For the flag see RegisterLPs.
	TotalLPs uint64
	// Mapping chooses how LPs are distributed over PEs and KPs (g_tw_mapping): mapping.Linear (default),
	// mapping.RoundRobin, or mapping.Custom with the functions in Custom. It has no flag.
	Mapping mapping.Kind
	// Custom holds the functions of a custom mapping (g_tw_custom_initial_mapping,
	// g_tw_custom_lp_global_to_local_map). Custom.For makes them from the numbers of the whole run; a mapping needs
	// the number of PEs of all ranks, whereas the field PEs is the number of one rank. Without Custom.PE and
	// Custom.For, Map of the LP types says where an LP is. Only Define calls these functions, from one goroutine.
	Custom mapping.CustomFuncs
	// TypeMap returns the type of the LP with a global id, as an index into the types given to Define
	// (g_tw_lp_typemap). Default nil: all LPs are of the first type. Define calls it; in a run of several ranks the
	// PEs also call it while they run, several at a time, so it must not use variables that change. An id has the
	// same type on all ranks and for any number of PEs. TypeMap may call Simulation.TotalLPs.
	TypeMap func(gid LPID) int
	// PE holds functions that the engine calls for each PE (tw_petype).
	PE PEType
	// GVTHook is called when its trigger fires (g_tw_gvt_hook), with the PE on which it runs. pastEnd says that no
	// event is left before the end of the run. In a parallel run each PE calls it for its own LPs, several at a time.
	// Default nil: none.
	GVTHook func(pe *PE, pastEnd bool)
	// HookTrigger says when the hook fires for the first time; the hook itself sets later triggers with
	// PE.SetHookTrigger (tw_trigger_gvt_hook_at and similar). Default: never.
	HookTrigger HookTrigger
	// Output receives the report and the output of models, one Write at a time. Default nil: nothing is printed.
	Output io.Writer
	// Log receives the engine's warnings from several goroutines, for example that a checkpoint was damaged and an
	// older one is used. Warnings about likely mistakes also appear in the report, on lines that begin with "Note:".
	// Default nil: none. Options.Main sets a logger that writes to standard error.
	Log *slog.Logger
	// ModelLog receives what models log (LP.Log): records of committed events, in the order of the events of this
	// rank, one at a time. Its Enabled, which may be called by several goroutines at once, chooses the levels. Default
	// nil: nothing is logged. It has no flag.
	ModelLog slog.Handler
	// ModelLogOnly says whether the records of an LP go to ModelLog; label is that of Type.Label, or "". It is asked
	// once for each LP that logs, by several PEs at once. Default nil: the records of all LPs do. It has no flag.
	ModelLogOnly func(id LPID, label string) bool
	// Args is the command line including the name of the program, which the report prints first. Options.Parse sets
	// it.
	Args []string
	// ArgsFileText is the text of the report about arguments files: for each file a heading, its words, one on each
	// line, and an empty line. The flag --args-file sets it. Default "": no such file.
	ArgsFileText string

	// Comm is the MPI communicator to run on, as a Fortran handle (MPI_Comm_c2f); the engine uses a duplicate
	// (tw_comm_set). Default nil: all processes that mpirun has started. Without MPI it must be nil. It has no flag.
	Comm *int32

	modelOptions ranks.Description // options of the model with the values that Options.Parse found
	nlpGiven     bool              // --nlp was on the command line
	lpsGiven     bool              // --lps was
	pesGiven     bool              // --pes was
	linesGiven   bool              // --report-interval was
	whole        bool              // every field counts as it is, also if it is 0
	withoutMode  int               // mode that EngineStats=4 leaves out because of former flags; 0: none
	varying      []string          // options of the model that may differ from those of a checkpoint
	ignored      []string          // lines of the report about options without effect

	knobs testKnobs
}

// testKnobs holds settings that only tests vary. No result may depend on them.
type testKnobs struct {
	settings.Knobs
	world   world.World      // the ranks; nil: those of MPI
	disturb func(pe *run.PE) // called in each turn of an optimistic PE's loop
}

const defaultReportInterval = 0.01

const (
	maxStreams    = 1 << 32 // RNGsPerLP: beyond any memory
	maxIOInterval = 1e9     // IOInterval: beyond what a time.Duration holds
	maxLogSize    = 40      // BuddySize, AVLSize: 2^40 is beyond any machine, so larger ones are slips
)

// Validate returns nil, or an ErrUsage about the first setting that is out of range: its flag, its value and the
// allowed values. It does not check what depends on the machine or on the model.
func (c *Config) Validate() error {
	all := *c
	all.fill()
	return all.validate()
}

// validate is Validate of a whole configuration.
func (c *Config) validate() error {
	for _, r := range c.rules() {
		if !r.ok {
			return usage.Errorf("%s=%v: out of range; give %s", r.setting, r.value, r.want)
		}
	}
	if c.nlpGiven && c.lpsGiven && c.TotalLPs != 0 {
		return usage.Errorf("options --nlp=%d and --lps=%d: the first is the number of LPs on each PE, the second that on all PEs together; give one of them", c.NLP, c.TotalLPs)
	}
	if c.Seed != 0 && (c.Seeds != [4]uint64{} || c.CoreSeeds != [4]uint64{}) {
		return usage.Errorf("option --seed=%d: given together with --rng-seed or --core-rng-seed, which it replaces; give either", c.Seed)
	}
	if c.Watch != "" {
		if _, err := watch.Parse(c.Watch); err != nil {
			return err
		}
	}
	if err := checkSeeds("rng-seed", c.Seeds); err != nil {
		return err
	}
	return checkSeeds("core-rng-seed", c.CoreSeeds)
}

// configRule is the range of a setting, with its present value.
type configRule struct {
	setting string // the flag or field, as errors name it
	value   any
	ok      bool   // the value is in range
	want    string // the range, for the error
}

// rules returns the ranges of all settings.
func (c *Config) rules() []configRule {
	atLeast1 := func(name string, v uint64) configRule { return configRule{"option --" + name, v, v >= 1, "1 or more"} }
	choice := func(name string, v, last int) configRule {
		return configRule{"option --" + name, v, 0 <= v && v <= last, fmt.Sprintf("0 to %d", last)}
	}
	implementation := func(name, v string) configRule {
		return configRule{"option --" + name, cmdline.Quote(v), slices.Contains([]string{"", "c", "go"}, v),
			"c or go, or leave it out for the best there is"}
	}
	// The comparison is false for NaN too.
	notNegative := func(name string, v float64) configRule { return configRule{"option --" + name, v, v >= 0, "0 or more"} }
	logSize := func(name string, v uint) configRule {
		return configRule{"option --" + name, v, v <= maxLogSize, fmt.Sprintf("0 to %d: it is an exponent of 2", maxLogSize)}
	}
	return []configRule{
		{"option --synch", c.Synch, 0 <= c.Synch && c.Synch <= RollbackCheck || c.Synch == Auto, schedulerNumbers},
		{"option --pes", c.PEs, c.PEs >= 0, "1 or more, or 0 for one PE on each core"},
		{"option --nlp", c.NLP, c.NLP >= 1 || c.TotalLPs >= 1, "1 or more"},
		atLeast1("nkp", c.NKP),
		{"option --end", c.End, c.End >= 0, "a virtual time of 0 or more, or inf"},
		{"option --warm-up", c.WarmUp, c.WarmUp >= 0 && c.WarmUp <= math.MaxFloat64, "a finite virtual time of 0 or more"},
		atLeast1("batch", c.Batch),
		logSize("buddy-size", c.BuddySize),
		notNegative("cons-lookahead", c.ConsLookahead),
		logSize("avl-size", c.AVLSize),
		{"option --replication", c.Replication, c.Replication <= rng.MaxReplication, fmt.Sprintf("0 to %d, or another --seed", rng.MaxReplication)},
		atLeast1("gvt-interval", c.GVTInterval),
		notNegative("report-interval", c.ReportInterval),
		atLeast1("clock-rate", c.ClockRate),
		choice("engine-stats", c.EngineStats, 4),
		choice("model-stats", c.ModelStats, 4),
		atLeast1("num-gvt", c.NumGVT),
		{"option --vt-interval", c.VTInterval, c.VTInterval > 0, "a virtual time above 0"},
		notNegative("vt-samp-end", c.VTSampEnd),
		choice("event-trace", c.EventTrace, 3),
		choice("statistics", c.Statistics, 7),
		{"option --quantiles", formatQuantiles(c.Quantiles), len(c.Quantiles) == 0 || quantilesError(c.Quantiles) == nil, "1 to 64 numbers from 0 to 1, such as 0.5,0.95"},
		{"option --buffer-free", c.BufferFree, c.BufferFree <= 100, "a percentage, 0 to 100"},
		atLeast1("io-files", c.IOFiles),
		{"option --io-name", cmdline.Quote(c.IOName), c.IOName != "" || !c.settings().StoresRunning(), "the path and the beginning of a file name"},
		{"option --io-interval", c.IOInterval, c.IOInterval >= 0 && c.IOInterval <= maxIOInterval, "seconds, 0 or more, up to a billion"},
		{"option --io-virtual-interval", c.IOVirtualInterval, c.IOVirtualInterval >= 0 && c.IOVirtualInterval <= math.MaxFloat64, "a finite virtual time of 0 or more"},
		atLeast1("io-keep", c.IOKeep),
		{"option --max-memory", cmdline.FormatBytes(c.MaxMemory), c.MaxMemory == 0 || c.MaxMemory >= settings.MinMemory,
			"256K or more, or 0 for 80 % of free memory"},
		implementation("pq", c.PQ),
		implementation("avl", c.AVL),
		{"option --balance", cmdline.Quote(c.Balance), slices.Contains([]string{"", "on", "off"}, c.Balance), "on or off"},
		{"option --report", cmdline.Quote(c.Report), slices.Contains([]string{"", "full", "short"}, c.Report), "full or short"},
		{"Config.RNGsPerLP", c.RNGsPerLP, c.RNGsPerLP >= 1 && c.RNGsPerLP <= maxStreams, "1 to 2^32"},
	}
}

// checkSeeds refuses a set if only some of its seeds were given, since the others would silently differ from what
// the user meant.
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
	return usage.Errorf("option %s: missing or 0; give all four of --%s1 to 4, each 1 or more, or none of them",
		strings.Join(missing, ", "), name)
}

// program returns the name of the program, without the folder.
func (c *Config) program() string {
	if len(c.Args) == 0 {
		return "run"
	}
	return filepath.Base(c.Args[0])
}

// settings returns the settings that the engine uses.
func (c *Config) settings() *settings.Settings {
	to := settings.From(c)
	to.WithoutMode, to.Knobs = c.withoutMode, c.knobs.Knobs
	to.Balance = cmp.Or(to.Balance, settings.DefaultBalance)
	return to
}

// Scheduler is the way in which a simulation runs (g_tw_synchronization_protocol). All
// schedulers commit the same events; they differ in speed and in what they check. The values
// are those of ROSS.
type Scheduler int

// The schedulers. If Config.Synch is 0, the run is Sequential.
const (
	// Sequential handles one event after another on one PE.
	Sequential Scheduler = iota + 1
	// Conservative handles in parallel the events that the lookahead makes independent.
	Conservative
	// Optimistic is Time Warp: it handles events as they come, and undoes those that came too early.
	Optimistic
	// OptimisticDebug handles all events on one PE, undoes all of them, and compares the states.
	OptimisticDebug
	// OptimisticRealTime is Optimistic with GVT computations at intervals of real time.
	OptimisticRealTime
	// RollbackCheck handles each event on one PE, undoes it, and handles it again.
	RollbackCheck
)

// Auto is Sequential, Conservative or Optimistic, whichever is fastest. It begins as Sequential,
// tries the others on the run itself, goes on with the best, and compares them again from time to
// time; the report says what it has found. Conservative is tried if all LP types say NeverStops, and
// declare a Lookahead or Config.ConsLookahead is not the default. Where the run cannot change its
// scheduler (one PE, several ranks, a GVT hook, instrumentation, checkpoints while it runs), Auto
// is one of them from the beginning, and the report says which and why.
//
// Auto also chooses the number of PEs, unless --pes or a Config.PEs other than 1 gives it: one for each processor
// (GOMAXPROCS), but no more than there are LPs, or parts of 16 MiB in Config.MaxMemory. For that the model must be
// the same for any number of PEs: Config.TotalLPs is given, and a mapping, if there is one in Config.Custom, is
// Custom.For.
// With one PE Auto is Sequential. Simulation.Config and run.json have the number; no result depends on it.
//
// ROSS has no such scheduler; as its number is not theirs, --synch takes it by name.
const Auto Scheduler = 100

var schedulerNames = [...]string{
	Sequential: "sequential", Conservative: "conservative", Optimistic: "optimistic", OptimisticDebug: "optimistic-debug",
	OptimisticRealTime: "optimistic-realtime", RollbackCheck: "rollback-check",
}

const autoName = "auto"

// schedulerNumbers are the values of --synch, for errors.
var schedulerNumbers = fmt.Sprintf("0 to %d, or %s", RollbackCheck, autoName)

// allSchedulers returns the names of all schedulers, as a list.
func allSchedulers() string { return strings.Join(append(schedulerNames[Sequential:], autoName), ", ") }

// String returns the name of the scheduler, as --synch accepts it.
func (s Scheduler) String() string {
	if s >= Sequential && int(s) < len(schedulerNames) {
		return schedulerNames[s]
	}
	if s == Auto {
		return autoName
	}
	return strconv.Itoa(int(s))
}

// parseScheduler reads the value of --synch: a number, a name, or a name from the help text of
// ROSS. Config.Validate checks the range of numbers.
func parseScheduler(text string) (Scheduler, error) {
	if n, err := strconv.Atoi(text); err == nil {
		if Scheduler(n) == Auto {
			return 0, fmt.Errorf("out of range; give %s", schedulerNumbers)
		}
		return Scheduler(n), nil
	}
	name := strings.ReplaceAll(strings.ToLower(text), "_", "-")
	if name == "sequential-rollback-check" {
		return RollbackCheck, nil
	}
	for s := Sequential; int(s) < len(schedulerNames); s++ {
		if schedulerNames[s] == name {
			return s, nil
		}
	}
	if name == autoName {
		return Auto, nil
	}
	return 0, fmt.Errorf("no such scheduler; give %s, or a number, 1 to %d", allSchedulers(), RollbackCheck)
}

// formatScheduler returns a value of --synch, as help texts and stored settings have it.
func formatScheduler(s Scheduler) string {
	if s == Auto {
		return autoName
	}
	return strconv.Itoa(int(max(s, Sequential))) // 0 is Sequential
}
