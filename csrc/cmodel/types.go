// This file owns the types of LPs: what the engine calls a type is one of C, with what it adds to the instrumentation.

//go:build cgo && linux

package cmodel

// #include <stdlib.h>
// #include "libross.h"
import "C"

import (
	"debug/dwarf"
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/foreign"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/rng"
)

// lpType is a type of LPs: what tw_lp_settype and st_model_settype were given together.
type lpType struct {
	c       *C.tw_lptype
	model   *C.st_model_types
	streams int  // of each LP
	commits bool // each event is final at once: commit is called with it

	once   sync.Once  // for layout
	layout dwarf.Type // of states, nil if it is not known, see fields.go
}

// Sizes and places that ross-types.h knows.
var (
	_ [0]struct{} = [C.sizeof_tw_lp - 128]struct{}{}
	_ [0]struct{} = [unsafe.Offsetof(kernel.LP{}.RNG) - unsafe.Offsetof(kernel.LP{}.Now) - C.ROSS_CLOCK]struct{}{}
)

// C's stream and the engine's have one size. A test compares what they draw.
var _ [0]struct{} = [unsafe.Sizeof(rng.Stream{}) - C.sizeof_tw_rng_stream]struct{}{}

// Words that stand for the Go types that states and messages of C do not have.
var stateWord, messageWord byte

// node is this process as the model sees it. C has one set of variables, so there is one run at a time.
var node struct {
	config ross.Config
	sim    *ross.Simulation
	outs   []*C.ross_out  // what the PEs' handlers do, by PE
	pinned runtime.Pinner // keeps what C has the addresses of where it is
	order  turns
	hooked meeting
	// storing lets the model's functions for checkpoints be called for one LP after the other.
	storing sync.Mutex
	// autoAs is what the variable says for --synch=auto: the scheduler that models take it for.
	autoAs ross.Scheduler
}

// makeOuts makes node.outs.
func makeOuts() {
	for i := range node.sim.NumPEs() {
		o := C.ross_out_new(C.tw_peid(i))
		if o == nil {
			fail(1, fmt.Errorf("tw_run: no memory for PE %d", i))
		}
		if node.config.Synch != 0 && node.config.Synch != ross.Sequential && node.config.Synch != ross.Conservative {
			o.undoes = 1
		}
		node.outs = append(node.outs, o)
	}
	C.g_tw_pe.ross_out = node.outs[0]
}

// makeTypes returns the types of the LPs, and sets which LP has which.
func makeTypes(cfg *ross.Config) (types []ross.LPType, err error) {
	type pair struct {
		c     *C.tw_lptype
		model *C.st_model_types
		rio   *C.io_lptype
	}
	known := map[pair]uint16{}
	byGID := lpsByGID()
	kinds := make([]uint16, len(byGID))
	for i, h := range byGID {
		p := pair{h._type, h.model_types, rioOf(h)}
		at, ok := known[p]
		if !ok {
			if at = uint16(len(types)); int(at) != len(types) {
				return nil, fmt.Errorf("tw_run: there are more than %d types of LPs: use fewer tw_lptype", len(types))
			}
			t := &lpType{c: p.c, model: p.model, streams: cfg.Streams.PerLP, commits: cfg.Synch <= ross.Conservative && p.c.commit != nil}
			lt, err := t.kernelType(fmt.Sprintf("C type %d", at))
			if err == nil {
				err = t.setSerial(lt, p.rio)
			}
			if err != nil {
				return nil, err
			}
			known[p] = at
			types = append(types, foreign.LPType(lt).(ross.LPType))
		}
		kinds[i] = at
	}
	if len(types) > 1 {
		cfg.TypeMap = func(gid ross.LPID) int { return int(kinds[gid]) }
	}
	return types, nil
}

