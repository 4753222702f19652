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
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/run/inside"
	"github.com/ross-go/ross/rng"
)

// lpType is a type of LPs: what tw_lp_settype and st_model_settype were given together.
type lpType struct {
	c       *C.tw_lptype
	model   *C.st_model_types
	streams int  // of each LP
	commits bool // each event is final at once: commit is called with it

	kernel *kernel.Type     // the type as the engine has it
	inGo   bool             // the program is one in Go: the type is that of a Type, and its memory is freed
	memory []unsafe.Pointer // of the states, LPs and streams
	short  error            // there was too little of it

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

// messageWord stands for the Go type that the messages of C programs do not have.
var messageWord byte

// node is this process as the model sees it. C has one set of variables, so one run at a time is the node's.
var node = struct {
	outs  []*C.ross_out // those of the host, which each event needs, and its word
	word  unsafe.Pointer
	run   *kernel.Run
	host  *host                 // of that run, or the last one
	claim sync.Mutex            // of the host and hosts
	hosts map[*kernel.Run]*host // of all simulations that are not closed
	busy  bool                  // the run of a Go program goes on
	// Of a C program:
	config ross.Config
	sim    *ross.Simulation
	order  turns
	hooked meeting
	// storing lets the model's functions for checkpoints be called for one LP after the other.
	storing sync.Mutex
	// autoAs is what the variable says for --synch=auto: the scheduler that models take it for.
	autoAs ross.Scheduler
}{hosts: map[*kernel.Run]*host{}}

// host is what C has for a run.
type host struct {
	run    *kernel.Run
	word   unsafe.Pointer // of the messages that C sends, see kernel.Message
	size   C.size_t       // of these messages
	byGID  **C.tw_lp      // LPs of C by their ids
	outs   []*C.ross_out  // what the PEs' handlers do, by PE; nil for those of other ranks
	pinned runtime.Pinner // keeps what C has the addresses of where it is
}

// lps returns the LPs by their ids, nil for one of Go.
func (h *host) lps() []*C.tw_lp { return unsafe.Slice(h.byGID, int(h.run.Total)) }

// use makes the run that of the node. There is none without h.
func (h *host) use() {
	if node.host = h; h == nil {
		node.outs, node.word, node.run = nil, nil, nil
	} else {
		node.outs, node.word, node.run = h.outs, h.word, h.run
	}
}

// makeOuts makes h.outs.
func (h *host) makeOuts() error {
	h.outs = make([]*C.ross_out, h.run.Base, h.run.Base+uint64(len(h.run.PEs)))
	for _, pe := range h.run.PEs {
		o := C.ross_out_new(C.tw_peid(pe.ID), h.size)
		if o == nil {
			return fmt.Errorf("ross: Define: PE %d: no memory for what C handlers do: %w", pe.ID, ross.ErrMemory)
		}
		if h.run.Set.Mode() == settings.Optimistic {
			o.undoes = 1
		}
		o.nodes = (*C.ross_node)(pe.Arena.Lines.Base())
		h.outs = append(h.outs, o)
	}
	for _, pe := range h.run.PEs {
		if len(pe.LPs) > 0 {
			h.pinned.Pin(&pe.LPs[0]) // all LPs of a process are in one array
			break
		}
	}
	return nil
}

// first returns what the first PE of this process has.
func (h *host) first() *C.ross_out { return h.outs[h.run.Base] }

// Open makes what C needs for a run, when the run has its LPs.
func (t *lpType) Open(r *kernel.Run) error {
	node.claim.Lock()
	defer node.claim.Unlock()
	if t.short != nil {
		return t.short
	}
	h := node.hosts[r]
	if h == nil { // this is the first type
		h = &host{run: r}
		node.hosts[r] = h
		if err := t.take(h); err != nil {
			return err
		}
	}
	if t.inGo {
		if err := t.join(h); err != nil {
			return err
		}
	}
	return t.connect(h)
}

// take sets what all types of a run share.
func (t *lpType) take(h *host) error {
	if t.inGo {
		if err := h.enter(); err != nil {
			return err
		}
		return h.makeOuts()
	}
	h.word, h.size, h.byGID = unsafe.Pointer(&messageWord), C.g_tw_msg_sz, C.ross_by_gid
	h.run.HookTakes = C.g_tw_gvt_hook != nil
	err := h.makeOuts()
	if err == nil {
		C.g_tw_pe.ross_out = h.first()
		h.use()
	}
	return err
}

// Start makes the run the one that C sees.
func (t *lpType) Start(r *kernel.Run) error {
	if !t.inGo {
		return nil
	}
	node.claim.Lock()
	defer node.claim.Unlock()
	return node.hosts[r].start()
}

// End lets another run take its place.
func (t *lpType) End(r *kernel.Run) {
	if t.inGo {
		node.claim.Lock()
		defer node.claim.Unlock()
		node.hosts[r].end()
	}
}

// Release frees the memory of the run. C programs keep everything: the model may look at it after tw_end.
func (t *lpType) Release(r *kernel.Run) {
	if !t.inGo {
		return
	}
	node.claim.Lock()
	defer node.claim.Unlock()
	if h := node.hosts[r]; h != nil {
		h.release()
		delete(node.hosts, r)
	}
	for _, p := range t.memory {
		C.free(p)
	}
	t.memory = nil
}

// makeTypes returns the types of the LPs, and sets which LP has which, and where it is.
func makeTypes(cfg *ross.Config) (types []ross.LPType, err error) {
	all, err := allLPs()
	if err != nil {
		return nil, err
	}
	for at, p := range all.types {
		t := &lpType{c: p.c, model: p.model, streams: cfg.Streams.PerLP, commits: cfg.Synch <= ross.Conservative &&
			p.c.commit != nil}
		m := &kernel.Message{
			Word: unsafe.Pointer(&messageWord), Name: "message of C", Go: reflect.TypeFor[struct{}](),
			Size: uintptr(C.g_tw_msg_sz), Raw: true,
		}
		timed := *m // the engine sends none, but every message has one
		timed.Word, timed.Size = unsafe.Pointer(&timed), kernel.TimedSize(m.Size)
		m.Timed = &timed
		lt, err := t.kernelType(fmt.Sprintf("C type %d", at), m)
		if err == nil {
			err = t.setSerial(lt, p.rio)
		}
		if err != nil {
			return nil, err
		}
		made := func(*settings.Settings) (*kernel.Type, error) { return lt, nil }
		types = append(types, inside.Ross.LPType(0, made).(ross.LPType))
	}
	if len(types) > 1 {
		cfg.TypeMap = func(gid ross.LPID) int { return int(all.kinds[gid]) }
	}
	cfg.Mapping = all.mapping()
	return types, nil
}

// kernelType returns the type as the engine has it. Its LPs receive m, to which it adds the functions.
func (t *lpType) kernelType(name string, m *kernel.Message) (*kernel.Type, error) {
	lt := &kernel.Type{
		Name: name, Layouts: instr.RunType{Name: name}, StateType: unsafe.Pointer(&stateWord),
		StateSize: (max(uintptr(t.c.state_sz), 1) + 15) &^ 15,
		Messages:  []*kernel.Message{m}, Life: t,
	}
	lt.Slab = func(n int) (unsafe.Pointer, any) { return t.slab(n, lt.StateSize), nil }
	m.Event = t.event()
	if t.c.init != nil {
		lt.Init = t.inTurn(initTurn, t.c.init)
		if t.model != nil {
			lt.Init = t.thenSize(lt.Init)
		}
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
	if watched() {
		watchHandlers(m)
	}
	if err := t.addSamples(lt, m); err != nil {
		return nil, err
	}
	m.Timed.Event, m.Timed.Reverse, m.Timed.Commit, m.Timed.Trace = m.Event, m.Reverse, m.Commit, m.Trace
	lt.Check, t.kernel = t.check(), lt
	return lt, lt.SetSaving(saving, reflect.TypeFor[struct{}]())
}

// slab returns memory of C for n states. Small ones do not use it, see connect.
func (t *lpType) slab(n int, size uintptr) (p unsafe.Pointer) {
	if n == 0 {
		return nil
	}
	if p = C.calloc(C.size_t(n), C.size_t(size)); p == nil {
		t.short = fmt.Errorf("ross: Define: no memory for %d states of %d bytes: %w", n, size, ross.ErrMemory)
	}
	t.memory = append(t.memory, p)
	return p
}

// connect gives the LPs of the type their states, clocks and streams.
func (t *lpType) connect(of *host) error {
	per := int(of.run.Set.Streams.PerLP)
	for gid, h := range of.lps() {
		if h == nil || h._type != t.c || h.cur_state != nil { // of another type, or connected
			continue
		}
		lp := of.run.LP(uint64(gid))
		switch size := h._type.state_sz; {
		case size <= C.ROSS_SMALL:
			lp.State = unsafe.Pointer(&h.ross_small)
		case size <= C.ROSS_ROOM:
			lp.State = unsafe.Pointer(&h.ross_state)
		}
		h.cur_state = lp.State
		takeEarly(lp, h.rng)
		if per == 1 {
			h.rng = (*C.tw_rng_stream)(unsafe.Pointer(&lp.RNG))
		} else {
			copies := C.calloc(1, C.size_t(C.ROSS_STREAMS+per*C.sizeof_tw_rng_stream))
			if copies == nil {
				return fmt.Errorf("ross: Define: no memory for %d streams of LP %d: %w", per, gid, ross.ErrMemory)
			}
			if t.inGo {
				t.memory = append(t.memory, copies)
			}
			h.rng = (*C.tw_rng_stream)(unsafe.Add(copies, C.ROSS_STREAMS))
			lendStreams(lp, h)
		}
	}
	return nil
}

// takeEarly lets an LP go on with the streams from which the model has drawn before the run.
func takeEarly(lp *kernel.LP, early *C.tw_rng_stream) {
	if early == nil { // of a Go program
		return
	}
	for i, g := range unsafe.Slice(early, int(C.ross_early))[:min(int(C.ross_early), 1+len(lp.More()))] {
		if g.count == 0 {
			continue
		}
		to := &lp.RNG
		if i > 0 {
			to = &lp.More()[i-1]
		}
		*to = *(*rng.Stream)(unsafe.Pointer(&g))
	}
}

// lpsByGID returns the model's LPs.
func lpsByGID() []*C.tw_lp { return unsafe.Slice(C.ross_by_gid, int(C.g_tw_total_lps)) }
