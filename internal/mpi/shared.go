// This file owns Shared: memory that the ranks of one machine share.

//go:build mpi && cgo && !purego

package mpi

import "github.com/ross-go/ross/csrc"

// Shared is the ranks of this machine, and memory of each that all of them see: words
// outside the Go heap, at an address of its own in each process. What ranks write there
// meets as what threads write: it is for sync/atomic to order it.
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

// Allocate makes a segment of so many words for each rank of the machine, all of which
// call it, once. It reports whether this rank sees them all; MPI may be unable to.
// Nothing is known of their content, and nothing has been touched.
func (s *Shared) Allocate(words int) bool {
	if !s.c.Allocate(8 * words) {
		return false
	}
	s.words = words
	return true
}

// Segment returns the memory of a rank, by its place in Ranks. It begins with a page. It
// is gone after Free.
func (s *Shared) Segment(i int) []uint64 { return s.c.Segment(i, s.words) }

// Free ends it; all ranks of the machine call it. all: Allocate was true for all of
// them; if not, what some of them have is left to MPI, since to give it back takes all.
func (s *Shared) Free(all bool) { s.c.Free(all) }

// SharedRoom returns how many bytes of memory are left that segments usually come from,
// which can be much less than the machine has: /dev/shm of a container.
func SharedRoom() int64 { return csrc.MPISharedRoom() }
