// This file owns the GVT hook: its trigger, and when it fires. In parallel runs the trigger holds GVT back, so that GVT
// reaches it exactly; all PEs then call the hook, each for itself.

package run

import (
	"context"
	"fmt"
	"math"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/engine/timewarp"
)

// call calls a function of the user that belongs to no LP.
func (pe *PE) call(f func()) {
	pe.AddUp()
	pe.Hook.Runs = true
	f()
	pe.Hook.Runs = false
}

// SetHookTrigger sets the next trigger of the hook.
func (pe *PE) SetHookTrigger(t kernel.Trigger) {
	if what := t.Sig.NotANumber(); t.Kind == kernel.HookAt && what != "" {
		pe.Fail(fmt.Errorf("ross: GVT hook: asked to be called at %s NaN: %w: give a number", what, kernel.ErrHook))
		return
	}
	if t.Kind == kernel.HookAt && pe.isPast(&t.Sig) {
		pe.Fail(fmt.Errorf("ross: GVT hook: called for time %g, it asks to be called again at time %g: %w: give a later time",
			pe.GVT, t.Sig.Time, kernel.ErrHook))
		return
	}
	if t.Kind == kernel.HookAt && pe.Conservative() && pe.Counts.GVTs > 0 && kernel.TimeBits(t.Sig.Time) < pe.Horizon {
		pe.Fail(fmt.Errorf(
			"ross: GVT hook: called at GVT %g, it asks to be called again at time %g: %w: a conservative PE has handled all events before %g: give that time or a later one, GVT + %g is always late enough",
			pe.GVT, t.Sig.Time, kernel.ErrHook, math.Float64frombits(pe.Horizon), pe.Run.Set.ConsLookahead))
		return
	}
	if t.Kind != kernel.HookNever && pe.Run.Set.Synch == settings.SynchDebug {
		pe.Run.Warn(
			"the GVT hook fires when events are committed, and --synch=4 commits none: it will never fire; use --synch=6")
		t = kernel.Trigger{}
	}
	if t.Kind == kernel.HookEvery && pe.Run.Set.Sequential() {
		pe.Run.Warn(
			"the GVT hook fires at every n-th GVT, and a sequential run computes none: it will never fire; use HookAt")
		t = kernel.Trigger{}
	}
	if t.Kind == kernel.HookByModel && pe.Run.Set.Synch == settings.SynchConservative && !pe.Run.HookTakes {
		pe.Fail(fmt.Errorf(
			"ross: GVT hook: called by the model: %w: a conservative PE does not stop at an event of another one; use HookAt, or another --synch", kernel.ErrHook))
		return
	}
	pe.Hook.Trigger, pe.Hook.Called = t, false
	pe.setHorizon()
}

// isPast reports whether a trigger at a signature can no longer fire.
func (pe *PE) isPast(sig *kernel.Signature) bool {
	if spent := pe.Hook.Spent; spent != nil && sig.Compare(*spent) <= 0 {
		return true
	}
	return !pe.Run.Set.Sequential() && pe.state != over && pe.behindGVT(sig)
}

// setHorizon computes the time from which on the scheduler must check what is due before it
// handles an event.
func (pe *PE) setHorizon() {
	if !pe.inOrder() {
		pe.setHookBound()
		return
	}
	h := uint64(kernel.Never)
	if pe.progress != nil {
		h = math.Float64bits(pe.progress.NextDue())
	}
	switch {
	case pe.Hook.Called:
		h = 0
	case pe.Hook.Kind == kernel.HookAt:
		h = min(h, kernel.TimeBits(pe.Hook.Sig.Time))
	}
	pe.Horizon = min(h, pe.Last, pe.cp.StoreAt)
	pe.limitToStop()
}

