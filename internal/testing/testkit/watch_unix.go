// This file owns the processor time of a process, on Unix.

//go:build unix

package testkit

import (
	"syscall"
	"time"
)

// processorTime returns how long this process has used processors, and those that it has started and
// waited for.
func processorTime() (all time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			panic(err)
		}
		all += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return all
}
