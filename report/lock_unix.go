// This file owns the lock on ross.csv where the system has one.

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package report

import (
	"os"
	"syscall"
)

// lockCSV waits until no other run writes to f; closing f frees it. File systems
// of some clusters have no locks: their rows are still whole, since each is one
// write to a file opened for appending, so that this is no error.
func lockCSV(f *os.File) {
	for syscall.Flock(int(f.Fd()), syscall.LOCK_EX) == syscall.EINTR {
	}
}
