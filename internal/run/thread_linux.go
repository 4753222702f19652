package run

import (
	"os"
	"strconv"
	"strings"
	"syscall"
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
