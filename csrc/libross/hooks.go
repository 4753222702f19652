// This file owns the GVT hook of the model. It belongs to the node and not to a PE, so it needs a run on one PE.

//go:build cgo && linux

package main

// #include "libross.h"
import "C"

import (
	"fmt"

	"github.com/ross-go/ross"
)

// setHook sets the hook of the model.
func setHook(cfg *ross.Config) error {
	if C.g_tw_gvt_hook == nil {
		return nil
	}
	if cfg.PEs != 1 || cfg.Synch == ross.Auto {
		return fmt.Errorf("the model has a g_tw_gvt_hook, which sees all LPs: %w: use --pes=1, and no --synch=auto", ross.ErrUsage)
	}
	cfg.HookTrigger = trigger()
	cfg.GVTHook = func(pe *ross.PE, pastEnd bool) {
		o := outs[pe.ID()]
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
		if C.ross_hook_trigger.is_new != 0 {
			pe.SetHookTrigger(trigger())
		}
	}
	return nil
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