// fireHook calls the hook. The trigger is cleared first, so that the hook can set the next
// one. pastEnd says that no event is left on any PE.
func (pe *PE) fireHook(pastEnd bool) {
	if !pe.Sequential() {
		pe.DropCalls()
	}
	switch h := &pe.Hook; {
	case h.Kind == kernel.HookAt:
		sig := h.Sig
		pe.GVT, h.Spent = sig.Time, &sig
		h.Trigger = kernel.Trigger{}
	case h.Called:
		pe.GVT, h.Spent = h.Caller.Time, &h.Caller
	}
	called := pe.Hook.Called
	pe.Hook.Called = false
	pe.Rest()
	if hook := pe.Engine.Hooks.GVT; hook != nil {
		leave := pe.enterPlace(called)
		pe.call(func() { hook(pe, pastEnd) })
		leave()
	}
	pe.Hook.Spent = nil
	pe.setHorizon()
}

// enterPlace sets where in the order of events a hook runs that may take events: before those that have the trigger's
// signature, or after those that have the signature of the event which has called it. It returns a function for the
// end.
func (pe *PE) enterPlace(called bool) (leave func()) {
	if !pe.Run.HookTakes {
		return func() {}
	}
	pe.KeepHistory(false) // what the hook sends is never undone
	if pe.Hook.Place = pe.Bound; !pe.Run.Set.Sequential() || pe.Hook.Spent == nil {
		return func() { pe.KeepHistory(true) }
	}
	b := pe.boundOf(pe.Hook.Spent)
	if pe.Hook.Place = b; called {
		pe.Hook.Place.After()
	}
	return func() {
		pe.Arena.Lines.Drop(b.Node)
		pe.KeepHistory(true)
	}
}

// hookDue reports whether the GVT hook fires before event e.
func (pe *PE) hookDue(e *event.Event) bool {
	switch pe.Hook.Kind {
	case kernel.HookAt:
		at := &pe.Hook.Sig
		return at.Time < e.Time || at.Time == e.Time && at.Compare(pe.SignatureOf(e)) <= 0
	case kernel.HookByModel: // the hook comes after all events with the signature of the caller
		return pe.Hook.Called && pe.Hook.Caller.Compare(pe.SignatureOf(e)) < 0
	}
	return false
}

// lastHooks calls the hook for what is still due when no event is left: triggers up to the end
// of the run, and a call of the last event. A run without an end ends with its last event,
// because a hook that always asks for a next time would go on for ever. again says that the hook has put back events,
// which come next.
func (pe *PE) lastHooks(ctx context.Context) (again bool, err error) {
	if stop := pe.firstStop(); stop != nil {
		pe.noteStop(stop)
		pe.Rest()
		for pe.Err == nil && pe.hookBefore(stop) {
			if err := pe.stopped(ctx); err != nil {
				return false, err
			}
			k, ok := pe.Least()
			left := ok && k.TS < pe.Last
			if !left && pe.Hook.Kind == kernel.HookAt && math.IsInf(pe.End, 1) { // as in meetHook
				break
			}
			if pe.fireHook(!left); pe.hasAgain() {
				return true, pe.Err
			}
		}
		pe.GVT = stop.Time()
		return false, pe.Err
	}
	end := pe.End
	if math.IsInf(end, 1) {
		pe.GVT = pe.lastEvent()
		end = math.Inf(-1)
	} else {
		pe.GVT = end
	}
	pe.Rest()
	for h := &pe.Hook; pe.Err == nil && (h.Called || h.Kind == kernel.HookAt && h.Sig.Time <= end); {
		if err := pe.stopped(ctx); err != nil {
			return false, err
		}
		if pe.fireHook(true); pe.hasAgain() {
			return true, pe.Err
		}
	}
	return false, pe.Err
}

// hasAgain reports whether the hook has put back events that are to be handled, after the last one.
func (pe *PE) hasAgain() bool {
	if !pe.Run.HookTakes {
		return false
	}
	k, ok := pe.Least()
	if !ok || k.TS >= pe.Last || pe.pastStop(pe.Arena.At(k.Index())) {
		return false
	}
	pe.GoOn()
	return true
}

// lastTime returns the time of the last event that was handled, or 0 before the first. Unlike LP.Now
// it includes events that had lapsed.
func (pe *PE) lastTime() float64 {
	if pe.Running == nil {
		return 0
	}
	return max(pe.Running.Now, pe.Passed)
}

// lastEvent returns the time of the last event of the model that was handled, or 0 before the first.
func (pe *PE) lastEvent() float64 {
	if pe.Passed == 0 || pe.Running == nil {
		return pe.lastTime()
	}
	return pe.Run.LastEvent()
}

