// This file owns the writing of a copy to the disk: it is packed, placed after the partitions
// of other ranks, written, and committed when all ranks have written theirs.

package checkpoint

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/rio"
)

// Copied is a checkpoint that is being copied or written.
type Copied struct {
	Checkpoints *Checkpoints
	o           rio.Options
	name        string
	file        int // data file of this rank, or byFormula
	info        rio.Info
	parts       [][]*rio.Part // by PE of this rank
	left        atomic.Int32  // number of PEs that have not made their copies
	lock        sync.Mutex    // protects Err
	Err         error         // the first error, after which nothing more is done

	store *rio.Store
	all   []rio.Entry      // partitions of all ranks, in the order of ranks
	own   int              // index in all of this rank's first partition
	index []rio.IndexEntry // LPs of all ranks, on rank 0
}

// rankCopy is what a rank sends to the others about its copy.
type rankCopy struct {
	Err     string           // text of the rank's error, or ""
	Name    string           // absolute path of the checkpoint
	Ticket  []byte           // of rank 0, with which other ranks join its rio.Store
	File    int              // data file of the rank, or byFormula
	Entries []rio.Entry      // the rank's partitions
	Index   []rio.IndexEntry // the rank's LPs
}

// newCopied begins a checkpoint of virtual time clock.
func (s *Checkpoints) newCopied(name string, file int, clock float64) *Copied {
	c := &Copied{Checkpoints: s, name: name, file: file, parts: make([][]*rio.Part, len(s.Keepers))}
	c.o = rio.Options{Files: int(min(s.Run.Set.IOFiles, s.Run.NumPEs()))}
	if s.Run.HasLabels() {
		c.o.Label = s.Run.LabelOf
	}
	c.left.Store(int32(len(s.Keepers)))
	c.info = rio.Info{
		Engine: s.engine, Model: s.Model, Created: time.Now(), Clock: clock, End: s.Run.Set.End,
		LPs: s.Run.Total, Streams: uint32(s.Run.Set.RNGsPerLP), Digests: s.Run.Set.Digest, Settings: s.settings(),
	}
	for _, r := range rowsOf(s.Run.Types) {
		c.info.Types = append(c.info.Types, r.stored())
	}
	return c
}

// remarkFiles reports, once, that checkpoints will have fewer data files than were asked for.
func (s *Checkpoints) remarkFiles() {
	if pes := s.Run.NumPEs(); s.Run.Set.IOFiles > pes && !s.files {
		s.files = true
		s.Run.Remark("checkpoints have %d data files and not %d (--io-files=%d): at most one for each PE", pes, s.Run.Set.IOFiles, s.Run.Set.IOFiles)
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
	c.fail(onProcessors(len(parts), func(i int) error { return parts[i].Pack(c.Checkpoints.Run.Set.IOCompress) }))
	if c.Err == nil && c.Checkpoints.cluster.Rank == 0 {
		store, err := rio.Begin(c.name, c.o)
		if c.fail(err); err != nil {
			return
		}
		c.store = store
		for i := range c.o.Files { // other ranks will write to them
			c.fail(store.Create(i))
		}
	}
}

// onProcessors calls f with 0 to n-1, on all processors. It returns one of the errors, or nil
// if there is none.
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

// exchange sends the list of this rank's partitions to all ranks, and computes the places of
// all partitions. All ranks call it.
func (c *Copied) exchange() {
	s := c.Checkpoints
	here := rankCopy{File: c.file}
	if s.cluster.Ranks > 1 { // ranks may have been started in different folders
		name, err := filepath.Abs(c.name)
		c.fail(err)
		here.Name = name
	}
	if c.Err != nil {
		here.Err = c.Err.Error()
	} else {
		if c.store != nil {
			here.Ticket = c.store.Ticket()
		}
		here.Index = make([]rio.IndexEntry, 0, s.localLPs())
		for _, p := range slices.Concat(c.parts...) {
			here.Entries = append(here.Entries, p.Entry())
			here.Index = append(here.Index, p.Index...)
		}
	}
	all, err := s.gather(&here)
	if c.fail(err); c.Err != nil {
		return
	}
	var files []int
	for rank := range all {
		if there := &all[rank]; there.Err != "" {
			c.fail(fmt.Errorf("rank %d: %s", rank, there.Err))
			return
		}
		if rank == s.cluster.Rank {
			c.own = len(c.all)
		}
		for i := range all[rank].Entries {
			files = append(files, c.fileOf(&all[rank], rank*s.Run.Set.PEs+i/int(s.Run.Set.NKP)))
		}
		c.all = append(c.all, all[rank].Entries...)
		switch {
		case s.cluster.Ranks == 1:
			c.index = all[rank].Index
		case s.cluster.Rank == 0:
			c.index = append(c.index, all[rank].Index...)
		}
	}
	if s.cluster.Rank != 0 {
		store, err := rio.Join(all[0].Name, all[0].Ticket, c.o)
		c.store = store
		c.fail(err)
	}
	if c.Err == nil {
		c.fail(c.store.Place(c.all, files))
	}
}

// fileOf returns the data file of a PE of a rank.
func (c *Copied) fileOf(of *rankCopy, pe int) int {
	if of.File != byFormula {
		return min(of.File, c.o.Files-1)
	}
	each := int(c.Checkpoints.Run.NumPEs()) / c.o.Files
	return min(pe/each, c.o.Files-1)
}

// gather returns the values of all ranks.
func (s *Checkpoints) gather(here *rankCopy) ([]rankCopy, error) {
	if s.cluster.Ranks == 1 {
		return []rankCopy{*here}, nil // without copying its slices
	}
	return ranks.Gather(s.cluster.World, here)
}

// write writes the partitions of this rank and syncs them.
func (c *Copied) write() {
	if c.Err != nil {
		return
	}
	parts := slices.Concat(c.parts...)
	var over sync.WaitGroup
	if c.Checkpoints.cluster.Rank == 0 {
		over.Go(func() { c.fail(c.store.WriteIndex(c.index)) })
	}
	c.fail(c.store.Write(parts, c.all[c.own:c.own+len(parts)]))
	over.Wait()
	c.parts = nil
}

// confirm finds out whether all ranks have written. All ranks call it.
func (c *Copied) confirm() {
	if c.Checkpoints.cluster.Ranks == 1 {
		return
	}
	here := rankCopy{}
	if c.Err != nil {
		here.Err = c.Err.Error()
	}
	all, err := c.Checkpoints.gather(&here)
	c.fail(err)
	for rank := range all {
		if text := all[rank].Err; text != "" {
			c.fail(fmt.Errorf("rank %d: %s", rank, text))
		}
	}
}

// commit completes the checkpoint on rank 0. After an error it removes what was written.
func (c *Copied) commit() {
	if c.Checkpoints.cluster.Rank != 0 || c.store == nil {
		return
	}
	if c.Err == nil {
		c.fail(c.store.Commit(&c.info, c.all, c.index))
		c.index = nil
	}
	if c.Err != nil {
		_ = c.store.Abandon() // the first error says why
	}
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
	pe.Running, pe.Current = nil, nil // models must not send
	pe.Catch(func() {
		c.parts[pe.ID-pe.Run.Base], err = k.copyPE()
		c.fail(err)
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
