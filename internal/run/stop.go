// This file owns the end of a run that an LP has stopped (kernel.LP.Stop).
//
// A parallel run ends as it stops for a checkpoint. The stop holds GVT back, so that GVT
// reaches it exactly. All PEs then undo what is not before it and handle no more events, and
// the run is over at the next round that finds nothing under way: the queues then contain all
// events that are left, and a checkpoint can be stored.

package run

import (
	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/checkpoint"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/timewarp"
)

// lowerToStop lowers the bound that the PE reports to its first stop.
func (pe *PE) lowerToStop(b *gvt.Bound) {
	if stop := pe.FirstStop(); stop != nil && stop.Compare(b, pe.Arena.Lines) < 0 {
		*b = *stop
	}
}

// pastStop reports whether an event is after the first stop of a PE that handles events in
// their order.
func (pe *PE) pastStop(e *event.Event) bool {
	stop := pe.FirstStop()
	return stop != nil && stop.Passes(e, uint32(pe.ID), pe.Arena.Lines)
}

// limitToStop lowers the horizon to the first stop.
func (pe *PE) limitToStop() {
	if stop := pe.FirstStop(); stop != nil {
		pe.Horizon = min(pe.Horizon, stop.Key.TS)
	}
}

// meetStop is called at each GVT. It reports whether the run is over because an LP has stopped
// it. A checkpoint that has begun is completed first.
func (pe *PE) meetStop(flags uint32) (over bool) {
	if _, stops := pe.Bound.StoppedBy(); !stops || pe.cp.Hold != checkpoint.HoldNone {
		return false
	}
	if !pe.ending { // other PEs may be undoing events only now
		pe.ending = true
		return false
	}
	if flags&timewarp.FlagUnderWay != 0 {
		return false
	}
	pe.noteStop(&pe.Bound)
	return true
}

// isUnderWay reports whether the PE, when it reports to a round, knows of a message that has
// not arrived.
func (pe *PE) isUnderWay() bool {
	return !pe.RedMin.IsMax() || pe.Far != nil && len(pe.Far.Waiting) > 0
}

// noteStop records on each rank who has stopped the run.
func (pe *PE) noteStop(at *gvt.Bound) {
	by, _ := at.StoppedBy()
	if pe.GVT = at.Time(); pe.ID == pe.Run.Base {
		pe.Run.Stopped = &kernel.Stopped{By: by, Time: at.Time()}
		pe.Simulation.Live.Complete.Store(pe.Err == nil)
	}
}
