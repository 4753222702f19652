// This file owns programs: what the ranks of a job do one after the other.

package workload

import (
	"fmt"
	"math"
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
