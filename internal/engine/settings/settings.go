// Package settings has Settings: the options of a run, as the engine reads them. They have the
// groups and the names of ross.Config, from which package ross copies them by name, once. All
// packages of the engine read them, and none writes to them.
package settings

import (
	"math"
	"math/bits"
	"time"
)

// Defaults and bounds of ross.Config that other packages know too.

const (
	// DefaultLookahead is the lookahead of ROSS, which is not chosen for any model.
	DefaultLookahead = 0.005
	// DefaultBatch is the number of events that a parallel scheduler handles in one turn of its loop.
	DefaultBatch = 16
	// DefaultGVTInterval is the number of turns, or of milliseconds, between GVT computations.
	DefaultGVTInterval = 16
	// MinMemory is the least MaxMemory: below this not even empty pools fit.
	MinMemory = 256 << 10
)

// KPsMove is whether KPs move in runs whose Config leaves them free to. Tests of the engine change it.
var KPsMove = true

// Scheduler is a scheduler. The values are those of ROSS (--synch).
type Scheduler int

// The schedulers.
const (
	SynchSequential   Scheduler = iota + 1 // one PE, without rollback
	SynchConservative                      // parallel, without rollback
	SynchOptimistic                        // Time Warp
	SynchDebug                             // rolls back all events at the end, and compares
	SynchRealTime                          // Time Warp, with GVT by the clock
	SynchCheck                             // rolls back each event, and compares
)

// SynchAuto is sequential, conservative or optimistic, whichever is fastest. ROSS has no such
// scheduler, and its numbers go on from 6.
const SynchAuto Scheduler = 100

// Mode is the way in which a scheduler handles events.
type Mode uint8

// The modes.
const (
	Sequential   Mode = iota // one after the other, without undoing any
	Conservative             // in parallel, without undoing any
	Optimistic               // any event may be undone
)

// Settings are the settings of a run. A field is that of ross.Config of the same name, where its meaning stands.
type Settings struct {
	Synch         Scheduler
	PEs           int
	LPs           uint64
	NLP           uint64
	NKP           uint64
	End           float64
	WarmUp        float64
	ConsLookahead float64

	Seed        uint64
	Replication uint64
	Streams     Streams

	Tuning    Tuning
	MaxMemory uint64
	MaxChain  uint64

	ShortReport    bool
	ReportInterval float64
	Digest         bool
	DigestsOfLPs   bool // keep those of single LPs as well; only with Digest
	Statistics     int
	Quantiles      []float64
	Results        []string
	Watch          string
	Dir            string

	Instruments Instruments
	Checkpoints Checkpoints

	ClockRate uint64 // cycles a second, of the option --clock-rate, which no field of Config has
	Events    uint64 // that the model asks each PE for, by Config.AskEvents; 0: it does not say
	Knobs
}

// Streams are those of ross.Config.
type Streams struct {
	Seeds     [4]uint64
	CoreSeeds [4]uint64
	PerLP     uint64
}

// Tuning is that of ross.Config.
type Tuning struct {
	Batch           uint64
	GVTInterval     uint64
	FixedGVT        bool
	MaxOptLookahead float64
	FixedKPs        bool   // ask MovesKPs
	Bind            string // one of BindNone and its like; "": BindAuto
	PQ              string // c, go, or empty for the best there is
	AVL             string // likewise
	Buddy           string // likewise
	AVLSize         uint
	BuddySize       uint
	LZ4Knob         int
}

// Instruments are those of ross.Config.
type Instruments struct {
	Engine          uint8 // SampleByGVT, SampleByReal and SampleByVT
	Model           uint8 // likewise
	EveryGVTs       uint64
	RealInterval    time.Duration
	VirtualInterval float64
	VirtualEnd      float64
	WithoutPEs      bool
	KPs             bool
	LPs             bool
	Trace           int // a kernel.TraceKind
	TraceExact      bool
	Path            string
	Prefix          string
	BufferSize      uint64
	BufferFree      uint64
	Limit           uint64
	Discard         bool
}

// Checkpoints are those of ross.Config.
type Checkpoints struct {
	Restart         string
	Name            string
	Interval        time.Duration
	VirtualInterval float64
	OnExit          bool
	Keep            uint64
	Files           uint64
	Compress        bool
	AsROSS          bool
	OtherOptions    bool
	Branch          bool
}

// Values of Tuning.Bind.
const (
	BindAuto    = "auto"
	BindNone    = "none"
	BindCores   = "cores"
	BindSockets = "sockets"
)

// Knobs are settings that tests vary. No result may depend on them.
type Knobs struct {
	Window      int             // size of the event queue's window; 0: the default
	RingSize    int             // capacity of the channels between PEs, in events; 0: the default
	RemoteWorth int             // events that justify a message to another rank; 0: the default
	InitOrder   func(i int) int // index of the LP that is initialized i-th
	Moves       bool            // KPs move, whatever KPsMove says, unless FixedKPs forbids it
	Shift       uint64          // GVTs from one move of KPs at random to the next; 0: KPs move when they should
	Probe       time.Duration   // length of each stretch and trial of SynchAuto; 0: as long as is good
	// most events of a stretch under one scheduler, or GVTs, at random; 0: as long as is good
	Stretch uint64
	Sweep   uint64 // cancelled events from which on the queue is swept; 0: the default
	// number of the last checkpoint of a run that stores them by real time; 0: none is the last
	MostStored uint64
	Refuse     func(bytes uint64) bool // whether memory is refused although there is some; nil: never
	Turn       Turn                    // nil: goroutines run as Go schedules them
}

// Turn is called by a goroutine of a run where others may run before it goes on; what is the place. A
// test that lets it return in one goroutine at a time decides about the order of everything in the
// run (package internal/testing/turns). Goroutines are PEs, by their numbers over all ranks, and Main and Writer
// of each rank.
type Turn func(goroutine int, what string)

