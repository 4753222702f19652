// This file owns how --synch=6 compares the states of a type: byte by byte, or as the model does.

//go:build cgo && linux

package main

// #include <stdlib.h>
// #include "libross.h"
import "C"

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"unsafe"

	"github.com/ross-go/ross/internal/kernel"
)

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
	for _, c := range C.ross_checks[:C.ross_nchecks] {
		if c.lptype == t.c {
			useModel(c, &with, max(size, int(c.sz_storage)))
		}
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
				fail(1, fmt.Errorf("no memory for %d bytes of a copy of a state", size))
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