// boundOf returns the bound before all events of a signature, which no event needs to have.
// The caller owns the lineage of the bound.
func (pe *PE) boundOf(sig *kernel.Signature) gvt.Bound {
	within := func(x float64) bool { return x >= 0 && x <= 1 }
	if len(sig.Ties) == 0 {
		return gvt.Before(sig.Time, sig.Priority, 0)
	}
	b := gvt.Before(sig.Time, sig.Priority, sig.Ties[0])
	if sig.Time < 0 || !within(sig.Priority) || !within(sig.Ties[0]) {
		return b // no event has these values, so the other tie-breakers make no difference
	}
	for _, tie := range sig.Ties[1:] {
		node, err := pe.Arena.Lines.Extend(b.Node, max(tie, 0))
		if err != nil {
			pe.Fail(err)
			break
		}
		pe.Arena.Lines.Drop(b.Node) // the child refers to it
		if b.Node = node; tie < 0 {
			break
		}
	}
	return b
}

// setHookBound sets the bound of the hook's trigger, which is gvt.Max if the trigger has no
// time within the run.
func (pe *PE) setHookBound() {
	pe.Arena.Lines.Drop(pe.Hook.Bound.Node)
	pe.Hook.Bound = gvt.Max
	if h := &pe.Hook; h.Kind == kernel.HookAt && h.Sig.Time <= pe.End && !math.IsInf(h.Sig.Time, 1) {
		h.Bound = pe.boundOf(&h.Sig)
	}
}

// lowerToHook lowers the bound that the PE reports to the trigger of its hook.
func (pe *PE) lowerToHook(b *gvt.Bound) {
	lines := pe.Arena.Lines
	if pe.Hook.Bound.Compare(b, lines) < 0 {
		*b = pe.Hook.Bound
	}
	for i := range pe.Hook.Calls {
		if call := &pe.Hook.Calls[i]; call.Compare(b, lines) < 0 {
			*b = *call
		}
	}
}

// hookFires reports whether the hook is due at the current GVT of the PE.
func (pe *PE) hookFires() bool {
	switch h := &pe.Hook; h.Kind {
	case kernel.HookAt:
		if pe.cp.IsDue() && kernel.TimeBits(h.Sig.Time) > pe.cp.StoreAt { // the checkpoint comes first
			return false
		}
		return !h.Bound.IsMax() && h.Bound.Compare(&pe.Bound, pe.Arena.Lines) <= 0
	case kernel.HookEvery:
		return h.N > 0 && pe.Counts.GVTs%h.N == 0
	case kernel.HookByModel:
		return pe.Bound.IsAfter() // only calls of the hook have such bounds
	}
	return false
}

// meetHook is called at a GVT at which the hook is due. An optimistic PE has undone everything
// that is not before GVT, but other PEs may do so only now. So it handles no events until the
// next round, and calls the hook then. By that time all remaining events are in queues, unless
// an anti-message is all that the round found; in that case another round is needed. A hook that may take events needs
// a round that finds nothing under way, also in a conservative run.
func (pe *PE) meetHook(flags uint32) {
	h := &pe.Hook
	left := flags&timewarp.FlagBusy != 0
	switch {
	case h.Kind == kernel.HookEvery:
		pe.fireHook(pe.Bound.IsMax())
		return
	case pe.Undoes() && (!h.Ready || !left && flags&timewarp.FlagUnsure != 0),
		pe.Run.HookTakes && (!h.Ready || flags&timewarp.FlagUnderWay != 0):
		h.Ready = true
		return
	}
	h.Ready = false
	if h.Kind == kernel.HookAt && !left && math.IsInf(pe.End, 1) { // the run has ended with its last event
		h.Trigger = kernel.Trigger{}
		pe.setHookBound()
		return
	}
	pe.fireHook(!left)
}

// behindGVT reports whether a signature is before GVT.
func (pe *PE) behindGVT(sig *kernel.Signature) bool {
	b := pe.boundOf(sig)
	defer pe.Arena.Lines.Drop(b.Node)
	return b.Compare(&pe.Bound, pe.Arena.Lines) < 0
}
