// This file owns how --synch=6 looks at the memory that a model allocates (heap.c). What a reverse handler leaves
// there different from before need not matter: what is behind the top of a stack, for example, nobody reads. So the
// check tries: it handles another event that waits for the LP, once on what the undo has left and once on what was
// before, takes both back, and finds a mistake if the event does something else.

//go:build cgo && linux

package cmodel

// #include "heap.h"
// #include <stdlib.h>
import "C"

import (
	"bytes"
	"debug/dwarf"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/sys/cstack"
	"github.com/ross-go/ross/rng"
)

// How often differences in one block of a type are tried, and with how many events each time.
const (
	mostTrials = 200
	mostEvents = 4
)

// heapCheck is what the check of rollback knows of the memory of LPs.
type heapCheck struct {
	undone bool                           // the last handler that was called is a reverse handler
	lps    map[unsafe.Pointer]*kernel.LP  // by their states
	tried  map[*lpType]map[C.uint64_t]int // by the number of the block, 0 for those that events have allocated
	msg    unsafe.Pointer                 // room for a message, of C
}

// heap is that of the run of this process.
var heap heapCheck

// watched reports whether the check looks at blocks.
func watched() bool { return C.ross_heap_on != 0 }

// watchHandlers has the check know which handler was called last. What the model frees is freed when an event is
// handled for the first time: then nothing of the one before is undone any more.
func watchHandlers(m *kernel.Message) {
	forward, reverse := m.Event, m.Reverse
	m.Event = func(state unsafe.Pointer, lp *kernel.LP, msg unsafe.Pointer) {
		if heap.undone {
			C.ross_heap_stage(C.ROSS_AGAIN)
		} else {
			C.ross_heap_stage(C.ROSS_FIRST)
		}
		heap.undone = false
		forward(state, lp, msg)
	}
	if reverse == nil {
		return
	}
	m.Reverse = func(state unsafe.Pointer, lp *kernel.LP, bits *uint32, msg unsafe.Pointer) {
		C.ross_heap_stage(C.ROSS_REVERSE)
		reverse(state, lp, bits, msg)
		heap.undone = true
	}
}

// heldState is a copy of a state with the blocks of its LP.
type heldState struct {
	saved  any    // what the states are compared with
	bytes  []byte // of the state
	blocks *C.ross_heap_copy
}

// watchBlocks adds the blocks of LPs to what a check of states compares. The model may have a check of its own, which
// accepts differences in the state.
func (t *lpType) watchBlocks(with *kernel.StateCheck, own bool) {
	save, compare, clean := with.Save, with.Compare, with.Clean
	with.Save = func(state unsafe.Pointer) any {
		return heldState{save(state), bytes.Clone(bytesOf(state, int(t.c.state_sz))),
			C.ross_heap_copy_of(C.tw_lpid(lpOf(state).ID))}
	}
	with.Compare = func(state unsafe.Pointer, saved any) error {
		was := saved.(heldState)
		if err := compare(state, was.saved); err != nil || !heap.undone {
			return err
		}
		return t.compareBlocks(lpOf(state), was, own)
	}
	with.Clean = func(saved any) {
		was := saved.(heldState)
		C.ross_heap_drop(was.blocks)
		clean(was.saved)
	}
}

// lpOf returns the LP that has a state.
func lpOf(state unsafe.Pointer) *kernel.LP {
	if heap.lps == nil {
		heap.lps = map[unsafe.Pointer]*kernel.LP{}
		for _, pe := range node.run.PEs {
			for i := range pe.LPs {
				heap.lps[pe.LPs[i].State] = &pe.LPs[i]
			}
		}
	}
	return heap.lps[state]
}

// compareBlocks compares the blocks of an LP with a copy of them, after an event was undone. Differences that matter to
// no event that waits for the LP are none.
func (t *lpType) compareBlocks(lp *kernel.LP, was heldState, own bool) error {
	var all [8]C.ross_heap_where
	found := all[:C.ross_heap_differs(was.blocks, &all[0], C.int(len(all)))]
	if !t.mayTry(found) {
		return nil
	}
	for _, e := range waitingFor(lp) {
		now, before := t.try(lp, e, nil, nil), t.try(lp, e, &was, nil)
		if now == nil || before == nil {
			continue
		}
		if what := now.differs(before, own); what != "" {
			for i := range found { // one of them alone, if it is that
				alone := t.try(lp, e, &was, found[i].at)
				if alone != nil && now.differs(alone, own) == what {
					found = found[i : i+1]
					break
				}
			}
			return fmt.Errorf("%s: so the event that %s sent at %g for %g %s",
				t.blocksText(lp, found), lp.NameFor(e.Src), e.SendTime, e.Time, what)
		}
	}
	return nil
}

