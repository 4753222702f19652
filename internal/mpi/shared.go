// This file owns Shared: memory that the ranks of one machine share.

//go:build mpi && cgo && !purego

package mpi

import "github.com/ross-go/ross/csrc"

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

// Free frees the memory; all ranks of the machine call it. all says that Allocate was
// true for all of them; if not, the memory of some is left to MPI, because freeing it
// needs all ranks.
func (s *Shared) Free(all bool) { s.c.Free(all) }

// SharedRoom returns how many bytes are left of the memory from which segments usually
// come. That can be much less than the machine has, for example in /dev/shm of a
// container.
func SharedRoom() int64 { return csrc.MPISharedRoom() }
