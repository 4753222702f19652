// This file owns the way of a copy to the disk: packed, placed after those of other
// ranks, written, and committed when all are on the disk.

package ross

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

	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/rio"
)

// copied is a checkpoint on its way to the disk.
type copied struct {
	sim   *Simulation
	o     rio.Options
	name  string
	file  int // data file of this rank, or ByFormula
	info  rio.Info
	parts [][]*rio.Part // by PE of this rank
	left  atomic.Int32  // PEs that have not copied
	lock  sync.Mutex
	err   error // the first; it ends the rest

	store *rio.Store
	all   []rio.Entry // partitions of all ranks, in their order
	own   int         // where those of this rank begin
	index []rio.IndexEntry
}

// rankCopy is what a rank tells the others about its copy.
type rankCopy struct {
	Err     string
	Name    string
	Ticket  []byte
	File    int
	Entries []rio.Entry
	Index   []rio.IndexEntry
}

// newCopied begins a checkpoint of the virtual time clock.
func (s *Simulation) newCopied(name string, file int, clock float64) *copied {
	c := &copied{sim: s, name: name, file: file, parts: make([][]*rio.Part, len(s.pes))}
	c.o = rio.Options{Files: int(min(s.cfg.IOFiles, s.NumPEs()))}
	c.left.Store(int32(len(s.pes)))
	c.info = rio.Info{
		Engine: Version, Model: s.io.model, Created: time.Now(), Clock: clock, End: s.cfg.End,
		LPs: s.total, Streams: uint32(s.cfg.RNGsPerLP), Digests: s.cfg.Digest, Settings: s.settings(),
	}
	for _, t := range s.types {
		c.info.Types = append(c.info.Types, rio.Type{
			Name: t.name, State: t.serial.state, Message: t.serial.message,
			StateSize: uint64(t.stateSize), MessageSize: uint64(t.msgSize), Serialized: t.serial.put != nil,
		})
	}
	return c
}

// tellFiles tells, once, that checkpoints will have fewer data files than were asked for.
func (s *Simulation) tellFiles() {
	if pes := s.NumPEs(); s.cfg.IOFiles > pes && !s.io.files {
		s.io.files = true
		s.remark("checkpoints have %d data files and not %d (--io-files=%d): at most one for each PE", pes, s.cfg.IOFiles, s.cfg.IOFiles)
	}
}

// fail keeps the first error.
func (c *copied) fail(err error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.err = cmp.Or(c.err, err)
}

// pack makes the partitions ready to be written, on all processors. Rank 0 finds out
// what there is under the name, and makes the data files.
func (c *copied) pack() {
	if c.err != nil {
		return
	}
	parts := slices.Concat(c.parts...)
	c.fail(onProcessors(len(parts), func(i int) error { return parts[i].Pack(c.sim.cfg.IOCompress) }))
	if c.err == nil && c.sim.rank == 0 {
		store, err := rio.Begin(c.name, c.o)
		if c.fail(err); err != nil {
			return
		}
		c.store = store
		for i := range c.o.Files { // before other ranks write to them
			c.fail(store.Create(i))
		}
	}
}

// onProcessors calls f with 0 to n-1, on all processors, and returns an error if there is one.
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

