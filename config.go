// This file owns Config: every setting of a run, its default and its checks, and Scheduler: the ways in which a
// simulation runs, with their numbers and names. The file flags.go binds the settings to flags.

package ross

import (
	"fmt"
	"io"
	"log/slog"
	"math"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/output/watch"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/run/inside"
	"github.com/ross-go/ross/internal/sys/usage"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/program/cmdline"
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
	// Optimistic (3), OptimisticDebug (4), OptimisticRealTime (5), RollbackCheck (6) or Auto. Default 0, which means
	// Sequential.
	Synch Scheduler
	// PEs is the number of PEs that run as threads of this process [--pes]. 0 means one for each processor that Go uses
	// (GOMAXPROCS: by default as many as the affinity mask and the quota of the control group allow), and 1 if the
	// scheduler needs no more; DefaultConfig has 1. If it is 1 and was not given on the command line, Auto chooses the
	// number, see there; so it does for 0 in a Config that DefaultConfig has not made.
	PEs int
	// Ranks is the number of processes that take part in the run, 1 to 1024 [--ranks]: the first starts the others, on
	// this machine, without MPI, and all run the program with the same arguments. Default 1: this process alone or, if
	// mpirun has started several, all of these. More than 1 needs Linux on amd64 or arm64. All simulations of a program
	// that have more than one rank have the same number. Simulation.Close waits for the other processes.
	Ranks int
	// LPs is the number of LPs on all PEs of all ranks, with any mapping [--lps, g_tw_total_lps]. It need not be
	// a multiple of the number of PEs: with the built-in mappings, the first PEs then have one LP more than the others.
	// Default 0: as the LPs of the types say (Type.LPs), or NLP for each PE of each rank. For the flag see RegisterLPs.
	LPs int
	// NLP is the number of LPs on each PE, at least 1 [--nlp, g_tw_nlp]. Default 8, as in ROSS, also for a model that
	// says nothing. It counts only if LPs is 0 and no type says its LPs. A model that leaves the number to the command
	// line calls RegisterLPs, which adds the flags of both to a group of the model; other models compute the number from
	// what they simulate.
	NLP int
	// NKP is the number of KPs on each PE, at least 1 [--nkp, g_tw_nkp]. Default 16, even if a PE has fewer LPs, as
	// in ROSS 8.1.1: surplus KPs stay empty, but appear in samples of KPs. (ROSS's page on mapping says that the
	// default is 16 or the number of LPs, whichever is lower.)
	NKP int
	// End is the virtual time at which the run ends: events at or after it are not delivered [--end, g_tw_ts_end]. At
	// least 0; +Inf is allowed. Default 100000.
	End float64
	// WarmUp is the virtual time at which the statistics of package stats begin [--warm-up]: what events before it
	// record is dropped, except the values of levels. Finite, at least 0. Default 0. It does not affect the events.
	// A run that starts from a checkpoint has that of the run that stored it, or one that is not before the checkpoint.
	WarmUp float64
	// ConsLookahead is the lookahead of the conservative scheduler: the model promises that every event for another
	// PE has at least this delay [--cons-lookahead, g_tw_lookahead]. At least 0; +Inf means that there are no such
	// events. Default 0.005. If all LP types declare a Lookahead, it is at least the least of these.
	ConsLookahead float64

	// Seed is a number from which all seeds of the run are made, those of Streams.Seeds and Streams.CoreSeeds [--seed]:
	// any two numbers give unrelated streams (rng.RunSeeds). Default 0: those hold. Give either Seed or those.
	Seed uint64
	// Replication is the number of the run among runs with the same seeds, 0 to 2^24-1 [--replication]: each number
	// draws from another part of every stream, 2^48 draws long, so that no two replications share a draw
	// (rng.Seeds.Replication). Default 0: the beginning of the streams.
	Replication uint64
	// Streams are the random streams.
	Streams Streams

	// Tuning makes a run faster or slower, and changes no result.
	Tuning Tuning
	// MaxMemory is the maximum memory in bytes for events and state deltas, at least 256 KiB; near it, optimism slows
	// down, and KPs do not move [--max-memory]. 2 to 4 PEs find room in twice the memory of a sequential run, 256 KiB for
	// each PE, and a few of the largest messages and states (docs/running.md, "Memory"). Default 0: 80 % of the memory
	// that is free at the start.
	MaxMemory uint64
	// MaxChain is the maximum number of events without delay in a chain, each sent by the one before, at one virtual
	// time [--max-chain]. A longer chain is an ErrChain, since time would stand still for ever. Default 1,000,000; 0
	// means no limit.
	MaxChain int

	// Mapping distributes LPs over PEs and KPs (g_tw_mapping): mapping.Linear (nil, the default), mapping.RoundRobin,
	// mapping.Places with functions of the model, mapping.For where these need the numbers of the whole run, or a type of
	// its own. It may use Simulation.NumPEs, which counts the PEs of all ranks, whereas the field PEs counts those of one.
	// Define calls it, from one goroutine. It has no flag.
	Mapping mapping.Mapping
	// TypeMap returns the type of the LP with a global id, as an index into the types given to Define
	// (g_tw_lp_typemap). Default nil: all LPs are of the first type. Define calls it; in a run of several ranks the
	// PEs also call it while they run, several at a time, so it must not use variables that change. An id has the
	// same type on all ranks and for any number of PEs. TypeMap may call Simulation.TotalLPs.
	TypeMap func(gid LPID) int

	// Output receives the report and the output of models, one Write at a time. Default nil: nothing is printed.
	Output io.Writer
	// ShortReport makes the report say what ran and how it went in about ten lines [--report=short], instead of what
	// ROSS prints. Default false.
	ShortReport bool
	// ReportInterval is the fraction of the run between two progress lines of a parallel run [--report-interval,
	// gvt_print_interval]. At least 0. Default 0.01, which is 1 percent; 0 and 1 print none. If Output is an *os.File
	// other than a terminal, such as that of a pipe, the default prints none either, in a sequential run too: give the
	// flag, or another value, for lines there. Ranks of Open MPI's mpirun write to a terminal of its making, and print
	// lines wherever it writes to.
	ReportInterval float64
	// Digest adds to the end of the report a digest of the committed events and one of the final states, which are
	// the same in every mode [--digest]. Default false.
	Digest bool
	// Record records the run in run.json, in the folder Instruments.Path, so that others can check it with rossreader
	// verify [--record]: RecordRun or RecordLPs, with digests as Digest has. It costs these digests and a hash of the
	// program and of files. The folder is sealed by Close: what changes there later is found. Default RecordNothing.
	Record Recording
	// Statistics says what becomes of the statistics of package stats at the end of the run [--statistics], such as
	// StatisticsInReport. Default 0, nothing. A run that its context stops, by Ctrl-C for example, has them up to where it
	// came. Programs can also call stats.Collect.
	Statistics StatisticsForm
	// Quantiles are those that tables of statistics have of all histograms, and of levels with quantiles, 1 to 64 numbers
	// from 0 to 1 [--quantiles=0.5,0.95]. Default nil: those in the tag of each, or else of a histogram 0.5, 0.9 and 0.99.
	Quantiles []float64
	// Results are the names of the statistics in the table that the report has, "waiting time" or, for that of one LP type
	// only, "station waiting time" [--results=a,b]; files have all. With names the report has the table whatever
	// Statistics says. A study (package program/parts/study) shows these of its results. Default nil: all but
	// those with detail in their tag, and those with rare in which nothing was recorded.
	Results []string
	// Watch names LPs whose committed events are printed, one by one, with all that they did [--watch]: ids and labels
	// (Type.Label), separated by commas, each with an interval of virtual time if need be, such as 7 or
	// 7@10..20,"router (3,4)"@..5. An interval includes both ends, and either may be left out. A label with a comma or
	// an @ in it, and one of digits, stands in double quotes, as Go writes strings. Each rank prints the events of its
	// own LPs to Output, in the order of their signatures: the same text in every scheduler, and on any number of PEs.
	// OptimisticDebug commits no event and prints none. Default "": none. docs/running.md has more ("Watching LPs").
	Watch string
	// WatchLimit is the number of lines that Watch prints at most, on each rank [--watch-limit]. Default 10,000; 0
	// means no limit.
	WatchLimit int
	// Dir is the folder for ross.csv and ross_all_lp_stats [--report-path]. It is made if it does not exist. If they
	// cannot be written, the report says so, and the run goes on without them. Default "": neither is written; in a
	// program.Program, the current folder.
	Dir string
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

	// Instruments samples and traces what the engine and the model do.
	Instruments Instruments
	// Checkpoints are stored while the run goes on, or begin it.
	Checkpoints Checkpoints

	// PE holds functions that the engine calls for each PE (tw_petype).
	PE PEType
	// GVTHook is called when its trigger fires (g_tw_gvt_hook), with the PE on which it runs. pastEnd says that no
	// event is left before the end of the run. In a parallel run each PE calls it for its own LPs, several at a time.
	// Default nil: none.
	GVTHook func(pe *PE, pastEnd bool)
	// HookTrigger says when the hook fires for the first time; the hook itself sets later triggers with
	// PE.SetHookTrigger (tw_trigger_gvt_hook_at and similar). Default: never.
	HookTrigger HookTrigger
	// Comm is the MPI communicator to run on, as a Fortran handle (MPI_Comm_c2f); the engine uses a duplicate
	// (tw_comm_set). Default nil: all processes that mpirun has started. Without MPI it must be nil. It has no flag.
	Comm *int32

	modelOptions ranks.Description // options of the model with the values that Options.Parse found
	nlpGiven     bool              // --nlp was on the command line
	lpsGiven     bool              // --lps was
	pesGiven     bool              // --pes was
	linesGiven   bool              // --report-interval was
	whole        bool              // every field counts as it is, also if it is 0
	accepted     accepted          // options without effect except on the report
	written      []string          // options of files that the program writes
	varying      []string          // options of the model that may differ from those of a checkpoint
	ignored      []string          // lines of the report about options without effect

	knobs inside.Knobs
}

