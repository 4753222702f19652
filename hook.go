// This file owns the GVT hook: when it fires.

package ross

import (
	"fmt"
	"math"

	"github.com/ross-go/ross/gvt"
)

// HookTrigger says when the GVT hook fires. The zero value is never.
type HookTrigger struct {
	kind hookKind
	sig  Signature
	n    uint64
}

type hookKind uint8

const (
	hookNever hookKind = iota
	hookAt
	hookEvery
	hookByModel
)

// HookAt fires once, when all events before virtual time t are committed and
// none at or after t is (tw_trigger_gvt_hook_at). A time after the end of the
// run never comes; a run whose end is +Inf ends with its last event. PE.GVT is t.
func HookAt(t float64) HookTrigger {
	return HookTrigger{kind: hookAt, sig: Signature{Time: t}}
}

// HookAtSignature fires once, when all events before a signature are committed
// and no other one is (tw_trigger_gvt_hook_at_event_sig). The signature need not be that of
// an event: priorities and tie-breakers of events are 0 to 1, and a greater number comes
// after all of them, so that priority 2 is the end of a time, and a smaller one before.
func HookAtSignature(sig Signature) HookTrigger { return HookTrigger{kind: hookAt, sig: sig} }

// HookEvery fires at every n-th GVT computation (tw_trigger_gvt_hook_every).
// What is before GVT is committed. An optimistic run has taken back what is not;
// a conservative one has also committed events up to its lookahead after GVT.
// There are none in a sequential run, which warns and never fires it.
func HookEvery(n uint64) HookTrigger { return HookTrigger{kind: hookEvery, n: n} }

// HookWhenModelCalls fires when a handler calls LP.TriggerGVTHook, once its
// event is committed, with all others of its signature, and no later one is
// (tw_trigger_gvt_hook_when_model_calls).
// PE.GVT is the time of that event.
func HookWhenModelCalls() HookTrigger { return HookTrigger{kind: hookByModel} }

// hookState is the trigger of a PE.
type hookState struct {
	HookTrigger
	called bool        // a handler has called
	caller Signature   // unless the run is parallel: of its event
	ready  bool        // GVT is at the trigger, and all after it is undone
	bound  gvt.Bound   // in a parallel run: the trigger, or gvt.Max
	calls  []gvt.Bound // and the handled events that call
	spent  *Signature  // the trigger that runs the hook now
	runs   bool        // a function of the user's that belongs to no LP
}

// call calls a function of the user's that belongs to no LP.
func (pe *PE) call(f func()) {
	pe.hook.runs = true
	f()
	pe.hook.runs = false
}

// SetHookTrigger says when the hook fires next. It is for hooks, and for what
// PEType has called before the first event: nothing undoes it. A hook that fires
// at a time sets its next time with it, which has to be later than the one it was
// called for. In a parallel run each PE has a trigger of its own. A conservative PE has handled
// events after GVT; GVT plus the lookahead is late enough for the next time.
func (pe *PE) SetHookTrigger(t HookTrigger) {
	if what := t.sig.notANumber(); t.kind == hookAt && what != "" {
		pe.fail(fmt.Errorf("ross: GVT hook: asked to be called at %s NaN: %w: give a number", what, ErrHook))
		return
	}
	if t.kind == hookAt && pe.isPast(&t.sig) {
		pe.fail(fmt.Errorf("ross: GVT hook: called for time %g, it asks to be called again at time %g: %w: give a later time",
			pe.gvt, t.sig.Time, ErrHook))
		return
	}
	if t.kind == hookAt && pe.mode == conservative && pe.counts.GVTs > 0 && timeBits(t.sig.Time) < pe.horizon {
		pe.fail(fmt.Errorf("ross: GVT hook: called at GVT %g, it asks to be called again at time %g: %w: a conservative PE has handled what is before %g: give that time or a later one, GVT + %g is always late enough",
			pe.gvt, t.sig.Time, ErrHook, math.Float64frombits(pe.horizon), pe.sim.cfg.ConsLookahead))
		return
	}
	if t.kind != hookNever && pe.sim.cfg.Synch == OptimisticDebug {
		pe.sim.warn("the GVT hook fires when events are committed, and --synch=4 commits none: it will never fire; use --synch=6")
		t = HookTrigger{}
	}
	if t.kind == hookEvery && pe.sim.cfg.sequential() {
		pe.sim.warn("the GVT hook fires at every n-th GVT, and a sequential run computes none: it will never fire; use HookAt")
		t = HookTrigger{}
	}
	if t.kind == hookByModel && pe.sim.cfg.Synch == Conservative {
		pe.fail(fmt.Errorf("ross: GVT hook: called by the model: %w: a conservative PE does not stop at an event of another one; use HookAt, or another --synch", ErrHook))
		return
	}
	pe.hook.HookTrigger, pe.hook.called = t, false
	pe.setHorizon()
}

