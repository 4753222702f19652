// This file owns the optimistic debug scheduler (--synch=4). It handles events without GVT, so
// that none is committed, until there are no more. Then it rolls all of them back and checks
// that everything is as it was before the first (tw_scheduler_optimistic_debug in ROSS).

package run

import (
	"context"
	"errors"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/timewarp"
)

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
