//go:build unix

package run

import "syscall"

// processorSeconds returns the seconds of processors that the process has used, 0 if that is unknown.
func processorSeconds() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
