// This file owns the team that the PEs of a parallel run are, and the channels between
// them: what is sent, unsent, and taken in.

package ross

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/transport"
)

// ringSize is the room of a channel between two PEs, keys. With many PEs there
// are many channels, so each is smaller.
const ringSize = 1 << 12

// sampleRings is how many uses of the rings there are for each one that is timed.
const sampleRings = 16

// antiMessage marks the key of an anti-message. Times are not negative, so the
// sign of the time's bits is free.
const antiMessage = 1 << 63

// team is the PEs of a parallel run, as they see one another.
type team struct {
	group *gvt.Group
	pes   []*PE
	ctx   context.Context
	// stop is set by whoever wants the run to end at the next GVT.
	stop atomic.Bool
	// resting is how many PEs have had no event in their last turn.
	resting atomic.Int32
	spin    int // polls of an idle PE before it lets others run
}

// channels are a PE's ends of the rings, and what found no room in them.
type channels struct {
	in  []*transport.Ring // by sender; nil for itself
	out []outbox          // by receiver
	// dirty lists the receivers that something is unsent for.
	dirty []uint32
	turns int  // since the last flush
	full  bool // there are enough keys for one receiver

	flushes, drains sampler // uses of the rings, but for those of rounds of GVT
	gave            int64   // events that left less those that came
}

// outbox is the way to another PE. It fills two cache lines, so that its neighbours
// in memory, which may be another PE's, do not matter.
type outbox struct {
	ring   *transport.Ring
	unsent []event.Key // not in the ring yet
	_      [128 - 32]byte
}

// firstUnsent is the room of lists of keys at first: whole cache lines.
const firstUnsent = 64

// makeTeam connects the PEs.
func (s *Simulation) makeTeam(ctx context.Context) *team {
	n := len(s.pes)
	t := &team{group: gvt.NewGroup(n), pes: s.pes, ctx: ctx, spin: 2000}
	if n > runtime.GOMAXPROCS(0) {
		t.spin = 1
	}
	size := s.cfg.ringSize
	if size == 0 {
		size = max(ringSize/max(n/4, 1), 64)
	}
	for i, pe := range s.pes {
		pe.team = t
		pe.member = t.group.Member(i)
		pe.ch = channels{in: make([]*transport.Ring, n), out: make([]outbox, n), dirty: make([]uint32, 0, max(n, 64))}
		pe.stragglers, pe.doomed = make([]event.Key, 0, firstUnsent), make([]uint32, 0, 4*firstUnsent)
		pe.wake = make(chan struct{}, 1)
		pe.alarm = time.NewTimer(time.Hour)
		pe.alarm.Stop()
	}
	for i, from := range s.pes {
		for j, to := range s.pes {
			if i != j {
				r := transport.NewRing(size)
				from.ch.out[j] = outbox{ring: r, unsent: make([]event.Key, 0, firstUnsent)}
				to.ch.in[i] = r
			}
		}
	}
	return t
}

// emit sends the key of an event or an anti-message to another PE.
func (pe *PE) emit(k event.Key, e *event.Event, to uint32) {
	c := &pe.ch
	box := &c.out[to]
	if len(box.unsent) == 0 {
		c.dirty = append(c.dirty, to)
	}
	box.unsent = append(box.unsent, k)
	if len(box.unsent) >= fullFlush {
		c.full = true
	}
	if pe.red {
		pe.redden(e, k.TS&antiMessage != 0)
	}
}

// redden takes an event or an anti-message that is under way into the bound of
// this round.
func (pe *PE) redden(e *event.Event, anti bool) {
	b := gvt.Of(e)
	switch c := b.Compare(&pe.redMin, pe.arena.Lines); {
	case c < 0:
		pe.arena.Lines.Keep(b.Node)
		pe.setRedMin(b)
		pe.redAnti = anti
	case c == 0:
		pe.redAnti = pe.redAnti || anti
	}
}

// Keys are sent several at a time: a flush costs some cache misses on both
// sides, whether it sends one key or a cache line full of them.
const (
	fullFlush = 8 // keys for one PE that are worth a flush
	lateFlush = 8 // turns of the loop after which one is
)

// worth reports whether it is time for a flush, after a turn of n events.
func (c *channels) worth(n int) bool {
	c.turns++
	if n == 0 || c.turns >= lateFlush || c.full {
		c.turns, c.full = 0, false
		return true
	}
	return false
}

// flush puts what is unsent into the channels, as far as there is room.
func (pe *PE) flush() {
	c := &pe.ch
	if c.flushes.due() {
		begin := time.Now()
		defer func() { c.flushes.add(begin, sampleRings) }()
	}
	kept := c.dirty[:0]
	for _, to := range c.dirty {
		box := &c.out[to]
		keys := box.unsent
		n := box.ring.Push(keys)
		if n > 0 {
			pe.team.pes[to].rouse()
		}
		if n == len(keys) {
			box.unsent = keys[:0]
			continue
		}
		box.unsent = keys[:copy(keys, keys[n:])]
		kept = append(kept, to)
	}
	c.dirty = kept
}

// drain takes in what waits in the channels. It runs between events only.
func (pe *PE) drain() bool {
	any := false
	var begin time.Time
	for _, r := range pe.ch.in {
		if r == nil {
			continue
		}
		for keys := r.Next(); len(keys) > 0; keys = r.Next() {
			if !any && pe.ch.drains.due() {
				begin = time.Now()
			}
			for _, k := range keys {
				pe.arrive(k)
			}
			r.Take(len(keys))
			any = true
		}
	}
	if !begin.IsZero() {
		pe.ch.drains.add(begin, sampleRings)
	}
	return any
}

// arrive takes in an event or an anti-message from another PE.
func (pe *PE) arrive(k event.Key) {
	if k.TS&antiMessage != 0 {
		pe.cancel(k.Index())
		return
	}
	if k.Index() == 0 {
		return // it was cancelled before it left
	}
	pe.ch.gave--
	if pe.mode == optimistic {
		pe.accept(k)
		return
	}
	pe.q.Push(k)
}
