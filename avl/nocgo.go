// Builds without cgo have only the trees in Go.

//go:build !cgo || purego

package avl

import "unsafe"

// native is never made.
type native struct{}

func (native) Insert([]uint32) int { return 0 }
func (native) Remove([]uint32) int { return 0 }
func (native) Build([]uint32) int  { return 0 }
func (native) Free()               {}

func newC(unsafe.Pointer, uintptr) (native, *head, bool) { return native{}, nil, false }
