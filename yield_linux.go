package ross

import (
	"time"

	"golang.org/x/sys/unix"
)

// yield lets another thread of the machine have the processor, if one wants it.
func yield() { _, _, _ = unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0) }

// sleep sleeps for some microseconds: the runtime's own sleep takes 50 more at least.
func sleep(d time.Duration) {
	t := unix.NsecToTimespec(int64(d))
	_ = unix.Nanosleep(&t, nil)
}

// wakeInTime has the kernel end the sleep of this thread when it is due, and not some
// 50 microseconds later together with that of others.
func wakeInTime() { _ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0) }
