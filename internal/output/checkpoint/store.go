// This file owns the writing of a copy to the disk: it is packed, placed after the partitions
// of other ranks, written, and committed when all ranks have written theirs.

package checkpoint

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/rio"
)

// Copied is a checkpoint that is being copied or written.
type Copied struct {
	Checkpoints *Checkpoints
	o           rio.Options
	name        string
	file        int // data file of this rank, or ByFormula
	info        rio.Info
	parts       [][]*rio.Part // by PE of this rank
	rooms       []*copyRoom   // of the parts
	folder      string        // of the checkpoint, for what does not fit into memory
	left        atomic.Int32  // number of PEs that have not made their copies
	lock        sync.Mutex    // protects Err
	Err         error         // the first error, after which nothing more is done
	scratch     scratchFields // what has a value and is not stored; protected by lock

	store *rio.Store
	own   []rio.Entry      // partitions of this rank
	all   []rio.Entry      // on rank 0, partitions of all ranks, in the order of ranks
	index []rio.IndexEntry // LPs of this rank
	lps   uint64           // number of LPs of the ranks before it
	part  rio.IndexPart    // what this rank has written of the index
}

// written is what rank 0 needs to know of another rank's part for the manifest.
type written struct {
	Entries []rio.Entry // the rank's partitions
	Index   rio.IndexPart
	Scratch scratchFields
}

// begun is what the other ranks need to know of rank 0's checkpoint.
type begun struct {
	Name   string // absolute path of the checkpoint
	Ticket []byte // with which other ranks join its rio.Store
}

// newCopied begins a checkpoint of virtual time clock.
func (s *Checkpoints) newCopied(name string, file int, clock float64) *Copied {
	c := &Copied{Checkpoints: s, name: name, folder: s.folderOf(name), file: file,
		parts: make([][]*rio.Part, len(s.Keepers))}
	c.o = rio.Options{Files: int(min(s.Run.Set.Checkpoints.Files, s.Run.NumPEs()))}
	if s.Run.HasLabels() {
		c.o.Label = s.Run.LabelOf
	}
	c.left.Store(int32(len(s.Keepers)))
	c.scratch.add(s.scratch.initial)
	c.info = rio.Info{
		Engine: s.engine, Model: s.Model, Created: time.Now(), Clock: clock, End: s.Run.Set.End,
		LPs: s.Run.Total, Streams: uint32(s.Run.Set.Streams.PerLP), Digests: s.Run.Set.Digest, Settings: s.settings(),
	}
	for _, r := range rowsOf(s.Run.Types) {
		c.info.Types = append(c.info.Types, r.stored())
	}
	return c
}

// fitThere names the types as the checkpoint does that this one is added to, and returns a note if that was stored at
// another time, so that no run can go on from both. If it cannot be read, storing reports it.
func (c *Copied) fitThere() (note string) {
	cp, err := rio.Open(c.name)
	if err != nil {
		return ""
	}
	defer cp.Close()
	nameAs(c.info.Types, cp.Info().Types, rowsOf(c.Checkpoints.Run.Types))
	for _, job := range cp.Jobs() {
		if job.Clock != c.info.Clock && !cp.Original() {
			return fmt.Sprintf("checkpoint %s: this simulation was stored at virtual time %g, and one that it was added to "+
				"at %g: only --io-as-ross loads them together, which starts all at 0", filepath.Clean(c.name), c.info.Clock,
				job.Clock)
		}
	}
	return ""
}

// remarkFiles reports, once, that checkpoints will have fewer data files than were asked for.
func (s *Checkpoints) remarkFiles() {
	if pes := s.Run.NumPEs(); s.Run.Set.Checkpoints.Files > pes && !s.files {
		s.files = true
		s.Run.Remark("checkpoints have %d data files and not %d (--io-files=%d): at most one for each PE",
			pes, s.Run.Set.Checkpoints.Files, s.Run.Set.Checkpoints.Files)
	}
}

// fail records the first error.
func (c *Copied) fail(err error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.Err = cmp.Or(c.Err, err)
}

