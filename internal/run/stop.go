// This file owns the end of a run that an LP has stopped (kernel.LP.Stop and StopAfter).
//
// A parallel run ends as it stops for a checkpoint. The stop holds GVT back, so that GVT
// reaches it exactly. All PEs then undo what is not before it and handle no more events, and
// the run is over at the next round that finds nothing under way: the queues then contain all
// events that are left, and a checkpoint can be stored.
//
// A conservative run cannot undo events. Its PEs must know of the stop before their windows
// reach it, so GVT is first held back by the lookahead more, at a bound that announces the stop.

package run

import (
	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/kernel"
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
