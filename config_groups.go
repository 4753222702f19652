// This file owns the groups of settings in Config.

package ross

import (
	"fmt"
	"time"
)

// Streams are the random streams of a run (package rng).
type Streams struct {
	// Seeds are the four seeds of the models' random streams [--rng-seed1 to 4, g_tw_rng_seed]: all at least 1, or
	// all 0 (default), which means the seeds built into ROSS. Values beyond the generator's range are clamped.
	// Runs that are to be independent need seeds without a pattern in common; the report has a note about seeds with
	// a pattern. Config.Seed and Config.Replication have no such risk.
	Seeds [4]uint64
	// CoreSeeds are the four seeds of the engine's own streams, from which tie-breakers are drawn [--core-rng-seed1
	// to 4, g_tw_core_rng_seed]. The same rules apply as for Seeds.
	CoreSeeds [4]uint64
	// PerLP is the number of random streams of each LP, 1 to 2^32 (g_tw_nRNG_per_lp). Default 1. It has no flag.
	PerLP int
}

// Tuning holds what makes a run faster or slower. No result depends on it.
type Tuning struct {
	// Batch is the number of events that a parallel scheduler processes in one turn of its loop, at least 1 [--batch,
	// g_tw_mblock]. Default 16. A PE alone, which no other one waits for, processes up to 256. Among several, turns grow
	// to four times Batch if that takes less than 50 us, and an optimistic PE processes fewer while more than 4 % of its
	// events are undone.
	Batch int
	// GVTInterval is the distance between GVT computations, at least 1: in turns of the scheduler's loop, or in
	// milliseconds with OptimisticRealTime [--gvt-interval, g_tw_gvt_interval]. Default 16.
	GVTInterval int
	// FixedGVT keeps GVTInterval as it is, and turns at Batch events or fewer. Otherwise the engine stretches the interval
	// so that GVT takes at most about 2 percent of the time [--fixed-gvt]. Default false.
	FixedGVT bool
	// MaxOptLookahead is the virtual time that an optimistic PE may run ahead of GVT [--max-opt-lookahead,
	// g_tw_max_opt_lookahead]. At least 0, with which it handles only events of the time of GVT. Default +Inf, no limit.
	MaxOptLookahead float64
	// FixedKPs keeps KPs on the PEs where the mapping puts them [--balance=off]. Otherwise they may move between the PEs
	// of a process while a parallel run goes on, when one PE has more to do than others or less of a processor. A model
	// whose LPs of one PE share variables that they write needs it, since any PE may handle their events. KPs do not move
	// in a run with a GVT hook or an event trace. Default false.
	FixedKPs bool
	// Bind says to which processors the threads of PEs are bound [--bind]. Default BindAuto. Only processors that the
	// process may use are used, and ranks that may use the same ones share them out.
	Bind Binding
	// PQ is the implementation of the event queue [--pq]. Default BestImplementation.
	PQ Implementation
	// AVL is the implementation of the trees of the index of what has come from other ranks [--avl] (package avl).
	// Default BestImplementation.
	AVL Implementation
	// AVLSize makes 2^AVLSize events those for which the index of what has come from other ranks has room at
	// first, 0 to 40 [--avl-size, g_tw_avl_node_count]. Default 10, where ROSS has 18: the index grows if that is
	// not enough. A larger one is swept more rarely. More than 2^24 count as 2^24.
	AVLSize int
	// Buddy is the implementation of the buddy pools: of state deltas, of what models allocate, and of messages that are
	// too large for the slots of events [--buddy] (package buddy). Default BestImplementation.
	Buddy Implementation
	// BuddySize makes 2^BuddySize bytes the initial size of each PE's buddy memory for state deltas, 0 to 40
	// [--buddy-size, g_tw_buddy_alloc]. Default 0: the memory starts empty.
	BuddySize int
	// LZ4Knob is the acceleration factor of LZ4: higher is faster and compresses less [--lz4-knob, g_tw_lz4_knob].
	// 1 to 65537; less means 1, and more means 65537. Default 17.
	LZ4Knob int
}

