// This file owns suspension: an LP that has seen that something is wrong, and
// does not want to see more until a rollback has shown whether it was.

package ross

import (
	"unsafe"

	"github.com/ross-go/ross/internal/event"
)

// Suspend has the LP ignore all events after the one that it handles, until a
// rollback undoes that one (tw_lp_suspend). Ignored events are counted and
// committed, but their handlers are not called, nor Commit. If the suspending
// event is committed, the LP stays suspended. An LP suspends itself where it
// finds a state that cannot be, which in an optimistic run is more often the
// sign of an event that came too early than of a mistake. code is for the model:
// Suspended returns it. Reverse is called for the suspending event only if
// reverse is true.
//
// Sequential and conservative schedulers do the same, so that they commit the
// same events.
func (lp *LP) Suspend(reverse bool, code int) {
	pe := lp.pe
	if pe.running != lp || pe.cur == nil || lp.suspended {
		return
	}
	lp.ignoreEvents(int64(code))
	if pe.mode != optimistic {
		return
	}
	flags := uint32(0)
	if !reverse {
		flags = groupKeep
	}
	lp.record(tagSuspend, 0, flags)
}

// ignoreEvents has the LP ignore events from now on.
func (lp *LP) ignoreEvents(code int64) {
	lp.suspended, lp.code = true, code
	if lp.pe.mode != optimistic {
		if !lp.pe.sim.cfg.Digest { // else its handler looks
			lp.event = ignore
		}
		return
	}
	lp.special, lp.kp.special = true, true
}

// Suspended returns whether the LP is suspended, and the code that it gave.
func (lp *LP) Suspended() (code int, suspended bool) { return int(lp.code), lp.suspended }

// resume undoes Suspend.
func (lp *LP) resume() {
	lp.suspended, lp.code = false, 0
	lp.special = lp.pe.special(lp)
}

// special reports whether events of an LP that is not suspended take more than
// calling the handler in an optimistic run.
func (pe *PE) special(lp *LP) bool {
	s := lp.typ.saving
	return pe.mode == optimistic && (s == SaveByDelta || s == SaveNever || pe.sim.cfg.RNGsPerLP > 1 || pe.traceAll)
}

// setSpecial sets what special says of all LPs.
func (pe *PE) setSpecial() {
	for i := range pe.lpSlab {
		lp := &pe.lpSlab[i]
		lp.special = pe.special(lp)
		lp.kp.special = lp.kp.special || lp.special
	}
}

// ignore is the handler of suspended LPs where nothing is undone.
func ignore(_ unsafe.Pointer, lp *LP, _ *Bits, _ unsafe.Pointer) {
	lp.pe.skipped = true
	lp.pe.counts.Ignored++
}

// mayHandle decides about an event of an LP that takes more than a call. One that
// cannot be undone has to wait until nothing earlier can arrive.
func (pe *PE) mayHandle(lp *LP, k event.Key, e *event.Event) bool {
	if lp.typ.saving != SaveNever {
		return true
	}
	if !pe.unsure && pe.isReached(e) {
		if pe.hasReserve(e) {
			return true
		}
		pe.q.PutBack(k)
		pe.lackMemory(e)
		return false
	}
	pe.q.PutBack(k)
	pe.held = true
	pe.stopBatch()
	return false
}
