// This file owns the errors of a run: the mistakes that models can make, and how they are
// reported.

package kernel

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"runtime/debug"
	"strings"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/sys/mem"
)

// Errors that end a run. Package ross documents them.
var (
	ErrDelay          = errors.New("bad delay")
	ErrDestination    = errors.New("no such LP")
	ErrPriority       = errors.New("bad priority")
	ErrOrder          = errors.New("event would be before its sender's")
	ErrMessageType    = errors.New("wrong message type")
	ErrOutsideHandler = errors.New("send outside a handler")
	ErrMemory         = mem.ErrLimit
	ErrHook           = errors.New("trigger is past")
	ErrLookahead      = errors.New("lookahead violated")
	ErrSave           = errors.New("cannot be saved")
	ErrReverse        = errors.New("bad rollback")
	ErrBits           = errors.New("no such bit")
	ErrTimer          = errors.New("timer cannot be cancelled")
	ErrRecord         = errors.New("cannot be recorded")
	ErrChain          = errors.New("endless chain")
	ErrPanic          = errors.New("handler panicked")
	ErrEngine         = errors.New("this is a bug in the engine: report it with the model")
	ErrModel          = errors.New("unusable model")
)

// LoseEvent counts out the event in which the model failed, for schedulers that can neither
// undo nor commit it. Optimistic schedulers count such events in fossil collection.
func (pe *PE) LoseEvent() {
	if !pe.KeepsHistory() && pe.Current != nil && pe.Current.State == event.Running {
		pe.Counts.Lost = 1
	}
}

// Fail ends the run with err at the next event. The first error is kept, except that an
// optimistic PE, whose KPs commit one after the other, keeps the model's earliest mistake. A mistake
// in an event of a conservative PE ends the run when GVT has come to that event: until then others may
// make one that is earlier.
func (pe *PE) Fail(err error) {
	if pe.Running != nil {
		pe.LoseEvent()
		pe.keepMistake(err)
	}
	if pe.Err == nil || pe.Undoes() && pe.Run.isBefore(err, pe.Err) {
		pe.Err = err
	}
	pe.StopBatch()
}

// isBefore reports whether both errors are mistakes of the model and err is the earlier one
// in virtual time.
func (r *Run) isBefore(err, other error) bool {
	at, ok := r.TimeOf(err)
	then, too := r.TimeOf(other)
	return ok && too && at < then
}

// First returns the errors that are not mistakes of the model, and the model's earliest
// mistake in virtual time, or nil if it made none.
func (r *Run) First(all iter.Seq[error]) (others []error, first error) {
	for err := range all {
		switch _, mistake := r.TimeOf(err); {
		case err == nil:
		case !mistake:
			others = append(others, err)
		case first == nil || r.isBefore(err, first):
			first = err
		}
	}
	return others, first
}

// QueueError returns an error if the system refused memory for the keys of pending events,
// and nil otherwise. The error names the LP that handled an event last, which is at most a
// window of events after the one that sent too many.
func (pe *PE) QueueError() error {
	err := pe.Queue.Err()
	lp := cmp.Or(pe.Running, pe.LastLP)
	switch {
	case err == nil:
		return nil
	case lp == nil:
		return fmt.Errorf("ross: PE %d: %w", pe.ID, err)
	}
	return lp.errorOf(lp.mistake(err, "", fmt.Sprintf("handled an event, with %d pending", pe.Queue.Len())))
}

// Blame ends the run with a mistake of an LP's model. A mistake in an event that may be
// undone is reported when the event is committed.
func (lp *LP) Blame(err error, fix, format string, args ...any) {
	lp.BlameWith(err, fix, "", format, args...)
}

// BlameWith is Blame for a mistake whose likely causes are known.
func (lp *LP) BlameWith(err error, fix, causes, format string, args ...any) {
	m := lp.mistake(err, fix, fmt.Sprintf(format, args...))
	m.Causes = causes
	err = lp.errorOf(m)
	if pe := lp.PE; pe.KeepsHistory() && pe.Running == lp && pe.Current != nil {
		lp.NoteMistake(err)
		return
	}
	lp.PE.Fail(err)
}

// mistake describes a mistake of an LP's model.
func (lp *LP) mistake(err error, fix, what string) Mistake {
	m := Mistake{LP: lp.ID, Label: lp.Type().LabelOf(lp.ID), Type: lp.Type().Name, Time: lp.Now, What: what, Fix: fix,
		Err: err}
	if pe := lp.PE; pe.Current != nil && pe.At(pe.Current.Dst) == lp {
		m.Message, m.Several = pe.MessageOf(pe.Current).Name, len(lp.Type().Messages) > 1
	}
	return m
}

// errorOf returns the error for a mistake of an LP's model.
func (lp *LP) errorOf(m Mistake) error {
	if lp.PE.mayBeUndone(m.Err) {
		m.Causes = strings.TrimPrefix(m.Causes+"; "+causesOfRollback, "; ")
	}
	return lp.PE.Run.NewError(m)
}

// panicked returns the error for a panic in a handler or in the engine.
func (pe *PE) panicked(r any) error {
	stack := string(debug.Stack())
	lp := pe.Running
	if lp == nil {
		lp = pe.Shown
	}
	if lp == nil && pe.Current != nil { // Reverse
		lp = pe.At(pe.Current.Dst)
	}
	switch {
	case lp == nil && pe.Hook.Runs:
		return fmt.Errorf("ross: panic in a hook at time %g: %v: %w: see the stack:\n%s", pe.GVT, r, ErrPanic,
			FoldStack(stack))
	case lp == nil:
		return fmt.Errorf("ross: PE %d: panic of the engine at time %g: %v: %w: see the stack:\n%s", pe.ID, pe.GVT, r,
			ErrEngine, stack)
	}
	if b, ok := r.(BadBit); ok {
		return lp.errorOf(lp.mistake(ErrBits, "bits go from 0 to 31", fmt.Sprintf("Bits.%s(%d)", b.Method, b.I)))
	}
	m := lp.mistake(ErrPanic, "see the stack", fmt.Sprintf("panic: %v", r))
	m.Stack, m.Causes = stack, lp.causesOfPanic(r)
	return lp.errorOf(m)
}
