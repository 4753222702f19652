// This file owns checkpoints of a running simulation: how all PEs come to stand still for
// the copy, and the writing beside the run. checkpointdue.go says when they are due.
//
// A checkpoint takes three rounds of GVT. At the first all PEs undo what is not committed
// and handle nothing more. At the next one that finds nothing under way, what waits
// in their queues is all that is to happen, and each copies its share. At the third
// all have, and go on. What they copied is written meanwhile.

package ross

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ross-go/ross/cmdline"
	"github.com/ross-go/ross/internal/mpi"
	"github.com/ross-go/ross/rio"
)

// hold is how far a PE is with a checkpoint.
type hold uint8

const (
	holdNone     hold = iota
	holdSettling      // it handles nothing, and waits until nothing is under way
	holdCopied        // it waits for the others
)

// storing stores checkpoints while the simulation runs.
type storing struct {
	sim      *Simulation
	number   uint64    // of the next one, on rank 0
	first    uint64    // number of the first one that this run stores
	last     time.Time // when the last copy was made
	interval time.Duration
	virtual  float64 // the next is due at this virtual time
	next     *copied // what PEs copy into
	stage    stored  // of the one on its way; several ranks go through the stages together
	current  *copied
	newest   *copied // the copy made last
	waits    bool    // it is written when the run is over
	stopped  bool    // the run was, at that copy
	late     late
	busy     atomic.Bool
	work     sync.WaitGroup
	lock     sync.Mutex
	err      error
	failing  bool            // the one before could not be stored
	stuck    bool            // old ones cannot be removed
	unstored uint64          // checkpoints that could not be stored
	whole    map[uint64]bool // checkpoints of earlier runs that were found to be whole
}

// stored is how far a copy is.
type stored uint8

const (
	storedNone    stored = iota
	storedPacked         // by each rank for itself
	storedWritten        // likewise
	storedLast           // rank 0 makes a checkpoint of it
)

// beginStoring prepares what the options ask for. All ranks call it.
func (s *Simulation) beginStoring() error {
	c := &s.cfg
	if !c.storesRunning() {
		return nil
	}
	r := &storing{sim: s, whole: map[uint64]bool{}, last: time.Now(), interval: time.Duration(math.Ceil(c.IOInterval * float64(time.Second))), virtual: math.Inf(1)}
	if c.IOVirtualInterval > 0 {
		r.setVirtual(s.io.clock)
	}
	var err error
	if s.rank == 0 {
		var numbers []uint64
		if numbers, err = rio.Numbers(c.IOName); len(numbers) > 0 {
			last := slices.Max(numbers)
			if last >= math.MaxInt64 {
				err = cmdline.Usagef("option --io-name=%s: there is a checkpoint with number %d, and none is left to come after it; give another name", c.IOName, last)
				last = 0
			}
			r.number, r.first = last+1, last+1
		}
	}
	if s.io.running = r; s.ranks > 1 {
		number := []int64{int64(r.number)}
		err = errors.Join(err, s.world.AllReduceInt64(mpi.Max, number))
		r.number = uint64(number[0])
	}
	r.renew()
	return err
}

// renew makes room for the next copy.
func (r *storing) renew() { r.next = r.sim.newCopied("", ByFormula, 0) }

// askCheckpoint returns what the PE has to say about checkpoints in a round of GVT.
func (pe *PE) askCheckpoint() (flags uint32) {
	r := pe.sim.io.running
	if pe.hold == holdSettling && (!pe.redMin.IsMax() || pe.far != nil && len(pe.far.waiting) > 0) {
		flags |= flagUnsettled
	}
	if pe.id == pe.sim.base && r.busy.Load() {
		flags |= flagWriting
	}
	if pe.id == 0 && pe.hold == holdNone && r.begins(pe.gvt) {
		flags |= flagCheckpoint
	}
	return flags
}

