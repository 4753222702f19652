// This file owns checkpoints of a running simulation: how all PEs stop for the copy, and how
// the copy is written while the run goes on. The file due.go determines when they are due.
//
// A checkpoint takes three rounds of GVT. At the first, all PEs undo what is not committed and
// stop handling events. At the next round that finds nothing under way, the queues contain all
// future events, and each PE copies its share. At the third, all PEs have made their copies,
// and go on. The copies are written meanwhile.

package checkpoint

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/engine/timewarp"
	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/sys/atomicfile"
	"github.com/ross-go/ross/internal/sys/usage"
	"github.com/ross-go/ross/rio"
)

// Hold is the progress of a PE with a checkpoint. Package run decides at each GVT how it goes on.
type Hold uint8

// HoldNone means that the PE handles events. In the other states it stands still.
const (
	HoldNone     Hold = iota
	HoldBegun         // the PE has handled nothing since the last GVT
	HoldDraining      // the PE waits until nothing is under way
	HoldCopied        // the PE has made its copy and waits for the others
)

// Storing stores checkpoints while the simulation runs.
type Storing struct {
	Checkpoints *Checkpoints
	number      uint64        // number of the next checkpoint
	first       uint64        // number of the first checkpoint that this run stores
	Last        time.Time     // when the last copy was made
	Interval    time.Duration // of real time; 0: none
	Virtual     float64       // virtual time at which the next checkpoint is due
	next        *Copied       // the copy that PEs add to
	stage       stored        // stage of current; several ranks go through the stages together
	current     *Copied       // the copy that is being written
	newest      *Copied       // the copy made last
	waits       bool          // newest is written when the run is over
	stopped     bool          // the run stopped at newest
	Late        late
	Busy        atomic.Bool // a copy is being made, or a stage of the writing is going on
	work        sync.WaitGroup
	lock        sync.Mutex
	err         error           // of the most recent checkpoint; protected by lock
	failing     bool            // the checkpoint before could not be stored
	stuck       bool            // old checkpoints cannot be removed
	Unstored    uint64          // number of checkpoints that could not be stored
	whole       map[uint64]bool // checkpoints of earlier runs that were found to be complete
}

// stored is the stage of writing that a copy is in.
type stored uint8

const (
	storedNone    stored = iota
	storedPacked         // each rank packs its part
	storedWritten        // each rank writes its part
	storedLast           // rank 0 commits the checkpoint
)

// BeginStoring prepares the checkpoints that the options ask for. All ranks call it.
func (s *Checkpoints) BeginStoring() error {
	c := &s.Run.Set
	if !c.StoresRunning() {
		return nil
	}
	r := &Storing{Checkpoints: s, whole: map[uint64]bool{}, Last: time.Now(), Virtual: math.Inf(1)}
	r.Interval = c.Checkpoints.Interval
	s.Running = r
	r.SetVirtual(s.Run.StartTime)
	var err error
	if s.cluster.Rank == 0 {
		if err = atomicfile.CheckFolder(filepath.Dir(c.Checkpoints.Name)); err != nil {
			err = &usage.Error{Text: fmt.Sprintf("option --io-name=%s: %v: %s", c.Checkpoints.Name, err,
				atomicfile.Remedy(err, "name a folder that can be written to")), Cause: err}
		}
	}
	if s.cluster.Rank == 0 && err == nil {
		var numbers []uint64
		if numbers, err = rio.Numbers(c.Checkpoints.Name); len(numbers) > 0 {
			last := slices.Max(numbers)
			if last >= math.MaxInt64 {
				err = usage.Errorf("option --io-name=%s: there is a checkpoint with number %d, and no higher number is available; "+
					"give another name", c.Checkpoints.Name, last)
				last = 0
			}
			r.number, r.first = last+1, last+1
		}
	}
	if s.cluster.Ranks > 1 {
		number := []int64{int64(r.number)}
		err = errors.Join(err, s.cluster.World.AllReduceInt64(mpi.Max, number))
		r.number = uint64(number[0])
	}
	r.renew()
	return err
}

// renew makes room for the next copy.
func (r *Storing) renew() { r.next = r.Checkpoints.newCopied("", ByFormula, 0) }

// Closes reports whether the PE waits to be copied, or for others that do.
func (k *Keeper) Closes() bool { return k.Hold == HoldBegun || k.Hold == HoldDraining }

// Ask returns the flags about checkpoints that the PE reports to a round of GVT. left says that it has events, perhaps
// beyond the end.
func (k *Keeper) Ask(left bool) (flags uint32) {
	pe := k.PE
	r := k.Checkpoints.Running
	if k.Closes() && pe.IsUnderWay() {
		flags |= timewarp.FlagUnderWay
	}
	if pe.ID == pe.Run.Base && r.Busy.Load() {
		flags |= timewarp.FlagWriting
	}
	if pe.Run.Away() > 0 {
		flags |= timewarp.FlagAway
	}
	if pe.ID == 0 && k.Hold != HoldCopied && r.Begins(pe.GVT) {
		flags |= timewarp.FlagCheckpoint
	}
	if left {
		flags |= timewarp.FlagLeft
	}
	return flags
}

