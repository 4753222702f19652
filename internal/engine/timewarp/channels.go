// This file owns the channels between the PEs of a rank: sending, what is unsent, and
// taking in.

package timewarp

import (
	"math"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/meter"
	"github.com/ross-go/ross/internal/ranks/transport"
	"github.com/ross-go/ross/internal/sys/invariants"
)

// The capacity of a channel between two PEs, in events. With many PEs there are many
// channels, and each is smaller. Channels are also smaller if memory is short.
const (
	ringSize   = 1 << 10
	leastRing  = 1 << 4
	ringMemory = 32 // channels above leastRing take at most this fraction of the memory, 1/32
)

// sampleRings is the number of uses of the rings for each one that is timed.
const sampleRings = 16

// An event in a channel has its index on the receiving PE in the place of the model's bits,
// which mean nothing before the event is handled. An anti-message consists of that word
// alone, with a state that no event has.
const (
	wayWord   = unsafe.Offsetof(event.Event{}.Bits) / 8
	wayIndex  = 1<<32 - 1
	wayAnti   = uint64(antiState) << (8 * (unsafe.Offsetof(event.Event{}.State) % 8))
	antiState = 0xff
)

// channels are a PE's ends of the rings to the other PEs of its rank, and what found no
// room in them.
type channels struct {
	Base uint32                           // number of the first PE of this rank
	In   []atomic.Pointer[transport.Ring] // by sender - Base; nil until that PE sends something
	Out  []Outbox                         // by receiver - Base
	// AntiMin is a bound of the unsent anti-messages, gvt.Max if there are none.
	AntiMin gvt.Bound
	// Dirty lists the receivers, less Base, for which something is unsent.
	Dirty []uint32
	turns int  // since the last flush; one of many events counts as several
	Worth int  // events for one PE that justify a flush, and turns after which one is due
	full  bool // Worth events are unsent for some receiver

	Flushes, Drains meter.Sampler // time in the rings, except in rounds of GVT
	Balance         int64         // events sent to other PEs less events received
}

// outgoing is an unsent event or anti-message.
type outgoing struct {
	here  uint32 // the event's slot on this PE; 0: an anti-message
	there uint32 // the event's slot or id on the other PE; 0: it was cancelled before it left
}

// Outbox is the channel to another PE and what is unsent for it. It fills two cache lines,
// so that its neighbours in memory, which may belong to another PE, do not matter.
type Outbox struct {
	ring   *transport.Ring
	Unsent []outgoing // not in the ring yet
	_      [128 - 32]byte
}

// firstUnsent is the initial capacity of lists of unsent events: whole cache lines.
const firstUnsent = 64

// openRing makes the channel to another PE when there is something to send for the first
// time: among many PEs few pairs communicate.
func (pe *PE) openRing(to uint32) {
	r := transport.NewRing(pe.Team.Room, int(pe.Arena.Stride()/8))
	pe.Channels.Out[to] = Outbox{ring: r, Unsent: make([]outgoing, 0, firstUnsent)}
	pe.Team.PEs[to].Channels.In[uint32(pe.ID)-pe.Channels.Base].Store(r)
}

// emit sends an event or an anti-message to another PE of this rank. bound is the event,
// or, for an anti-message, one that is not after the event to be cancelled.
func (pe *PE) emit(o outgoing, bound *event.Event, to uint32) {
	pe.put(o, to)
	if pe.Red {
		pe.reddenNew(o, bound, pe.Channels.Base)
	}
}

// put adds to what is unsent for another PE of this rank.
func (pe *PE) put(o outgoing, to uint32) {
	c := &pe.Channels
	box := &c.Out[to]
	if len(box.Unsent) == 0 {
		if box.ring == nil {
			pe.openRing(to)
		}
		c.Dirty = append(c.Dirty, to)
	}
	box.ring.Touch(len(box.Unsent))
	box.Unsent = append(box.Unsent, o)
	if len(box.Unsent) >= c.Worth {
		c.full = true
	}
}

// The limits of channels.Worth. Events are sent several at a time, because a flush costs
// some cache misses on both sides however many events it sends. But events that arrive late
// cause rollbacks.
const (
	LeastWorth = 8
	MostWorth  = 24
)

// usualTurn is how many events make a turn that counts once towards the next flush; one of twice as many counts twice.
const usualTurn = 16

