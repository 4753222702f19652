// This file owns what C types need in a Go program, which says which LPs have them: what tw_init and tw_define_lps do
// in one of C.

//go:build cgo && linux

package cmodel

// #include <stdio.h>
// #include <stdlib.h>
// #include "libross.h"
import "C"

import (
	"fmt"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/rng"
)

// prepare says that the program is one of Go.
func prepare() {
	node.claim.Lock()
	defer node.claim.Unlock()
	C.ross_in_go = 1
}

// build returns a type as the engine has it.
func build(f *facts, set *settings.Settings, m *kernel.Message) (*kernel.Type, error) {
	c := (*C.tw_lptype)(f.C)
	if c.state_sz == 0 && C.ross_is_old(c) != 0 {
		return nil,
			fmt.Errorf(
				"ross: LP type %q: state_sz is 0 and a number stands where a function should: %w: give the initialiser all fields of a "+
					"tw_lptype (init, pre_run, event, revent, commit, final, map, state_sz)", f.Name, ross.ErrModel)
	}
	t := &lpType{c: c, inGo: true, streams: int(set.Streams.PerLP)}
	t.commits = set.Mode() != settings.Optimistic && c.commit != nil
	lt, err := t.kernelType(f.Name, m)
	if err == nil {
		err = t.setSerial(lt, nil)
	}
	if err != nil {
		return nil, err
	}
	lt.Lookahead, lt.NeverStops = f.Lookahead, f.NeverStops
	if label := f.Label; label != nil {
		lt.Label = func(gid uint64) string { return label(ross.LPID(gid)) }
	}
	return lt, nil
}

// enter checks a run that has LPs of C, and makes room for their addresses.
func (h *host) enter() error {
	r := h.run
	if r.NumPEs() != uint64(len(r.PEs)) {
		return fmt.Errorf(
			"ross: Define: LPs of C are on one rank, and there are several: %w: start it as one process, without mpirun and --ranks, and with --pes=N", ross.ErrUsage)
	}
	switch {
	case C.g_tw_gvt_hook != nil:
		return fmt.Errorf("ross: Define: g_tw_gvt_hook is set: %w: set GVTHook and HookTrigger of ross.Config", ross.ErrModel)
	case C.g_io_lp_types != nil:
		return fmt.Errorf(
			"ross: Define: g_io_lp_types is set: %w: states of C types in Go programs are stored as they are in memory",
			ross.ErrModel)
	}
	var first *kernel.Message
	for _, t := range r.Types {
		if t.StateType != unsafe.Pointer(&stateWord) {
			continue
		}
		switch m := t.Messages[0]; {
		case first == nil:
			first, h.word, h.size = m, m.Word, C.size_t(m.Size)
		case m.Word != h.word:
			return fmt.Errorf("ross: Define: C types %q and %q have messages %s and %s: %w: give all C types one message",
				first.To.Name, t.Name, first.Name, m.Name, ross.ErrModel)
		}
	}
	h.byGID = (**C.tw_lp)(C.calloc(C.size_t(r.Total), C.size_t(unsafe.Sizeof(uintptr(0)))))
	if h.byGID == nil {
		return fmt.Errorf("ross: Define: no memory for the addresses of %d LPs: %w", r.Total, ross.ErrMemory)
	}
	return nil
}

// start sets the variables of C for the run.
func (h *host) start() error {
	switch {
	case node.host == h && node.busy: // another type has done it
		return nil
	case node.busy:
		return fmt.Errorf(
			"ross: Run: another simulation with LPs of C is running, and C has one set of variables: %w: run one after the other", ross.ErrModel)
	}
	h.use()
	node.busy = true
	C.ross_enter(C.tw_lpid(h.run.Total), h.byGID, h.size, h.first())
	variables(&h.run.Set)
	node.order.one = len(h.run.PEs) > 1
	C.ross_catch_faults()
	return nil
}

// end says that nothing of C runs any more. The variables stay until another run begins, or this one is released.
func (h *host) end() {
	if node.host == h && node.busy {
		C.ross_drop_deltas()
		C.fflush(nil) // what the model has printed
		node.busy = false
	}
}

// release frees what C has for the run.
func (h *host) release() {
	if node.host == h {
		C.ross_leave()
		(*host)(nil).use()
	}
	for _, o := range h.outs {
		C.ross_out_free(o)
	}
	C.free(unsafe.Pointer(h.byGID))
	h.pinned.Unpin()
}

// variables tells C the settings.
func variables(set *settings.Settings) {
	synch := C.tw_synch(C.SEQUENTIAL)
	switch {
	case set.Synch == settings.SynchAuto:
		synch = C.OPTIMISTIC
	case set.Synch != 0:
		synch = C.tw_synch(set.Synch)
	}
	C.g_tw_synchronization_protocol = synch
	C.g_tw_ts_end, C.g_tw_lookahead = C.double(set.End), C.double(set.ConsLookahead)
	C.g_tw_mblock, C.g_tw_gvt_interval = C.uint(set.Tuning.Batch), C.uint(set.Tuning.GVTInterval)
	C.g_tw_nRNG_per_lp = C.uint(set.Streams.PerLP)
	in := &set.Instruments
	C.g_st_ev_trace, C.g_st_model_stats, C.g_st_engine_stats = C.int(in.Trace), C.int(in.Model), C.int(in.Engine)
	given := set.Streams.Seeds != ([4]uint64{})
	for i, x := range rng.DefaultSeeds {
		if given {
			x = uint32(set.Streams.Seeds[i])
		}
		C.ross_seeds[i] = C.uint32_t(x)
	}
}

// join makes the LPs of the type that C sees.
func (t *lpType) join(of *host) error {
	r, n := of.run, 0
	for gid := range r.Total {
		if r.TypeAt(gid) == t.kernel {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	memory := C.aligned_alloc(128, C.size_t(n)*C.sizeof_tw_lp)
	if memory == nil {
		return fmt.Errorf("ross: Define: no memory for %d LPs: %w", n, ross.ErrMemory)
	}
	t.memory = append(t.memory, memory)
	lps, byGID := unsafe.Slice((*C.tw_lp)(memory), n), of.lps()
	clear(lps)
	for gid := range r.Total {
		if r.TypeAt(gid) == t.kernel {
			h := &lps[0]
			lps = lps[1:]
			h.gid, h.id, h._type = C.tw_lpid(gid), C.tw_lpid(gid), t.c
			byGID[gid] = h
		}
	}
	return nil
}
