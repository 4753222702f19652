// This file owns Call where it exists.

//go:build (amd64 || arm64) && !purego && (linux || darwin || freebsd || netbsd || openbsd)

package cstack

import "unsafe"

// Available reports whether there is Call.
const Available = true

// Call calls the function of C at fn with one argument. stack is where its stack begins, at the highest address,
// which is a multiple of 16. fn must not call Go.
//
//go:noescape
func Call(fn, arg, stack unsafe.Pointer)