// pack prepares the partitions for writing, on all processors. Rank 0 also begins the
// checkpoint on the disk, after completing or removing the remains of a crash, and creates the
// data files.
func (c *Copied) pack() {
	if c.Err != nil {
		return
	}
	parts := slices.Concat(c.parts...)
	c.fail(onProcessors(len(parts), func(i int) error {
		err := parts[i].Pack(c.Checkpoints.Run.Set.Checkpoints.Compress)
		c.used(parts[i])
		return err
	}))
	if c.Err == nil && c.Checkpoints.cluster.Rank == 0 {
		store, err := rio.Begin(c.name, c.o)
		if c.fail(err); err != nil {
			return
		}
		c.store = store
		for i := range c.o.Files { // other ranks will write to them
			c.fail(store.Create(i))
		}
		if c.Checkpoints.cluster.Ranks > 1 {
			c.fail(store.CreateIndex(c.info.LPs))
		}
	}
}

// onProcessors calls f with 0 to n-1, on all processors. It returns one of the errors, or nil
// without an error.
func onProcessors(n int, f func(i int) error) error {
	var next atomic.Int64
	errs := make([]error, min(runtime.GOMAXPROCS(0), n))
	var over sync.WaitGroup
	for w := range errs {
		over.Go(func() {
			for i := next.Add(1) - 1; i < int64(n) && errs[w] == nil; i = next.Add(1) - 1 {
				errs[w] = f(int(i))
			}
		})
	}
	over.Wait()
	return cmp.Or(errs...)
}

// exchange computes the places of this rank's partitions, which follow those of lower ranks. All
// ranks call it. They exchange sums alone: a rank does not learn what the others have.
func (c *Copied) exchange() {
	s := c.Checkpoints
	if c.agree(); c.Err != nil {
		return
	}
	if s.cluster.Ranks > 1 {
		c.join()
		if c.agree(); c.Err != nil {
			return
		}
	}
	parts := slices.Concat(c.parts...)
	before := make([]int64, 2, 2+c.o.Files) // partitions, LPs, and bytes in each data file
	before = before[:cap(before)]
	files := make([]int, len(parts))
	c.index = make([]rio.IndexEntry, 0, s.localLPs())
	for i, p := range parts {
		e := p.Entry()
		files[i] = c.fileOf(s.cluster.Rank*s.Run.Set.PEs + i/int(s.Run.Set.NKP))
		before[2+files[i]] += int64(e.Size)
		c.own = append(c.own, e)
		c.index = append(c.index, p.Index...)
	}
	before[0], before[1] = int64(len(parts)), int64(len(c.index))
	if s.cluster.Ranks > 1 {
		c.fail(ranks.Before(s.cluster.World, before))
	} else {
		clear(before)
	}
	sizes := make([]uint64, c.o.Files)
	for i := range sizes {
		sizes[i] = uint64(before[2+i])
	}
	c.lps = uint64(before[1])
	if c.Err == nil {
		c.fail(c.store.PlaceAfter(c.own, files, uint64(before[0]), sizes))
	}
}

// join makes the other ranks join the checkpoint that rank 0 has begun. Ranks may have been started
// in different folders.
func (c *Copied) join() {
	cluster := c.Checkpoints.cluster
	var b bytes.Buffer
	if cluster.Rank == 0 {
		name, err := filepath.Abs(c.name)
		if err != nil {
			name = c.name
		}
		c.fail(gob.NewEncoder(&b).Encode(begun{name, c.store.Ticket()}))
	}
	all, err := cluster.World.Bcast(b.Bytes(), 0)
	if c.fail(err); cluster.Rank == 0 || err != nil {
		return
	}
	var there begun
	if err = gob.NewDecoder(bytes.NewReader(all)).Decode(&there); err != nil {
		err = fmt.Errorf(
			"ross: checkpoint %s: what rank 0 sent of it cannot be read: %w: start the same program on all ranks", c.name, err)
	} else {
		c.store, err = rio.Join(there.Name, there.Ticket, c.o)
	}
	c.fail(err)
}

// agree makes the error of the lowest rank that has one an error of all. All ranks call it.
func (c *Copied) agree() {
	cluster := c.Checkpoints.cluster
	if cluster.Ranks == 1 {
		return
	}
	first := []int64{int64(cluster.Ranks)}
	text := ""
	if c.Err != nil {
		first[0], text = int64(cluster.Rank), c.Err.Error()
	}
	err := cluster.World.AllReduceInt64(mpi.Min, first)
	if rank := int(first[0]); err == nil && rank < cluster.Ranks {
		var all []byte
		if all, err = cluster.World.Bcast([]byte(text), rank); err == nil {
			err = fmt.Errorf("rank %d: %s", rank, all)
		}
	}
	c.fail(err)
}

