// This file owns Reduction and Broadcast, the non-blocking collective operations.

//go:build mpi && cgo && !purego

package mpi

import (
	"errors"
	"fmt"
	"math"
	"unsafe"

	"github.com/ross-go/ross/csrc"
)

var (
	errUnderWay  = errors.New("ross: start a collective operation: the last one is under way: Test until it is done")
	errOtherKind = errors.New(
		"ross: test a reduction: another kind is under way: use Test after Start, and TestWords after StartWords")
	errLengths = errors.New(
		"ross: combine lists of words: ranks gave different numbers of words: give as many on all ranks")
)

// Reduction combines records or lists of words of all ranks (MPI_Iallreduce),
// one after the other. One goroutine uses it at a time.
type Reduction struct {
	c     csrc.MPIReduction
	w     *World
	open  bool
	words bool // the last one was for lists
}

// Reduction makes a reduction. All ranks call it, in the same order as Mailbox and
// Broadcast.
func (w *World) Reduction() (*Reduction, error) {
	if w.closed.Load() {
		return nil, ErrClosed
	}
	c, ok := csrc.NewMPIReduction(w.c)
	if !ok {
		return nil, lacking()
	}
	r := &Reduction{c: c, w: w}
	w.reductions = append(w.reductions, r)
	return r, w.errorFrom(c.Fault())
}

// Start contributes this rank's record; its field Rank is ignored. All ranks start
// the same number of times, at any time.
func (r *Reduction) Start(rec *Record) error {
	if err := r.w.mayStart(r.open); err != nil {
		return err
	}
	in := (*Record)(r.c.In())
	*in = *rec
	in.Rank = uint64(r.w.Rank())
	if r.c.Start() < 0 {
		return r.w.errorFrom(r.c.Fault())
	}
	r.open, r.words = true, false
	return nil
}

// StartWords is Start for a list of words, 1 to ListWords of them, as many on all
// ranks. The result is the least list, compared as unsigned words from the first
// one on. For transfer a list is padded to a power of two.
func (r *Reduction) StartWords(words []uint64) error {
	if err := r.w.mayStart(r.open); err != nil {
		return err
	}
	if len(words) < 1 || len(words) > ListWords {
		return fmt.Errorf("ross: combine lists of %d words: a list has 1 to %d: use several", len(words), ListWords)
	}
	if r.c.StartWords(words) < 0 {
		return r.w.errorFrom(r.c.Fault())
	}
	r.open, r.words = true, true
	return nil
}

// TestWords is Test for a list of words. If ranks gave different numbers of words,
// all of them get an error, unless the numbers differ so much that MPI ends the
// run.
func (r *Reduction) TestWords() ([]uint64, bool, error) {
	if done, err := r.ended(true, csrc.MPIReduction.Test); !done {
		return nil, false, err
	}
	words, ok := r.c.Words()
	if !ok {
		return nil, false, errLengths
	}
	return words, true, nil
}

// Test returns the result and true when all ranks have started and the result has
// arrived. Then, or if none was started, the next can be started. The result is
// valid until then.
func (r *Reduction) Test() (*Record, bool, error) { return r.result(csrc.MPIReduction.Test) }

// Wait is Test that blocks.
func (r *Reduction) Wait() (*Record, error) {
	rec, _, err := r.result(csrc.MPIReduction.Wait)
	return rec, err
}

func (r *Reduction) result(test func(csrc.MPIReduction) int) (*Record, bool, error) {
	if done, err := r.ended(false, test); !done {
		return nil, false, err
	}
	return (*Record)(r.c.Out()), true, nil
}

func (r *Reduction) ended(words bool, test func(csrc.MPIReduction) int) (bool, error) {
	if r.open && r.words != words {
		return false, errOtherKind
	}
	return ends(r.w, r.c, &r.open, test)
}

// ends reports whether a collective operation is no longer under way.
func ends[C interface{ Fault() csrc.MPIFault }](w *World, c C, open *bool, test func(C) int) (bool, error) {
	if w.closed.Load() {
		return false, ErrClosed
	}
	if *open {
		switch done := test(c); {
		case done < 0:
			return false, w.errorFrom(c.Fault())
		case done == 0:
			return false, nil
		}
		*open = false
	}
	return true, nil
}

// mayStart returns nil if the next operation can begin.
func (w *World) mayStart(open bool) error {
	switch {
	case w.closed.Load():
		return ErrClosed
	case open:
		return errUnderWay
	}
	return nil
}

// Calls returns how many functions of MPI it has called.
func (r *Reduction) Calls() uint64 { return r.c.Calls() }

// Shared returns how many operations went through memory that ranks share: none.
func (r *Reduction) Shared() uint64 { return 0 }

// Broadcast sends bytes of one rank to all (MPI_Ibcast), one after the other. One
// goroutine uses it at a time.
type Broadcast struct {
	c    csrc.MPIBroadcast
	w    *World
	open bool
}

// Broadcast makes a broadcast. All ranks call it, in the same order as Mailbox
// and Reduction.
func (w *World) Broadcast() (*Broadcast, error) {
	if w.closed.Load() {
		return nil, ErrClosed
	}
	c, ok := csrc.NewMPIBroadcast(w.c)
	if !ok {
		return nil, lacking()
	}
	b := &Broadcast{c: c, w: w}
	w.broadcasts = append(w.broadcasts, b)
	return b, w.errorFrom(c.Fault())
}

// Start sends a copy of data, if this is the root, or takes part in the broadcast
// of another, and then data is ignored. All ranks start the same number of times,
// with the same roots. At most 2 GiB.
func (b *Broadcast) Start(root int, data []byte) error {
	if err := b.w.mayStart(b.open); err != nil {
		return err
	}
	if err := b.w.exists(root); err != nil {
		return err
	}
	if b.w.Rank() != root {
		data = nil
	}
	if len(data) > math.MaxInt32 {
		return tooLong("Broadcast", int64(len(data)))
	}
	if b.c.Start(root, data) < 0 {
		return b.w.errorFrom(b.c.Fault())
	}
	b.open = true
	return nil
}

// Test returns the bytes and true when they have arrived. They are valid until the
// next Start.
func (b *Broadcast) Test() ([]byte, bool, error) {
	if done, err := ends(b.w, b.c, &b.open, csrc.MPIBroadcast.Test); !done {
		return nil, false, err
	}
	return b.c.Data(), true, nil
}

// Calls returns how many functions of MPI it has called.
func (b *Broadcast) Calls() uint64 { return b.c.Calls() }

// A Record is copied to and from C as it is; a test compares every offset.
var (
	_ [152]byte       = [unsafe.Sizeof(Record{})]byte{}
	_ [KeyWords]byte  = [csrc.MPIKey]byte{}
	_ [ListWords]byte = [csrc.MPIList]byte{}
)