// Instruments says what a run samples and traces, and where it writes that (package instr).
type Instruments struct {
	// Engine chooses when the engine's counters are sampled [--engine-stats, g_st_engine_stats], such as
	// SampleByGVT or SampleByGVT|SampleByRealTime. Default 0, never. Those of PEs by real time have the memory next to
	// them, see instr.Memory.
	Engine Sampling
	// Model does the same for the samples of models [--model-stats, g_st_model_stats].
	Model Sampling
	// EveryGVTs is the number of GVT computations between two samples by GVT, at least 1 [--num-gvt, g_st_num_gvt].
	// Default 10. When memory is short, GVT is computed for almost every event; a computation then counts only if a
	// PE has committed as many events as in a GVT interval since the last one that counted.
	EveryGVTs int
	// RealInterval is the time between two samples by real time, in whole milliseconds, at least 0 [--rt-interval,
	// g_st_rt_interval]. With 0 a PE samples in each turn of its loop. Default a second.
	RealInterval time.Duration
	// VirtualInterval is the virtual time between two samples by virtual time, above 0 [--vt-interval, g_st_vt_interval].
	// If there are such samples, there can be 2^40 up to VirtualEnd. Default 1e6.
	VirtualInterval float64
	// VirtualEnd is the virtual time at which sampling by virtual time stops, at least 0 [--vt-samp-end,
	// g_st_sampling_end]. Default 0, which means End.
	VirtualEnd float64
	// WithoutPEs leaves the counters of each PE out of samples [--pe-data=0, g_st_pe_data]. Default false.
	WithoutPEs bool
	// KPs includes the counters of each KP in samples [--kp-data, g_st_kp_data]. Default false.
	KPs bool
	// LPs includes the counters of each LP in samples [--lp-data, g_st_lp_data]. Default false.
	LPs bool
	// Trace chooses the events that are written to the trace [--event-trace, g_st_ev_trace]. Default 0, none.
	Trace TraceKind
	// TraceExact ends each record of the trace with 48 bytes (instr.Exact): the exact times of the event, its type of
	// message, and what tells its cause from all other events [--trace-exact]. A trace of all executions then also has a
	// record for each that is undone. Without a trace it has no effect. Default false.
	TraceExact bool
	// Path is the folder of the instrumentation's files [--stats-path, g_st_stats_path]. Default "", which means
	// stats-output.
	Path string
	// Prefix is the beginning of the names of the instrumentation's files [--stats-prefix, g_st_stats_out].
	// It names no folder, which Path does. Default "", which means ross-stats.
	Prefix string
	// BufferSize is the size in bytes of each buffer of the instrumentation; each PE has one for each file
	// [--buffer-size, g_st_buffer_size]. Default 8,000,000, which 0 also means; values above 256 MiB mean 256 MiB. A low
	// MaxMemory makes it less: all buffers take a sixteenth of it, or what a sample of the engine needs. A
	// buffer must have room for a sample of a PE with its KPs and LPs. Data that finds no room is lost, and the
	// report says so.
	BufferSize int
	// BufferFree is the percentage of a buffer, 0 to 100, that must be in use for all buffers to be written out at a
	// GVT [--buffer-free, g_st_buffer_free_percent]. Default 15. They are written earlier if the next data might find
	// no room. (ROSS's help calls it the percentage that is free, but ROSS also uses it as the percentage in use.)
	BufferFree int
	// Limit is the maximum total size in bytes of the instrumentation's files [--stats-limit]. The collection
	// ends before it is exceeded, with whole records in whole files, and says so; the run goes on. Each rank has an
	// equal share, and all stop when one has used its share. Default 0: no limit.
	Limit uint64
	// Discard collects samples without writing them, to measure the cost of collecting [--disable-output,
	// g_st_disable_out]. The description of the run, run.json, is written. Default false.
	Discard bool
}