// beginHold has the PE stand still for a checkpoint, or go on after it, and the run go
// on until there is one if it is to be stopped with one.
func (pe *PE) beginHold(flags uint32) {
	r := pe.sim.io.running
	if pe.id == pe.sim.base && flags&flagWriting == 0 && r.stage != storedNone {
		r.step()
	}
	last := flags&flagStop != 0 && pe.sim.cfg.IOOnExit
	switch {
	case pe.bound.IsMax() || flags&flagFailed != 0 || flags&flagStop != 0 && !last:
		pe.hold = holdNone
		return
	case pe.hold == holdNone && (last || flags&(flagCheckpoint|flagWriting) == flagCheckpoint):
		pe.hold = holdSettling
		pe.settling = false
	case pe.hold == holdCopied && !last:
		pe.hold = holdNone
	}
	if last {
		pe.over = pe.hold == holdCopied // the copy is of this very moment
		if pe.over && pe.id == pe.sim.base {
			r.stopped = true
		}
	}
}

// meetCheckpoint is called at a GVT while the PE stands still. It reports whether the run
// is over.
func (pe *PE) meetCheckpoint(flags uint32) (over bool) {
	if pe.hold == holdCopied {
		return pe.over
	}
	if !pe.settling { // what others had sent may still be under way
		pe.settling = true
		return false
	}
	if flags&flagUnsettled != 0 {
		return false
	}
	r := pe.sim.io.running
	last := flags&flagStop != 0
	c := r.next
	if pe.id == pe.sim.base {
		r.begin(pe.gvt)
		r.busy.Store(true)
	}
	err := pe.err // the others count on this one, also if there is an error
	if c.fail(err); err == nil {
		err = pe.copyInto(c)
	}
	pe.hold = holdCopied
	if c.left.Add(-1) == 0 {
		r.renew()
		r.take(c, last)
	}
	if err != nil {
		pe.fail(err)
	}
	if last {
		pe.over = true
		pe.stopAt(flags)
	}
	return pe.over
}

// take begins to write a copy, beside the run.
func (r *storing) take(c *copied, last bool) {
	r.newest = c
	if last { // the one before it comes first
		r.waits, r.stopped = true, true
		return
	}
	r.current = c
	if r.sim.ranks > 1 {
		r.stage = storedPacked
		r.aside(c.pack)
		return
	}
	r.aside(func() {
		c.pack()
		c.exchange()
		c.write()
		c.commit()
		r.done(c)
	})
}

// aside runs a part of the writing beside the run.
func (r *storing) aside(f func()) {
	r.busy.Store(true)
	r.work.Go(func() {
		defer r.busy.Store(false)
		f()
	})
}

// step goes to the next stage, with all ranks.
func (r *storing) step() {
	c := r.current
	switch r.stage {
	case storedPacked:
		c.exchange()
		r.stage = storedWritten
		r.aside(c.write)
	case storedWritten:
		c.settle()
		r.stage = storedLast
		r.aside(func() {
			c.commit()
			r.done(c)
		})
	case storedLast:
		r.stage, r.current = storedNone, nil
	}
}

// endStoring completes what is on its way when the run is over. All ranks call it. A run
// that was to end with a checkpoint has an error without one.
func (s *Simulation) endStoring() error {
	r := s.io.running
	if r == nil {
		return nil
	}
	r.endLate()
	r.work.Wait()
	for !s.broken && r.stage != storedNone {
		r.step()
		r.work.Wait()
	}
	if !r.stopped || s.broken {
		return nil
	}
	c := r.newest
	err := c.err
	if r.waits {
		err = c.storeNow()
		r.done(c)
	} else {
		err = s.agree(err)
	}
	if err == nil && s.rank == 0 {
		s.printf("Checkpoint stored at time %g: %s\n", c.info.Clock, filepath.Clean(c.name))
	}
	return err
}

// storeAlone stores a checkpoint of a sequential run, if one is due, or if it is the last.
func (pe *PE) storeAlone(last bool) error {
	r := pe.sim.io.running
	if r == nil || pe.err != nil || !last && !r.begins(pe.gvt) || last && !pe.sim.cfg.IOOnExit {
		return nil
	}
	c := r.next
	r.begin(pe.gvt)
	err := pe.copyInto(c)
	r.renew()
	r.take(c, last)
	return err
}

// storeSeconds returns how long the PE that took longest stood still to be copied.
func (s *Simulation) storeSeconds() (most float64) {
	for _, pe := range s.pes {
		most = max(most, pe.counts.StoreSeconds)
	}
	return most
}
