// This file owns the lock on ross.csv on systems that have one.

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package report

import (
	"os"
	"syscall"
)

// lockCSV waits until no other run writes to f; closing f releases the lock.
// File systems of some clusters have no locks. This is not an error: rows are
// still whole, because each is one write to a file opened for appending.
func lockCSV(f *os.File) {
	for syscall.Flock(int(f.Fd()), syscall.LOCK_EX) == syscall.EINTR {
	}
}
