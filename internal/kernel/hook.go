// This file owns the trigger of the GVT hook, and the calls by which handlers fire it.

package kernel

import (
	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/settings"
)

// Trigger says when the GVT hook fires. The zero value means never.
type Trigger struct {
	Kind hookKind  // which of the other fields counts
	Sig  Signature // for HookAt
	N    uint64    // for HookEvery
}

// hookKind is a kind of trigger.
type hookKind uint8

// The kinds of triggers.
const (
	HookNever   hookKind = iota // the hook does not fire
	HookAt                      // at a signature
	HookEvery                   // at every N-th GVT
	HookByModel                 // when a handler calls TriggerHook
)

// hookState is the state of a PE's GVT hook.
type hookState struct {
	Trigger
	Called bool        // a handler has fired the hook
	Caller Signature   // the calling event; in optimistic runs only with the check of rollback
	Ready  bool        // GVT is at the trigger, and all events after it are undone
	Bound  gvt.Bound   // in a parallel run: the trigger, or gvt.Max if there is none
	Calls  []gvt.Bound // in optimistic mode: bounds just after the events that call the hook
	Spent  *Signature  // the trigger for which the hook runs now
	Runs   bool        // the hook runs: a panic outside handlers is the user's
}

// TriggerHook fires the GVT hook when the event being handled is committed, provided that
// the trigger is HookByModel.
func (lp *LP) TriggerHook() {
	pe := lp.PE
	if pe.Hook.Kind != HookByModel || pe.Running != lp || pe.Current == nil {
		return
	}
	if pe.Mode == settings.Optimistic {
		lp.record(TagHook, 0, GroupWork)
		lp.callHook()
		if pe.Checked {
			pe.Hook.Caller = pe.SignatureOf(pe.Current)
		}
		return
	}
	pe.Hook.Caller = pe.SignatureOf(pe.Current)
	pe.Hook.Called = true
	pe.Horizon = 0
}

// UntriggerHook undoes TriggerHook in a sequential run.
func (lp *LP) UntriggerHook() {
	if lp.PE.Mode == settings.Sequential {
		lp.PE.Hook.Called = false
		lp.PE.Horizon = 0 // the scheduler computes it before the next event
	}
}

// callHook records that the event being handled calls the hook.
func (lp *LP) callHook() {
	pe := lp.PE
	b := pe.BoundAt(pe.Current)
	b.After()
	pe.Arena.Lines.Keep(b.Node)
	pe.Hook.Calls = append(pe.Hook.Calls, b)
}
