//go:build unix

package run

import "golang.org/x/sys/unix"

// processorSeconds returns the seconds of processors that the process has used, 0 if that is unknown.
func processorSeconds() float64 {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
