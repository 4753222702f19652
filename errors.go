// This file owns the errors of a run: the mistakes that models can make, ModelError, and the hints of the report about
// what is probably not meant.

package ross

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/sys/usage"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/rng"
)

// Errors that end a run. If an LP made the mistake, Run returns them wrapped in a *ModelError,
// which says what the LP did, at what time, and how to fix it. Errors about hooks and about the
// engine itself have none.
var (
	// ErrDelay: a delay that is negative, NaN or infinite.
	ErrDelay = kernel.ErrDelay
	// ErrDestination: an event sent to an LP that does not exist.
	ErrDestination = kernel.ErrDestination
	// ErrPriority: a priority that is NaN or outside [0, 1].
	ErrPriority = kernel.ErrPriority
	// ErrOrder: an event with delay 0 whose priority would put it before the event that
	// sends it.
	ErrOrder = kernel.ErrOrder
	// ErrMessageType: a message that is not of the receiving LP's type.
	ErrMessageType = kernel.ErrMessageType
	// ErrOutsideHandler: a send by an LP whose handler is not running.
	ErrOutsideHandler = kernel.ErrOutsideHandler
	// ErrMemory: the run needs more memory than --max-memory allows.
	ErrMemory = kernel.ErrMemory
	// ErrHook: a GVT hook asked for a time that is past, or for a trigger that its scheduler
	// does not have.
	ErrHook = kernel.ErrHook
	// ErrLookahead: in a conservative run, and under Auto, an event sent with a delay below the lookahead to
	// an LP that the mapping gives to another PE; in these runs, and with --synch=4 or 6, one sent to any other LP
	// with a delay below the Type.Lookahead of the sender; or LP.Stop, or LP.StopAfter with a delay below the
	// lookahead of the run (see Type.NeverStops for Auto).
	ErrLookahead = kernel.ErrLookahead
	// ErrSave: Save was called for a value that the engine cannot restore, or Alloc, Free or
	// Block.Of was misused.
	ErrSave = kernel.ErrSave
	// ErrReverse: with --synch=4 or 6, an event whose rollback does not restore everything, or
	// that does something else when it is handled again. With --synch=6 also a handler that reads
	// statistics of package stats, which lack what is not committed yet.
	ErrReverse = kernel.ErrReverse
	// ErrRecord: a statistic of package stats was given NaN or an infinite number, or was
	// recorded to from Reverse or by another LP.
	ErrRecord = kernel.ErrRecord
	// ErrBits: an index of Bits above 31.
	ErrBits = kernel.ErrBits
	// ErrTimer: a timer cancelled by an LP to which it does not belong, or outside a handler.
	ErrTimer = kernel.ErrTimer
	// ErrChain: a chain of more than Config.MaxChain events without delay, each sent by the one
	// before.
	ErrChain = kernel.ErrChain
	// ErrPanic: a handler panicked.
	ErrPanic = kernel.ErrPanic
	// ErrEngine: the engine itself panicked, which is a bug of the engine and not a mistake of
	// the model. The run ends at once, without the rest of the report.
	ErrEngine = kernel.ErrEngine
)

// ErrModel is wrapped by the error of Define about an LP type that cannot be simulated, for
// example one with a message that holds pointers or with a missing handler, and about a type
// map that names no type.
var ErrModel = kernel.ErrModel

// ModelError is the error that Run returns when a model makes a mistake that ends the run.
type ModelError struct {
	LP    LPID    // LP that made the mistake
	Label string  // what the model calls the LP (Type.Label), or ""
	Type  string  // name of its type
	Time  float64 // virtual time of its event
	What  string  // what the LP did
	Fix   string  // what to do about it
	Err   error   // one of the Err variables of this package, or the model's own error

	Message string // Go type of the message that the LP was handling, or ""
	Causes  string // likely causes, where the symptom tells them, or ""
	Stack   string // after a panic, the whole stack of the goroutine; otherwise ""

	several bool // LPs of its type receive several messages
}

// Error returns one line that says what was wrong, where, and how to fix it, with likely causes. After a
// panic the model's part of the stack follows, the innermost function first; Stack has all of it.
func (e *ModelError) Error() string {
	handling := ""
	if e.several {
		handling = ", handling " + e.Message
	}
	s := fmt.Sprintf("ross: %s (%s) at time %g%s: %s: %v", kernel.NameOf(uint64(e.LP), e.Label), e.Type, e.Time, handling,
		e.What, usage.Within(e.Err))
	if e.Fix != "" {
		s += ": " + e.Fix
	}
	causes := "; "
	if e.Stack != "" {
		s += ":\n" + kernel.FoldStack(e.Stack)
		causes = "\n\t"
	}
	if e.Causes != "" {
		s += causes + e.Causes
	}
	return s
}

