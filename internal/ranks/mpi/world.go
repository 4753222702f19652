//go:build mpi && cgo && !purego

// This file owns World, and the memory that the ranks of one machine share.

package mpi

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	empi "github.com/emer/empi/v2/mpi"

	"github.com/ross-go/ross/csrc"
)

// Enabled reports whether this build contains MPI.
const Enabled = true

// process is the state of MPI in the process.
var process struct {
	sync.Mutex
	worlds int
	ours   bool       // we initialized it, and finalize it with the last World
	empi   *empi.Comm // a duplicate of MPI_COMM_WORLD, made with the first World on it
}

// World is a duplicate of a communicator, and everything made from it.
type World struct {
	c          csrc.MPIWorld
	rank, size int
	level      ThreadLevel
	blocking   collective
	mailboxes  []*Mailbox
	reductions []*Reduction
	broadcasts []*Broadcast
	locked     bool // the goroutine is tied to its thread
	closed     atomic.Bool
}

// Started reports whether MPI has been initialized.
func Started() bool {
	initialized, _, _ := csrc.MPIState()
	return initialized
}

// Start initializes MPI, unless it is initialized already, and returns a World on the
// communicator of the options. All ranks of the communicator call Start. Several Worlds may
// exist in the process; MPI is finalized with the last, if Start initialized it. It is an
// error if MPI has been finalized (it cannot start again), has a lower thread level than
// requested, or does not know the communicator.
func Start(opts Options) (*World, error) {
	process.Lock()
	defer process.Unlock()
	w := &World{}
	want := max(opts.Threads, Funneled)
	if want == Funneled {
		runtime.LockOSThread()
		w.locked = true
	}
	err := w.start(want, opts.Comm)
	if err != nil {
		w.end()
		return nil, err
	}
	process.worlds++
	return w, nil
}

func (w *World) start(want ThreadLevel, comm *int32) error {
	if want > Multiple {
		return fmt.Errorf("ross: start MPI: %v: use thread level Funneled, Serialized or Multiple", want)
	}
	if err := initialize(want); err != nil {
		return err
	}
	_, _, level := csrc.MPIState()
	if w.level = ThreadLevel(level); w.level < want {
		return fmt.Errorf("ross: start MPI: threads: level %q is needed, but MPI was initialized with %q: "+
			"initialize it with a higher level, or let Start initialize it", want, w.level)
	}
	ok := false
	csrc.MPIReturningErrors(func() {
		if w.c, ok = csrc.NewMPIWorld(comm); ok && w.c.Fault().Code == 0 && comm == nil && process.empi == nil {
			process.empi, _ = empi.NewComm(allRanks(w.c.Size()))
		}
	})
	if !ok {
		return lacking()
	}
	if err := w.errorFrom(w.c.Fault()); err != nil {
		return err
	}
	w.rank, w.size = w.c.Rank(), w.c.Size()
	w.blocking = ownCollective{w}
	if comm == nil && process.empi != nil {
		w.blocking = empiCollective{process.empi}
	}
	return nil
}

// initialize calls MPI_Init_thread if MPI is not initialized. empi only knows Multiple.
func initialize(want ThreadLevel) error {
	initialized, finalized, _ := csrc.MPIState()
	switch {
	case finalized:
		return fmt.Errorf(
			"ross: start MPI: it was finalized before, and MPI starts once in a process: keep it (ross.KeepMPI), or close after the last run")
	case initialized:
		return nil
	}
	code := 0
	var err error
	csrc.MPIKeepingSignals(func() {
		if want == Multiple {
			_ = empi.InitThreadSafe() // the level is checked in any case
		} else {
			code = csrc.MPIInit(int(want))
		}
	})
	if code != 0 {
		err = &Error{Call: "MPI_Init_thread", Code: code, Text: csrc.MPIErrorText(code)}
	}
	process.ours = err == nil
	empi.LogErrors = false // they are returned
	return err
}

// end undoes start, and finalizes MPI if no World is left.
func (w *World) end() {
	if w.c != (csrc.MPIWorld{}) {
		w.c.Free()
	}
	if process.ours && process.worlds == 0 {
		process.ours = false
		process.empi = nil
		csrc.MPIKeepingSignals(func() { empi.Finalize() })
	}
	if w.locked {
		runtime.UnlockOSThread()
	}
	w.closed.Store(true)
}

