// This file owns programs: what the ranks of a job do one after the other.

package workload

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