// GoOnWriting is called at each GVT. When no rank is busy with a stage of the writing, all go to the next one.
func (k *Keeper) GoOnWriting(flags uint32) {
	r := k.Checkpoints.Running
	if k.PE.ID == k.PE.Run.Base && flags&timewarp.FlagWriting == 0 && r.stage != storedNone {
		r.step()
	}
}

// Copy copies the PE at a GVT at which nothing is uncommitted or under way. last says that the run ends with this
// checkpoint.
func (k *Keeper) Copy(last bool) {
	pe, r := k.PE, k.Checkpoints.Running
	c := r.next
	gvt := k.beforeEnd(pe.GVT)
	if pe.ID == pe.Run.Base {
		r.Begin(gvt)
		r.Busy.Store(true)
	}
	if k.IsDue() {
		k.storeAfter(gvt)
	}
	err := pe.Err // the others wait for this PE even if it has an error
	if c.fail(err); err == nil {
		err = k.copyInto(c)
	}
	k.Hold = HoldCopied
	if c.left.Add(-1) == 0 {
		r.renew()
		r.take(c, last)
	}
	if err != nil {
		pe.Fail(err)
	}
}

// StopAtCopy notes that the run stops at the moment of the last copy.
func (k *Keeper) StopAtCopy() {
	if k.PE.ID == k.PE.Run.Base {
		k.Checkpoints.Running.stopped = true
	}
}

// take begins to write a copy while the run goes on. last says that the run ends with this
// copy, which is then written by End.
func (r *Storing) take(c *Copied, last bool) {
	r.newest = c
	if last { // the copy before it may not be written yet
		r.waits, r.stopped = true, true
		return
	}
	r.current = c
	if r.Checkpoints.cluster.Ranks > 1 {
		r.stage = storedPacked
		r.aside(c.pack)
		return
	}
	r.aside(func() {
		c.pack()
		c.exchange()
		c.write()
		c.confirm()
		c.commit()
		r.Done(c)
	})
}

// aside runs a part of the writing in the background.
func (r *Storing) aside(f func()) {
	r.Busy.Store(true)
	r.work.Go(func() {
		defer r.Busy.Store(false)
		turn, rank := r.Checkpoints.Run.Set.Turn, r.Checkpoints.cluster.Rank
		turn.At(settings.Writer(rank), "write")
		f()
		turn.At(settings.Writer(rank), "written")
	})
}

// wait waits until the part of the writing that goes on is done.
func (r *Storing) wait() {
	r.work.Wait()
	r.Checkpoints.Run.Set.Turn.At(settings.Main(r.Checkpoints.cluster.Rank), "stored")
}

// step goes to the next stage, together with all ranks.
func (r *Storing) step() {
	c := r.current
	switch r.stage {
	case storedPacked:
		c.exchange()
		r.stage = storedWritten
		r.aside(c.write)
	case storedWritten:
		c.confirm()
		r.stage = storedLast
		r.aside(func() {
			c.commit()
			r.Done(c)
		})
	case storedLast:
		r.stage, r.current = storedNone, nil
	}
}

// End completes the checkpoints that are being written when the run is over. All ranks call
// it. If a run was to end with a checkpoint, End returns an error if that could not be stored.
func (s *Checkpoints) End() error {
	r := s.Running
	if r == nil {
		return nil
	}
	r.EndLate()
	r.wait()
	for !s.cluster.Broken.Load() && r.stage != storedNone {
		r.step()
		r.wait()
	}
	if !r.stopped || s.cluster.Broken.Load() {
		return nil
	}
	c := r.newest
	err := c.Err
	if r.waits {
		err = c.storeNow()
		r.Done(c)
	} else {
		err = s.cluster.Agree(err)
	}
	if err == nil && s.cluster.Rank == 0 {
		s.Run.Printf("Checkpoint stored at time %g: %s\n", c.info.Clock, filepath.Clean(c.name))
	}
	return err
}

// StoreAlone stores a checkpoint of a run without GVT if one is due. last says that the run is
// stopping, in which case one is stored if --io-on-exit asks for it. A run that pauses for a checkpoint
// goes on pausing while the one before is being written.
func (k *Keeper) StoreAlone(last bool) error {
	pe := k.PE
	r := k.Checkpoints.Running
	if r == nil || pe.Err != nil || !last && !r.Begins(pe.GVT) || last && !pe.Run.Set.Checkpoints.OnExit {
		return nil
	}
	c, gvt := r.next, pe.GVT
	if pe.WaitsFor(timewarp.WaitCheckpoint) {
		gvt = k.beforeEnd(k.next)
		pe.GoOn()
	}
	if gvt >= r.Virtual { // also a call of the hook at that very time
		k.storeAfter(gvt)
	}
	r.Begin(gvt)
	err := k.copyInto(c)
	r.renew()
	r.take(c, last)
	return err
}

// StoreSeconds returns the seconds that a PE stood still to be copied, the maximum over the
// PEs.
func (s *Checkpoints) StoreSeconds() (most float64) {
	for _, pe := range s.Run.PEs {
		most = max(most, pe.Counts.StoreSeconds)
	}
	return most
}