// Due reports whether a flush is due after a turn of n events.
func (c *channels) Due(n int) bool {
	c.turns += max(n/usualTurn, 1)
	if n == 0 || c.turns >= c.Worth || c.full {
		c.turns, c.full = 0, false
		return true
	}
	return false
}

// Flush moves unsent events into the channels, while there is room.
func (pe *PE) Flush() {
	c := &pe.Channels
	if c.Flushes.Due() {
		begin := time.Now()
		defer func() { c.Flushes.Add(begin, sampleRings) }()
	}
	kept := c.Dirty[:0]
	for _, to := range c.Dirty {
		box := &c.Out[to]
		n := box.ring.Room(len(box.Unsent))
		if n > 0 {
			pe.pushUnsent(box, n)
			pe.Run.Set.Turn.At(int(pe.ID), "pushed")
			pe.Team.PEs[to].rouse()
		}
		if n == len(box.Unsent) {
			box.Unsent = box.Unsent[:0]
			continue
		}
		box.Unsent = box.Unsent[n:] // not copied: after a burst there may be many
		kept = append(kept, to)
	}
	c.Dirty = kept
	if len(kept) == 0 && !c.AntiMin.IsMax() {
		pe.setAntiMin(&c.AntiMin, gvt.Max)
	}
}

// pushUnsent moves the first n unsent entries into the channel.
func (pe *PE) pushUnsent(box *Outbox, n int) {
	put := 0
	for _, o := range box.Unsent[:n] {
		if o.there == 0 {
			continue
		}
		to := box.ring.Put(put)
		put++
		if o.here == 0 {
			to[wayWord] = wayAnti | uint64(o.there)
			continue
		}
		pe.Arena.CopyTo(to, o.here)
		to[wayWord] = to[wayWord]&^wayIndex | uint64(o.there)
		pe.Arena.Vacate(o.here, o.there)
	}
	box.ring.Push(put)
}

// Drain takes in what waits in the channels, and reports whether there was anything. It
// runs only between events.
func (pe *PE) Drain() bool {
	any := false
	words := int(pe.Arena.Stride() / 8)
	var begin time.Time
	for i := range pe.Channels.In {
		r := pe.Channels.In[i].Load()
		if r == nil {
			continue
		}
		for came := r.Next(); len(came) > 0; came = r.Next() {
			if !any && pe.Channels.Drains.Due() {
				begin = time.Now()
			}
			for at := 0; at < len(came); at += words {
				pe.Touched += came[at] // fetches all lines at once; arrive would wait for each
			}
			for at := 0; at < len(came); at += words {
				pe.arrive(came[at : at+words])
			}
			r.Take(len(came) / words)
			any = true
		}
	}
	if !begin.IsZero() {
		pe.Channels.Drains.Add(begin, sampleRings)
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
	pe.Channels.Balance--
	e := pe.Arena.Arrive(i, came)
	pe.countRead(e.Dst)
	k := event.KeyOf(e, i)
	if pe.Undoes() {
		pe.accept(k)
		return
	}
	pe.acceptAhead(k)
}

// countRead counts an event from another PE, for an LP of this one.
func (pe *PE) countRead(dst uint32) {
	pe.Counts.Reads++
	if pe.PerLP != nil {
		pe.PerLP[dst].Reads++
	}
}

// acceptAhead puts an event from another PE into the queue of a conservative PE.
func (pe *PE) acceptAhead(k event.Key) {
	if invariants.Enabled {
		invariants.Check(k.TS >= pe.Horizon || pe.Run.Set.ConsLookahead == 0,
			"event %d at %g arrives when PE %d handles events up to %g",
			k.Index(), k.Time(), pe.ID, math.Float64frombits(pe.Horizon))
	}
	pe.Queue.Push(k)
}

// mostUnsent is the number of unsent events for one PE beyond which a PE waits.
const mostUnsent = 1024

// Jammed reports whether a receiver takes in its events far more slowly than this PE makes
// them. If the PE went on, making events and then undoing them, the events that GVT waits
// for would move ever further from the head of the line.
func (c *channels) Jammed() bool {
	for _, to := range c.Dirty {
		if len(c.Out[to].Unsent) > mostUnsent {
			return true
		}
	}
	return false
}
