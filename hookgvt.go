// This file owns the GVT hook in parallel runs: its trigger holds GVT back, so
// that GVT comes to be exactly there, and all PEs, each by itself, run the hook
// when it is.

package ross

import (
	"math"
	"slices"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/event"
)

// boundOf returns the bound before all events of a signature, which need not be one that
// events have. The caller owns its lineage.
func (pe *PE) boundOf(sig *Signature) gvt.Bound {
	within := func(x float64) bool { return x >= 0 && x <= 1 }
	if len(sig.Ties) == 0 {
		return gvt.Before(sig.Time, sig.Priority, 0)
	}
	b := gvt.Before(sig.Time, sig.Priority, sig.Ties[0])
	if sig.Time < 0 || !within(sig.Priority) || !within(sig.Ties[0]) {
		return b // no event has what comes before, so that the rest tells none apart
	}
	for _, tie := range sig.Ties[1:] {
		node, err := pe.arena.Lines.Extend(b.Node, max(tie, 0))
		if err != nil {
			pe.fail(err)
			break
		}
		pe.arena.Lines.Drop(b.Node) // its child holds it
		if b.Node = node; tie < 0 {
			break
		}
	}
	return b
}

// setHookBound makes the bound of the hook's trigger, gvt.Max without one that
// has a time within the run.
func (pe *PE) setHookBound() {
	pe.arena.Lines.Drop(pe.hook.bound.Node)
	pe.hook.bound = gvt.Max
	if h := &pe.hook; h.kind == hookAt && h.sig.Time <= pe.end && !math.IsInf(h.sig.Time, 1) {
		h.bound = pe.boundOf(&h.sig)
	}
}

// lowerToHook lowers what the PE reports to the trigger of its hook.
func (pe *PE) lowerToHook(b *gvt.Bound) {
	lines := pe.arena.Lines
	if pe.hook.bound.Compare(b, lines) < 0 {
		*b = pe.hook.bound
	}
	for i := range pe.hook.calls {
		if call := &pe.hook.calls[i]; call.Compare(b, lines) < 0 {
			*b = *call
		}
	}
}

// hookFires reports whether the hook is to run at the GVT that the PE has now.
func (pe *PE) hookFires() bool {
	switch h := &pe.hook; h.kind {
	case hookAt:
		return !h.bound.IsMax() && h.bound.Compare(&pe.bound, pe.arena.Lines) <= 0
	case hookEvery:
		return h.n > 0 && pe.counts.GVTs%h.n == 0
	case hookByModel:
		return pe.bound.IsAfter() // the only bounds of this kind
	}
	return false
}

// meetHook is called at a GVT at which the hook is to run. An optimistic PE has
// taken back all that is not before GVT, but others may do so only now: it handles
// nothing until the next round, and runs the hook at that. By then whatever is left
// waits somewhere, unless all that is seen is an anti-message, which needs yet
// another round.
func (pe *PE) meetHook(flags uint32) {
	h := &pe.hook
	left := flags&flagBusy != 0
	switch {
	case h.kind == hookEvery:
		pe.fireHook(pe.bound.IsMax())
		return
	case pe.mode == optimistic && (!h.ready || !left && flags&flagUnsure != 0):
		h.ready = true
		return
	}
	h.ready = false
	if h.kind == hookAt && !left && math.IsInf(pe.end, 1) { // the run has ended with its last event
		h.HookTrigger = HookTrigger{}
		pe.setHookBound()
		return
	}
	pe.fireHook(!left)
}

// behindGVT reports whether a signature is before GVT.
func (pe *PE) behindGVT(sig *Signature) bool {
	b := pe.boundOf(sig)
	defer pe.arena.Lines.Drop(b.Node)
	return b.Compare(&pe.bound, pe.arena.Lines) < 0
}

// callHook notes that the event which is handled calls the hook.
func (lp *LP) callHook() {
	pe := lp.pe
	b := pe.boundAt(pe.cur)
	b.After()
	pe.arena.Lines.Keep(b.Node)
	pe.hook.calls = append(pe.hook.calls, b)
}

// dropCalls forgets the calls of the hook that GVT has passed.
func (pe *PE) dropCalls() {
	kept := pe.hook.calls[:0]
	lines := pe.arena.Lines
	for i := range pe.hook.calls {
		call := pe.hook.calls[i]
		if call.Compare(&pe.bound, lines) <= 0 {
			lines.Drop(call.Node)
			continue
		}
		kept = append(kept, call)
	}
	pe.hook.calls = kept
}

// undoCall forgets one call of the hook by an event. Other events of its signature, whose
// calls look the same, may have called too.
func (pe *PE) undoCall(e *event.Event) {
	of := pe.boundAt(e)
	of.After()
	lines := pe.arena.Lines
	for i := range pe.hook.calls {
		if call := pe.hook.calls[i]; call.Compare(&of, lines) == 0 {
			lines.Drop(call.Node)
			pe.hook.calls = slices.Delete(pe.hook.calls, i, i+1)
			return
		}
	}
}
