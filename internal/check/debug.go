// This file owns the comparisons of --synch=4: all LPs and pending events must be as they
// were before the first event.

package check

import (
	"fmt"
	"unsafe"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/plain"
)

// initial is an event of Init or PreRun, as it was before the first event ran.
type initial struct {
	index uint32 // in the arena
	sent  sent
	kind  uint16   // type of the receiver
	msg   []uint64 // message
}

// InitialEvents copies the pending events before the first one runs.
func (c *Checker) InitialEvents() ([]initial, error) {
	pe := c.PE
	var o effects
	var all []initial
	each := uint64(unsafe.Sizeof(initial{})) + uint64(len(c.msg[0]))*8
	if err := pe.Budget.Charge(each * pe.Started); err != nil {
		return nil, fmt.Errorf("ross: Run: copies of %d events of %d bytes each: %w: raise --max-memory", pe.Started, each, err)
	}
	for i := uint32(1); i <= pe.Arena.Peak(); i++ {
		if pe.Arena.At(i).Waits() {
			c.addSent(&o, i)
			all = append(all, initial{index: i})
		}
	}
	for i := range all {
		all[i].sent, all[i].kind, all[i].msg = o.sends[i], o.types[i], o.msgs[i]
	}
	return all, nil
}

// CompareAll compares all LPs with their copies after n events were rolled back. It reports
// the first LP that differs.
func (c *Checker) CompareAll(n int) {
	var bad *kernel.LP
	var found []string
	more := 0
	for i := range c.last {
		lp := &c.PE.LPs[i]
		lp.Now = 0
		d := c.differences(lp, &c.last[i])
		switch {
		case len(d) == 0:
		case bad == nil:
			bad, found = lp, d
		default:
			more++
		}
	}
	if bad != nil {
		c.blameAll(bad, n, more, found)
	}
}

// ComparePending compares the pending events with those from before the n events that were
// rolled back.
func (c *Checker) ComparePending(n int, before []initial) {
	pe := c.PE
	pe.Queue.Purge()
	if pe.Queue.Len() != uint64(len(before)) && pe.Err == nil {
		pe.Fail(fmt.Errorf("ross: --synch=4: %d events wait after the rollback, %d did before: this is a bug in the engine: report it with the model",
			pe.Queue.Len(), len(before)))
	}
	for i := range before {
		b := &before[i]
		e := pe.Arena.At(b.index)
		var now effects
		c.addSent(&now, b.index)
		found := c.texts(c.sent.Compare(unsafe.Pointer(&b.sent), unsafe.Pointer(&now.sends[0]), "Pending"))
		if t := pe.Run.Messages[b.kind].To; !t.Hidden && (c.types[t.ID].Message || t.Saving == kernel.SaveByDelta) {
			found = append(found, c.texts(c.msgs[b.kind].Compare(plain.WordsAt(b.msg), event.Payload(e), "Pending.Message"))...)
		}
		if len(found) > 0 {
			c.blameAll(pe.At(e.Dst), n, 0, found)
			return
		}
	}
}

// blameAll ends the run because the rollback of n events left lp, and more LPs besides,
// different.
func (c *Checker) blameAll(lp *kernel.LP, n, more int, found []string) {
	who := fmt.Sprintf("the rollback of all events (%d)", n)
	if more > 0 {
		who += fmt.Sprintf(", which left %d more LPs different,", more)
	}
	c.blame(lp, who, found, "use --synch=6 to find the event that is not undone", "")
}
