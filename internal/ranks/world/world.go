// This file owns World and Mailbox, the interfaces.

package world

import (
	"encoding/binary"
	"time"

	"github.com/ross-go/ross/internal/ranks/mpi"
)

// World is the ranks of a run, as seen by one of them. mpi.World documents the MPI
// implementation. All ranks call the methods that make objects, and those that block, in the
// same order.
type World interface {
	Rank() int
	Size() int
	Barrier() error
	Bcast(data []byte, root int) ([]byte, error)
	AllGather(own []byte) ([][]byte, error)
	// Send sends bytes to another rank, which calls Receive meanwhile. Both block.
	Send(data []byte, to int) error
	Receive(from int) ([]byte, error)
	AllReduceInt64(op mpi.Op, values []int64) error
	// Mailboxes makes the mailboxes of this rank, once. All ranks make the same number.
	Mailboxes(n int) ([]Mailbox, error)
	Reduction() (Reduction, error)
	Abort(code int) error
	Close() error
}

// Mailbox is a PE's end of the channels to the PEs of other ranks. One goroutine uses it
// at a time.
type Mailbox interface {
	// Room reports whether Post would accept a message of any length.
	Room(toRank, toMailbox int) bool

	// Post sends a copy of the words to a mailbox of another rank, or returns false if there is
	// no room: the caller then keeps the message, and polls before it tries again. Messages
	// from one mailbox to another arrive in the order of posting. After an error, which the
	// next Poll returns, nothing more is sent.
	Post(toRank, toMailbox int, words []uint64) bool

	// Poll calls f for each message that has arrived, and reports whether there was any. Words
	// are valid until f returns; f may change them, and may post, but not poll. Poll never
	// waits. After an error every Poll returns it again.
	Poll(f func(fromRank int, words []uint64)) (bool, error)

	// PollNear is Poll for messages from ranks of this machine that came without MPI. It is so
	// cheap if there are none that it can be called often. Messages that came by MPI, and later
	// ones from the same mailbox, wait for a Poll.
	PollNear(f func(fromRank int, words []uint64)) bool

	// Near reports whether all other ranks are on this machine and are reached without MPI.
	// Then Poll makes no MPI call unless a message is under way that was too long for its ring,
	// and may be called as often as PollNear.
	Near() bool

	Counts() mpi.Counts
}

// Sleeper is a Mailbox whose owner can sleep until something comes from other ranks.
type Sleeper interface {
	Mailbox

	// Sleep returns when a message comes, unless news is false; when Wake is called; when a reduction is complete, if this
	// is the first mailbox of its rank; when a rank is lost; at once if there is a message that it would return for, or
	// ready is true; and after some time, never if that is negative. Senders that find no room in a ring wake it in any
	// case. While a message too long for its ring is under way it returns soon, as it does where nobody could wake it. It
	// reports whether it could sleep until somebody wakes it.
	Sleep(ready func() bool, news bool, most time.Duration) bool

	// Wake wakes the owner if it sleeps, or has begun to and not yet asked ready. Anybody may call it at any time.
	Wake()
}

// Reduction is the all-reduce of GVT; see mpi.Reduction.
type Reduction interface {
	Start(*mpi.Record) error
	Test() (*mpi.Record, bool, error)
	StartWords([]uint64) error
	TestWords() ([]uint64, bool, error)
	Calls() uint64  // of MPI
	Shared() uint64 // operations that went through shared memory, and so without MPI
}

// Combine is a step of AllReduceInt64 for a World that has the values of all ranks as bytes, 8 for each and the least
// significant one first: it takes those of the next rank into values, which those of the first one replace.
func Combine(op mpi.Op, values []int64, next []byte, first bool) {
	for i := range values {
		v := int64(binary.LittleEndian.Uint64(next[8*i:]))
		switch {
		case first:
			values[i] = v
		case op == mpi.Sum:
			values[i] += v
		case op == mpi.Min:
			values[i] = min(values[i], v)
		default:
			values[i] = max(values[i], v)
		}
	}
}
