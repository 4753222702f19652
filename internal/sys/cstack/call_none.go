// This file owns the builds without Call.

//go:build !((amd64 || arm64) && !purego && (linux || darwin || freebsd || netbsd || openbsd))

package cstack

import "unsafe"

// Available reports whether there is Call.
const Available = false

// Call panics: look at Available first.
func Call(_, _, _ unsafe.Pointer) { panic("cstack: not available on this system") }
