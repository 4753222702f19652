// This file owns counts: what a PE of a parallel run counts and times.

package ross

import "math"

// counts are the figures of a PE. Most are taken once a batch or a GVT.
type counts struct {
	processed, undone, committed uint64
	aborted, cancelled           uint64
	primary, secondary           uint64
	gvts, forced, fossils        uint64
	shortages, narrowed          uint64
	ignored                      uint64     // events of suspended LPs
	lengths                      [33]uint64 // rollbacks by length, in powers of two
	uncommitted                  int        // most at a GVT

	gvtSeconds, fossilSeconds, rollbackSeconds float64
	readSeconds, sendSeconds, abortSeconds     float64 // rings, and events that found no memory
	idleSeconds                                float64
	deltas, timedDeltas                        uint64
	deltaSeconds                               float64 // of those that were timed

	// Delays of what was sent to other PEs.
	remote                            uint64
	leastOffset, sumOffset, topOffset float64
	leastWindow                       int // events
}

func newCounts() counts {
	return counts{leastOffset: math.MaxFloat64, leastWindow: unlimited}
}

// offset counts the delay of an event sent to another PE.
func (c *counts) offset(delay float64) {
	c.remote++
	c.sumOffset += delay
	c.leastOffset = min(c.leastOffset, delay)
	c.topOffset = max(c.topOffset, delay)
}
