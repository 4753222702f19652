// The system calls behind Region on Unix: map without access, and allow access as the
// region grows. A mapping without access is not counted against overcommit limits, so
// even a strict machine lets a process reserve terabytes.

//go:build unix && !race

package mem

import (
	"math"

	"golang.org/x/sys/unix"
)

// most is the maximum result of Available.
const most = math.MaxUint64

// Zoned reports whether regions must fit into a zone, whose size is fixed.
const Zoned = false

func reserve(n uintptr) ([]byte, error) {
	return unix.Mmap(-1, 0, int(n), unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON|noReserve)
}

func commit(b []byte) error { return unix.Mprotect(b, unix.PROT_READ|unix.PROT_WRITE) }

func release(b []byte) { _ = unix.Munmap(b) }
