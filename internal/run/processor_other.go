//go:build !unix

package run

// processorSeconds returns the seconds of processors that the process has used, 0 if that is unknown.
func processorSeconds() float64 { return 0 }
