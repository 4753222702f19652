// This file owns PhaseClock: the time of a PE's loop.

package meter

import (
	"math"
	"time"
)

// PhaseClock measures a run without reading the clock for each event: totals of
// phases are estimated from samples.
type PhaseClock struct {
	Begin   time.Time
	Seconds float64 // the whole loop
	ended   bool
	Refills Sampler // of the queue's window
	Firsts  Sampler // selects the windows of which an event is timed
}

// Start begins the run.
func (c *PhaseClock) Start() { c.Begin, c.ended = time.Now(), false }

// Stop ends the run, also one that an error ended before its start.
func (c *PhaseClock) Stop() {
	if c.Begin.IsZero() {
		c.Start()
	}
	c.Seconds = math.Max(Since(c.Begin), 0)
	c.ended = true
}

// Elapsed returns the seconds of the loop until now, or until its end.
func (c *PhaseClock) Elapsed() float64 {
	if c.Begin.IsZero() || c.ended {
		return c.Seconds
	}
	return max(Since(c.Begin), 0)
}
