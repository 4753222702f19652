// This file owns what keeps models from sharing static variables among PEs, which are threads: between init and final
// these variables are read-only, and before and after that LPs are called one after the other, in the order of their
// ids, as on one node of ROSS. The GVT hook of the model belongs to the node as well and not to a PE: the first PE
// calls it while the others wait, so that it sees all LPs, and their
// pending events, which queue.c gives it.

//go:build cgo && linux

package cmodel

// #include "libross.h"
// #include <stdlib.h>
import "C"

import (
	"fmt"
	"os"
	"sync"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
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
		if h == nil { // on another rank
			continue
		}
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
		if lp := node.run.LP(uint64(gid)); lp != nil && lp.PE.ID == uint64(pe.ID()) {
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
		fmt.Fprintf(os.Stderr,
			"%s: warning: handlers of %d PEs run at the same time, and nobody sees whether they write static "+
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
	clocks  []float64        // of the LPs, while the hook sees GVT in their place
	sends   bool             // the hook may have sent events
}

// setHook sets the hook of the model.
func setHook(cfg *ross.Config) {
	if C.g_tw_gvt_hook == nil {
		return
	}
	node.hooked.Cond = sync.NewCond(&node.hooked)
	cfg.HookTrigger = trigger()
	cfg.GVTHook = func(pe *ross.PE, pastEnd bool) {
		set := meet(pe, pastEnd)
		takeSends(node.run.PEs[uint64(pe.ID())-node.run.Base])
		if set {
			pe.SetHookTrigger(node.hooked.trigger)
		}
	}
}

// meet returns when the hook has been called, and reports whether it has set a trigger.
func meet(pe *ross.PE, pastEnd bool) bool {
	node.hooked.Lock()
	defer node.hooked.Unlock()
	now, first := node.hooked.times, uint64(pe.ID()) == node.run.Base
	node.hooked.here++
	node.hooked.Broadcast()
	for first && node.hooked.here < len(node.run.PEs) || !first && node.hooked.times == now {
		node.hooked.Wait()
	}
	if first {
		node.order.open(func() { callHook(node.run.PEs[0], pastEnd) })
		node.hooked.here = 0
		node.hooked.times++
		node.hooked.Broadcast()
	}
	return node.hooked.set
}

// callHook calls the hook. Ranks whose hooks may take events wait for each other afterwards: one that went on would
// send events to another whose hook has yet to take those that were there.
func callHook(pe *kernel.PE, pastEnd bool) {
	o := node.host.first()
	o.pe.GVT_sig = signatureOf(pe)
	past := C.int(0)
	if pastEnd {
		past = 1
	}
	waits := C.ross_hook_trigger.kind != C.ROSS_EVERY && C.ross_nodes > 1
	if C.ross_looked != 0 && C.ross_may_look() != 0 {
		showGVT(pe.GVT)
	}
	C.ross_open_hook()
	C.ross_call_hook(o, past)
	C.ross_close_hook()
	if node.hooked.sends = node.hooked.clocks != nil; node.hooked.sends {
		putBack(pe)
		hideGVT()
	}
	if waits {
		gather(nil)
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

// signatureOf returns the place of the hook in the order of events.
func signatureOf(pe *kernel.PE) (sig C.tw_event_sig) {
	at := &pe.Hook.Place
	return signature(pe.GVT, min(at.Prio, 1), min(at.Tie, 1), at.Node, pe)
}

// signature returns a signature with as many tie-breakers as C has room for.
func signature(time, prio, tie float64, lineage uint32, pe *kernel.PE) (sig C.tw_event_sig) {
	sig.recv_ts, sig.priority = C.tw_stime(time), C.double(prio)
	var room [C.MAX_TIE_CHAIN]float64
	for i, x := range pe.Arena.Lines.Append(append(room[:0], tie), lineage) {
		if i < C.MAX_TIE_CHAIN {
			sig.event_tiebreaker[i] = C.double(x)
			sig.tie_lineage_length++
		}
	}
	return sig
}

// showGVT lets the hook find GVT as the virtual time of all LPs, and their streams.
func showGVT(gvt float64) {
	for gid, h := range lpsByGID() {
		if h == nil {
			continue
		}
		lp := node.run.LP(uint64(gid))
		node.hooked.clocks = append(node.hooked.clocks, lp.Now)
		lp.Now = gvt
		h.pe = &outOf(lp).pe
		if node.run.Set.Streams.PerLP > 1 {
			lendStreams(lp, h)
		}
	}
}

// hideGVT undoes showGVT.
func hideGVT() {
	clocks := node.hooked.clocks
	for gid, h := range lpsByGID() {
		if h == nil {
			continue
		}
		lp := node.run.LP(uint64(gid))
		lp.Now, clocks = clocks[0], clocks[1:]
		if node.run.Set.Streams.PerLP > 1 {
			takeStreams(lp, h)
		}
	}
	node.hooked.clocks = nil
}

// ross_go_take gives all pending events of this process to ross_give.
//
//export ross_go_take
func ross_go_take() {
	if node.hooked.clocks == nil {
		showGVT(node.run.PEs[0].GVT)
	}
	byGID := lpsByGID()
	for _, pe := range node.run.PEs {
		pe.TakeEvents(func(i uint32, from *event.Event) {
			e := C.ross_new_taken(node.host.first())
			e.sig = signature(from.Time, from.Prio, from.Tie, from.Lineage, pe)
			e.recv_ts, e.send_ts = C.tw_stime(from.Time), C.tw_stime(from.SendTime)
			e.send_lp, e.dest_lpid = C.tw_lpid(from.Src), C.tw_lpid(pe.GID(from.Dst))
			e.src_lp, e.dest_lp = byGID[from.Src], byGID[e.dest_lpid]
			e.ross_slot, e.send_pe = C.uint64_t(i), C.g_tw_mynode
			copy(messageIn(e), unsafe.Slice((*byte)(event.Payload(from)), int(C.g_tw_msg_sz)))
			C.ross_give(e)
		})
	}
}

// messageIn returns the message of an event that C has.
func messageIn(e *C.tw_event) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(e), C.ROSS_EVENT)), int(C.g_tw_msg_sz))
}

