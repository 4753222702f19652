// This file owns the virtual time at which an LP ends the run (kernel.LP.StopAfter) in a
// checkpoint.

package checkpoint

import "github.com/ross-go/ross/internal/kernel"

// stopSize returns the number of bytes that the time adds to the record of an LP.
func stopSize(lp *kernel.LP) int {
	if lp.StopsAt() > 0 {
		return 8
	}
	return 0
}

// restoreStop restores the time of lp. clock is the virtual time of the checkpoint: what ended a
// run there, or would have ended it earlier, does not end a run that goes on from there.
func restoreStop(lp *kernel.LP, at, clock float64) {
	if at > clock {
		lp.WantStop(at)
	}
}
