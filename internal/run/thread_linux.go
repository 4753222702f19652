package run

import "golang.org/x/sys/unix"

// threadUsage returns what the calling thread has used; ok is false if that is unknown.
func threadUsage() (u usage, ok bool) {
	var r unix.Rusage
	if unix.Getrusage(unix.RUSAGE_THREAD, &r) != nil {
		return usage{}, false
	}
	return usage{float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9, uint64(r.Nivcsw)}, true
}