// At calls the function, if there is one.
func (t Turn) At(goroutine int, what string) {
	if t != nil {
		t(goroutine, what)
	}
}

// Main returns the number of the goroutine of a rank that called Run.
func Main(rank int) int { return -1 - 2*rank }

// Writer returns the number of the goroutine of a rank that writes a checkpoint.
func Writer(rank int) int { return -2 - 2*rank }

// Mode returns the way in which the scheduler handles events.
func (c *Settings) Mode() Mode {
	switch c.Synch {
	case SynchConservative:
		return Conservative
	// SynchDebug and SynchCheck undo what they have handled.
	// SynchAuto may do so at any time.
	case SynchOptimistic, SynchRealTime, SynchDebug, SynchCheck, SynchAuto:
		return Optimistic
	}
	return Sequential
}

// Sequential reports whether the scheduler handles one event after the other, on one PE.
func (c *Settings) Sequential() bool { return c.Mode() == Sequential || c.Checks() }

// MovesKPs reports whether KPs may move between the PEs of a process.
func (c *Settings) MovesKPs() bool { return !c.Tuning.FixedKPs && (KPsMove || c.Moves) }

// StoresRunning reports whether checkpoints are stored while the simulation runs.
func (c *Settings) StoresRunning() bool {
	return c.Checkpoints.Interval > 0 || c.Checkpoints.VirtualInterval > 0 || c.Checkpoints.OnExit
}

// KeepsSent reports whether the engine keeps a copy of each message as it was sent. For the
// digest, an optimistic scheduler needs the copy when it commits an event, long after Event
// may have written to the message. The check of rollback uses it to find out who writes to
// a message. What is shown of the events of a watched LP is the message as it was sent, too.
func (c *Settings) KeepsSent() bool {
	return c.Synch == SynchCheck || (c.Digest || c.Watch != "") && c.Mode() == Optimistic
}

// Memory is taken in pieces. Each PE has some parts whose last piece is not full; all of
// these together are a small share of the memory.
const (
	leastPiece = 4 << 10  // bytes
	mostPiece  = 64 << 10 // bytes
	pieces     = 64       // of each PE
)

// Piece returns the size of a piece in bytes, a power of two.
func (c *Settings) Piece() uintptr {
	n := uintptr(mostPiece)
	for n > leastPiece && uint64(n)*pieces*uint64(c.PEs) > c.MaxMemory {
		n /= 2
	}
	return n
}

// RealTimeInterval returns the interval of GVT in cycles, or 0 if the scheduler does not
// compute GVT by the clock (g_tw_gvt_realtime_interval).
func (c *Settings) RealTimeInterval() uint64 {
	if c.Synch != SynchRealTime {
		return 0
	}
	if high, low := bits.Mul64(c.Tuning.GVTInterval, c.ClockRate); high < 1000 {
		cycles, _ := bits.Div64(high, low, 1000)
		return cycles
	}
	return math.MaxUint64
}

// Checks reports whether the scheduler checks rollback.
func (c *Settings) Checks() bool { return c.Synch == SynchDebug || c.Synch == SynchCheck }

// PointBefore returns the last sampling point before a time, or 0 if there is none. It adds
// up the interval as the sampling itself does, so that a run from a checkpoint has the same
// points as one that was not stopped.
func (c *Settings) PointBefore(clock float64) float64 {
	const most = 1 << 30 // steps of addition; a step takes about a nanosecond
	at := 0.0
	if clock/c.Instruments.VirtualInterval > most {
		at = min(math.Floor(clock/c.Instruments.VirtualInterval-1)*c.Instruments.VirtualInterval, math.Nextafter(clock, 0))
	}
	for next := at + c.Instruments.VirtualInterval; next < clock && next > at; next += c.Instruments.VirtualInterval {
		at = next
	}
	return at
}

// ExactTrace reports whether there is an event trace with exact blocks.
func (c *Settings) ExactTrace() bool { return c.Instruments.Trace != 0 && c.Instruments.TraceExact }

// LastPoint returns the virtual time after which there are no samples.
func (c *Settings) LastPoint() float64 {
	if c.Instruments.VirtualEnd > 0 {
		return c.Instruments.VirtualEnd
	}
	return c.End
}

// Values of Instruments.Engine and Instruments.Model.
const (
	SampleByGVT  = 1 << iota // at GVT
	SampleByReal             // by real time
	SampleByVT               // at virtual times
)

// Asks reports whether an option asks for samples by a mode.
func Asks(option, mode uint8) bool { return option&mode != 0 }

// Samples reports whether the engine is sampled by a mode.
func (c *Settings) Samples(mode uint8) bool { return Asks(c.Instruments.Engine, mode) }

// SamplesVT reports whether there are samples at virtual times.
func (c *Settings) SamplesVT() bool {
	return c.Samples(SampleByVT) || Asks(c.Instruments.Model, SampleByVT)
}

// Collects reports whether anything is collected.
func (c *Settings) Collects() bool {
	in := &c.Instruments
	return in.Engine != 0 || in.Model != 0 || in.Trace != 0 || c.StatisticsFiles() || c.StatisticsOfLPs()
}

// StatisticsReport, StatisticsFiles and StatisticsOfLPs report whether the statistics of the model are shown in
// the report, written to files, and written to a file with a line for each LP.
func (c *Settings) StatisticsReport() bool { return c.Statistics&1 != 0 || len(c.Results) > 0 }
func (c *Settings) StatisticsFiles() bool  { return c.Statistics&2 != 0 }
func (c *Settings) StatisticsOfLPs() bool  { return c.Statistics&4 != 0 }
