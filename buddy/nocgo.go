// Builds without cgo have only the lists in Go.

//go:build !cgo || purego

package buddy

func newC(*shared) lists { return nil }
