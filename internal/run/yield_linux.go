// This file owns yielding and short sleeps on Linux, by system calls.

package run

import (
	"syscall"
	"time"
)

// yield lets another thread of the machine run, if there is one.
func yield() { _, _, _ = syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) }

// sleep sleeps for some microseconds. The sleep of the Go runtime takes at least 50 more.
func sleep(d time.Duration) {
	t := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&t, nil)
}

// wakeInTime makes the kernel end the sleep of this thread when it is due, instead of up to 50
// microseconds later together with others.
func wakeInTime() {
	_, _, _ = syscall.RawSyscall6(syscall.SYS_PRCTL, syscall.PR_SET_TIMERSLACK, 1, 0, 0, 0, 0)
}