// Unwrap returns Err.
func (e *ModelError) Unwrap() error { return e.Err }

// newError returns the ModelError for a mistake that the engine has found.
func newError(m kernel.Mistake) error {
	return &ModelError{LP: LPID(m.LP), Label: m.Label, Type: m.Type, Time: m.Time, What: m.What, Fix: m.Fix, Err: m.Err,
		Message: m.Message, Causes: m.Causes, Stack: m.Stack, several: m.Several}
}

// timeOf returns the virtual time of a ModelError; ok is false for other errors.
func timeOf(err error) (at float64, ok bool) {
	var mistake *ModelError
	if !errors.As(err, &mistake) {
		return 0, false
	}
	return mistake.Time, true
}

// ExitCode returns the exit status of a program that ends with err: 0 for nil, 2 for settings
// that cannot be used, 128 + the number of a signal (130 for Ctrl-C, see WithSignals), and 1
// for anything else. For an error of another rank, or one that has ended, it is that rank's status.
func ExitCode(err error) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, ErrUsage):
		return 2
	}
	var together *ranks.Failure
	if errors.As(err, &together) {
		return together.First.Code
	}
	var interrupt *Interrupt
	if errors.As(err, &interrupt) {
		return 128 + int(interrupt.Signal)
	}
	if status := ranks.LossStatus(err); status != 0 {
		return status
	}
	return 1
}

// mostRanges is the maximum number of ranges of PEs that a hint lists.
const mostRanges = 8

// idlePEs returns a hint about PEs without LPs, or "" if all PEs have LPs. Linear and
// round-robin mappings give each PE at least one if there are enough.
func idlePEs(m *mapping.Map) string {
	if m.Kind() != mapping.Custom && m.Total() >= m.NumPEs() {
		return ""
	}
	var ranges []string
	idle, npe := uint64(0), m.NumPEs()
	for pe := uint64(0); pe < npe; pe++ {
		first := pe
		for pe < npe && m.NumLPs(pe) == 0 {
			pe++
		}
		if pe == first {
			continue
		}
		idle += pe - first
		switch text := strconv.FormatUint(first, 10); {
		case len(ranges) == mostRanges:
			ranges = append(ranges, "...")
		case len(ranges) > mostRanges:
		case pe-first == 1:
			ranges = append(ranges, text)
		default:
			ranges = append(ranges, text+" to "+strconv.FormatUint(pe-1, 10))
		}
	}
	if idle == 0 {
		return ""
	}
	who, has := "PEs", "have"
	if idle == 1 {
		who, has = "PE", "has"
	}
	why := fmt.Sprintf(
		"the mapping gives them none; Config.PEs (--pes) counts the PEs of one rank; use a mapping.For, or Simulation.NumPEs, which is %d here", npe)
	if m.Total() < npe {
		why = fmt.Sprintf("the run has %d LPs for %d PEs; use fewer PEs", m.Total(), npe)
	}
	return fmt.Sprintf("%s %s %s no LPs: %s", who, strings.Join(ranges, ", "), has, why)
}

// dependentSeeds returns a hint about seeds with a pattern, or "" if they have none. name is
// the name of their flags without the digit.
func dependentSeeds(name string, seeds rng.Seeds) string {
	if !seeds.Patterned() {
		return ""
	}
	return fmt.Sprintf("--%s1 to 4 are %d %d %d %d: runs with such a pattern of seeds are not independent replications, "+
		"because seeds that are multiples of each other draw multiples of the same numbers; "+
		"give each run another --replication, another --seed, or four seeds without a pattern, as rng.SeedsOf makes them",
		name, seeds[0], seeds[1], seeds[2], seeds[3])
}

// lateWarmUp returns a hint about statistics that begin when the run is over, or "" if they begin
// before. A run that an LP stops, or that has no end, is checked when it is over.
func lateWarmUp(warmUp, end float64) string {
	if warmUp < end {
		return ""
	}
	return fmt.Sprintf(
		"the statistics of the model will be empty: they begin at --warm-up=%g, and the run ends at --end=%g; give an earlier --warm-up or a later --end", warmUp, end)
}
