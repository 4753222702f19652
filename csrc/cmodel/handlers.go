// This file owns the calls of a model's functions, and what becomes of what they have done.

//go:build cgo && linux

package cmodel

// #cgo noescape ross_call_handler
// #cgo nocallback ross_call_handler
// #cgo noescape ross_call_plain
// #include "libross.h"
import "C"

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/sys/cstack"
	"github.com/ross-go/ross/rng"
)

// outOf returns where the PE that handles an LP notes down what its handlers do.
func outOf(lp *kernel.LP) *C.ross_out { return node.outs[lp.PE.ID] }

// switches says that handlers are called on stacks of their own, and not through cgo, which takes some 40 ns longer.
// The environment variable ROSS_CALLS=cgo is for comparisons.
var switches = cstack.Available && os.Getenv("ROSS_CALLS") != "cgo"

// handlerCaller is the address of ross_call_handler.
var handlerCaller = unsafe.Pointer(C.ross_call_handler)

// callHandler calls an event, revent or commit.
func callHandler(o *C.ross_out) {
	if switches {
		cstack.Call(handlerCaller, unsafe.Pointer(o), unsafe.Pointer(o.stack))
	} else {
		C.ross_call_handler(o)
	}
}

// handleOf returns the tw_lp of an LP.
func handleOf(lp *kernel.LP) *C.tw_lp {
	return *(**C.tw_lp)(unsafe.Add(unsafe.Pointer(C.ross_by_gid), uintptr(lp.ID)*unsafe.Sizeof(uintptr(0))))
}

// event returns the handler of all events of a type.
func (t *lpType) event() kernel.Handler {
	f, several := t.c.event, t.streams > 1
	if f == nil {
		return func(_ unsafe.Pointer, lp *kernel.LP, _ unsafe.Pointer) {
			lp.Blame(kernel.ErrModel, "set event of its tw_lptype, or send it none", "received an event and has no handler")
		}
	}
	var commit C.event_f
	if t.commits {
		commit = C.event_f(t.c.commit)
	}
	return func(state unsafe.Pointer, lp *kernel.LP, msg unsafe.Pointer) {
		o, h := outOf(lp), handleOf(lp)
		o.pe.GVT_sig.recv_ts = C.tw_stime(lp.PE.GVT)
		o.call.handler, o.call.commit, o.call.state, o.call.msg, o.call.lp = f, commit, state, msg, h
		o.call.bits = (*C.tw_bf)(unsafe.Pointer(&lp.PE.Current.Bits))
		if several {
			lendStreams(lp, h)
		}
		callHandler(o)
		if several {
			takeStreams(lp, h)
		}
		if o.count|o.notes != 0 {
			takeOver(lp, o)
		}
	}
}

// undoHandler returns a function that calls a revent or commit.
func (t *lpType) undoHandler(f C.event_f) kernel.UndoHandler {
	return func(state unsafe.Pointer, lp *kernel.LP, bits *uint32, msg unsafe.Pointer) {
		o, h := outOf(lp), handleOf(lp)
		o.call.handler, o.call.commit, o.call.state, o.call.msg, o.call.lp = f, nil, state, msg, h
		o.call.bits = (*C.tw_bf)(unsafe.Pointer(bits))
		if t.streams > 1 {
			lendStreams(lp, h)
		}
		callHandler(o)
		if t.streams > 1 {
			takeStreams(lp, h)
		}
		if o.count|o.notes != 0 {
			takeOver(lp, o)
		}
	}
}

// inTurn returns a function that calls an init or pre_run when it is the turn of the LP.
func (t *lpType) inTurn(which int, f C.init_f) func(unsafe.Pointer, *kernel.LP) {
	call := t.plain(f)
	return func(state unsafe.Pointer, lp *kernel.LP) {
		node.order.call(which, lp.ID, func() { call(state, lp) })
	}
}

// plain returns a function that calls an init, pre_run or final.
func (t *lpType) plain(f C.init_f) func(unsafe.Pointer, *kernel.LP) {
	return func(state unsafe.Pointer, lp *kernel.LP) {
		o, h := outOf(lp), handleOf(lp)
		o.call.plain, o.call.state, o.call.lp = f, state, h
		if t.streams > 1 {
			lendStreams(lp, h)
		}
		C.ross_call_plain(o)
		if t.streams > 1 {
			takeStreams(lp, h)
		}
		if o.count|o.notes != 0 {
			takeOver(lp, o)
		}
	}
}

// takeOver does what a function of the model has noted down.
func takeOver(lp *kernel.LP, o *C.ross_out) {
	for i := range uint32(o.count) {
		if e := at(o, i); !refuse(lp, e) {
			send(lp, e)
		}
	}
	o.count = 0
	if o.notes != 0 {
		takeNotes(lp, o)
	}
}

