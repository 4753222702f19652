// This file owns processes: how a rank does the operations of its program, one after the other.

package workload

import (
	"fmt"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
)

// process is where a rank is in its program.
type process struct {
	Next  uint32  // operation that it does next, or waits in
	Waits bool    // it waits in Receive
	Ended bool    // it has done the last operation
	Since float64 // when it ended, or began to wait
}

// envelope is what Receive knows a message by.
type envelope struct {
	From int32 // rank
	Tag  uint32
}

// resume is the message by which a process goes on after it has computed.
type resume struct{}

// burst is the number of operations that a process does in one event.
const burst = 256

// goOn does operations until one takes time. h.process has been saved.
func (w *Workload) goOn(h *host, lp *ross.LP) {
	at := w.seat(lp)
	job := &w.jobs[at.job]
	for range burst {
		op, ok := job.Program.Op(int(at.rank), int(h.Next))
		if !ok {
			h.Ended, h.Since = true, lp.Now()
			return
		}
		if err := op.check(job.Ranks); err != nil {
			lp.Fail(fmt.Errorf("%w: job %q, rank %d, operation %d: %w", ErrWorkload, job.Name, at.rank, h.Next, err))
			return
		}
		switch op.Kind {
		case Send:
			h.NIC.Send(w.net, lp, int(job.terminals[op.Peer]), op.Bytes, uint64(op.Tag))
		case Receive:
			if h.Waits = !take(lp, &h.Arrived, envelope{op.Peer, op.Tag}); h.Waits {
				h.Since = lp.Now()
				return
			}
		case Compute:
			if op.Time > 0 {
				h.Next++
				ross.Send(lp, lp.ID(), op.Time, resume{})
				return
			}
		}
		h.Next++
	}
	ross.Send(lp, lp.ID(), 0, resume{}) // an event has an end, however long a list of sends is
}

// take takes a message that has come out of a map, and reports whether there was one.
func take(lp *ross.LP, arrived *container.Map[envelope, uint32], e envelope) bool {
	n := arrived.Edit(lp, e)
	if n == nil {
		return false
	}
	if *n--; *n == 0 {
		arrived.Delete(lp, e)
	}
	return true
}

// resume goes on with a program.
func (w *Workload) resume(h *host, lp *ross.LP, _ *ross.None, _ *resume) {
	ross.Write(lp, &h.process)
	w.goOn(h, lp)
}

// come gives a process a message.
func (w *Workload) come(h *host, lp *ross.LP, e envelope) {
	if h.Waits {
		at := w.seat(lp)
		op, _ := w.jobs[at.job].Program.Op(int(at.rank), int(h.Next))
		if op.Peer == e.From && op.Tag == e.Tag {
			p := ross.Write(lp, &h.process)
			p.Waits = false
			p.Next++
			w.goOn(h, lp)
			return
		}
	}
	if n := h.Arrived.Ensure(lp, e); n != nil {
		*n++
	}
}
