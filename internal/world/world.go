// This file owns World and Mailbox, the interfaces.

package world

import "github.com/ross-go/ross/internal/mpi"

// World is the ranks of a run, as one of them sees them. What MPI's does is said at
// mpi.World. All ranks call the methods that make things, and those that block, in
// the same order.
type World interface {
	Rank() int
	Size() int
	Barrier() error
	Bcast(data []byte, root int) ([]byte, error)
	AllGather(own []byte) ([][]byte, error)
	AllReduceInt64(op mpi.Op, values []int64) error
	// Mailboxes makes the mailboxes of this rank, once. All ranks make as many.
	Mailboxes(n int) ([]Mailbox, error)
	Reduction() (Reduction, error)
	Abort(code int) error
	Close() error
}

// Mailbox is a PE's end of the channels to the PEs of other ranks. One goroutine uses it
// at a time.
type Mailbox interface {
	// Room reports whether Post would take a message of any length.
	Room(toRank, toMailbox int) bool

	// Post sends a copy of the words to a mailbox of another rank, or returns false if there is
	// no room: the caller keeps the message, and polls before it tries again. Messages
	// from one mailbox to another arrive in the order of posting. After an
	// error, which the next Poll returns, nothing is sent any more.
	Post(toRank, toMailbox int, words []uint64) bool

	// Poll calls f for each message that has come in, and reports whether there was any. Words
	// are good until f returns, which may change them, and may post, but not poll. It
	// never waits. An error is returned again by every Poll after it.
	Poll(f func(fromRank int, words []uint64)) (bool, error)

	// PollNear is Poll of what came from ranks of this machine without MPI: so cheap if
	// nothing has that it can be called often. What has come otherwise, and what
	// comes after it from the same mailbox, waits for a Poll.
	PollNear(f func(fromRank int, words []uint64)) bool

	// Near reports whether all other ranks are on this machine, and reached without MPI. Then
	// Poll makes no call of MPI unless a message is under way that was too long, and may be
	// called as often as PollNear.
	Near() bool

	Counts() mpi.Counts
}

// Reduction is the all-reduce of GVT; see mpi.Reduction.
type Reduction interface {
	Start(*mpi.Record) error
	Test() (*mpi.Record, bool, error)
	StartWords([]uint64) error
	TestWords() ([]uint64, bool, error)
	Calls() uint64
}
