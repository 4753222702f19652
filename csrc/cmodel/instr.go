// This file owns what a model adds to event traces, samples and checks of rollback: the functions of its st_model_types
// and crv_checkpointer. Without the latter --synch=6 compares states byte by byte.

//go:build cgo && linux

package cmodel

// #include "libross.h"
// #include <stdlib.h>
import "C"

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"sync"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/kernel"
)

// addSamples adds the functions of the model's st_model_types to a type.
func (t *lpType) addSamples(lt *kernel.Type, m *kernel.Message) error {
	s := t.model
	if s == nil {
		return nil
	}
	for _, n := range []C.size_t{s.ev_sz, s.mstat_sz, s.sample_struct_sz} {
		if n > kernel.MaxTraceSize {
			return fmt.Errorf("st_model_settype: %d bytes for a trace or a sample: give at most %d", n, kernel.MaxTraceSize)
		}
	}
	if s.ev_trace != nil {
		lt.TraceSize = int(s.ev_sz)
		m.Trace = func(lp *kernel.LP, _ kernel.TraceKind, msg unsafe.Pointer, buf []byte) bool {
			o, h := outOf(lp), handleOf(lp)
			C.ross_call_trace(s.ev_trace, o, msg, h, room(buf))
			return o.collect != 0
		}
	}
	if s.model_stat_fn != nil {
		lt.SampleSize = int(s.mstat_sz)
		lt.Sample = func(state unsafe.Pointer, lp *kernel.LP, buf []byte) {
			C.ross_call_stat(s.model_stat_fn, outOf(lp), state, handleOf(lp), room(buf))
		}
		sampleBeforeFinal(lt)
	}
	if s.sample_event_fn != nil {
		lt.PointSize = int(s.sample_struct_sz)
		lt.SamplePoint = func(state unsafe.Pointer, lp *kernel.LP, buf []byte) {
			if len(buf) == 0 { // as with ROSS
				return
			}
			C.ross_call_sample(s.sample_event_fn, outOf(lp), state, handleOf(lp), unsafe.Pointer(room(buf)))
		}
	}
	if s.sample_revent_fn != nil {
		lt.UnsamplePoint = func(state unsafe.Pointer, lp *kernel.LP, buf []byte) {
			if len(buf) == 0 {
				return
			}
			C.ross_call_sample(C.sample_event_f(s.sample_revent_fn), outOf(lp), state, handleOf(lp), unsafe.Pointer(room(buf)))
		}
	}
	return nil
}

// sampleBeforeFinal sees that the last sample of an LP, which is taken when the run is over, is that of its state
// before final, which may free what belongs to the state.
func sampleBeforeFinal(lt *kernel.Type) {
	sample, final := lt.Sample, lt.Final
	if final == nil {
		return
	}
	var lock sync.Mutex
	last := map[uint64][]byte{}
	lt.Final = func(state unsafe.Pointer, lp *kernel.LP) {
		if lp.PE.Run.Set.Instruments.Model != 0 {
			buf := make([]byte, lt.SampleSize)
			sample(state, lp, buf)
			lock.Lock()
			last[lp.ID] = buf
			lock.Unlock()
		}
		final(state, lp)
	}
	lt.Sample = func(state unsafe.Pointer, lp *kernel.LP, buf []byte) {
		lock.Lock()
		b, over := last[lp.ID]
		lock.Unlock()
		if over {
			copy(buf, b)
			return
		}
		sample(state, lp, buf)
	}
}

// sizing lets one PE at a time look at sizes that models set.
var sizing sync.Mutex

// thenSize returns an init after which samples have the sizes that the model's init has set.
func (t *lpType) thenSize(init func(unsafe.Pointer, *kernel.LP)) func(unsafe.Pointer, *kernel.LP) {
	return func(state unsafe.Pointer, lp *kernel.LP) {
		init(state, lp)
		t.size()
	}
}

// size sets the sizes of samples that the model's init has set, or its function that loads a state.
func (t *lpType) size() {
	if t.model == nil {
		return
	}
	sizing.Lock()
	defer sizing.Unlock()
	lt := t.kernel
	if lt.Sample != nil && t.model.mstat_sz <= kernel.MaxTraceSize {
		lt.SampleSize = max(lt.SampleSize, int(t.model.mstat_sz))
	}
	if lt.SamplePoint != nil && t.model.sample_struct_sz <= kernel.MaxTraceSize {
		lt.PointSize = max(lt.PointSize, int(t.model.sample_struct_sz))
	}
}

// room returns the address of a buffer, which may be empty.
func room(buf []byte) *C.char {
	if len(buf) == 0 {
		buf = make([]byte, 8)
	}
	return (*C.char)(unsafe.Pointer(unsafe.SliceData(buf)))
}

// errDiffers is what a state is that the model's check_lps refuses.
var errDiffers = errors.New("the model's check_lps finds a difference to the state before")

// check returns how states are compared. They are in no digest, since they may hold addresses, which differ from run
// to run.
func (t *lpType) check() kernel.StateCheck {
	size := int(t.c.state_sz)
	with := kernel.StateCheck{
		State:   reflect.TypeFor[struct{}](),
		Save:    func(state unsafe.Pointer) any { return bytes.Clone(unsafe.Slice((*byte)(state), size)) },
		Compare: t.compareBytes,
		Clean:   func(any) {},
		Digest:  func(unsafe.Pointer) any { return nil },
	}
	own := false
	for _, c := range C.ross_checks[:C.ross_nchecks] {
		if c.lptype == t.c {
			own = own || c.save_lp != nil
			useModel(c, &with, max(size, int(c.sz_storage)))
		}
	}
	if watched() {
		t.watchBlocks(&with, own)
	}
	return with
}

// compareBytes compares a state with a copy.
func (t *lpType) compareBytes(state unsafe.Pointer, saved any) error {
	was := saved.([]byte)
	now := bytesOf(state, len(was))
	for i := range was {
		if now[i] != was[i] {
			return t.differs(i, now, was)
		}
	}
	return nil
}

// useModel replaces what the model has functions for.
func useModel(c *C.crv_checkpointer, with *kernel.StateCheck, size int) {
	if c.save_lp != nil {
		with.Save = func(state unsafe.Pointer) any {
			saved := C.calloc(1, C.size_t(size))
			if saved == nil {
				panic(fmt.Errorf("no memory for %d bytes of a copy of a state", size)) // the engine names the LP
			}
			C.ross_check_save(c, saved, state)
			return saved
		}
		with.Compare = func(state unsafe.Pointer, saved any) error {
			if C.ross_check_compare(c, state, saved.(unsafe.Pointer)) == 0 {
				return errDiffers
			}
			return nil
		}
		with.Clean = func(saved any) {
			if c.clean_lp != nil {
				C.ross_check_clean(c, saved.(unsafe.Pointer))
			}
			C.free(saved.(unsafe.Pointer))
		}
	}
	if c.print_lp != nil {
		with.Print = func(w io.Writer, state unsafe.Pointer) {
			if text := C.ross_check_print(c, state); text != nil {
				io.WriteString(w, C.GoString(text))
				C.free(unsafe.Pointer(text))
			}
		}
	}
}
