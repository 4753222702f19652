// This file owns the processor time of a thread on Linux.

package meter

import (
	"syscall"
	"unsafe"
)

// threadClock is CLOCK_THREAD_CPUTIME_ID.
const threadClock = 3

// threadTime returns the nanoseconds for which the calling thread has had a processor, never 0. It takes a quarter of a
// microsecond.
func threadTime() int64 {
	var t syscall.Timespec
	_, _, err := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadClock, uintptr(unsafe.Pointer(&t)), 0)
	if err != 0 {
		return wallTime()
	}
	return max(t.Nano(), 1)
}
