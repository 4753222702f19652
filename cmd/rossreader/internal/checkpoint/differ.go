// This file owns the comparison: its steps, and the sums of the first step.

package checkpoint

import (
	"fmt"
	"hash/maphash"
	"sync"
	"sync/atomic"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/internal/labels"
	"github.com/ross-go/ross/rio"
)

// The two that are compared.
const (
	A = iota
	B
)

// differ compares A and B. See the package's documentation for how.
type differ struct {
	names  [2]string
	side   [2]*side
	most   int      // differences that are printed
	types  []string // names of types by their shared numbers
	common uint64   // number of LPs in both: gids 0 to common-1

	seed      maphash.Seed
	lpSums    []uint64 // by gid
	eventSums []uint64 // by gid of the destination

	run     []string // differences of the whole checkpoints
	only    []string // LPs in only one
	lpCount uint64   // LPs in both that differ
	first   []uint64 // gids of the first of them

	lock       sync.Mutex
	kept       map[uint64]rio.LP // of A, those of first
	texts      map[uint64]string // how they differ
	counts     map[eventKey]int64
	eventLines uint64    // different events in only one
	eventCount [2]uint64 // and how many there are
	found      []onlyEvent
	labels     labels.Labels // of the LPs that are printed
}

// eventKey stands for all equal events.
type eventKey struct{ dst, hash uint64 }

func (d *differ) compare() error {
	a, b := d.side[A], d.side[B]
	if a.c.Original() != b.c.Original() {
		return fmt.Errorf("ross: checkpoint: %s and %s: only one of them was stored by ROSS itself, so they hold different data: compare two of a kind", a.name, b.name)
	}
	d.seed = maphash.MakeSeed()
	d.common = min(a.info.LPs, b.info.LPs)
	d.lpSums, d.eventSums = make([]uint64, d.common), make([]uint64, max(a.info.LPs, b.info.LPs))
	d.compareRuns()
	for _, s := range d.side {
		if err := d.sum(s); err != nil {
			return err
		}
	}
	eventsDiffer := d.choose()
	if len(d.first) == 0 && !eventsDiffer {
		return nil
	}
	d.kept, d.texts, d.counts = map[uint64]rio.LP{}, map[uint64]string{}, map[eventKey]int64{}
	for which := range d.side {
		if err := d.detail(which); err != nil {
			return err
		}
	}
	clear(d.kept)
	d.countEvents()
	for which := range d.side {
		if err := d.find(which); err != nil {
			return err
		}
	}
	d.readLabels()
	return nil
}

// compareRuns compares what the manifests say about the whole checkpoints.
func (d *differ) compareRuns() {
	a, b := d.side[A], d.side[B]
	d.compareTypes(a.info.Types, b.info.Types)
	if a, b := clockText(a.info), clockText(b.info); a != b {
		d.run = append(d.run, fmt.Sprintf("virtual time: %s | %s", a, b))
	}
	if a.info.Streams != b.info.Streams {
		d.run = append(d.run, fmt.Sprintf("streams of each LP: %d | %d", a.info.Streams, b.info.Streams))
	}
	for which, s := range d.side {
		if n := s.info.LPs; n > d.common {
			d.only = append(d.only, fmt.Sprintf("gids %d to %d: only in %s", d.common, n-1, letter(which)))
		}
	}
}

func clockText(info *rio.Info) string { return cli.FormatFloat(info.Clock, 64) }

func letter(which int) string { return string(rune('A' + which)) }

// sum adds the hashes of a side to the sums.
func (d *differ) sum(s *side) error {
	seen := make([]uint32, (s.info.LPs+31)/32)
	sign := uint64(1)
	if s == d.side[B] {
		sign = ^uint64(0) // -1
	}
	return s.each(func(r *rio.Contents) error {
		h := d.hasher(s)
		if err := h.eachLP(r, func() error {
			gid := h.lp.GID
			if bit := uint32(1) << (gid % 32); atomic.OrUint32(&seen[gid/32], bit)&bit != 0 {
				return fmt.Errorf("ross: checkpoint: %s: gid %d occurs twice: %w: load another checkpoint", s.name, gid, rio.ErrDamaged)
			}
			if gid < d.common {
				atomic.AddUint64(&d.lpSums[gid], sign*h.ofLP())
			}
			return nil
		}); err != nil {
			return err
		}
		return h.eachEvent(r, func(lineage []float64) {
			atomic.AddUint64(&d.eventSums[h.event.Dst], sign*h.ofEvent(lineage))
		})
	})
}

// choose counts the LPs that differ and records the first of them, which will be printed. It
// reports whether any events differ.
func (d *differ) choose() (eventsDiffer bool) {
	room := d.most - len(d.run) - len(d.only)
	for gid, sum := range d.lpSums {
		if sum != 0 {
			d.lpCount++
			if len(d.first) < room {
				d.first = append(d.first, uint64(gid))
			}
		}
	}
	for _, sum := range d.eventSums {
		eventsDiffer = eventsDiffer || sum != 0
	}
	return eventsDiffer
}

// detail keeps the LPs of A that will be printed, or compares those of B with them, and counts
// the events of LPs whose events differ.
func (d *differ) detail(which int) error {
	s := d.side[which]
	change := int64(1 - 2*which)
	return s.each(func(r *rio.Contents) error {
		h := d.hasher(s)
		if err := h.eachLP(r, func() error {
			if n := len(d.first); n == 0 || h.lp.GID > d.first[n-1] || d.lpSums[h.lp.GID] == 0 {
				return nil
			}
			d.lock.Lock()
			defer d.lock.Unlock()
			if which == A {
				d.kept[h.lp.GID] = clone(&h.lp)
			} else {
				kept := d.kept[h.lp.GID]
				d.texts[h.lp.GID] = d.lpText(&kept, &h.lp)
			}
			return nil
		}); err != nil {
			return err
		}
		return h.eachEvent(r, func(lineage []float64) {
			if d.eventSums[h.event.Dst] == 0 {
				return
			}
			key := eventKey{h.event.Dst, h.ofEvent(lineage)}
			d.lock.Lock()
			defer d.lock.Unlock()
			if d.counts[key] += change; d.counts[key] == 0 {
				delete(d.counts, key)
			}
		})
	})
}
