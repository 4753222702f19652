// This file has the rules for exact traces (--trace-exact): the block of each record fits to the record and to the run.

package check

import (
	"fmt"

	"github.com/ross-go/ross/instr"
)

// exact checks the block of an event of an exact trace.
func (c *checker) exact(r *instr.Record) {
	e := &r.Event
	x, ok := instr.GetExact(e.Payload)
	if !ok {
		c.find(whereIs(r), "exact block", fmt.Sprintf("%d bytes or more of payload", instr.ExactSize), text(len(e.Payload)))
		return
	}
	if float32(x.SendTS) != e.SendTS || float32(x.RecvTS) != e.RecvTS {
		c.find(whereIs(r), "exact times", text(e.SendTS)+" and "+text(e.RecvTS)+", rounded",
			text(x.SendTS)+" and "+text(x.RecvTS))
	}
	if int(x.Message) >= c.run.messages && x.Draws != instr.UnknownDraws { // those of the engine may have other numbers
		c.find(whereIs(r), "type of the message", fmt.Sprintf("below %d, as run.json has them", c.run.messages),
			text(x.Message))
	}
	if x.What > instr.ExactLate {
		c.find(whereIs(r), "what is recorded", "0, 1 or 2", text(uint8(x.What)))
	}
}
