// This file owns the team that the PEs of a parallel run are, and the channels between
// them: what is sent, unsent, and taken in.

package ross

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/invariants"
	"github.com/ross-go/ross/internal/meter"
	"github.com/ross-go/ross/internal/transport"
	"github.com/ross-go/ross/internal/world"
)

// ringSize is the room of a channel between two PEs, events. With many PEs there
// are many channels, so each is smaller; so it is if memory is short.
const (
	ringSize   = 1 << 10
	leastRing  = 1 << 4
	ringMemory = 32 // the channels take at most this part of the memory, unless they are of the least size
)

// sampleRings is how many uses of the rings there are for each one that is timed.
const sampleRings = 16

// An event on its way holds the index that it will have where others have the
// model's bits, which mean nothing before it is handled. An anti-message is that
// word alone, with a state that no event has.
const (
	wayWord   = unsafe.Offsetof(event.Event{}.Bits) / 8
	wayIndex  = 1<<32 - 1
	wayAnti   = uint64(antiState) << (8 * (unsafe.Offsetof(event.Event{}.State) % 8))
	antiState = 0xff
)

// team is the PEs of a parallel run, as they see one another.
type team struct {
	group *gvt.Group
	pes   []*PE
	ctx   context.Context
	ranks *gvt.Ranks // nil in a run of one rank
	red   world.Reduction
	// stop is set by whoever wants the run to end at the next GVT.
	stop atomic.Bool
	// broken is set, before stop, if a PE has left its loop and takes part in GVT no more.
	broken atomic.Bool
	// resting is how many PEs have had no event in their last turn.
	resting atomic.Int32
	room    int  // of a channel between two PEs, events
	spin    int  // polls of an idle PE before it lets others run
	alone   bool // there is one PE, and one rank
	// reductions is how many all-reduce operations GVT took.
	reductions atomic.Uint64
}

// channels are a PE's ends of the rings, and what found no room in them.
type channels struct {
	base uint32                           // the first PE of this rank
	in   []atomic.Pointer[transport.Ring] // by sender, less base; nil until it sends something
	out  []outbox                         // by receiver, less base
	// antiMin is a bound of the anti-messages that have not left, gvt.Max if there
	// are none.
	antiMin gvt.Bound
	// dirty lists the receivers, less base, that something is unsent for.
	dirty []uint32
	turns int  // since the last flush
	worth int  // events for one PE that are worth a flush, and turns after which one is
	full  bool // there is enough for one receiver

	flushes, drains meter.Sampler // uses of the rings, but for those of rounds of GVT
	gave            int64         // events that left less those that came
}

// outgoing is an event or an anti-message that has not left.
type outgoing struct {
	here  uint32 // the event's slot on this PE; 0: an anti-message
	there uint32 // the event's slot on the other PE; 0: it was cancelled before it left
}

// outbox is the way to another PE. It fills two cache lines, so that its neighbours
// in memory, which may be another PE's, do not matter.
type outbox struct {
	ring   *transport.Ring
	unsent []outgoing // not in the ring yet
	_      [128 - 32]byte
}

// firstUnsent is the room of lists of what is unsent at first: whole cache lines.
const firstUnsent = 64

// makeTeam connects the PEs.
func (s *Simulation) makeTeam(ctx context.Context) (*team, error) {
	n := len(s.pes)
	t := &team{pes: s.pes, ctx: ctx, spin: 2000, alone: s.layout.NumPEs() == 1}
	if n*s.onNode > s.procs {
		t.spin = 1
	}
	if err := s.connect(t); err != nil {
		return nil, err
	}
	words := int(s.pes[0].arena.Stride() / 8)
	size := s.roomOfRings(n, 8*words)
	if err := s.budget.Charge(uint64(n * (n - 1) * size * 8 * words)); err != nil {
		return nil, fmt.Errorf("ross: Run: channels between %d PEs: %w: raise --max-memory", n, err)
	}
	for i, pe := range s.pes {
		pe.team = t
		pe.member = t.group.Member(i)
		pe.ch = channels{base: uint32(s.base), antiMin: gvt.Max, in: make([]atomic.Pointer[transport.Ring], n), out: make([]outbox, n), dirty: make([]uint32, 0, max(n, 64))}
		pe.stragglers, pe.doomed = make([]event.Key, 0, firstUnsent), make([]uint32, 0, 4*firstUnsent)
		pe.wake = make(chan struct{}, 1)
		pe.alarm = time.NewTimer(time.Hour)
		pe.alarm.Stop()
	}
	t.room = size
	return t, nil
}