// fileOf returns the data file of a PE of this rank.
func (c *Copied) fileOf(pe int) int {
	if c.file != ByFormula {
		return min(c.file, c.o.Files-1)
	}
	each := int(c.Checkpoints.Run.NumPEs()) / c.o.Files
	return min(pe/each, c.o.Files-1)
}

// write writes the partitions of this rank, and its part of the index, and syncs them.
func (c *Copied) write() {
	if c.Err != nil {
		return
	}
	var over sync.WaitGroup
	over.Go(func() {
		if c.Checkpoints.cluster.Ranks == 1 {
			c.fail(c.store.WriteIndex(c.index))
			return
		}
		part, err := c.store.WriteIndexPart(c.index, c.lps)
		c.part = part
		c.fail(err)
	})
	parts := slices.Concat(c.parts...)
	for _, p := range parts {
		p.Written = func() { c.used(p) }
	}
	c.fail(c.store.Write(parts, c.own))
	over.Wait()
	c.parts = nil
}

// confirm finds out whether all ranks have written, and reports to rank 0 what. All ranks call it.
func (c *Copied) confirm() {
	if c.all = c.own; c.Checkpoints.cluster.Ranks == 1 {
		return
	}
	if c.agree(); c.Err != nil {
		return
	}
	var b bytes.Buffer
	c.fail(gob.NewEncoder(&b).Encode(written{c.own, c.part, c.scratch}))
	c.all = nil
	var index []rio.IndexPart
	c.fail(ranks.Collect(c.Checkpoints.cluster.World, b.Bytes(), func(rank int, list []byte) error {
		var there written
		err := gob.NewDecoder(bytes.NewReader(list)).Decode(&there)
		if err != nil {
			err = fmt.Errorf(
				"ross: checkpoint %s: what rank %d sent of it cannot be read: %w: start the same program on all ranks", c.name,
				rank, err)
		}
		c.all = append(c.all, there.Entries...)
		index = append(index, there.Index)
		c.scratch.add(there.Scratch)
		return err
	}))
	if c.Err == nil && c.Checkpoints.cluster.Rank == 0 {
		c.fail(c.store.EndIndex(index))
	}
}

// commit completes the checkpoint on rank 0. After an error it removes what was written.
func (c *Copied) commit() {
	defer c.freeRooms()
	if c.Checkpoints.cluster.Rank != 0 || c.store == nil {
		return
	}
	if c.Err == nil {
		c.fail(c.store.Commit(&c.info, c.all, c.index))
	}
	if c.Err != nil {
		_ = c.store.Abandon() // the first error says why
		return
	}
	c.Checkpoints.noteScratch(c.scratch)
}

// copyAll copies all PEs of this rank at the same time.
func (s *Checkpoints) copyAll(c *Copied) {
	var over sync.WaitGroup
	for _, k := range s.Keepers {
		over.Go(func() { _ = k.copyInto(c) })
	}
	over.Wait()
}

// copyInto copies the PE into c. The error, which is also recorded in c, may be a panic of the
// model.
func (k *Keeper) copyInto(c *Copied) (err error) {
	pe := k.PE
	running, cur := pe.Running, pe.Current
	pe.Rest() // models must not send
	pe.Catch(func() {
		var room *copyRoom
		c.parts[pe.ID-pe.Run.Base], room, err = k.copyPE(c)
		c.fail(err)
		c.lock.Lock()
		c.rooms = append(c.rooms, room)
		c.lock.Unlock()
	}, func(crash kernel.Crash) {
		err = crash.Err
		c.fail(err)
	})
	pe.Running, pe.Current = running, cur
	return err
}

// storeNow stores a copy and waits for it. All ranks call it.
func (c *Copied) storeNow() error {
	c.pack()
	c.exchange()
	c.write()
	c.confirm()
	c.commit()
	return c.Checkpoints.cluster.Agree(c.Err)
}

// endClock returns the virtual time of a checkpoint that is stored after the run.
func (s *Checkpoints) endClock() float64 {
	if stop := s.Run.Stopped; stop != nil {
		return stop.Time
	}
	if !math.IsInf(s.Run.Set.End, 1) {
		return s.Run.Set.End
	}
	clock := 0.0
	for _, pe := range s.Run.PEs {
		for i := range pe.LPs {
			clock = max(clock, pe.LPs[i].Now)
		}
	}
	return clock
}

// localLPs returns the number of LPs of this rank.
func (s *Checkpoints) localLPs() (n int) {
	for _, pe := range s.Run.PEs {
		n += len(pe.LPs)
	}
	return n
}
