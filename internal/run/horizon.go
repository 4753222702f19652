// This file owns the horizon: the virtual time from which on a scheduler must decide before it
// handles an event; and how a conservative PE comes to a place at which PEs may leave their loops, or be copied.

package run

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/timewarp"
	"github.com/ross-go/ross/report"
)

// limitTime sets the horizon after a new GVT.
func (pe *PE) limitTime() {
	switch {
	case pe.Conservative():
		if !pe.closes() {
			pe.setLine()
		}
		pe.Horizon = pe.line
		if pe.Hook.Kind == kernel.HookAt { // events beyond the hook could not be undone
			pe.LookFrom(kernel.TimeBits(pe.Hook.Sig.Time))
		}
	case math.IsInf(pe.Run.Set.Tuning.MaxOptLookahead, 1):
		pe.Horizon = kernel.Never
	default:
		// An event at the end of the window belongs to it, so a window of 0 allows all
		// events of one time.
		pe.Horizon = kernel.TimeBits(pe.Bound.Key.Time()+pe.Run.Set.Tuning.MaxOptLookahead) + 1
	}
	pe.LookFrom(min(pe.Last, pe.cp.StoreAt))
	pe.limitToStop()
}

// Cross decides whether an event at or beyond the horizon may be handled. If it must wait,
// Cross puts it back into the queue; if it has lapsed, Cross frees it.
func (pe *PE) Cross(k event.Key, e *event.Event) bool {
	if pe.HasLapsed(e) { // nothing is due because of it
		pe.DropLapsed(e, k.Index())
		return false
	}
	if alone := pe.Sequential() || pe.Checked; k.TS >= pe.cp.StoreAt && !(alone && pe.pastStop(e)) {
		pe.Queue.PutBack(k)
		if alone {
			pe.pauseForCheckpoint(e)
			return false
		}
		pe.WaitFor(timewarp.WaitGVT) // at which all PEs stop for the checkpoint
		pe.StopBatch()
		return false
	}
	if k.TS >= pe.Last || pe.inOrder() && pe.pastStop(e) {
		pe.Queue.PutBack(k)
		pe.WaitFor(timewarp.WaitEnd)
		pe.StopBatch()
		return false
	}
	if pe.Sequential() {
		if pe.Run.HookTakes && pe.hookDue(e) { // the event may be one that the hook takes
			pe.Queue.PutBack(k)
			pe.fireHook(false)
			return false
		}
		pe.reachHorizon(e)
		return pe.Err == nil
	}
	if pe.Checked || pe.IsReached(e) && !(pe.closes() && k.TS >= pe.line) {
		return true // nothing earlier can arrive: it is no speculation
	}
	pe.Queue.PutBack(k)
	pe.WaitFor(timewarp.WaitGVT)
	pe.StopBatch()
	return false
}

// pauseForCheckpoint is called in a run without GVT before e, the first event at or after the time of a checkpoint. It
// calls the hook first if that is due before the checkpoint.
func (pe *PE) pauseForCheckpoint(e *event.Event) {
	next := e.Time
	if pe.hookDue(e) {
		if at := pe.Hook.Sig.Time; pe.Hook.Kind == kernel.HookAt && kernel.TimeBits(at) > pe.cp.StoreAt {
			next = min(next, at)
		} else {
			if pe.check != nil {
				pe.check.Forget()
			}
			pe.fireHook(false)
			return
		}
	}
	pe.cp.PauseForCheckpoint(next)
}

// reachHorizon does what is due before event e: it calls the GVT hook and prints a progress
// line.
func (pe *PE) reachHorizon(e *event.Event) {
	for pe.hookDue(e) {
		pe.fireHook(false)
	}
	pe.GVT = e.Time
	if pe.progress.Due(e.Time) {
		pe.reportProgress()
		if err := pe.Run.Out.Err(); err != nil {
			pe.Fail(err)
		}
	}
	pe.setHorizon()
}

// stopped returns the error of a run that its context stops, or nil if the context has not
// ended.
func (pe *PE) stopped(ctx context.Context) error {
	err := ctx.Err()
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != err {
		err = fmt.Errorf("%w: %w", err, cause)
	}
	return fmt.Errorf("ross: run stopped at time %g of %g: %w", pe.GVT, pe.End, err)
}

// reportProgress prints a progress line.
func (pe *PE) reportProgress() {
	if pe.Run.Out.ProgressTaken() {
		return
	}
	_ = report.WriteProgress(pe.Run.Report, report.ProgressLine{
		AVLSize: pe.InTrees(), GVTNumber: pe.Counts.GVTs, Percent: pe.progress.Percent(pe.GVT), MaxQueue: pe.MaxPending(),
		GVT: pe.GVT, Now: time.Now(),
	})
}

// A conservative PE commits events up to its horizon, which is beyond GVT by the lookahead. So GVT alone does not
// tell what has been committed, and whoever goes on from there in another way (KPs on other PEs, one PE alone, another
// scheduler, a checkpoint) would handle events that are before others that have been committed. Therefore the PEs close
// first: the horizon stays where it was, at the line, and they go on until GVT has come to it. Then all events
// before the line are committed, and no others.

// closes reports whether the PE is to leave its loop or to be copied, and handles the events before the line
// until then.
func (pe *PE) closes() bool {
	return pe.Conservative() && (pe.state == leaving || pe.cp.Closes())
}

// closed reports whether GVT has come to the line, so that all that is committed is before all that is not.
// In an optimistic run, which has undone what is not before GVT, it always has.
func (pe *PE) closed() bool {
	return !pe.Conservative() || pe.Bound.Key.TS >= pe.line
}

// setLine notes up to where conservative PEs may handle events from now on: to the lookahead, but not beyond the time
// of the next checkpoint. All PEs of all ranks have the same line, since they have the same GVT.
func (pe *PE) setLine() {
	if pe.line = pe.Bound.Key.TS; pe.GVTIs != timewarp.GVTEarly {
		pe.line = min(kernel.TimeBits(pe.Bound.Key.Time()+pe.Run.Set.ConsLookahead), pe.cp.StoreAt)
	}
}