// Close frees the World and everything made from it. All ranks call it, when all messages
// have been received and all reductions and broadcasts are done. It waits for the other
// ranks; if one of them has failed, call Abort instead. A second Close does nothing. Counts
// can still be read.
func (w *World) Close() error {
	process.Lock()
	defer process.Unlock()
	if w.closed.Load() {
		return nil
	}
	err := w.blocking.barrier()
	for _, m := range w.mailboxes {
		if m != nil {
			m.fail(ErrClosed)
			m.c = m.c.Free()
		}
	}
	for _, r := range w.reductions {
		r.c = r.c.Free()
	}
	for _, b := range w.broadcasts {
		b.c = b.c.Free()
	}
	process.worlds--
	w.end()
	return err
}

// Abort ends all ranks of the program, including this one and those that are not in this
// World; mpirun exits with the code, 1 to 255. Any goroutine may call it at any time, at
// any thread level, even while others are in MPI or hang there: if MPI has not ended the
// process after two seconds, Abort ends it without MPI. Buffered output may be lost.
func (w *World) Abort(code int) error {
	if w.closed.Load() {
		return ErrClosed
	}
	return w.errorOf("MPI_Abort", csrc.MPIAbort(code))
}

// Rank returns the number of this rank: 0 to Size-1.
func (w *World) Rank() int { return w.rank }

// Size returns how many ranks there are.
func (w *World) Size() int { return w.size }

// ThreadLevel returns the thread level of MPI: the requested one, or a higher one.
func (w *World) ThreadLevel() ThreadLevel { return w.level }

// Split divides the ranks by color, orders each part by key, and returns the Fortran handle
// of this rank's part, for Options.Comm. All ranks call it.
func (w *World) Split(color, key int) (int32, error) {
	if w.closed.Load() {
		return 0, ErrClosed
	}
	handle, code := w.c.Split(color, key)
	return handle, w.errorOf("MPI_Comm_split", code)
}

// NodeRanks returns the number of this rank among those on the same machine (those that can
// share memory), 0 to size-1 in the order of ranks, and their number. All ranks call it.
func (w *World) NodeRanks() (rank, size int, err error) {
	if w.closed.Load() {
		return 0, 0, ErrClosed
	}
	rank, size, code := w.c.Node()
	return rank, size, w.errorOf("MPI_Comm_split_type", code)
}

func (w *World) errorOf(call string, code int) error {
	if code == 0 {
		return nil
	}
	return &Error{Call: call, Rank: w.rank, Code: code, Text: csrc.MPIErrorText(code)}
}

// errorFrom returns the error of one of the objects in C, nil if it has none.
func (w *World) errorFrom(f csrc.MPIFault) error { return w.errorOf(f.Call, f.Code) }

func lacking() error {
	return fmt.Errorf("ross: start MPI: there is not enough memory: use fewer ranks on this machine")
}

func allRanks(n int) []int {
	ranks := make([]int, n)
	for i := range ranks {
		ranks[i] = i
	}
	return ranks
}

// Shared: memory that the ranks of one machine share.

// Shared is the ranks of this machine, and memory of each that all of them see: words
// outside the Go heap, at a different address in each process. Writes of ranks are
// concurrent like those of threads, and sync/atomic must order them.
type Shared struct {
	c     csrc.MPIShared
	ranks []int
	words int
}

// Share finds the ranks of this machine. All ranks call it. Free it before Close.
func (w *World) Share() (*Shared, error) {
	if w.closed.Load() {
		return nil, ErrClosed
	}
	c, ok := csrc.NewMPIShared(w.c)
	if !ok {
		return nil, lacking()
	}
	if err := w.errorFrom(c.Fault()); err != nil {
		c.Free(false)
		return nil, err
	}
	s := &Shared{c: c}
	for _, rank := range c.Ranks() {
		s.ranks = append(s.ranks, int(rank))
	}
	return s, nil
}

// Ranks returns the ranks of this machine, ascending, and which of them this one is.
func (s *Shared) Ranks() (ranks []int, own int) { return s.ranks, s.c.Rank() }

// Allocate makes a segment of n words for each rank of the machine; all of them call it,
// once. It reports whether this rank sees all segments; MPI may be unable to provide
// them. Their content is undefined, and their memory has not been touched.
func (s *Shared) Allocate(words int) bool {
	if !s.c.Allocate(8 * words) {
		return false
	}
	s.words = words
	return true
}

// Segment returns the memory of a rank, by its index in Ranks. It begins at a page, and
// is invalid after Free.
func (s *Shared) Segment(i int) []uint64 { return s.c.Segment(i, s.words) }

// Free frees the memory; all ranks of the machine call it. all is true if Allocate was
// true for all of them; if not, the memory of some is left to MPI, because freeing it
// needs all ranks.
func (s *Shared) Free(all bool) { s.c.Free(all) }

// SharedRoom returns how many bytes are left of the memory from which segments usually
// come. That can be much less than the machine has, for example in /dev/shm of a
// container.
func SharedRoom() int64 { return csrc.MPISharedRoom() }
