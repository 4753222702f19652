// This file owns what a thread does on Linux to give way, by system calls, and what it has used.

package run

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// threadUsage returns what the calling thread has used; ok is false if that is unknown.
func threadUsage() (u processorUse, ok bool) {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_THREAD, &r) != nil {
		return processorUse{}, false
	}
	return processorUse{float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9, threadWaited(), uint64(r.Nivcsw)}, true
}

// threadWaited returns for how many seconds the calling thread has waited for a processor, -1 if the kernel
// does not count that.
func threadWaited() float64 {
	text, err := os.ReadFile("/proc/thread-self/schedstat") // time on a processor, time waiting for one, turns
	if err != nil {
		return -1
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return -1
	}
	ns, err := strconv.ParseUint(fields[1], 10, 64)
	if err != nil {
		return -1
	}
	return float64(ns) / 1e9
}

// yield lets another thread of the machine run, if there is one.
func yield() { _, _, _ = syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) }

// sleep sleeps for some microseconds. The sleep of the Go runtime takes at least 50 more.
func sleep(d time.Duration) {
	t := syscall.NsecToTimespec(int64(d))
	_, _, _ = syscall.RawSyscall(syscall.SYS_NANOSLEEP, uintptr(unsafe.Pointer(&t)), 0, 0) // as for mem.SleepOn
}

// wakeInTime makes the kernel end the sleep of this thread when it is due, instead of up to 50
// microseconds later together with others.
func wakeInTime() {
	_, _, _ = syscall.RawSyscall6(syscall.SYS_PRCTL, syscall.PR_SET_TIMERSLACK, 1, 0, 0, 0, 0)
}
