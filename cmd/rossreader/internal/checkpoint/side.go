// This file reads one of the two compared checkpoints, hashes its records, and finds the labels of LPs.

package checkpoint

import (
	"hash/maphash"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/ross-go/ross/internal/sys/labels"
	"github.com/ross-go/ross/rio"
)

type side struct {
	name   string
	c      *rio.Checkpoint
	info   *rio.Info
	events uint64
	types  []uint32 // by the numbers of its types, those that both share
}

func newSide(name string, c *rio.Checkpoint) *side {
	s := &side{name: name, c: c, info: c.Info()}
	for _, e := range c.Entries() {
		s.events += e.Events
	}
	return s
}

// typeOf returns the shared number of a type. ROSS's own checkpoints only have type 0 and no list
// of types.
func (s *side) typeOf(t uint32) uint32 {
	if uint64(t) < uint64(len(s.types)) {
		return s.types[t]
	}
	return t
}

// each reads all partitions, on all processors. Of several errors it returns that of the first
// partition: all partitions before it have been started.
func (s *side) each(read func(*rio.Contents) error) error {
	errs := make([]error, len(s.c.Entries()))
	var next atomic.Int64
	var failed atomic.Bool
	var running sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(errs)) {
		running.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(errs) && !failed.Load(); i = int(next.Add(1)) - 1 {
				r, err := s.c.Read(i)
				if err == nil {
					err = read(r)
				}
				if errs[i] = err; err != nil {
					failed.Store(true)
				}
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

// hasher hashes the records of a partition. A hash covers everything that diff compares, in the
// encoding of package rio, so equal bits give equal hashes.
type hasher struct {
	s       *side
	digests bool
	lp      rio.LP    // the last one
	event   rio.Event // likewise
	hash    maphash.Hash
	buf     []byte
}

func (d *differ) hasher(s *side) *hasher {
	h := &hasher{s: s, digests: d.digests()}
	h.hash.SetSeed(d.seed)
	return h
}

func (h *hasher) eachLP(r *rio.Contents, take func() error) error {
	for {
		ok, err := r.NextLP(&h.lp)
		if err != nil || !ok {
			return err
		}
		if err := take(); err != nil {
			return err
		}
	}
}

func (h *hasher) eachEvent(r *rio.Contents, take func(lineage []float64)) error {
	for {
		ok, err := r.NextEvent(&h.event)
		if err != nil || !ok {
			return err
		}
		take(r.Lineage())
	}
}

func (h *hasher) ofLP() uint64 {
	head := h.lp
	head.Type, head.State = h.s.typeOf(head.Type), nil
	if !h.digests {
		head.Digest = 0
	}
	h.buf = rio.AppendLP(h.buf[:0], &head)
	return h.sum(h.buf, h.lp.State)
}

func (h *hasher) ofEvent(lineage []float64) uint64 {
	whole := h.event
	whole.Type, whole.Shared, whole.Own = h.s.typeOf(whole.Type), 0, lineage
	h.buf = rio.AppendEvent(h.buf[:0], &whole)
	return h.sum(h.buf, nil)
}

func (h *hasher) sum(head, rest []byte) uint64 {
	h.hash.Reset()
	h.hash.Write(head)
	h.hash.Write(rest)
	return h.hash.Sum64()
}

// readLabels reads the labels of the LPs that will be printed: those of A, and of B for LPs that
// have none in A.
func (d *differ) readLabels() {
	printed := map[uint64]bool{}
	for _, gid := range d.first {
		printed[gid] = true
	}
	for i := range d.found {
		printed[d.found[i].Dst], printed[d.found[i].Src] = true, true
	}
	d.labels = labels.Labels{}
	for _, s := range d.side {
		for gid, label := range s.c.Labels(func(gid uint64) bool { return printed[gid] && d.labels[gid] == "" }) {
			d.labels[gid] = label
		}
	}
}

// name returns how diff names an LP: gid 7, or gid 7 "router (3,4,5)".
func (d *differ) name(gid uint64) string { return "gid " + d.labels.Name(gid) }
