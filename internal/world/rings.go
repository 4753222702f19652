// This file owns the rings of a machine, and the MPI world, whose ranks agree on them.

package world

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"

	"github.com/ross-go/ross/internal/mem"
	"github.com/ross-go/ross/internal/mpi"
	"github.com/ross-go/ross/internal/transport"
)

// Rings describes the rings of a machine. All its ranks have equal Rings, except Own.
//
// A rank's segment has a block for each of its mailboxes, which reads the rings in it:
//
//	bells      a word for 64 rings, each in its own cache lines
//	meetings   StreamControl words of each ring
//	rings      Words words of each, beginning at a page
//
// Rings of a block are in the order of the writing rank, then of its mailbox.
type Rings struct {
	Ranks     []int // of the machine, ascending
	Own       int   // which of them this one is
	Mailboxes int   // of each rank
	Words     int   // of a ring: a power of two, transport.LeastStream at least
}

const (
	lineWords = 128 / 8  // processors fetch lines in pairs
	pageWords = 4096 / 8 // so that rings are in memory near their readers

	// fewRings is the number of rings up to which all are polled: a bell would be one more line to
	// fetch for each message.
	fewRings = 8
)

// Sizes of rings. A message of the engine has 1 to 3 KiB, and up to 16 KiB if there is much to
// send.
const (
	// mostRing, in words: 64 KiB, some twenty messages. A larger ring would not be used, because a
	// receiver polls often, and would not stay in the cache. A quarter of it, which Room requires,
	// is the engine's longest message.
	mostRing = 64 << 10 / 8
	// leastRing, in words: 4 KiB. In a smaller ring most messages would have to be sent by MPI.
	leastRing = 4 << 10 / 8
	// All rings of a machine take at most mostBytes, and at most one part in onePart of its memory:
	// they grow with the square of the number of PEs, all PEs touch them, and no option requests
	// them. With mostBytes 128 PEs have 16 KiB for each pair.
	mostBytes = 256 << 20
	onePart   = 16
)

// RingWords returns the number of words of a ring on a machine, from the number of ranks and the
// bytes for all rings, or 0 if rings are not worth while.
func RingWords(ranks, mailboxes int, bytes int64) int {
	bytes = min(bytes, mostBytes)
	for words := mostRing; words >= leastRing; words /= 2 {
		r := Rings{Ranks: make([]int, ranks), Mailboxes: mailboxes, Words: words}
		if int64(ranks)*int64(r.SegmentWords())*8 <= bytes {
			return words
		}
	}
	return 0
}

// in returns the number of rings that end at a mailbox.
func (r *Rings) in() int { return (len(r.Ranks) - 1) * r.Mailboxes }

func (r *Rings) bells() int { return (r.in() + 63) / 64 }

// rings returns the offset of the rings in a block.
func (r *Rings) rings() int {
	return roundUp(r.bells()*lineWords+r.in()*transport.StreamControl, pageWords)
}

func (r *Rings) block() int { return roundUp(r.rings()+r.in()*r.Words, pageWords) }

// SegmentWords returns the length of each rank's segment.
func (r *Rings) SegmentWords() int { return r.Mailboxes * r.block() }

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// Prepare initializes the segment of this rank. It must run before Connect on any rank, and touches
// the whole segment.
func (r *Rings) Prepare(segment []uint64) { clear(segment) }

// place returns the index of one rank of the machine among the others of another rank.
func place(of, seenBy int) int {
	if of < seenBy {
		return of
	}
	return of - 1
}

// ring returns the memory of ring i in the block of a mailbox, in the segment of its rank.
func (r *Rings) ring(segment []uint64, mailbox, i int) (control, ring []uint64) {
	block := segment[mailbox*r.block():]
	return block[r.bells()*lineWords+i*transport.StreamControl:][:transport.StreamControl], block[r.rings()+i*r.Words:][:r.Words]
}

// bell returns the bell for ring i in the block of a mailbox, and its bit; nil if there are few
// rings.
func (r *Rings) bell(segment []uint64, mailbox, i int) bell {
	if r.in() <= fewRings {
		return bell{}
	}
	return bell{word: transport.AtomicWord(segment, mailbox*r.block()+i/64*lineWords), bit: 1 << (i % 64)}
}

// find returns the place of a rank among the others of the machine, -1 for this rank, for ranks
// elsewhere, and without rings. Most often the ranks of a machine have numbers in a row.
func (r *Rings) find(rank int) int {
	if r == nil {
		return -1
	}
	i := rank - r.Ranks[0]
	if uint(i) >= uint(len(r.Ranks)) || r.Ranks[i] != rank {
		found := false
		if i, found = slices.BinarySearch(r.Ranks, rank); !found {
			return -1
		}
	}
	if i == r.Own {
		return -1
	}
	return place(i, r.Own)
}

