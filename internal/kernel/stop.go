// This file owns Stop, by which a handler ends the run at its event.

package kernel

import (
	"slices"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/settings"
)

// Stop ends the run after the event being handled and all others of the same signature. If
// the event is undone, so is Stop.
func (lp *LP) Stop() {
	pe := lp.PE
	ahead := pe.Run.Set.ConsLookahead
	switch {
	case pe.Running != lp || pe.Current == nil:
		lp.Blame(ErrOutsideHandler, "call Stop from Event of the LP itself", "stopped the run")
		return
	case pe.Mode == settings.Conservative && ahead > 0 && pe.Run.NumPEs() > 1:
		lp.Blame(ErrLookahead, "use --cons-lookahead=0, one PE, or another --synch",
			"stopped the run, but other PEs may already have handled events up to %g later", ahead)
		return
	}
	b := pe.BoundAt(pe.Current)
	b.StopBy(lp.ID)
	pe.Arena.Lines.Keep(b.Node)
	pe.Stops = append(pe.Stops, b)
	if pe.Mode == settings.Optimistic {
		lp.record(TagStop, 0, 0)
	}
	pe.Horizon = min(pe.Horizon, b.Key.TS) // later events would be undone
}

// Unstop undoes a Stop by an event of lp.
func (lp *LP) Unstop(e *event.Event) {
	pe := lp.PE
	of := pe.BoundAt(e)
	of.StopBy(lp.ID)
	lines := pe.Arena.Lines
	i := slices.IndexFunc(pe.Stops, func(b gvt.Bound) bool { return b.Compare(&of, lines) == 0 })
	if i >= 0 {
		lines.Drop(pe.Stops[i].Node)
		pe.Stops = slices.Delete(pe.Stops, i, i+1)
	}
}

// FirstStop returns the earliest place at which an LP of this PE ends the run, or nil if none
// does.
func (pe *PE) FirstStop() (first *gvt.Bound) {
	for i := range pe.Stops {
		if b := &pe.Stops[i]; first == nil || b.Compare(first, pe.Arena.Lines) < 0 {
			first = b
		}
	}
	return first
}

// Stopped says which LP has ended a run.
type Stopped struct {
	By   uint64  // id of the LP
	Time float64 // virtual time of its event
}
