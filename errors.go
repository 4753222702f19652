// This file owns the errors of a run: what models can do wrong, and how it is
// told.

package ross

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/mem"
	"github.com/ross-go/ross/internal/ranks"
)

// Errors that end a run. Run returns them wrapped in a *ModelError that says
// which LP did what at what time, and what to do about it.
var (
	// ErrDelay: a delay that is negative, NaN or infinite.
	ErrDelay = errors.New("bad delay")
	// ErrDestination: an event sent to an LP that does not exist.
	ErrDestination = errors.New("no such LP")
	// ErrPriority: a priority that is NaN or outside [0, 1].
	ErrPriority = errors.New("bad priority")
	// ErrOrder: an event with delay 0 whose priority would put it before the
	// event that sends it.
	ErrOrder = errors.New("event would be before its sender's")
	// ErrMessageType: a message that is not of the receiving LP's type.
	ErrMessageType = errors.New("wrong message type")
	// ErrOutsideHandler: a send by an LP whose handler is not running.
	ErrOutsideHandler = errors.New("send outside a handler")
	// ErrMemory: the run needs more memory than --max-memory allows.
	ErrMemory = mem.ErrLimit
	// ErrHook: a GVT hook that asks to be called again for a time that is past.
	ErrHook = errors.New("trigger is past")
	// ErrLookahead: in a conservative run, an event sent to another PE with less
	// than --cons-lookahead.
	ErrLookahead = errors.New("lookahead violated")
	// ErrSave: a value that the engine cannot put back was given to Save, or memory
	// was asked for, or given back, that Alloc does not have.
	ErrSave = errors.New("cannot be saved")
	// ErrReverse: with --synch=4 or 6, an event whose rollback leaves something
	// behind, or that does something else when it is handled again.
	ErrReverse = errors.New("bad rollback")
	// ErrBits: a bit of Bits that does not exist.
	ErrBits = errors.New("no such bit")
	// ErrChain: more events without delay than Config.MaxChain, each sent by the one before.
	ErrChain = errors.New("endless chain")
	// ErrPanic: a handler panicked.
	ErrPanic = errors.New("handler panicked")
	// ErrEngine: the engine itself panicked, which is a bug of it and not a mistake of the
	// model. It does not come with a *ModelError. The run ends at once, without the rest of
	// the report.
	ErrEngine = errors.New("this is a bug of the engine: report it with the model")
)

// ErrModel is wrapped by what Define returns about a type of LP that cannot be
// simulated: a message that holds pointers, a missing handler, a type map that
// names no type.
var ErrModel = errors.New("unusable model")

// ModelError is what Run returns when a model did something that ends a run.
type ModelError struct {
	LP   LPID    // LP that did it
	Type string  // name of its type
	Time float64 // virtual time of its event
	What string  // what it did
	Fix  string  // what to do about it
	Err  error   // one of the errors above, or the model's own
}

// Error says what was wrong, where, and how to fix it, on one line.
func (e *ModelError) Error() string {
	s := fmt.Sprintf("ross: LP %d (%s) at time %g: %s: %v", e.LP, e.Type, e.Time, e.What, e.Err)
	if e.Fix != "" {
		s += ": " + e.Fix
	}
	return s
}

// Unwrap returns Err.
func (e *ModelError) Unwrap() error { return e.Err }

// loseEvent counts out the event in which the model failed, where it can be
// neither undone nor committed. collect counts out those of other schedulers.
func (pe *PE) loseEvent() {
	if pe.mode != optimistic && pe.cur != nil && pe.cur.State == event.Running {
		pe.counts.Lost = 1
	}
}

// fail ends the run with err at the next event. The first error stays.
func (pe *PE) fail(err error) {
	if pe.running != nil {
		pe.loseEvent()
	}
	var old, mistake *ModelError
	if pe.err == nil || pe.mode == optimistic && errors.As(pe.err, &old) && errors.As(err, &mistake) && mistake.Time < old.Time {
		pe.err = err // KPs commit one after the other: the earliest is the one to tell
	}
	pe.stopBatch()
}

// queueError returns nil, or that the system refused memory for the keys of pending events.
// It names the LP that handled an event last, which is at most a window of events after
// the one that sent too many.
func (pe *PE) queueError() error {
	err := pe.q.Err()
	lp := cmp.Or(pe.running, pe.lastLP)
	switch {
	case err == nil:
		return nil
	case lp == nil:
		return fmt.Errorf("ross: PE %d: %w", pe.id, err)
	}
	return &ModelError{
		LP: lp.id, Type: lp.typ.name, Time: lp.now,
		What: fmt.Sprintf("handled an event, with %d pending", pe.q.Len()), Err: err,
	}
}

// blame ends the run with a mistake of an LP's model.
func (lp *LP) blame(err error, fix, format string, args ...any) {
	lp.report(&ModelError{
		LP: lp.id, Type: lp.typ.name, Time: lp.now,
		What: fmt.Sprintf(format, args...), Fix: fix, Err: err,
	})
}

// report ends the run with an error of an LP. What happens in an event that may
// never be is reported when it is certain to have been.
func (lp *LP) report(err error) {
	if pe := lp.pe; pe.mode == optimistic && pe.running == lp && pe.cur != nil {
		lp.note(note{err: err})
		return
	}
	lp.pe.fail(err)
}

// Fail ends the run with an error of the model's own, such as a state that must
// not occur. Run returns it wrapped in a *ModelError. The handler goes on; what
// it sends after this is void.
func (lp *LP) Fail(err error) { lp.blame(err, "", "the model gave up") }

// ExitCode returns the exit status of a program that ends with err: 0 for nil,
// 2 for settings that cannot be used, 128 + its number for a signal (130 for Ctrl-C,
// see WithSignals), 1 for anything else. For an error of another rank it is that
// rank's status.
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
	return 1
}
