// This file owns the GVT hook of the model. It belongs to the node and not to a PE: the first PE calls it while the others
// wait, so that it sees all LPs.

//go:build cgo && linux

package main

// #include "libross.h"
import "C"

import (
	"sync"

	"github.com/ross-go/ross"
)

// hooked is the meeting of the PEs at a GVT at which the hook is due. All of them come.
var hooked struct {
	sync.Mutex
	*sync.Cond
	here    int              // PEs that have come
	times   int              // calls of the hook
	set     bool             // the hook has set a trigger
	trigger ross.HookTrigger // which all PEs get
}

// setHook sets the hook of the model.
func setHook(cfg *ross.Config) {
	if C.g_tw_gvt_hook == nil {
		return
	}
	hooked.Cond = sync.NewCond(&hooked)
	cfg.HookTrigger = trigger()
	cfg.GVTHook = func(pe *ross.PE, pastEnd bool) {
		if meet(pe, pastEnd) {
			pe.SetHookTrigger(hooked.trigger)
		}
	}
}

// meet returns when the hook has been called, and reports whether it has set a trigger.
func meet(pe *ross.PE, pastEnd bool) bool {
	hooked.Lock()
	defer hooked.Unlock()
	now := hooked.times
	hooked.here++
	hooked.Broadcast()
	for pe.ID() == 0 && hooked.here < sim.NumPEs() || pe.ID() != 0 && hooked.times == now {
		hooked.Wait()
	}
	if pe.ID() == 0 {
		order.open(func() { callHook(pe, pastEnd) })
		hooked.here = 0
		hooked.times++
		hooked.Broadcast()
	}
	return hooked.set
}

// callHook calls the hook.
func callHook(pe *ross.PE, pastEnd bool) {
	o := outs[0]
	o.pe.GVT_sig.recv_ts = C.tw_stime(pe.GVT())
	past := C.int(0)
	if pastEnd {
		past = 1
	}
	C.ross_call_hook(o, past)
	if o.count != 0 {
		lp := kernelLP(sim.LP(ross.LPID(at(o, 0).send_lp)))
		takeOver(lp, o) // which is an error
	}
	if hooked.set = C.ross_hook_trigger.is_new != 0; hooked.set {
		hooked.trigger = trigger()
	}
}

// trigger returns the trigger that the model has set.
func trigger() ross.HookTrigger {
	t := &C.ross_hook_trigger
	t.is_new = 0
	switch t.kind {
	case C.ROSS_AT:
		sig := ross.Signature{Time: float64(t.sig.recv_ts), Priority: float64(t.sig.priority)}
		for _, x := range t.sig.event_tiebreaker[:min(int(t.sig.tie_lineage_length), C.MAX_TIE_CHAIN)] {
			sig.Ties = append(sig.Ties, float64(x))
		}
		return ross.HookAtSignature(sig)
	case C.ROSS_EVERY:
		return ross.HookEvery(uint64(t.every))
	case C.ROSS_BY_MODEL:
		return ross.HookWhenModelCalls()
	}
	return ross.HookTrigger{}
}
