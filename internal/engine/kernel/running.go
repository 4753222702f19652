// This file owns what a PE says of itself besides the events that it handles: whose function runs, and from which time
// the scheduler has to look. The loops that handle events set these fields themselves.

package kernel

import "github.com/ross-go/ross/internal/engine/settings"

// Enter says that a function of lp runs, which may send.
func (pe *PE) Enter(lp *LP) { pe.Running = lp }

// Leave says that no function runs that may send. The PE still handles its current event.
func (pe *PE) Leave() { pe.Running = nil }

// Rest says that no event is being handled, and no function runs that may send.
func (pe *PE) Rest() { pe.Running, pe.Current = nil, nil }

// Show says that a function of lp runs that must not send, such as Reverse, Commit or Sample.
func (pe *PE) Show(lp *LP) { pe.Shown = lp }

// Hide says that what Show has announced is over.
func (pe *PE) Hide() { pe.Shown = nil }

// IsInModel reports whether a function of an LP runs.
func (pe *PE) IsInModel() bool { return pe.Running != nil || pe.Shown != nil }

// TakeOver makes what runs on another PE run on this one.
func (pe *PE) TakeOver(other *PE) {
	pe.Running, pe.Current, pe.Shown = other.Running, other.Current, other.Shown
}

// LookNow makes the scheduler compute the horizon before the next event.
func (pe *PE) LookNow() { pe.Horizon = 0 }

// LookFrom lowers the horizon to a time, given by its bits, if it is beyond that.
func (pe *PE) LookFrom(ts uint64) { pe.Horizon = min(pe.Horizon, ts) }

// SetMode changes the way in which the PE handles events. Nothing may be uncommitted.
func (pe *PE) SetMode(mode settings.Mode) {
	pe.FreeOld(nil)
	pe.RecordSlowly()
	pe.Left, pe.Unused, pe.Horizon = 0, 0, Never
	pe.setMode(mode)
	if !pe.Run.ignores.Load() {
		return
	}
	for i := range pe.LPs {
		if lp := &pe.LPs[i]; lp.Suspended() {
			lp.setHandler(pe.Run.handlerOf(lp.Type()))
			lp.ignoreEvents(lp.Code(), mode) // the PE that handles it may not have the mode yet
		}
	}
}

// setMode sets the mode, and what follows from it.
func (pe *PE) setMode(mode settings.Mode) { pe.mode, pe.history = mode, mode == settings.Optimistic }

// KeepHistory says whether a PE that undoes events notes in the histories of KPs what their handlers do. It does not
// while a hook runs that sends: nothing undoes that.
func (pe *PE) KeepHistory(keeps bool) { pe.history = keeps && pe.Undoes() }

// Undoes reports whether events may be undone.
func (pe *PE) Undoes() bool { return pe.mode == settings.Optimistic }

// KeepsHistory reports whether what handlers do is noted in the histories of KPs.
func (pe *PE) KeepsHistory() bool { return pe.history }

// Conservative reports whether the PE handles events up to a lookahead beyond GVT, and undoes none.
func (pe *PE) Conservative() bool { return pe.mode == settings.Conservative }

// Sequential reports whether the PE handles events in their order, with no GVT.
func (pe *PE) Sequential() bool { return pe.mode == settings.Sequential }
