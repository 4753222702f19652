// This file stands for the counter where none is known.

//go:build (!amd64 && !arm64) || purego

package ticks

const steady = false

// counter is never called.
func counter() uint64 { return 0 }
