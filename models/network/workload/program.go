// This file owns programs, what the ranks of a job do one after the other, and processes: how a rank does the
// operations of its program.

package workload

import (
	"fmt"
	"math"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
)

// Op is an operation of a rank.
type Op struct {
	Kind  Kind
	Peer  int32   // rank that is sent to, or received from
	Tag   uint32  // by which Receive knows what Send has sent
	Bytes int64   // of Send
	Time  float64 // of Compute, in ns
}

// Kind is what an operation does.
type Kind uint8

// Kinds of operations.
const (
	Compute Kind = iota // takes Time
	Send                // hands Bytes to the network, and goes on at once (MPI_Isend)
	Receive             // waits until what Peer has sent with the Tag has come (MPI_Recv)
)

var kinds = [...]string{"compute", "send", "recv"}

// check looks for what no rank of a job can do.
func (o *Op) check(ranks int) error {
	switch {
	case int(o.Kind) >= len(kinds):
		return fmt.Errorf("has the kind %d: must be Compute, Send or Receive", o.Kind)
	case o.Kind == Compute && !(o.Time >= 0 && o.Time <= math.MaxFloat64):
		return fmt.Errorf("computes for %g ns: must be 0 or more, and finite", o.Time)
	case o.Kind != Compute && uint(o.Peer) >= uint(ranks):
		return fmt.Errorf("%s with rank %d: there are ranks 0 to %d", kinds[o.Kind], o.Peer, ranks-1)
	case o.Kind == Send && o.Bytes < 0:
		return fmt.Errorf("sends %d bytes: must be 0 or more", o.Bytes)
	}
	return nil
}

// Program is what the ranks of a job do. It may be called by several goroutines at once.
type Program interface {
	// Ranks returns the number of ranks.
	Ranks() int
	// Op returns the operation of a rank, counted from 0; ok is false behind the last one. It is a
	// function of its arguments alone: operations are undone, and asked for again.
	Op(rank, index int) (op Op, ok bool)
}

// pair are the operations in which a rank sends to one and receives from another, at the same time.
func pair(index int, to, from int, bytes int64, tag uint32) Op {
	if index%2 == 0 {
		return Op{Kind: Send, Peer: int32(to), Tag: tag, Bytes: bytes}
	}
	return Op{Kind: Receive, Peer: int32(from), Tag: tag}
}

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
func (w *Workload) resume(h *host, lp *ross.LP, _ *resume) {
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