// The MPI world, and the agreement of its ranks on rings.

// nearEnv is the environment variable that turns rings off if it is "0".
const nearEnv = "ROSS_NEAR"

// MPI returns the world of MPI on the communicator with a Fortran handle, nil for all
// ranks that mpirun has started. level is the required thread level.
func MPI(level mpi.ThreadLevel, comm *int32) (World, error) {
	w, err := mpi.Start(mpi.Options{Threads: level, Comm: comm})
	if err != nil {
		return nil, err
	}
	return &overMPI{World: w}, nil
}

type overMPI struct {
	*mpi.World
	boxes  []Mailbox
	shared *mpi.Shared // the memory of the rings; nil without rings
}

func (w *overMPI) Reduction() (Reduction, error) { return w.World.Reduction() }

func (w *overMPI) Mailboxes(n int) ([]Mailbox, error) {
	room, err := w.agree(n)
	if err != nil {
		return nil, err
	}
	carriers := make([]Carrier, n)
	for i := range carriers {
		if carriers[i], err = w.Mailbox(i); err != nil {
			return nil, err
		}
	}
	rings, segments, err := w.share(n, room)
	if err != nil {
		return nil, err
	}
	w.boxes = rings.Connect(w.Size(), carriers, segments)
	return w.boxes, nil
}

// Close also ends the use of shared memory.
func (w *overMPI) Close() error {
	for _, m := range w.boxes {
		Detach(m)
	}
	if w.shared != nil {
		w.shared.Free(true)
		w.shared = nil
	}
	return w.World.Close()
}

// least sets each value to the least of all ranks.
func (w *overMPI) least(values ...*int64) error {
	all := make([]int64, len(values))
	for i, v := range values {
		all[i] = *v
	}
	if err := w.AllReduceInt64(mpi.Min, all); err != nil {
		return err
	}
	for i, v := range values {
		*v = all[i]
	}
	return nil
}

// agree returns how many bytes the rings of a machine may take, 0 if a rank refuses rings.
func (w *overMPI) agree(n int) (room int64, err error) {
	if os.Getenv(nearEnv) != "0" && w.Size() > 1 {
		// MPI itself uses /dev/shm as well.
		room = min(mostBytes, int64(min(mem.Available(), 1<<62)/onePart), mpi.SharedRoom()/2)
	}
	least, most := int64(n), -int64(n)
	if err := w.least(&room, &least, &most); err != nil {
		return 0, err
	}
	if least != -most {
		return 0, fmt.Errorf("ross: make mailboxes: ranks have %d to %d, rank %d has %d: use as many PEs in each", least, -most, w.Rank(), n)
	}
	return room, nil
}

// share makes the rings. Both results are nil if there are none, which is not an error.
func (w *overMPI) share(n int, room int64) (*Rings, [][]uint64, error) {
	if room == 0 {
		return nil, nil, nil
	}
	s, err := w.Share()
	found, ranks := int64(1), int64(0)
	if err != nil {
		found = 0
	} else {
		of, _ := s.Ranks()
		ranks = -int64(len(of))
	}
	if err := w.least(&found, &ranks); err != nil {
		return nil, nil, err
	}
	if words := RingWords(int(-ranks), n, room); found != 0 && ranks < -1 && words > 0 {
		return w.allocate(s, n, words)
	}
	if s != nil {
		s.Free(true)
	}
	return nil, nil, nil
}

// allocate makes the memory of the rings, if all ranks can. When the second call of least
// has returned, every rank has prepared its segment, and all see what it wrote: a message
// through MPI is ordered after the sender's earlier writes.
func (w *overMPI) allocate(s *mpi.Shared, n, words int) (*Rings, [][]uint64, error) {
	ranks, own := s.Ranks()
	r := &Rings{Ranks: ranks, Own: own, Mailboxes: n, Words: words}
	have, good := int64(1), int64(1)
	if len(ranks) > 1 && !s.Allocate(r.SegmentWords()) {
		have = 0
	}
	if err := w.least(&have); err != nil {
		return nil, nil, err
	}
	var segments [][]uint64
	if have == 1 && len(ranks) > 1 {
		for i := range ranks {
			segments = append(segments, s.Segment(i))
		}
		if touched(func() { r.Prepare(segments[own]) }) != nil {
			good = 0
		}
	}
	err := w.least(&good)
	if err != nil || have == 0 || good == 0 {
		s.Free(err == nil && have == 1)
		return nil, nil, err
	}
	w.shared = s
	return r, segments, nil
}

// touched returns an error if the first touch of memory fails: a file system may promise
// more than it has, and reports it with a SIGBUS.
func touched(touch func()) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			err = errors.New("ross: share memory: there is less than the system promised")
		}
	}()
	touch()
	return nil
}