const defaultReportInterval = 0.01

// DefaultConfig returns the configuration of a run without any flag: the defaults of ROSS 8.1.1, except that of
// Tuning.AVLSize.
func DefaultConfig() Config {
	return Config{
		PEs: 1, Ranks: 1, NLP: 8, NKP: 16, End: 100000, ConsLookahead: settings.DefaultLookahead,
		MaxChain: 1e6, WatchLimit: 1e4, ReportInterval: defaultReportInterval,
		Streams: Streams{PerLP: 1},
		Tuning: Tuning{Batch: settings.DefaultBatch, GVTInterval: settings.DefaultGVTInterval,
			MaxOptLookahead: math.Inf(1), LZ4Knob: 17, AVLSize: 10},
		Instruments: Instruments{EveryGVTs: 10, RealInterval: time.Second, VirtualInterval: 1e6,
			BufferSize: instr.DefaultBuffer, BufferFree: 15},
		Checkpoints: Checkpoints{Files: 1, Name: "checkpoint", Keep: 2},
		accepted:    accepted{readBuffer: 16, sendBuffer: 1024, clockRate: 1e9, sampleCount: 65536},
		whole:       true,
	}
}

// complete is fill for a run: a parallel one whose number of PEs is 0 has one for each core.
func (c *Config) complete() {
	cores := !c.whole && c.PEs == 0 && c.Synch != Auto && !c.settings().Sequential()
	if c.fill(); cores {
		c.PEs = 0
	}
}

