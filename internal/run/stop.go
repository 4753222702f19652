// This file owns the end of a run that an LP has stopped (kernel.LP.Stop and StopAfter), or by a mistake of the model.
//
// A parallel run ends as it stops for a checkpoint. The stop holds GVT back, so that GVT
// reaches it exactly. All PEs then undo what is not before it and handle no more events, and
// the run is over at the next round that finds nothing under way: the queues then contain all
// events that are left, and a checkpoint can be stored.
//
// A conservative run cannot undo events. Its PEs must know of the stop before their windows
// reach it, so GVT is first held back by the lookahead more, at a bound that announces the stop.
//
// Several LPs may make a mistake before the PEs know of each other's, and some of these a sequential run would not
// come to. So GVT does not pass the event of a mistake, and the run fails when GVT has come to one: all events before
// it are committed then, and it is the first.

package run

import (
	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/timewarp"
)

// lowerToStop lowers the bound that the PE reports to its first stop.
func (pe *PE) lowerToStop(b *gvt.Bound) {
	if stop := pe.FirstStop(); stop != nil && stop.Compare(b, pe.Arena.Lines) < 0 {
		*b = *stop
	}
	if !pe.Conservative() {
		return
	}
	if stop, ok := pe.Stops.Unknown(); ok {
		if early := pe.announcement(stop); early.Compare(b, pe.Arena.Lines) < 0 {
			*b = early
		}
	}
}

// announcement returns the bound at which GVT waits until all PEs know of a stop. As long as GVT
// is before it, no window extends beyond the stop: the call came with a delay of at least the
// lookahead. GVT itself may be later than the difference of both, which is rounded.
func (pe *PE) announcement(stop kernel.Stopped) gvt.Bound {
	b := gvt.Before(max(TimeBehind(stop.Time, pe.Run.Set.ConsLookahead), 0), 0, 0)
	b.Announce(pe.Stops.Announced, stop.By, stop.Time)
	if b.Compare(&pe.Bound, pe.Arena.Lines) < 0 {
		b = pe.Bound
		b.Announce(pe.Stops.Announced, stop.By, stop.Time)
	}
	return b
}

// learnStop is called at each GVT: if it announces a stop, all PEs know it from now on.
func (pe *PE) learnStop() {
	if by, at, ok := pe.Bound.Announced(); ok {
		pe.Stops.Agree(by, at)
	}
}

// pastStop reports whether an event is after the first stop of a PE that handles events in
// their order.
func (pe *PE) pastStop(e *event.Event) bool {
	stop := pe.firstStop()
	return stop != nil && stop.Passes(e, pe.Base(), pe.Arena.Lines)
}

// limitToStop lowers the horizon to the first stop.
func (pe *PE) limitToStop() {
	if stop := pe.firstStop(); stop != nil {
		pe.LookFrom(stop.Key.TS)
	}
}

// noteStop records on each rank who has stopped the run.
func (pe *PE) noteStop(at *gvt.Bound) {
	by, _ := at.StoppedBy()
	if pe.GVT = at.Time(); pe.ID == pe.Run.Base {
		pe.Run.Stopped = &kernel.Stopped{By: by, Time: at.Time()}
		pe.Engine.Live.Complete.Store(pe.Err == nil)
	}
}

// hookBefore reports whether the next call of the hook in a sequential run is due before a stop.
func (pe *PE) hookBefore(stop *gvt.Bound) bool {
	if pe.Hook.Called {
		return true
	}
	if pe.Hook.Kind != kernel.HookAt {
		return false
	}
	b := pe.boundOf(&pe.Hook.Sig)
	defer pe.Arena.Lines.Drop(b.Node)
	return b.Compare(stop, pe.Arena.Lines) < 0
}

// lowerToMistake lowers the bound that the PE reports to its earliest mistake. It reports whether that is
// before the bound.
func (pe *PE) lowerToMistake(b *gvt.Bound) bool {
	at, _ := pe.FirstMistake()
	if at == nil || at.Compare(b, pe.Arena.Lines) >= 0 {
		return false
	}
	*b = *at
	return true
}

// waitsForGVT reports whether the error of the PE is a mistake to which GVT has not come. Only in a conservative run is
// it an error before that.
func (pe *PE) waitsForGVT() bool {
	at, _ := pe.FirstMistake()
	return at != nil && pe.Conservative() && pe.Bound.Compare(at, pe.Arena.Lines) < 0
}

// forgetMistake is called when a PE has failed: a sequential run would not have come to a mistake that GVT
// has not come to.
func (pe *PE) forgetMistake() {
	if pe.waitsForGVT() {
		pe.Err = nil
	}
}

// applyMistake is called at each GVT. It returns the mistake of an optimistic PE to which GVT has come, or nil.
func (pe *PE) applyMistake() error {
	if !pe.Undoes() || pe.GVTIs == timewarp.GVTUnsure {
		return nil
	}
	if at, err := pe.FirstMistake(); at != nil && pe.Bound.Compare(at, pe.Arena.Lines) == 0 {
		return err
	}
	return nil
}
