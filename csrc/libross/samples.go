// This file owns what a model adds to event traces and samples: the functions of its st_model_types.

//go:build cgo && linux

package main

// #include "libross.h"
import "C"

import (
	"fmt"
	"unsafe"

	"github.com/ross-go/ross/internal/kernel"
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
	}
	if s.sample_event_fn != nil {
		lt.PointSize = int(s.sample_struct_sz)
		lt.SamplePoint = func(state unsafe.Pointer, lp *kernel.LP, buf []byte) {
			C.ross_call_sample(s.sample_event_fn, outOf(lp), state, handleOf(lp), unsafe.Pointer(room(buf)))
		}
	}
	if s.sample_revent_fn != nil {
		lt.UnsamplePoint = func(state unsafe.Pointer, lp *kernel.LP, buf []byte) {
			C.ross_call_sample(C.sample_event_f(s.sample_revent_fn), outOf(lp), state, handleOf(lp), unsafe.Pointer(room(buf)))
		}
	}
	return nil
}

// room returns the address of a buffer, which may be empty.
func room(buf []byte) *C.char {
	if len(buf) == 0 {
		buf = make([]byte, 8)
	}
	return (*C.char)(unsafe.Pointer(unsafe.SliceData(buf)))
}