// open makes the channel to another PE, when there is something to send for the first
// time: of many PEs few pairs talk to each other.
func (pe *PE) open(to uint32) {
	r := transport.NewRing(pe.team.room, int(pe.arena.Stride()/8))
	pe.ch.out[to] = outbox{ring: r, unsent: make([]outgoing, 0, firstUnsent)}
	pe.team.pes[to].ch.in[uint32(pe.id)-pe.ch.base].Store(r)
}

// close gives up what the run has made.
func (t *team) close() {
	if t.ranks == nil {
		return
	}
	t.ranks.Close()
	s := t.pes[0].sim
	s.reductions, s.reduceCalls = t.ranks.Reductions, t.red.Calls()
}

// roomOfRings returns the room of each channel between n PEs, in events of so many
// bytes.
func (s *Simulation) roomOfRings(n, bytes int) int {
	if s.cfg.ringSize != 0 {
		return s.cfg.ringSize
	}
	size := max(ringSize/max(n/4, 1), leastRing)
	for size > leastRing && uint64(n*n*size*bytes) > s.budget.Limit()/ringMemory {
		size /= 2
	}
	return size
}

// emit sends an event or an anti-message to another PE of this rank. bound is the
// event's, or one that the event to be cancelled is not before.
func (pe *PE) emit(o outgoing, bound *event.Event, to uint32) {
	c := &pe.ch
	box := &c.out[to]
	if len(box.unsent) == 0 {
		if box.ring == nil {
			pe.open(to)
		}
		c.dirty = append(c.dirty, to)
	}
	box.ring.Touch(len(box.unsent))
	box.unsent = append(box.unsent, o)
	if len(box.unsent) >= c.worth {
		c.full = true
	}
	if pe.red {
		pe.reddenNew(o, bound, pe.ch.base+to)
	}
}

// reddenNew takes what is sent to a PE into the bound of this round: an event, or, if it is
// an anti-message, the event of this PE whose sending is undone.
func (pe *PE) reddenNew(o outgoing, bound *event.Event, to uint32) {
	if o.here == 0 {
		to = uint32(pe.id)
	}
	pe.redden(gvt.Of(bound, to), o.here == 0)
}

// redden takes an event or an anti-message that is under way into the bound of
// this round.
func (pe *PE) redden(b gvt.Bound, anti bool) {
	switch c := b.Compare(&pe.redMin, pe.arena.Lines); {
	case c < 0:
		pe.arena.Lines.Keep(b.Node)
		pe.setRedMin(b)
		pe.redAnti = anti
	case c == 0:
		pe.redAnti = pe.redAnti || anti
	}
}

// Events are sent several at a time: a flush costs some cache misses on both
// sides, whether it sends one or several. But what comes late is rolled back for.
const (
	leastWorth = 8
	mostWorth  = 24
)

// due reports whether it is time for a flush, after a turn of n events.
func (c *channels) due(n int) bool {
	c.turns++
	if n == 0 || c.turns >= c.worth || c.full {
		c.turns, c.full = 0, false
		return true
	}
	return false
}