// Checkpoints says which checkpoint a run starts from, and which it stores while it goes on (package rio).
type Checkpoints struct {
	// Restart names the checkpoint to start from [--io-restart]. "latest" means the newest complete checkpoint of
	// Name, or the beginning of the simulation without one. Default "": the beginning.
	Restart string
	// Name is the path and the beginning of the names of checkpoints that are stored during the run and that
	// Restart looks for; a number is appended [--io-name]. Default "checkpoint".
	Name string
	// Interval is the real time between two checkpoints of a running simulation, at most a billion seconds
	// [--io-interval]. Default 0: none.
	Interval time.Duration
	// VirtualInterval is the virtual time between two checkpoints of a running simulation, at least 0
	// [--io-virtual-interval]. They are stored at each of its multiples before the end, and the simulation waits until the
	// one before is written. One stands for several multiples if no event comes between them. Default 0: none.
	VirtualInterval float64
	// OnExit stores another checkpoint when a signal or the end of its context stops the run [--io-on-exit].
	// Default false.
	OnExit bool
	// Keep is the number of checkpoints of a running simulation that are kept, the newest ones, at least 1
	// [--io-keep]. Default 2.
	Keep int
	// AfterRun makes the run keep the events that are sent beyond its end, so that Simulation.Store can store them
	// (io_init). They take as much memory as events before the end. Settings of this group that load or store
	// checkpoints imply it, and so does Simulation.Load. Define returns an ErrModel if a type has states that cannot be
	// stored. Default false. It has no flag.
	AfterRun bool
	// Version is the version of the model that checkpoints contain (io_register_model_version): one line of at most 40
	// bytes. A run that starts from a checkpoint of another version has a note that names both. Default "", which means
	// the version of the program's module or, without one, the revision of its source, if the build knows them: a go build
	// under version control does, go run and go test do not. It has no flag.
	Version string
	// Files is the number of data files of a checkpoint, at least 1 [--io-files, g_io_number_of_files]. Default 1.
	// There is at most one for each PE; if more are asked for, the report says so.
	Files int
	// Compress compresses the partitions of checkpoints with LZ4 where that makes them smaller [--io-compress].
	// Default false.
	Compress bool
	// AsROSS loads checkpoints as ROSS does: the clock starts at 0, and each loaded event gets a fresh tie-breaker
	// and the priority 1 [--io-as-ross]. Otherwise the run goes on as if it had never stopped. Checkpoints stored by
	// ROSS are always loaded in this way, because they contain nothing more. Default false.
	AsROSS bool
	// OtherOptions allows a checkpoint that was stored with other seeds, or other values of the model's options,
	// than those of this run [--io-other-options]; differences are reported as a warning. Otherwise they are an
	// ErrCheckpoint. Options marked with Group.MayVary and options of the engine may always differ. Default false.
	OtherOptions bool
	// Branch has the random streams of the LPs begin anew in a run that starts from a checkpoint: as those of Seed and
	// Replication say, from the middle of their part of each stream (rng.Seeds.Branch) [--io-branch]. So runs with other
	// replications go on from one checkpoint in different ways, and none of them draws the numbers of a run from the
	// beginning. Streams that models keep in states go on. Without a checkpoint to start from it is an error.
	// Default false: a run goes on as if it had never stopped.
	Branch bool
}

// Sampling says when something is sampled: a sum of SampleByGVT, SampleByRealTime and SampleByVirtualTime.
type Sampling uint8

// The ways to sample.
const (
	SampleByGVT         Sampling = 1 << iota // at GVT computations
	SampleByRealTime                         // at intervals of real time
	SampleByVirtualTime                      // at virtual times
	SampleAll           = SampleByGVT | SampleByRealTime | SampleByVirtualTime
)

// Implementation is one of two implementations of the same data structure, which behave in the same way.
type Implementation uint8

// The implementations.
const (
	BestImplementation Implementation = iota // the fastest that the program has
	InC                                      // the one in C, if the program was built with it
	InGo                                     // the one in Go
)

var implementationNames = [...]string{"", "c", "go"}

// String returns the name that --pq, --avl and --buddy have for it.
func (i Implementation) String() string {
	if int(i) < len(implementationNames) {
		return implementationNames[i]
	}
	return fmt.Sprintf("Implementation(%d)", uint8(i))
}

// Binding says to which processors the threads of PEs are bound.
type Binding uint8

// The bindings.
const (
	// BindAuto binds to sockets, as BindSockets does, if the process may use four cores or more of each of several NUMA
	// nodes, and the PEs of the machine are at least as many as these cores. Otherwise it leaves threads to the system.
	BindAuto Binding = iota
	// BindNone leaves threads to the system.
	BindNone
	// BindCores binds each PE to a core, or to a hardware thread if there are more PEs than cores.
	BindCores
	// BindSockets binds each PE to the processors of a socket, or of a NUMA node where a socket has several.
	BindSockets
)

var bindingNames = [...]string{BindAuto: "auto", BindNone: "none", BindCores: "cores", BindSockets: "sockets"}

// allBindings are the values of --bind, for errors.
const allBindings = "none, cores, sockets or auto"

// String returns the name that --bind has for it.
func (b Binding) String() string {
	if int(b) < len(bindingNames) {
		return bindingNames[b]
	}
	return fmt.Sprintf("Binding(%d)", uint8(b))
}

// StatisticsForm says what becomes of the statistics of package stats at the end of a run: a sum of the constants.
type StatisticsForm uint8

// The forms.
const (
	StatisticsInReport StatisticsForm = 1 << iota // a table in the report
	StatisticsInFiles                             // <Prefix>-statistics.csv and .json in Instruments.Path
	StatisticsOfLPs                               // <Prefix>-statistics-lps.csv there, with a line for each LP
)
