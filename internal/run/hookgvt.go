// This file owns the GVT hook in parallel runs. The trigger holds GVT back, so that GVT
// reaches it exactly; all PEs then call the hook, each for itself.

package run

import (
	"math"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/timewarp"
)

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
// an anti-message is all that the round found; in that case another round is needed. A hook that may take events needs a
// round that finds nothing under way, also in a conservative run.
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
