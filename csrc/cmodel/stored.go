// This file owns the states in checkpoints, as the model's functions write them (RIO) or as they are in memory, and the
// checkpoints that the model loads and stores itself.

//go:build cgo && linux

package cmodel

// #include "libross.h"
import "C"

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/kernel"
)

// numbers says that words of states which look like addresses are numbers.
var numbers = os.Getenv("ROSS_POINTERS") == "numbers"

// setSerial sets how checkpoints store the states of a type. rio has the model's functions, or is nil.
func (t *lpType) setSerial(lt *kernel.Type, rio *C.io_lptype) error {
	s, size := &lt.Serial, int(t.c.state_sz)
	if rio == nil || rio.serialize == nil && rio.deserialize == nil && rio.model_size == nil {
		s.Size = func(unsafe.Pointer, *kernel.LP) int { return size }
		s.Put = func(state unsafe.Pointer, _ *kernel.LP, buf []byte) { copy(buf, bytesOf(state, size)) }
		s.Get = func(state unsafe.Pointer, lp *kernel.LP, buf []byte) error {
			if len(buf) != size {
				return fmt.Errorf("its state has %d bytes, and %d in the model: %w: use the version of the model that stored it",
					len(buf), size, ross.ErrCheckpoint)
			}
			copy(bytesOf(state, size), buf)
			node.order.loaded(lp.ID)
			return nil
		}
		s.Refuse = func(state unsafe.Pointer, _ *kernel.LP) error {
			return cmp.Or(findHeld(), t.findAddress(state, size))
		}
		return nil
	}
	if rio.serialize == nil || rio.deserialize == nil || rio.model_size == nil {
		return fmt.Errorf(
			"tw_run: %s: an io_lptype has some of serialize, deserialize and model_size: give all three or none", lt.Name)
	}
	s.Refuse = func(unsafe.Pointer, *kernel.LP) error { return findHeld() }
	s.Size = func(state unsafe.Pointer, lp *kernel.LP) (n int) {
		t.forStoring(lp, func(o *C.ross_out, h *C.tw_lp) { n = int(C.ross_call_size(rio.model_size, o, state, h)) })
		return n
	}
	s.Put = func(state unsafe.Pointer, lp *kernel.LP, buf []byte) {
		t.forStoring(lp, func(o *C.ross_out, h *C.tw_lp) {
			C.ross_call_serialize(rio.serialize, o, state, unsafe.Pointer(room(buf)), h)
		})
	}
	s.Get = func(state unsafe.Pointer, lp *kernel.LP, buf []byte) error {
		t.forStoring(lp, func(o *C.ross_out, h *C.tw_lp) {
			C.ross_call_serialize(C.serialize_f(rio.deserialize), o, state, unsafe.Pointer(room(buf)), h)
		})
		t.size()
		node.order.loaded(lp.ID)
		return nil
	}
	return nil
}

// bytesOf returns a state.
func bytesOf(state unsafe.Pointer, size int) []byte { return unsafe.Slice((*byte)(state), size) }

// forStoring calls a function of the model for checkpoints.
func (t *lpType) forStoring(lp *kernel.LP, f func(*C.ross_out, *C.tw_lp)) {
	node.storing.Lock()
	defer node.storing.Unlock()
	o, h := outOf(lp), handleOf(lp)
	if t.streams > 1 {
		lendStreams(lp, h)
	}
	f(o, h)
	if o.count|o.notes != 0 {
		takeOver(lp, o) // texts; events are an error
	}
}

// findHeld returns an error if the GVT hook keeps events, which are in no queue.
func findHeld() error {
	if n := C.ross_held; n > 0 {
		return fmt.Errorf(
			"the GVT hook keeps %d events that it has taken out of the queue: %w: store checkpoints when it has put them back",
			n, ross.ErrModel)
	}
	return nil
}

// findAddress returns an error if a word of a state looks like the address of memory.
func (t *lpType) findAddress(state unsafe.Pointer, size int) error {
	if numbers {
		return nil
	}
	at := C.ross_find_address(state, C.size_t(size))
	if at < 0 {
		return nil
	}
	which := fmt.Sprintf("bytes %d to %d hold", at, at+C.long(unsafe.Sizeof(uintptr(0)))-1)
	if name := t.fieldAt(int(at)).name; name != "" {
		which = name + " holds"
	}
	return fmt.Errorf("%s an address, which means nothing in another run: %w: keep in the state what is there, "+
		"or give the type an io_lptype (-DUSE_RIO); if they are a number, set the environment variable ROSS_POINTERS=numbers",
		which, ross.ErrModel)
}

// rioOf returns the model's functions for the states of an LP, or nil.
func rioOf(h *C.tw_lp) *C.io_lptype {
	if C.g_io_lp_types == nil {
		return nil
	}
	return (*C.io_lptype)(unsafe.Add(unsafe.Pointer(C.g_io_lp_types), uintptr(C.ross_type_of(h))*C.sizeof_io_lptype))
}

// setCheckpoints sets what the model has said about checkpoints.
func setCheckpoints(cfg *ross.Config) {
	to := &cfg.Checkpoints
	to.AfterRun = C.ross_keeps != 0 || C.g_io_events_buffered_per_rank > 0
	to.Version = C.GoString(&C.ross_version[0])
	to.AsROSS = to.AsROSS || to.Restart == "" && C.g_io_load_at != C.NONE && !slices.ContainsFunc(cfg.Args, isAsROSS)
	to.OtherOptions = to.OtherOptions || to.Restart == "" && C.g_io_load_at != C.NONE // the option to load is one of them
	if to.Restart != "" || C.g_io_load_at != C.NONE {
		node.order.loads = to.Restart != "" || C.g_io_load_at == C.INIT
		node.order.begins = to.AsROSS
		cfg.PE.PostLPInit = node.order.leave
	}
}

// isAsROSS reports whether a word sets how the model's checkpoint is loaded.
func isAsROSS(word string) bool { return strings.HasPrefix(word, "--io-as-ross") }

// loadCheckpoint loads what the model has named to io_load_checkpoint. In a restart the engine has loaded another one.
func loadCheckpoint(cfg *ross.Config) error {
	if C.g_io_load_at == C.NONE || cfg.Checkpoints.Restart != "" {
		return nil
	}
	modes := map[C.io_load_type]ross.LoadMode{C.PRE_INIT: ross.LoadPreInit, C.INIT: ross.LoadInit,
		C.POST_INIT: ross.LoadPostInit}
	return node.sim.Load(C.GoString(&C.g_io_checkpoint_name[0]), modes[C.g_io_load_at])
}
