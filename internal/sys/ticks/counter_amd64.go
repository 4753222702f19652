// This file owns the time-stamp counter of x86-64.

//go:build amd64 && !purego

package ticks

// steady reports whether the counter has a constant rate.
var steady = invariant()

// counter reads the counter (RDTSC).
//
//go:noescape
func counter() uint64

// invariant asks the processor (CPUID).
//
//go:noescape
func invariant() bool