// isPast reports whether a trigger is one that can be met no more.
func (pe *PE) isPast(sig *Signature) bool {
	if spent := pe.hook.spent; spent != nil && sig.Compare(*spent) <= 0 {
		return true
	}
	return !pe.sim.cfg.sequential() && !pe.over && pe.behindGVT(sig)
}

// TriggerGVTHook fires the GVT hook when the event being handled is committed,
// if its trigger is HookWhenModelCalls (tw_trigger_gvt_hook_now).
func (lp *LP) TriggerGVTHook() {
	pe := lp.pe
	if pe.hook.kind != hookByModel || pe.running != lp || pe.cur == nil {
		return
	}
	if pe.mode == optimistic {
		lp.record(tagHook, 0, groupWork)
		lp.callHook()
		if pe.check != nil {
			pe.hook.caller = pe.signature(pe.cur)
		}
		return
	}
	pe.hook.caller = pe.signature(pe.cur)
	pe.hook.called = true
	pe.horizon = 0
}

// TriggerGVTHookReverse undoes TriggerGVTHook in a Reverse handler
// (tw_trigger_gvt_hook_now_rev).
func (lp *LP) TriggerGVTHookReverse() {
	if lp.pe.mode == sequential {
		lp.pe.hook.called = false
		lp.pe.setHorizon()
	}
}

// setHorizon computes the time at which the scheduler has to look before an
// event.
func (pe *PE) setHorizon() {
	if !pe.sim.cfg.sequential() {
		pe.setHookBound()
		return
	}
	h := uint64(never)
	if pe.progress != nil {
		h = math.Float64bits(pe.progress.NextDue())
	}
	switch {
	case pe.hook.called:
		h = 0
	case pe.hook.kind == hookAt:
		h = min(h, timeBits(pe.hook.sig.Time))
	}
	pe.horizon = min(h, pe.last, pe.storeAt)
}

// timeBits maps a time to the bits that order as times do. Times before 0 are
// as good as 0.
func timeBits(t float64) uint64 {
	if !(t > 0) {
		return 0
	}
	return math.Float64bits(t)
}

// fireHook runs the hook. The trigger is spent before, so that the hook can set
// the next. pastEnd says that no event is left on any PE.
func (pe *PE) fireHook(pastEnd bool) {
	if pe.mode == optimistic {
		pe.dropCalls()
	}
	switch h := &pe.hook; {
	case h.kind == hookAt:
		sig := h.sig
		pe.gvt, h.spent = sig.Time, &sig
		h.HookTrigger = HookTrigger{}
	case h.called:
		pe.gvt, h.spent = h.caller.Time, &h.caller
	}
	pe.hook.called = false
	pe.running, pe.cur = nil, nil
	if hook := pe.sim.cfg.GVTHook; hook != nil {
		pe.call(func() { hook(pe, pastEnd) })
	}
	pe.hook.spent = nil
	pe.setHorizon()
}