// kernelType returns the type as the engine has it.
func (t *lpType) kernelType(name string) (*kernel.Type, error) {
	m := &kernel.Message{
		Word: unsafe.Pointer(&messageWord), Name: "message of C", Go: reflect.TypeFor[struct{}](), Size: uintptr(C.g_tw_msg_sz), Raw: true,
		Event: t.event(),
	}
	lt := &kernel.Type{
		Name: name, Layouts: instr.RunType{Name: name}, StateType: unsafe.Pointer(&stateWord), StateSize: (max(uintptr(t.c.state_sz), 1) + 15) &^ 15,
		Messages: []*kernel.Message{m},
	}
	lt.Slab = slab(lt.StateSize)
	if t.c.init != nil {
		lt.Init = t.inTurn(initTurn, t.c.init)
	}
	if t.c.pre_run != nil {
		lt.PreRun = t.inTurn(preRunTurn, C.init_f(t.c.pre_run))
	}
	if t.c.final != nil {
		final := t.plain(C.init_f(t.c.final))
		lt.Final = func(state unsafe.Pointer, lp *kernel.LP) {
			C.ross_guard(0)
			final(state, lp)
		}
	}
	if t.c.commit != nil && !t.commits {
		m.Commit = t.undoHandler(C.event_f(t.c.commit))
	}
	saving := kernel.Saving(kernel.SaveNever) // without revent
	if t.c.revent != nil {
		m.Reverse, saving = t.undoHandler(C.event_f(t.c.revent)), kernel.SaveByReverse
	}
	if err := t.addSamples(lt, m); err != nil {
		return nil, err
	}
	timed := *m // the engine sends none, but every message has one
	timed.Word, timed.Size = unsafe.Pointer(&timed), kernel.TimedSize(m.Size)
	m.Timed = &timed
	lt.Check = t.check()
	return lt, lt.SetSaving(saving, reflect.TypeFor[struct{}]())
}

// slab returns memory of C for n states of a type, as Type.Slab does. Small states do not use it, see connect. It is
// never freed: the model may look at it after the run.
func slab(size uintptr) func(n int) (unsafe.Pointer, any) {
	return func(n int) (unsafe.Pointer, any) {
		var p unsafe.Pointer
		if n == 0 {
			return nil, nil
		}
		if p = C.calloc(C.size_t(n), C.size_t(size)); p == nil {
			fail(1, fmt.Errorf("tw_run: no memory for %d states of %d bytes", n, size))
		}
		return p, nil
	}
}

// connect gives the model's LPs their states, clocks and streams.
func connect() {
	per := int(C.g_tw_nRNG_per_lp)
	node.pinned.Pin(kernelLP(node.sim.LP(0))) // all LPs of a process are in one array
	for gid, h := range lpsByGID() {
		lp := kernelLP(node.sim.LP(ross.LPID(gid)))
		node.outs[lp.PE.ID].nodes = (*C.ross_node)(lp.PE.Arena.Lines.Base())
		switch size := h._type.state_sz; {
		case size <= C.ROSS_SMALL:
			lp.State = unsafe.Pointer(&h.ross_small)
		case size <= C.ROSS_ROOM:
			lp.State = unsafe.Pointer(&h.ross_state)
		}
		h.cur_state = lp.State
		if per == 1 {
			h.rng = (*C.tw_rng_stream)(unsafe.Pointer(&lp.RNG))
		} else {
			copies := C.calloc(1, C.size_t(C.ROSS_STREAMS+per*C.sizeof_tw_rng_stream))
			if copies == nil {
				fail(1, fmt.Errorf("tw_run: no memory for %d streams of LP %d", per, gid))
			}
			h.rng = (*C.tw_rng_stream)(unsafe.Add(copies, C.ROSS_STREAMS))
			lendStreams(lp, h)
		}
	}
}

// lpsByGID returns the model's LPs.
func lpsByGID() []*C.tw_lp { return unsafe.Slice(C.ross_by_gid, int(C.g_tw_total_lps)) }

// kernelLP returns the engine's LP, which lies at the beginning of that of package ross.
func kernelLP(lp *ross.LP) *kernel.LP { return (*kernel.LP)(unsafe.Pointer(lp)) }
