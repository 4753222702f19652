// This file owns Phase: parts of a run. Each is charged with its time less that of the
// parts within it.

package meter

import (
	"time"
)

// Phase is a part of the engine that is timed each time it runs.
type Phase struct {
	Begin  time.Time
	Within float64 // Counts.Timed at its begin
}

// Enter begins a phase.
func (c *Counts) Enter() Phase { return Phase{time.Now(), c.Timed} }

// Leave ends a phase. Its time less that of the phases within it goes to a
// total, so that the totals of a PE add up to what was timed.
func (c *Counts) Leave(p Phase, total *float64) {
	d := max(Since(p.Begin)-(c.Timed-p.Within), 0)
	*total += d
	c.Timed += d
}