// flush puts what is unsent into the channels, as far as there is room.
func (pe *PE) flush() {
	c := &pe.ch
	if c.flushes.Due() {
		begin := time.Now()
		defer func() { c.flushes.Add(begin, sampleRings) }()
	}
	kept := c.dirty[:0]
	for _, to := range c.dirty {
		box := &c.out[to]
		n := box.ring.Room(len(box.unsent))
		if n > 0 {
			pe.leave(box, n)
			pe.team.pes[to].rouse()
		}
		if n == len(box.unsent) {
			box.unsent = box.unsent[:0]
			continue
		}
		box.unsent = box.unsent[n:] // not copied: a burst may leave many
		kept = append(kept, to)
	}
	c.dirty = kept
	if len(kept) == 0 && !c.antiMin.IsMax() {
		pe.setAntiMin(&c.antiMin, gvt.Max)
	}
}

// leave puts the first n of what is unsent into the channel.
func (pe *PE) leave(box *outbox, n int) {
	put := 0
	for _, o := range box.unsent[:n] {
		if o.there == 0 {
			continue
		}
		to := box.ring.Put(put)
		put++
		if o.here == 0 {
			to[wayWord] = wayAnti | uint64(o.there)
			continue
		}
		pe.arena.CopyTo(to, o.here)
		to[wayWord] = to[wayWord]&^wayIndex | uint64(o.there)
		pe.arena.Vacate(o.here, o.there)
	}
	box.ring.Push(put)
}

// setAntiMin sets a bound of anti-messages that have not left.
func (pe *PE) setAntiMin(of *gvt.Bound, b gvt.Bound) {
	pe.arena.Lines.Keep(b.Node)
	pe.arena.Lines.Drop(of.Node)
	*of = b
}

// reddenUnsent takes what has not left into the bound of this round, with the
// anti-messages, which have a bound of their own.
func (pe *PE) reddenUnsent(unsent []outgoing, to uint32) {
	for _, o := range unsent {
		if o.here != 0 {
			pe.redden(gvt.Of(pe.arena.At(o.here), to), false)
		}
	}
}

// drain takes in what waits in the channels. It runs between events only.
func (pe *PE) drain() bool {
	any := false
	words := int(pe.arena.Stride() / 8)
	var begin time.Time
	for i := range pe.ch.in {
		r := pe.ch.in[i].Load()
		if r == nil {
			continue
		}
		for came := r.Next(); len(came) > 0; came = r.Next() {
			if !any && pe.ch.drains.Due() {
				begin = time.Now()
			}
			for at := 0; at < len(came); at += words {
				pe.touched += came[at] // all lines are fetched at once; what follows waits for each
			}
			for at := 0; at < len(came); at += words {
				pe.arrive(came[at : at+words])
			}
			r.Take(len(came) / words)
			any = true
		}
	}
	if !begin.IsZero() {
		pe.ch.drains.Add(begin, sampleRings)
	}
	return any
}

// arrive takes in an event or an anti-message from another PE.
func (pe *PE) arrive(came []uint64) {
	i := uint32(came[wayWord])
	if came[wayWord]&^wayIndex == wayAnti {
		pe.cancel(i)
		return
	}
	pe.ch.gave--
	e := pe.arena.Arrive(i, came)
	pe.countRead(e.Dst)
	k := event.KeyOf(e, i)
	if pe.mode == optimistic {
		pe.accept(k)
		return
	}
	pe.acceptAhead(k)
}

// countRead counts an event that has come from another PE.
func (pe *PE) countRead(dst uint32) {
	pe.counts.Reads++
	if pe.perLP != nil {
		pe.perLP[dst].Reads++
	}
}

// acceptAhead puts an event that has come to a conservative PE into the queue.
func (pe *PE) acceptAhead(k event.Key) {
	if invariants.Enabled {
		invariants.Check(k.TS >= pe.horizon || pe.sim.cfg.ConsLookahead == 0, "event %d at %g arrives when PE %d handles events up to %g",
			k.Index(), k.Time(), pe.id, math.Float64frombits(pe.horizon))
	}
	pe.q.Push(k)
}
