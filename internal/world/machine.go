// This file owns the MPI world, and the agreement of its ranks on rings.

package world

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/ross-go/ross/internal/mem"
	"github.com/ross-go/ross/internal/mpi"
)

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
		m.(*near).detach()
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
	if words := ringWords(int(-ranks), n, room); found != 0 && ranks < -1 && words > 0 {
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
// more than it has, and says so with a SIGBUS.
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
