// Package world is what the engine sees of the other ranks of a run: mailboxes,
// reductions, and what all ranks do together. There are two kinds of it: MPI, which
// is package internal/mpi, and, for tests, ranks that are goroutines of one process
// (package worldtest), whose messages can be held back at will.
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
	Mailbox(i int) (Mailbox, error)
	Reduction() (Reduction, error)
	Abort(code int) error
	Close() error
}

// Mailbox is a PE's end of the channels to the PEs of other ranks; see mpi.Mailbox.
type Mailbox interface {
	Room(toRank, toMailbox int) bool
	Post(toRank, toMailbox int, words []uint64) bool
	Poll(f func(fromRank int, words []uint64)) (bool, error)
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

// MPI returns the world of MPI on the communicator with a Fortran handle, nil for all
// ranks that mpirun has started. level is the level of threads that is needed.
func MPI(level mpi.ThreadLevel, comm *int32) (World, error) {
	w, err := mpi.Start(mpi.Options{Threads: level, Comm: comm})
	if err != nil {
		return nil, err
	}
	return overMPI{w}, nil
}

type overMPI struct{ *mpi.World }

func (w overMPI) Mailbox(i int) (Mailbox, error) { return w.World.Mailbox(i) }

func (w overMPI) Reduction() (Reduction, error) { return w.World.Reduction() }
