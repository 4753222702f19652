// This file checks event traces.

package check

import (
	"fmt"

	"github.com/ross-go/ross/instr"
)

func (c *checker) event(r *instr.Record) {
	e := &r.Event
	if size, known := c.sizes[e.Dest]; !known || size != len(e.Payload) {
		if c.sizes[e.Dest] = len(e.Payload); known { // once, not for each later event
			c.find(whereIs(r), "size of the payload", fmt.Sprintf("%d bytes as before for this LP", size), text(len(e.Payload)))
		}
	}
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
