// This file owns the schedulers that check rollback. The sequential one (--synch=6) has package check check each event.
// The optimistic one (--synch=4) handles events without GVT, so that none is committed, until there are no more. Then
// it rolls all of them back and checks that everything is as it was before the first (tw_scheduler_optimistic_debug in
// ROSS).

package run

import (
	"context"
	"errors"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/timewarp"
)

// handleChecked handles and checks at most pe.Left events of the window.
func (pe *PE) handleChecked() {
	for n := pe.Left; n > 0 && pe.Err == nil; n-- {
		k, ok := pe.Queue.Min()
		if !ok {
			break
		}
		e := pe.Arena.At(k.Index())
		if pe.HasLapsed(e) {
			_, _ = pe.Queue.Pop()
			pe.DropLapsed(e, k.Index())
			pe.check.Lapsed(1)
			continue
		}
		past := k.TS >= pe.Horizon && pe.pastStop(e)
		if k.TS >= pe.cp.StoreAt && !past {
			if pe.pauseForCheckpoint(e); pe.WaitsFor(timewarp.WaitCheckpoint) {
				break
			}
			continue // the hook may have taken the event
		}
		if k.TS >= pe.Last || past {
			pe.WaitFor(timewarp.WaitEnd)
			break
		}
		if k.TS >= pe.Horizon {
			if pe.hookDue(e) { // the hook may change any state
				if pe.check.Forget(); pe.Run.HookTakes { // and take the event
					pe.fireHook(false)
					continue
				}
			}
			if pe.reachHorizon(e); pe.Err != nil {
				break
			}
		}
		pe.check.Event(e, k.Index())
	}
	pe.Left = 0
}

// undoneBytes is the memory that the rollback of an event may take in addition to what the
// event has already: its key goes back to the queue.
const undoneBytes = 64

// debug handles all events, rolls them back, and compares the states.
func (pe *PE) debug(ctx context.Context) error {
	c := pe.check
	c.Begin()
	pe.Bound = gvt.Bound{} // so that nothing is committed
	pe.Horizon = kernel.Never
	before, err := c.InitialEvents()
	if err != nil {
		return err
	}
	if err := pe.runAhead(ctx); err != nil {
		return err
	}
	if stop := pe.FirstStop(); stop != nil {
		pe.noteStop(stop)
	}
	n := pe.Uncommitted
	_, mistake := pe.FirstMistake()
	pe.RollbackTo(&pe.Bound)
	if pe.Err == nil {
		pe.Err = pe.QueueError()
	}
	if c.When = "after Init"; pe.Err == nil {
		c.CompareAll(n)
		c.ComparePending(n, before)
	}
	c.Forget()
	c.Checked = uint64(n)
	return errors.Join(mistake, pe.Err)
}

// runAhead handles events until none is left, memory is short, or the model has reported a
// mistake.
func (pe *PE) runAhead(ctx context.Context) error {
	for pe.Err == nil && !pe.HasMistake() {
		if err := pe.stopped(ctx); err != nil {
			return err
		}
		if pe.Queue.Empty() {
			if pe.Refill(); pe.Queue.Empty() {
				break
			}
		}
		if pe.WaitsFor(timewarp.WaitEnd) {
			break
		}
		reserve := uint64(pe.Uncommitted+burst) * undoneBytes
		if pe.Waits() || pe.Budget.Used()+reserve > pe.Budget.Limit() {
			pe.Run.Printf("Memory limit reached after %d events: they are rolled back now\n\n", pe.Uncommitted)
			pe.Engine.partly = true
			break
		}
		pe.handleSome(burst)
		if pe.Probe != nil {
			pe.Probe.CollectAlone()
		}
		pe.MostPending = max(pe.MostPending, pe.Queue.Len())
		pe.publishSometimes()
	}
	if pe.Running != nil {
		pe.GVT = pe.Running.Now
	}
	pe.Rest()
	if pe.Err == nil {
		return pe.QueueError()
	}
	return pe.Err
}