// unsent says that an event has been made and not sent.
var unsent atomic.Bool

// refuse reports whether a handler or hook has made a mistake with an event that it has made, and blames it for that.
func refuse(lp *kernel.LP, e *C.tw_event) bool {
	size := uintptr(C.g_tw_msg_sz)
	switch {
	case *(*uint64)(unsafe.Add(unsafe.Pointer(e), C.ROSS_EVENT+size)) != uint64(C.ross_behind):
		lp.Blame(kernel.ErrModel, "give tw_define_lps the size of the largest message",
			"wrote beyond the %d bytes of the message of an event for %s", size, lp.NameFor(uint64(e.dest_lpid)))
	case e.ross_sent == 0: // ROSS goes on as well, with one event less
		lp.Core.Unif() // each event that is made takes a draw
		if unsent.CompareAndSwap(false, true) {
			lp.PE.Run.Warn(
				fmt.Sprintf(
					"%s at %g: made an event for %s and has not sent it: call tw_event_send for each event of tw_event_new; this is said once",
					lp.Name(), lp.Now, lp.NameFor(uint64(e.dest_lpid))))
		}
	case e.ross_sent == C.ROSS_TWICE:
		lp.Blame(kernel.ErrModel, "make another event for each tw_event_send", "sent an event for %s twice",
			lp.NameFor(uint64(e.dest_lpid)))
	default:
		return false
	}
	return true
}

// at returns event i that the handler has made.
func at(o *C.ross_out, i uint32) *C.tw_event {
	chunk := *(*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(o.chunks), uintptr(i/C.ROSS_CHUNK)*unsafe.Sizeof(uintptr(0))))
	return (*C.tw_event)(unsafe.Add(chunk, uintptr(i%C.ROSS_CHUNK)*uintptr(o.stride)))
}

// send schedules an event.
func send(lp *kernel.LP, e *C.tw_event) {
	prio := float64(e.ross_priority)
	switch {
	case uint64(e.send_lp) != lp.ID:
		lp.Blame(kernel.ErrOutsideHandler, "give tw_event_new the LP whose handler calls it",
			"sent an event in the name of %s", lp.NameFor(uint64(e.send_lp)))
		return
	case !(prio >= 0 && prio <= 1):
		lp.Blame(kernel.ErrPriority, "a priority must be in [0, 1]", "sent %s an event with priority %g",
			lp.NameFor(uint64(e.dest_lpid)), prio)
		return
	}
	size := uintptr(C.g_tw_msg_sz)
	if p := lp.Schedule(uint64(e.dest_lpid), float64(e.ross_delay), prio, node.word, size); p != nil {
		from := unsafe.Add(unsafe.Pointer(e), C.ROSS_EVENT)
		if size == 8 { // a copy of any length costs more
			*(*uint64)(p) = *(*uint64)(from)
		} else {
			copy(unsafe.Slice((*byte)(p), size), unsafe.Slice((*byte)(from), size))
		}
	}
}

// takeNotes does what a handler has noted down besides events.
func takeNotes(lp *kernel.LP, o *C.ross_out) {
	notes := o.notes
	o.notes = 0
	if notes&C.ROSS_NOTE_TEXT != 0 {
		texts := string(unsafe.Slice((*byte)(unsafe.Pointer(o.texts)), int(o.texts_len)))
		o.texts_len = 0
		for text := range strings.SplitSeq(strings.TrimSuffix(texts, "\x00"), "\x00") {
			lp.Print(text)
		}
	}
	if notes&C.ROSS_NOTE_SUSPEND != 0 {
		lp.Suspend(o.suspend_reverses != 0, int(o.suspend_code))
	}
	if notes&C.ROSS_NOTE_HOOK != 0 {
		lp.TriggerHook()
	}
	if notes&C.ROSS_NOTE_UNHOOK != 0 {
		lp.UntriggerHook()
	}
}

// lendStreams copies the streams of an LP that has several to where its handler finds them, one behind the other, and
// the time in front of them.
func lendStreams(lp *kernel.LP, h *C.tw_lp) {
	to := unsafe.Slice((*rng.Stream)(unsafe.Pointer(h.rng)), 1+len(lp.More()))
	to[0] = lp.RNG
	*(*float64)(unsafe.Add(unsafe.Pointer(h.rng), -C.ROSS_CLOCK)) = lp.Now
	copy(to[1:], lp.More())
}

// takeStreams copies them back.
func takeStreams(lp *kernel.LP, h *C.tw_lp) {
	from := unsafe.Slice((*rng.Stream)(unsafe.Pointer(h.rng)), 1+len(lp.More()))
	lp.RNG = from[0]
	copy(lp.More(), from[1:])
}
