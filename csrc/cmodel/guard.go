// This file owns what keeps models from sharing static variables among PEs, which are threads: between init and final
// these variables are read-only, and before and after that LPs are called one after the other, in the order of their
// ids, as on one node of ROSS. The GVT hook of the model belongs to the node as well and not to a PE: the first PE
// calls it while the others wait, so that it sees all LPs.

//go:build cgo && linux

package cmodel

// #include "libross.h"
import "C"

import (
	"fmt"
	"os"
	"sync"

	"github.com/ross-go/ross"
)

// turns orders the calls of init and pre_run of a run on several PEs.
type turns struct {
	sync.Mutex
	*sync.Cond
	on   bool
	one  bool   // there is no order, but one call at a time: a Go program has several PEs
	next [2]int // LP whose init and pre_run is next
	has  [2][]bool
	// A checkpoint is loaded in place of init. Then pre_run is called only if the run begins anew (--io-as-ross).
	loads, begins bool
}

// The two functions that are called in turn.
const (
	initTurn = iota
	preRunTurn
)

// start says which LPs have an init and a pre_run. They are those of a run that needs an order.
func (o *turns) start(byGID []*C.tw_lp) {
	o.on, o.Cond = true, sync.NewCond(o)
	for i := range o.has {
		o.has[i] = make([]bool, len(byGID))
	}
	for gid, h := range byGID {
		o.has[initTurn][gid] = h._type.init != nil
		o.has[preRunTurn][gid] = h._type.pre_run != nil
	}
	for i := range o.has {
		o.advance(i)
	}
	o.guard()
}

// advance goes on to the next LP that has the function.
func (o *turns) advance(which int) {
	for o.next[which] < len(o.has[which]) && !o.has[which][o.next[which]] {
		o.next[which]++
	}
}

// call calls f for an LP when it is its turn.
func (o *turns) call(which int, gid uint64, f func()) {
	if o.one {
		o.Lock()
		defer o.Unlock()
	}
	if !o.on {
		f()
		return
	}
	o.Lock()
	defer o.Unlock()
	for uint64(o.next[which]) < gid && o.has[which][gid] {
		o.Wait()
	}
	f()
	o.has[which][gid] = false
	o.advance(which)
	o.guard()
	o.Broadcast()
}

// loaded says that an LP has its state from a checkpoint.
func (o *turns) loaded(gid uint64) {
	if o.on && o.loads {
		o.skip(gid, initTurn)
		if !o.begins {
			o.skip(gid, preRunTurn)
		}
	}
}

// skip says that a function will not be called for an LP.
func (o *turns) skip(gid uint64, which int) {
	o.Lock()
	defer o.Unlock()
	o.has[which][gid] = false
	o.advance(which)
	o.guard()
	o.Broadcast()
}

// leave says that init will not be called for further LPs of a PE: loading may have failed on it.
func (o *turns) leave(pe *ross.PE) {
	for gid := range o.has[initTurn] {
		if node.run.LP(uint64(gid)).PE.ID == uint64(pe.ID()) {
			o.skip(uint64(gid), initTurn)
		}
	}
}

// guard makes the static variables read-only when nobody may write them any more.
func (o *turns) guard() {
	for i := range o.has {
		if o.next[i] < len(o.has[i]) {
			return
		}
	}
	C.ross_guard(1)
}

// open calls a function that may write static variables, since no handler runs.
func (o *turns) open(f func()) {
	if !o.on {
		f()
		return
	}
	C.ross_guard(0)
	f()
	C.ross_guard(1)
}

// setGuard prepares a run on several PEs.
func setGuard(cfg *ross.Config, byGID []*C.tw_lp) {
	if len(node.run.PEs) == 1 {
		return
	}
	if C.ross_guard(0) != 0 {
		fmt.Fprintf(os.Stderr, "%s: warning: handlers of %d PEs run at the same time, and nobody sees whether they write static "+
			"variables: link the model with ross-cc\n", program(cfg.Args[0]), len(node.run.PEs))
	}
	node.order.start(byGID)
}

// meeting is that of the PEs at a GVT at which the hook is due. All of them come.
type meeting struct {
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
	node.hooked.Cond = sync.NewCond(&node.hooked)
	cfg.HookTrigger = trigger()
	cfg.GVTHook = func(pe *ross.PE, pastEnd bool) {
		if meet(pe, pastEnd) {
			pe.SetHookTrigger(node.hooked.trigger)
		}
	}
}

// meet returns when the hook has been called, and reports whether it has set a trigger.
func meet(pe *ross.PE, pastEnd bool) bool {
	node.hooked.Lock()
	defer node.hooked.Unlock()
	now := node.hooked.times
	node.hooked.here++
	node.hooked.Broadcast()
	for pe.ID() == 0 && node.hooked.here < len(node.run.PEs) || pe.ID() != 0 && node.hooked.times == now {
		node.hooked.Wait()
	}
	if pe.ID() == 0 {
		node.order.open(func() { callHook(pe, pastEnd) })
		node.hooked.here = 0
		node.hooked.times++
		node.hooked.Broadcast()
	}
	return node.hooked.set
}

// callHook calls the hook.
func callHook(pe *ross.PE, pastEnd bool) {
	o := node.outs[0]
	o.pe.GVT_sig.recv_ts = C.tw_stime(pe.GVT())
	past := C.int(0)
	if pastEnd {
		past = 1
	}
	C.ross_call_hook(o, past)
	if o.count != 0 {
		lp := node.run.LP(uint64(at(o, 0).send_lp))
		takeOver(lp, o) // which is an error
	}
	if node.hooked.set = C.ross_hook_trigger.is_new != 0; node.hooked.set {
		node.hooked.trigger = trigger()
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
