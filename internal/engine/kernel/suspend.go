// This file owns suspension: an LP that has found something wrong ignores further events
// until a rollback.

package kernel

import (
	"slices"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/settings"
)

// Suspend makes the LP ignore all events after the one being handled, until a rollback
// undoes that one. reverse says whether Reverse is called for it then.
func (lp *LP) Suspend(reverse bool, code int) {
	pe := lp.PE
	if pe.Running != lp || pe.Current == nil || lp.Suspended() {
		return
	}
	lp.IgnoreEvents(int64(code))
	if !pe.Undoes() {
		return
	}
	flags := uint32(0)
	if !reverse {
		flags = GroupKeep
	}
	lp.record(TagSuspend, 0, flags)
}

// IgnoreEvents makes the LP ignore events from now on. code is the model's reason.
func (lp *LP) IgnoreEvents(code int64) { lp.ignoreEvents(code, lp.PE.mode) }

// ignoreEvents is IgnoreEvents where events are handled in a given way.
func (lp *LP) ignoreEvents(code int64, mode settings.Mode) {
	lp.setFlag(flagSuspended, true)
	lp.more().code = code
	if r := lp.PE.Run; !r.ignores.Load() {
		r.ignores.Store(true)
	}
	if set := &lp.PE.Run.Set; mode != settings.Optimistic {
		if !set.Digest || set.KeepsSent() { // otherwise handleDigested checks
			lp.setHandler(ignore)
		}
		return
	}
	lp.setFlag(flagSpecial, true)
	lp.KP.Special = true
}

// Resume undoes Suspend.
func (lp *LP) Resume() {
	lp.setFlag(flagSuspended, false)
	lp.extra().code = 0
	lp.setFlag(flagSpecial, lp.PE.special(lp.Type()))
}

// special reports whether, in an optimistic run, events of an LP of a type that is not suspended
// take more than calling the handler.
func (pe *PE) special(t *Type) bool {
	s := t.Saving
	return pe.Undoes() && (s == SaveByDelta || s == SaveNever || t.SetsStreams ||
		pe.Run.Set.Streams.PerLP > 1 || pe.Trace.IsDue(OnHandle))
}

// SetSpecial sets the flags of LPs and KPs whose events take more than calling the handler, before
// the run.
func (pe *PE) SetSpecial() {
	if !slices.ContainsFunc(pe.Run.Types, pe.special) {
		return
	}
	for i := range pe.LPs {
		if lp := &pe.LPs[i]; pe.special(lp.Type()) {
			lp.setFlag(flagSpecial, true)
			lp.KP.Special = true
		}
	}
}

// ignore is the handler of suspended LPs in schedulers without rollback.
func ignore(_ unsafe.Pointer, lp *LP, _ unsafe.Pointer) {
	lp.PE.Skipped = true
	lp.IgnoreEvent()
}