// fill gives fields that are 0 their defaults, unless every field counts as it is.
func (c *Config) fill() {
	if c.whole {
		return
	}
	defaults := DefaultConfig()
	defaults.accepted.events = c.accepted.events // the others are set by flags, which are registered after this
	c.accepted = defaults.accepted
	fillZeros(reflect.ValueOf(c).Elem(), reflect.ValueOf(defaults))
	c.whole = true
}

// fillZeros gives the exported fields of a structure, and of its groups, that are 0 the values of another one.
func fillZeros(to, from reflect.Value) {
	for i := range to.NumField() {
		switch field := to.Field(i); {
		case !to.Type().Field(i).IsExported():
		case field.Kind() == reflect.Struct:
			fillZeros(field, from.Field(i))
		case field.IsZero():
			field.Set(from.Field(i))
		}
	}
}

const (
	maxRanks      = 1024       // Ranks: memory for their messages grows with the square
	maxStreams    = 1 << 32    // Streams.PerLP: beyond any memory
	maxIOInterval = 1000000000 // Checkpoints.Interval: beyond what a time.Duration holds
	maxLogSize    = 40         // BuddySize, AVLSize: 2^40 is beyond any machine, so larger ones are slips
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
	if c.nlpGiven && c.lpsGiven && c.LPs != 0 {
		return usage.Errorf(
			"options --nlp=%d and --lps=%d: the first is the number of LPs on each PE, the second that on all PEs together; give one of them", c.NLP, c.LPs)
	}
	if c.Seed != 0 && (c.Streams.Seeds != [4]uint64{} || c.Streams.CoreSeeds != [4]uint64{}) {
		return usage.Errorf(
			"option --seed=%d: given together with --rng-seed or --core-rng-seed, which it replaces; give either", c.Seed)
	}
	if c.Watch != "" {
		if _, err := watch.Parse(c.Watch); err != nil {
			return err
		}
	}
	if err := checkSeeds("rng-seed", c.Streams.Seeds); err != nil {
		return err
	}
	return checkSeeds("core-rng-seed", c.Streams.CoreSeeds)
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
	atLeast1 := func(name string, v int) configRule { return configRule{"option --" + name, v, v >= 1, "1 or more"} }
	notBelow0 := func(name string, v int) configRule { return configRule{"option --" + name, v, v >= 0, "0 or more"} }
	choice := func(name string, v, last int) configRule {
		return configRule{"option --" + name, v, 0 <= v && v <= last, fmt.Sprintf("0 to %d", last)}
	}
	implementation := func(name string, v Implementation) configRule {
		return configRule{"option --" + name, v, v <= InGo, "c or go, or leave it out for the best there is"}
	}
	// The comparison is false for NaN too.
	notNegative := func(name string, v float64) configRule {
		return configRule{"option --" + name, v, v >= 0,
			"0 or more"}
	}
	logSize := func(name string, v int) configRule {
		return configRule{"option --" + name, v, 0 <= v && v <= maxLogSize,
			fmt.Sprintf("0 to %d: it is an exponent of 2", maxLogSize)}
	}
	const sampling = "a sum of SampleByGVT, SampleByRealTime and SampleByVirtualTime"
	return []configRule{
		{"option --synch", c.Synch, 0 <= c.Synch && c.Synch <= lastScheduler || c.Synch == Auto, schedulerNumbers},
		{"option --pes", c.PEs, c.PEs >= 0, "1 or more, or 0 for one PE on each processor"},
		{"option --ranks", c.Ranks, 1 <= c.Ranks && c.Ranks <= maxRanks, fmt.Sprintf("1 to %d processes on this machine",
			maxRanks)},
		{"option --nlp", c.NLP, c.NLP >= 1 || c.LPs >= 1 && c.NLP == 0, "1 or more"},
		notBelow0("lps", c.LPs),
		atLeast1("nkp", c.NKP),
		{"option --end", c.End, c.End >= 0, "a virtual time of 0 or more, or inf"},
		{"option --warm-up", c.WarmUp, c.WarmUp >= 0 && c.WarmUp <= math.MaxFloat64, "a finite virtual time of 0 or more"},
		atLeast1("batch", c.Tuning.Batch),
		notBelow0("max-chain", c.MaxChain), notBelow0("watch-limit", c.WatchLimit),
		notBelow0("buffer-size", c.Instruments.BufferSize),
		logSize("buddy-size", c.Tuning.BuddySize),
		notNegative("cons-lookahead", c.ConsLookahead),
		{"option --max-opt-lookahead", c.Tuning.MaxOptLookahead, c.Tuning.MaxOptLookahead >= 0,
			"a virtual time of 0 or more, or inf"},
		logSize("avl-size", c.Tuning.AVLSize),
		{"option --replication", c.Replication, c.Replication <= rng.MaxReplication,
			fmt.Sprintf("0 to %d, or another --seed", rng.MaxReplication)},
		atLeast1("gvt-interval", c.Tuning.GVTInterval),
		notNegative("report-interval", c.ReportInterval),
		{"option --clock-rate", c.accepted.clockRate, c.accepted.clockRate >= 1, "1 or more"},
		{"Config.Instruments.Engine", c.Instruments.Engine, c.Instruments.Engine <= SampleAll,
			sampling + " (--engine-stats=0 to 4)"},
		{"Config.Instruments.Model", c.Instruments.Model, c.Instruments.Model <= SampleAll,
			sampling + " (--model-stats=0 to 4)"},
		atLeast1("num-gvt", c.Instruments.EveryGVTs),
		{"option --rt-interval", float64(c.Instruments.RealInterval) / float64(time.Millisecond),
			c.Instruments.RealInterval >= 0, "milliseconds, 0 or more"},
		{"option --vt-interval", c.Instruments.VirtualInterval, c.Instruments.VirtualInterval > 0, "a virtual time above 0"},
		notNegative("vt-samp-end", c.Instruments.VirtualEnd),
		choice("event-trace", int(c.Instruments.Trace), 3),
		choice("statistics", int(c.Statistics), 7),
		{"option --quantiles", formatQuantiles(c.Quantiles), len(c.Quantiles) == 0 || quantilesError(c.Quantiles) == nil,
			"1 to 64 numbers from 0 to 1, such as 0.5,0.95"},
		{"option --buffer-free", c.Instruments.BufferFree, 0 <= c.Instruments.BufferFree && c.Instruments.BufferFree <= 100,
			"a percentage, 0 to 100"},
		{"option --stats-prefix", cmdline.Quote(c.Instruments.Prefix), !strings.ContainsAny(c.Instruments.Prefix, "/\x00"),
			"the beginning of the names of files, without a folder, which --stats-path names"},
		atLeast1("io-files", c.Checkpoints.Files),
		{"option --io-name", cmdline.Quote(c.Checkpoints.Name), c.Checkpoints.Name != "" || !c.settings().StoresRunning(),
			"the path and the beginning of a file name"},
		{"option --io-interval", c.Checkpoints.Interval.Seconds(), c.Checkpoints.Interval >= 0 &&
			c.Checkpoints.Interval <= maxIOInterval*time.Second, "seconds, 0 or more, up to a billion"},
		{"option --io-virtual-interval", c.Checkpoints.VirtualInterval, c.Checkpoints.VirtualInterval >= 0 &&
			c.Checkpoints.VirtualInterval <= math.MaxFloat64, "a finite virtual time of 0 or more"},
		atLeast1("io-keep", c.Checkpoints.Keep),
		{"Config.Checkpoints.Version", cmdline.Quote(c.Checkpoints.Version), len(c.Checkpoints.Version) <= maxModelVersion &&
			!strings.ContainsAny(c.Checkpoints.Version, "\n\x00"),
			fmt.Sprintf("one line of at most %d bytes", maxModelVersion)},
		{"option --max-memory", cmdline.FormatBytes(c.MaxMemory), c.MaxMemory == 0 || c.MaxMemory >= settings.MinMemory,
			"256K or more, or 0 for 80 % of free memory"},
		implementation("pq", c.Tuning.PQ),
		implementation("avl", c.Tuning.AVL),
		implementation("buddy", c.Tuning.Buddy),
		{"option --record", c.Record, c.Record <= RecordLPs, allRecordings},
		{"option --bind", c.Tuning.Bind, c.Tuning.Bind <= BindSockets, allBindings},
		{"Config.Streams.PerLP", c.Streams.PerLP, c.Streams.PerLP >= 1 && c.Streams.PerLP <= maxStreams, "1 to 2^32"},
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
// the same for any number of PEs: Config.LPs is given, and the mapping
// is no [mapping.Places].
// With one PE Auto is Sequential. Simulation.Config and run.json have the number; no result depends on it.
//
// ROSS has no such scheduler; as its number is not theirs, --synch takes it by name.
const Auto Scheduler = 100

var schedulerNames = [...]string{
	Sequential: "sequential", Conservative: "conservative", Optimistic: "optimistic", OptimisticDebug: "optimistic-debug",
	OptimisticRealTime: "optimistic-realtime", RollbackCheck: "rollback-check",
}

const (
	lastScheduler Scheduler = Scheduler(len(schedulerNames)) - 1
	autoName                = "auto"
)

// schedulerNumbers are the values of --synch, for errors.
var schedulerNumbers = fmt.Sprintf("0 to %d, or %s", lastScheduler, autoName)

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
	return 0, fmt.Errorf("no such scheduler; give %s, or a number, 1 to %d", allSchedulers(), lastScheduler)
}

// formatScheduler returns a value of --synch, as help texts and stored settings have it.
func formatScheduler(s Scheduler) string {
	if s == Auto {
		return autoName
	}
	return strconv.Itoa(int(max(s, Sequential))) // 0 is Sequential
}
