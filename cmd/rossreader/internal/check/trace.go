// This file checks event traces.

package check

import "github.com/ross-go/ross/instr"

func (c *checker) event(r *instr.Record) {
	e := &r.Event
	sent, received := e.SendTS, e.RecvTS
	if !(sent <= received) { // NaN too
		c.find(whereIs(r), "time of receipt", "the time of sending, "+text(sent)+", or later", text(received))
	}
	if !sound(float64(e.RealTS)) {
		c.find(whereIs(r), "real time", "finite and not negative", text(e.RealTS))
	}
	if !c.committed {
		return
	}
	if last, known := c.lastDue[e.Dest]; known && received < last {
		c.find(whereIs(r), "order of committed events", "a time of receipt of "+text(last)+" or later", text(received))
	}
	c.lastDue[e.Dest] = received
}
