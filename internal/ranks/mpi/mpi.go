// This file owns the parts that the package has in all builds: options,
// records, errors.

package mpi

import (
	"errors"
	"fmt"
)

// ErrNotBuilt is what Start returns in a build without MPI.
var ErrNotBuilt = errors.New("ross: built without MPI: build with -tags mpi")

// ErrClosed is the error of a World after Close.
var ErrClosed = errors.New("ross: use MPI: it is closed: finish all work before Close")

// ThreadLevel states which threads of a rank may call MPI (MPI_THREAD_SINGLE and
// so on).
type ThreadLevel int

const (
	Single     ThreadLevel = iota // there is only one thread, which is never so in a Go program
	Funneled                      // only the thread that started MPI
	Serialized                    // any thread, one at a time
	Multiple                      // any thread at any time
)

// String returns the name of the level.
func (l ThreadLevel) String() string {
	names := [...]string{"single", "funneled", "serialized", "multiple"}
	if l < Single || l > Multiple {
		return fmt.Sprintf("ThreadLevel(%d)", int(l))
	}
	return names[l]
}

// Options are the options of Start.
type Options struct {
	// Threads is the lowest sufficient thread level. 0 means Funneled: then
	// Start ties the goroutine to its thread until Close, and only that
	// goroutine may call the package.
	Threads ThreadLevel

	// Comm is the communicator to run on, a Fortran handle (MPI_Comm_c2f); a
	// duplicate of it is used. nil: MPI_COMM_WORLD. ROSS: tw_comm_set.
	Comm *int32
}

// Op is the operation by which AllReduce combines values.
type Op int

const (
	Sum Op = iota
	Min
	Max
)

const (
	KeyWords    = 12      // of a Record's key
	ListWords   = 1 << 16 // at most, of a list for Reduction.StartWords
	BufferWords = 2048    // of a Mailbox.Buffer
)

// Record is the data that a Reduction combines over all ranks.
type Record struct {
	Balance  int64            // sum; messages sent less messages received
	Flags    uint64           // or
	Counters [4]uint64        // sums
	Key      [KeyWords]uint64 // the least, compared as unsigned from the first word on
	Rank     uint64           // with that key, the lowest of several; Start fills it in
}

// Counts are the counters of a Mailbox since it was made.
type Counts struct {
	Sent, Received           uint64 // messages
	BytesSent, BytesReceived uint64 // as passed to MPI: 8 of each message are the layer's own
	Calls                    uint64 // of MPI functions, including those that made the mailbox and, after Close, ended it
	Near                     uint64 // of Sent, those that went through memory instead of MPI
}

// Error is an error that MPI reported. The state of MPI is then unknown, so
// the run cannot continue: call World.Abort.
type Error struct {
	Call string // function of MPI
	Rank int    // the caller
	Code int    // -1 if there is not enough memory
	Text string
}

func (e *Error) Error() string {
	why := ": another rank may be gone"
	if e.Code == -1 {
		why = ""
	}
	return fmt.Sprintf("ross: %s: rank %d: %s%s: end the run, and see what mpirun and other ranks say", e.Call, e.Rank,
		e.Text, why)
}