// ross_go_free frees an event that the hook has taken.
//
//export ross_go_free
func ross_go_free(slot C.uint64_t) {
	pe := node.run.PEs[0]
	pe.FreeTaken(uint32(slot), pe.Arena.At(uint32(slot)))
}

// putBack returns to the engine what the hook has not taken or has put back.
func putBack(pe *kernel.PE) {
	for e := C.ross_next_back(); e != nil; e = C.ross_next_back() {
		to := pe.Arena.At(uint32(e.ross_slot))
		copy(unsafe.Slice((*byte)(event.Payload(to)), int(C.g_tw_msg_sz)), messageIn(e))
		pe.PutBack(uint32(e.ross_slot), to, float64(e.recv_ts))
		C.free(unsafe.Pointer(e))
	}
}

// takeSends sends what the hook has sent in the names of the LPs of a PE.
func takeSends(pe *kernel.PE) {
	o := node.outs[pe.ID]
	if o.count == 0 {
		return
	}
	if !node.hooked.sends {
		takeOver(node.run.LP(uint64(at(o, 0).send_lp)), o) // which is an error
		return
	}
	size := uintptr(C.g_tw_msg_sz)
	for i := range uint32(o.count) {
		e := at(o, i)
		lp := node.run.LP(uint64(e.send_lp))
		if refuse(lp, e) {
			continue
		}
		p := lp.ScheduleInHook(uint64(e.dest_lpid), float64(e.ross_delay), float64(e.ross_priority), node.word, size)
		if p != nil {
			copy(unsafe.Slice((*byte)(p), size), messageIn(e))
		}
	}
	o.count = 0
}