// mayTry counts trials of blocks and reports whether one of them has not been tried often enough.
func (t *lpType) mayTry(found []C.ross_heap_where) (may bool) {
	if heap.tried == nil {
		heap.tried = map[*lpType]map[C.uint64_t]int{}
	}
	tried := heap.tried[t]
	if tried == nil {
		tried = map[C.uint64_t]int{}
		heap.tried[t] = tried
	}
	for _, w := range found {
		key := C.uint64_t(0)
		if w.init != 0 {
			key = 1 + w.number
		}
		may = may || tried[key] < mostTrials
		tried[key]++
	}
	return may
}

// waitingFor returns the next events that wait for an LP, without the one that was undone, which is the first.
func waitingFor(lp *kernel.LP) (all []*event.Event) {
	arena := lp.PE.Arena
	for i := uint32(1); i <= arena.Peak(); i++ {
		if e := arena.At(i); e.Waits() && uint64(e.Dst) == uint64(lp.Local()) {
			all = append(all, e)
		}
	}
	slices.SortFunc(all, func(a, b *event.Event) int {
		switch {
		case a.Time != b.Time:
			return sign(a.Time < b.Time)
		case a.Prio != b.Prio:
			return sign(a.Prio < b.Prio)
		}
		return sign(a.Tie < b.Tie)
	})
	if len(all) > 0 {
		all = all[1:]
	}
	return all[:min(len(all), mostEvents)]
}

func sign(less bool) int {
	if less {
		return -1
	}
	return 1
}

// tryCaller is the address of ross_try.
var tryCaller = unsafe.Pointer(C.ross_try)

// try handles an event on the blocks that a copy has, or only the one at an address, or on what there is, and takes it
// back. It returns what the event did, nil if that is not known.
func (t *lpType) try(lp *kernel.LP, e *event.Event, as *heldState, only *C.char) *outcome {
	var blocks *C.ross_heap_copy
	if as != nil {
		blocks = as.blocks
	}
	trial := C.ross_heap_begin(C.tw_lpid(lp.ID), lp.State, t.c.state_sz, blocks, only)
	if trial == nil {
		return nil
	}
	defer C.ross_heap_end(trial)
	if as != nil && only == nil {
		copy(bytesOf(lp.State, len(as.bytes)), as.bytes)
	}
	size := int(C.g_tw_msg_sz)
	if heap.msg == nil {
		heap.msg = C.malloc(C.size_t(size + 8))
	}
	copy(bytesOf(heap.msg, size), unsafe.Slice((*byte)(event.Payload(e)), size))
	o, h, now, bits, first := outOf(lp), handleOf(lp), lp.Now, e.Bits, lp.RNG
	more := slices.Clone(lp.More())
	defer func() {
		lp.Now, e.Bits, lp.RNG = now, bits, first
		copy(lp.More(), more)
		if t.streams > 1 {
			lendStreams(lp, h)
		}
		o.count, o.notes, o.texts_len = 0, 0, 0
	}()
	lp.Now, e.Bits = e.Time, 0
	o.call.handler, o.call.commit, o.call.state, o.call.msg, o.call.lp = t.c.event, nil, lp.State, heap.msg, h
	o.call.bits = (*C.tw_bf)(unsafe.Pointer(&e.Bits))
	if t.streams > 1 {
		lendStreams(lp, h)
	}
	if switches {
		cstack.Call(tryCaller, unsafe.Pointer(o), unsafe.Pointer(o.stack))
	} else {
		C.ross_try(o)
	}
	if t.streams > 1 {
		takeStreams(lp, h)
	}
	if C.ross_tried == 0 {
		return nil
	}
	did := &outcome{notes: uint32(o.notes), texts: string(bytesOf(unsafe.Pointer(o.texts), int(o.texts_len))),
		state: wordsOf(lp.State, int(t.c.state_sz)), streams: streamsOf(lp)}
	for i := range uint32(o.count) {
		e := at(o, i)
		did.sends = append(did.sends, sending{uint64(e.dest_lpid), float64(e.ross_delay), float64(e.ross_priority),
			wordsOf(unsafe.Add(unsafe.Pointer(e), C.ROSS_EVENT), size)})
	}
	return did
}

// streamsOf returns the streams of an LP.
func streamsOf(lp *kernel.LP) []rng.StreamState {
	all := []rng.StreamState{lp.RNG.State()}
	for i := range lp.More() {
		all = append(all, lp.More()[i].State())
	}
	return all
}

// outcome is what an event did that was tried.
type outcome struct {
	sends   []sending
	notes   uint32
	texts   string
	state   []uint64
	streams []rng.StreamState
}

// sending is an event that it has made.
type sending struct {
	to              uint64
	delay, priority float64
	msg             []uint64
}

