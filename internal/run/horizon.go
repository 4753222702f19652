// This file owns the horizon: the virtual time from which on a scheduler must decide before it
// handles an event.

package run

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/timewarp"
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
		AVLSize: pe.Remembered(), GVTNumber: pe.Counts.GVTs, Percent: pe.progress.Percent(pe.GVT), MaxQueue: pe.MaxPending(), GVT: pe.GVT, Now: time.Now(),
	})
}
