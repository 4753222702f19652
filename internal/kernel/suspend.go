// This file owns suspension: an LP that has found something wrong ignores further events
// until a rollback.

package kernel

import (
	"unsafe"

	"github.com/ross-go/ross/internal/settings"
)

// Suspend makes the LP ignore all events after the one being handled, until a rollback
// undoes that one. reverse says whether Reverse is called for it then.
func (lp *LP) Suspend(reverse bool, code int) {
	pe := lp.PE
	if pe.Running != lp || pe.Current == nil || lp.Suspended {
		return
	}
	lp.IgnoreEvents(int64(code))
	if pe.Mode != settings.Optimistic {
		return
	}
	flags := uint32(0)
	if !reverse {
		flags = GroupKeep
	}
	lp.record(TagSuspend, 0, flags)
}

// IgnoreEvents makes the LP ignore events from now on. code is the model's reason.
func (lp *LP) IgnoreEvents(code int64) {
	lp.Suspended, lp.more().Code = true, code
	lp.PE.ignores = true
	if set := &lp.PE.Run.Set; lp.PE.Mode != settings.Optimistic {
		if !set.Digest || set.KeepsSent() { // otherwise handleDigested checks
			lp.Event = ignore
		}
		return
	}
	lp.Special, lp.KP.Special = true, true
}

// Resume undoes Suspend.
func (lp *LP) Resume() {
	lp.Suspended, lp.Extra.Code = false, 0
	lp.Special = lp.PE.special(lp)
}

// special reports whether, in an optimistic run, events of an LP that is not suspended take
// more than calling the handler.
func (pe *PE) special(lp *LP) bool {
	s := lp.Type.Saving
	return pe.Mode == settings.Optimistic && (s == SaveByDelta || s == SaveNever || pe.Run.Set.RNGsPerLP > 1 || pe.Trace != nil && pe.Trace.AtOnce)
}

// SetSpecial sets LP.Special and KP.Special of all LPs and KPs.
func (pe *PE) SetSpecial() {
	for i := range pe.LPs {
		lp := &pe.LPs[i]
		lp.Special = pe.special(lp)
		lp.KP.Special = lp.KP.Special || lp.Special
	}
}

// ignore is the handler of suspended LPs in schedulers without rollback.
func ignore(_ unsafe.Pointer, lp *LP, _ *uint32, _ unsafe.Pointer) {
	lp.PE.Skipped = true
	lp.PE.Counts.Ignored++
}
