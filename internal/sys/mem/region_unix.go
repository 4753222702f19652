// The system calls behind Region on Unix: map without access, and allow access as the
// region grows. A mapping without access is not counted against overcommit limits, so
// even a strict machine lets a process reserve terabytes.

//go:build unix && !race

package mem

import "math"

// most is the maximum result of Available.
const most = math.MaxUint64

// Zoned reports whether regions must fit into a zone, whose size is fixed.
const Zoned = false

func reserve(n uintptr) ([]byte, error) {
	return mmap(-1, int(n), noAccess, mapOwn|noReserve)
}

func commit(b []byte) error { return mprotect(b, readWrite) }

func release(b []byte) { _ = munmap(b) }
