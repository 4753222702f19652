// This file owns Verify, which checks that a checkpoint is whole and its parts agree.

package rio

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// Verify reads and checks everything: the index; each partition, whose bytes and LPs must be those
// that were stored; each record, as [Contents] does. LPs and the events for them must be in the
// same partition, with the same type, and no event may be for a time before its LP's. Events of
// ROSS's own checkpoints may be in any partition.
//
// It uses the memory of as many partitions as there are processors, and 36 bytes for each LP. It
// does not check that events are not before Info.Clock, because after a conservative run they may
// be.
func (c *Checkpoint) Verify() error {
	index, err := c.Index()
	if err != nil {
		return err
	}
	v := &verifier{c: c, index: index, part: make([]uint32, len(index)), row: make([]verified, len(index))}
	for i := range c.m.entries {
		for _, e := range index[c.starts[i]:][:c.m.entries[i].LPs] {
			v.part[e.GID] = uint32(i)
		}
	}
	errs := make([]error, len(c.m.entries))
	var next atomic.Int64
	var running sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(errs)) {
		running.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(errs); i = int(next.Add(1)) - 1 {
				errs[i] = v.verify(i)
			}
		})
	}
	running.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

type verifier struct {
	c     *Checkpoint
	index []IndexEntry
	part  []uint32   // of each gid
	row   []verified // of each gid, set when its partition is read
}

type verified struct {
	now float64
	typ uint32
}

func (v *verifier) verify(i int) error {
	r, err := v.c.Read(i)
	if err != nil {
		return err
	}
	var lp LP
	for k, want := range v.index[v.c.starts[i]:][:v.c.m.entries[i].LPs] {
		at := r.at
		if _, err := r.NextLP(&lp); err != nil {
			return err
		}
		if got := (IndexEntry{GID: lp.GID, Size: uint64(len(lp.State))}); got != want {
			return r.fail(at, "LP", uint64(k), fmt.Errorf("the index has gid %d with %d bytes, found gid %d with %d", want.GID,
				want.Size, got.GID, got.Size))
		}
		v.row[lp.GID] = verified{now: lp.Now, typ: lp.Type}
	}
	var e Event
	for n := uint64(0); ; n++ {
		at := r.at
		ok, err := r.NextEvent(&e)
		if err != nil || !ok {
			return err
		}
		if v.c.orig != nil {
			continue
		}
		if err := v.event(uint32(i), &e); err != nil {
			return r.fail(at, "event", n, err)
		}
	}
}

// event checks an event against its destination LP.
func (v *verifier) event(part uint32, e *Event) error {
	if home := v.part[e.Dst]; home != part {
		return fmt.Errorf("it is for gid %d, which is in partition %d", e.Dst, home)
	}
	lp := v.row[e.Dst]
	if !v.c.m.receives(lp.typ, e.Type) {
		return fmt.Errorf("it has type %d, gid %d has %d", e.Type, e.Dst, lp.typ)
	}
	if e.Recv < lp.now {
		return fmt.Errorf("it is for time %v, gid %d is at %v", e.Recv, e.Dst, lp.now)
	}
	return nil
}
