// This file owns Stop, by which a handler ends the run at its event. stopafter.go owns
// StopAfter, which ends it later.

package kernel

import (
	"fmt"
	"slices"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/settings"
)

// Stopped says which LP has ended a run.
type Stopped struct {
	By   uint64  // id of the LP
	Time float64 // virtual time at which the run ended
}

// Stops holds the places at which LPs of a PE end the run.
type Stops struct {
	Events    []gvt.Bound // just after events that have called Stop
	LPs       []*LP       // LPs that have called StopAfter, also if that has been undone
	First     Stopped     // the earliest end that one of LPs wants; Time is 0 if there is none
	Agreed    Stopped     // the earliest one that all PEs of a conservative run know; likewise
	Announced uint32      // number of ends that the PEs have announced to one another
}

// Stop ends the run after the event being handled and all others of the same signature. If
// the event is undone, so is Stop.
func (lp *LP) Stop() {
	if !lp.mayStop("Stop") {
		return
	}
	if ahead := lp.PE.Run.StopAhead; ahead > 0 {
		lp.Blame(ErrLookahead, fmt.Sprintf("end the run later, with StopAfter(%g), or %s", ahead, lp.PE.Run.otherWays()),
			"stopped the run, but other PEs may already have handled events up to %g later", ahead)
		return
	}
	lp.stopHere()
}

// mayStop reports whether lp handles an event; otherwise it reports a mistake.
func (lp *LP) mayStop(call string) bool {
	if pe := lp.PE; pe.Running == lp && pe.Current != nil {
		return true
	}
	lp.Blame(ErrOutsideHandler, "call "+call+" from Event of the LP itself", "stopped the run")
	return false
}

// otherWays returns how to run a model that ends the run sooner than the lookahead allows.
func (r *Run) otherWays() string {
	if r.Set.Synch == settings.SynchAuto {
		return "do not set Type.NeverStops"
	}
	return "use --cons-lookahead=0, one PE, or another --synch"
}

// stopHere is Stop where nothing is against it.
func (lp *LP) stopHere() {
	pe := lp.PE
	b := pe.BoundAt(pe.Current)
	b.StopBy(lp.ID)
	pe.Arena.Lines.Keep(b.Node)
	pe.Stops.Events = append(pe.Stops.Events, b)
	if pe.Undoes() {
		lp.record(TagStop, 0, 0)
	}
	pe.LookFrom(b.Key.TS) // later events would be undone
}

// Unstop undoes a Stop by an event of lp.
func (lp *LP) Unstop(e *event.Event) {
	pe := lp.PE
	of := pe.BoundAt(e)
	of.StopBy(lp.ID)
	lines, stops := pe.Arena.Lines, &pe.Stops
	i := slices.IndexFunc(stops.Events, func(b gvt.Bound) bool { return b.Compare(&of, lines) == 0 })
	if i >= 0 {
		lines.Drop(stops.Events[i].Node)
		stops.Events = slices.Delete(stops.Events, i, i+1)
	}
}

// FirstStop returns the earliest place at which the PE knows the run to end, or nil if it knows
// none.
func (pe *PE) FirstStop() (first *gvt.Bound) {
	stops := &pe.Stops
	for i := range stops.Events {
		if b := &stops.Events[i]; first == nil || b.Compare(first, pe.Arena.Lines) < 0 {
			first = b
		}
	}
	if end := stops.end(); end.Time > 0 {
		if b := gvt.StopAt(end.Time, end.By); first == nil || b.Compare(first, pe.Arena.Lines) < 0 {
			first = &b
		}
	}
	return first
}