// wordsOf returns what is in memory, with the addresses of what the trial has allocated as numbers, and without other
// addresses.
func wordsOf(p unsafe.Pointer, size int) []uint64 {
	b := make([]byte, (size+7)&^7)
	copy(b, bytesOf(p, size))
	words := make([]uint64, len(b)/8)
	for i := range words {
		w := binary.NativeEndian.Uint64(b[8*i:])
		if w>>40 != 0 && w>>48 == 0 {
			if n := C.ross_heap_new(C.uint64_t(w)); n != 0 {
				w = uint64(n)
			} else if C.ross_find_address(unsafe.Pointer(&w), 8) >= 0 {
				w = 0
			}
		}
		words[i] = w
	}
	return words
}

// differs says what an event does that it does not do with the memory from before, or "". own says that the model
// compares states.
func (now *outcome) differs(was *outcome, own bool) string {
	if len(now.sends) != len(was.sends) {
		return fmt.Sprintf("makes %d events, and %d with what was before", len(now.sends), len(was.sends))
	}
	for i, s := range now.sends {
		w := was.sends[i]
		switch {
		case s.to != w.to:
			return fmt.Sprintf("sends to LP %d, and to LP %d with what was before", s.to, w.to)
		case s.delay != w.delay:
			return fmt.Sprintf("sends an event with delay %g, and with %g with what was before", s.delay, w.delay)
		case s.priority != w.priority || !slices.Equal(s.msg, w.msg):
			return "sends another message than with what was before"
		}
	}
	switch {
	case now.notes != was.notes || now.texts != was.texts:
		return "prints, suspends or calls the hook otherwise than with what was before"
	case !slices.Equal(now.streams, was.streams):
		return "draws other random numbers than with what was before"
	case !own && !slices.Equal(now.state, was.state):
		return "leaves another state than with what was before"
	}
	return ""
}

// blocksText says how blocks differ: those that a field of the state points to, or else the first of all.
func (t *lpType) blocksText(lp *kernel.LP, found []C.ross_heap_where) string {
	var texts []string
	for i := range found {
		if text := t.blockText(lp, &found[i]); text != "" && len(texts) < 3 {
			texts = append(texts, text)
		}
	}
	if texts == nil {
		w := &found[0]
		name := fmt.Sprintf("byte %d of %s", w.byte, blockOf(w))
		texts = append(texts, t.byteText(w, name, field{at: int(w.byte)}))
	}
	return strings.Join(texts, ", ")
}

// blockOf names a block by its size and origin.
func blockOf(w *C.ross_heap_where) string {
	from := "an event"
	if w.init != 0 {
		from = "init"
	}
	return fmt.Sprintf("a block of %d bytes from %s", w.size, from)
}

// blockText says how a block differs that a word of the state points to, or "".
func (t *lpType) blockText(lp *kernel.LP, w *C.ross_heap_where) string {
	state := bytesOf(lp.State, int(t.c.state_sz))
	for i := 0; i+8 <= len(state); i += 8 {
		if binary.NativeEndian.Uint64(state[i:]) != uint64(uintptr(unsafe.Pointer(w.at))) {
			continue
		}
		f := t.fieldAt(i)
		in := field{at: int(w.byte)}
		if f.name == "" {
			name := fmt.Sprintf("byte %d of %s, to which bytes %d to %d of the state point,", w.byte, blockOf(w), i, i+7)
			return t.byteText(w, name, in)
		}
		name := fmt.Sprintf("byte %d of %s, which %s points to,", w.byte, blockOf(w), f.name)
		if p, ok := f.typ.(*dwarf.PtrType); ok && p.Type != nil && p.Type.Size() > 0 {
			each := int(p.Type.Size())
			if e := locate(p.Type, int(w.byte)%each); e.name != "" {
				in = field{at: int(w.byte)/each*each + e.at, typ: e.typ}
				name = fmt.Sprintf("%s[%d]%s (byte %d of %s)",
					f.name, int(w.byte)/each, afterType(e.name), in.at, blockOf(w))
			}
		}
		return t.byteText(w, name, in)
	}
	return ""
}

// afterType returns the fields in a name, without the type in front.
func afterType(name string) string {
	if i := strings.IndexAny(name, ".["); i >= 0 {
		return name[i:]
	}
	return ""
}

// byteText says what is in a block and what was.
func (t *lpType) byteText(w *C.ross_heap_where, name string, f field) string {
	now, was := bytesOf(unsafe.Pointer(w.at), int(w.size)), bytesOf(unsafe.Pointer(w.was), int(w.size))
	return fmt.Sprintf("%s is %s, it was %s before", name, f.text(now), f.text(was))
}