// exchange has all ranks know all partitions, and places them. All ranks call it.
func (c *copied) exchange() {
	s := c.sim
	here := rankCopy{File: c.file}
	if s.ranks > 1 { // they may have been started in different folders
		name, err := filepath.Abs(c.name)
		c.fail(err)
		here.Name = name
	}
	if c.err != nil {
		here.Err = c.err.Error()
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
	if c.fail(err); c.err != nil {
		return
	}
	var files []int
	for rank := range all {
		if there := &all[rank]; there.Err != "" {
			c.fail(fmt.Errorf("rank %d: %s", rank, there.Err))
			return
		}
		if rank == s.rank {
			c.own = len(c.all)
		}
		for i := range all[rank].Entries {
			files = append(files, c.fileOf(&all[rank], rank*s.cfg.PEs+i/int(s.cfg.NKP)))
		}
		c.all = append(c.all, all[rank].Entries...)
		switch {
		case s.ranks == 1:
			c.index = all[rank].Index
		case s.rank == 0:
			c.index = append(c.index, all[rank].Index...)
		}
	}
	if s.rank != 0 {
		store, err := rio.Join(all[0].Name, all[0].Ticket, c.o)
		c.store = store
		c.fail(err)
	}
	if c.err == nil {
		c.fail(c.store.Place(c.all, files))
	}
}

// fileOf returns the data file of a PE.
func (c *copied) fileOf(of *rankCopy, pe int) int {
	if of.File != ByFormula {
		return min(of.File, c.o.Files-1)
	}
	each := int(c.sim.NumPEs()) / c.o.Files
	return min(pe/each, c.o.Files-1)
}

// gather returns what each rank has to say.
func (s *Simulation) gather(here *rankCopy) ([]rankCopy, error) {
	if s.ranks == 1 {
		return []rankCopy{*here}, nil // its slices, too
	}
	return ranks.Gather(s.world, here)
}

// write writes the partitions of this rank, and syncs them.
func (c *copied) write() {
	if c.err != nil {
		return
	}
	parts := slices.Concat(c.parts...)
	var over sync.WaitGroup
	if c.sim.rank == 0 {
		over.Go(func() { c.fail(c.store.WriteIndex(c.index)) })
	}
	c.fail(c.store.Write(parts, c.all[c.own:c.own+len(parts)]))
	over.Wait()
	c.parts = nil
}

// settle finds out whether all ranks have written. All ranks call it.
func (c *copied) settle() {
	if c.sim.ranks == 1 {
		return
	}
	here := rankCopy{}
	if c.err != nil {
		here.Err = c.err.Error()
	}
	all, err := c.sim.gather(&here)
	c.fail(err)
	for rank := range all {
		if text := all[rank].Err; text != "" {
			c.fail(fmt.Errorf("rank %d: %s", rank, text))
		}
	}
}

// commit ends it, on rank 0: there is a new checkpoint, or nothing new.
func (c *copied) commit() {
	if c.sim.rank != 0 || c.store == nil {
		return
	}
	if c.err == nil {
		c.fail(c.store.Commit(&c.info, c.all, c.index))
		c.index = nil
	}
	if c.err != nil {
		_ = c.store.Abandon() // the first error says why
	}
}

// copyAll copies all PEs of this rank, at once.
func (s *Simulation) copyAll(c *copied) {
	var over sync.WaitGroup
	for _, pe := range s.pes {
		over.Go(func() { _ = pe.copyInto(c) })
	}
	over.Wait()
}

// copyInto has the PE copy its share. The error, which is in c too, is also that of a
// model that panics.
func (pe *PE) copyInto(c *copied) (err error) {
	ended := false
	running, cur := pe.running, pe.cur
	pe.running, pe.cur = nil, nil // models must not send
	defer func() {
		r := recover()
		if r == nil && !ended {
			r = goexit
		}
		if r != nil {
			err = pe.panicked(r)
		}
		pe.running, pe.cur, pe.shown = running, cur, nil
		c.fail(err)
	}()
	parts, err := pe.copyPE()
	c.parts[pe.id-pe.sim.base] = parts
	ended = true
	return err
}

// storeNow stores a copy and waits for it. All ranks call it.
func (c *copied) storeNow() error {
	c.pack()
	c.exchange()
	c.write()
	c.settle()
	c.commit()
	return c.sim.agree(c.err)
}

// endClock returns the virtual time of a checkpoint after the run.
func (s *Simulation) endClock() float64 {
	if !math.IsInf(s.cfg.End, 1) {
		return s.cfg.End
	}
	clock := 0.0
	for _, pe := range s.pes {
		for i := range pe.lpSlab {
			clock = max(clock, pe.lpSlab[i].now)
		}
	}
	return clock
}

// localLPs returns how many LPs this rank has.
func (s *Simulation) localLPs() (n int) {
	for _, pe := range s.pes {
		n += len(pe.lpSlab)
	}
	return n
}
