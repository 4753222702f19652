// This file owns the counter of the generic timer of ARM.

//go:build arm64 && !purego

package ticks

// steady reports that the counter has a constant rate.
const steady = true

// counter reads the counter (CNTVCT_EL0).
//
//go:noescape
func counter() uint64
