// This file owns how --synch=6 finds handlers that read statistics. These have what is committed, and
// when that is depends on the scheduler.

package check

import (
	"slices"

	"github.com/ross-go/ross/internal/kernel"
)

// unseen calls f, which calls a handler of lp, while the statistics of lp are hidden. It reports whether
// the handler has read none of them. An event of an analysis LP calls Point of the LPs of its KP.
func (c *Checker) unseen(lp *kernel.LP, handler string, f func()) (ok bool) {
	c.unread = c.unread[:0]
	if !lp.Type().Hidden {
		c.hide(lp)
	} else {
		handler = "Point"
		for i := range c.PE.LPs {
			if of := &c.PE.LPs[i]; of.KP == lp.KP && of.Type().SamplePoint != nil {
				c.hide(of)
			}
		}
	}
	defer func() { // after a panic as well
		ok = true
		for _, of := range slices.Backward(c.unread) {
			if field := c.hidden.Show(of.State, of.Type().Figures); field != nil {
				c.blameRead(of, lp.Now, handler, field.Path)
				ok = false
			}
		}
	}()
	f()
	return ok
}

// hide hides the statistics of lp.
func (c *Checker) hide(lp *kernel.LP) {
	if fields := lp.Type().Figures; len(fields) > 0 {
		c.hidden.Hide(lp.State, fields)
		c.unread = append(c.unread, lp)
	}
}

// blameRead ends the run because a handler of lp has read the statistic at a path of the state, at a
// virtual time.
func (c *Checker) blameRead(lp *kernel.LP, time float64, handler, path string) {
	pe := c.PE
	running, now := pe.Running, lp.Now
	pe.Running, lp.Now = nil, time // the error does not wait for the event to be committed
	lp.Blame(kernel.ErrReverse, "keep what it needs in another field of the state; Commit, Final and the program after Run may read statistics",
		"%s read %s.%s, a statistic, which has nothing of what is not committed yet", handler, c.types[lp.Type().ID].State.Name(), path)
	pe.Running, lp.Now = running, now
}
