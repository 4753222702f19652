// This file owns counts: what a PE of a parallel run counts and times.

package ross

import "math"

// counts are the figures of a PE. Most are taken once a batch or a GVT.
type counts struct {
	totals
	// What is sampled.
	settles          sampler
	encodes, applies sampler // deltas
	takes, frees     sampler // blocks of the buddy pool
	records          sampler // of the event trace

	moved uint64 // words of histories, when one needed more room, or gave some back
}

// totals is the figures of a PE that are plain numbers.
type totals struct {
	processed, undone, committed uint64
	aborted                      uint64
	lost                         uint64 // events from that on in which the model failed, which nothing undoes
	primary, secondary           uint64
	gvts, forced, fossils        uint64
	shortages, narrowed          uint64
	ignored                      uint64     // events of suspended LPs, less those undone
	lengths                      [33]uint64 // rollbacks by length, in powers of two
	rolled                       uint64     // events that they undid
	uncommitted                  int        // most at a GVT

	cancelled, unsent, antis uint64 // sends undone; of these to other PEs; and by anti-messages

	// Phases, and the sum of them.
	gvtSeconds, fossilSeconds, settleSeconds, undoSeconds, purgeSeconds float64
	readSeconds, sendSeconds, abortSeconds, idleSeconds                 float64 // the first two in rounds of GVT
	hookSeconds, writeSeconds, sampleSeconds                            float64
	timed                                                               float64
	initSeconds                                                         float64 // before the run
	storeSeconds                                                        float64 // copying for checkpoints, within others

	sampledSettle, sampledCancel float64 // of settleSeconds, and of that for cancelled events

	// Delays of what was sent to other PEs.
	remote, farEvents, farUnsent      uint64    // all; those to other ranks, and of these undone
	reads                             uint64    // events from other PEs
	beyond                            [3]uint64 // sends past the end, by delayKind
	leastOffset, sumOffset, topOffset float64
	leastWindow                       int // events
}

func newCounts() counts {
	return counts{totals: totals{leastOffset: math.MaxFloat64, leastWindow: unlimited}}
}

// roundSeconds returns what rounds of GVT cost, with the use of the rings in them.
func (c *totals) roundSeconds() float64 { return c.gvtSeconds + c.readSeconds + c.sendSeconds }

// offset counts the delay of an event sent to another PE.
func (c *totals) offset(delay float64) {
	c.remote++
	c.sumOffset += delay
	c.leastOffset = min(c.leastOffset, delay)
	c.topOffset = max(c.topOffset, delay)
}
