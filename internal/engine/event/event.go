// This file owns Event: the hot line of an event and its states, and the total order of events. The C twin
// of this layout is csrc/event.h; a test compares the two field by field.

package event

import "math"

// Event is the part of an event that sending, ordering and dispatching touch:
// 56 bytes, so that a payload of 8 bytes shares its cache line. The payload
// follows it. Data that only rollback and commit need are in the history of the
// receiver's KP.
type Event struct {
	Time     float64 // receive time, virtual time; finite, >= 0
	Tie      float64 // first tie-breaker of the lineage, in [0, 1]
	SendTime float64 // virtual time at which it was sent
	Src      uint64  // global id of the sending LP
	Prio     float64 // priority in [0, 1], lower first; 1 by default
	Dst      uint32  // local index of the receiving LP
	Lineage  uint32  // node of the rest of the lineage; 0: the lineage is Tie alone
	Bits     uint32  // the model's bit field (tw_bf), zeroed before each forward run
	Type     uint16  // what message it has, see package kernel
	State    uint8   // one of the constants below
	Class    uint8   // 0: the payload follows; else the size class of the block it is in; and kept
}

// Fill writes what the sender knows of an event: when it is, how it is ordered, and by whom and
// when it was sent. Its lineage is the tie-breaker alone.
func (e *Event) Fill(time, tie, sendTime float64, src uint64, prio float64) {
	e.Time, e.Tie, e.SendTime, e.Src, e.Prio = time, tie, sendTime, src, prio
}

// Address has an event wait for the LP with a local index, which has a type.
func (e *Event) Address(dst uint32, typ uint16) { e.Dst, e.Type, e.State = dst, typ, Pending }

// Size is the size of Event, bytes: where the payload begins.
const Size = 56

// States of an event. An assertion checks that an event popped from the queue
// is Pending: double entries are the most common bug of such engines.
const (
	Free      = iota // in the free list
	Pending          // in the pending-event set
	Cancelled        // in the pending-event set, to be dropped when it is popped
	Running          // its handler runs
	Processed        // handled, and in the history of its KP
	Straggler        // in the list of late events
	Tied             // Pending, and the queue has found that its signature is that of an event before it
)

// Waits reports whether the event is in the pending-event set, and not cancelled.
func (e *Event) Waits() bool { return e.State == Pending || e.State == Tied }

// Key is what the pending-event set sorts instead of an event: the bits of the time,
// which for finite times >= 0 order as the times do; then, in Lo, a 32-bit
// prefix of (priority, first tie-breaker) above the 32-bit index of the event.
// Keys equal in the first 96 bits are ordered by Compare.
type Key struct{ TS, Lo uint64 }

// Index returns the index of the event that the key stands for.
func (k Key) Index() uint32 { return uint32(k.Lo) }

// Time returns the receive time that the key holds.
func (k Key) Time() float64 { return math.Float64frombits(k.TS) }

// Less orders keys by all 128 bits. Except among keys for which Same holds, it
// is the order of the events.
func (k Key) Less(o Key) bool { return k.TS < o.TS || k.TS == o.TS && k.Lo < o.Lo }

// Same reports whether k and o agree in the 96 bits that come from the events'
// signatures, so that only the events themselves can order them.
func (k Key) Same(o Key) bool { return k.TS == o.TS && k.Lo>>32 == o.Lo>>32 }

// KeyOf returns the key of event i.
func KeyOf(e *Event, i uint32) Key {
	return Key{math.Float64bits(e.Time), uint64(Prefix(e.Prio, e.Tie))<<32 | uint64(i)}
}

const (
	prioGrid = 128 // priorities k/128 keep room for the tie-breaker in the prefix
	tieBits  = 23
)

// Prefix maps (priority, tie-breaker) to 32 bits in the same order, priority
// first. The order is never reversed, but distinct pairs may share a prefix. A
// priority on the grid k/128, such as 1, 0 and the common fractions, leaves 23
// bits for the tie-breaker; a priority between two grid points uses these bits
// itself.
func Prefix(prio, tie float64) uint32 {
	if prio == 1 {
		return 2*prioGrid<<tieBits | uint32(tie*(1<<tieBits))
	}
	x := prio * prioGrid
	cell := math.Floor(x)
	if x == cell {
		return 2*uint32(cell)<<tieBits | uint32(tie*(1<<tieBits))
	}
	return (2*uint32(cell)+1)<<tieBits | uint32((x-cell)*(1<<tieBits))
}

// Order: the total order of events. csrc/order.c is its twin.

// Compare orders two events by their signatures. Equal signatures need two equal
// random draws. Receiver, sender and send time then decide, and are the same in
// every run, so the order is total nevertheless. The result is negative, 0 or
// positive; 0 only for events that agree in everything but payload.
func (a *Arena) Compare(x, y *Event) int {
	if c := a.compareSignatures(x, y); c != 0 {
		return c
	}
	return compareSends(x, y)
}

// compareSignatures compares time, priority and tie-breakers (tw_event_sig_compare in ROSS).
func (a *Arena) compareSignatures(x, y *Event) int {
	if c := cmp(x.Time, y.Time); c != 0 {
		return c
	}
	if c := cmp(x.Prio, y.Prio); c != 0 {
		return c
	}
	if c := cmp(x.Tie, y.Tie); c != 0 {
		return c
	}
	return a.Lines.Compare(x.Lineage, y.Lineage)
}

// compareSends compares what decides between equal signatures.
func compareSends(x, y *Event) int {
	if c := cmp(x.Dst, y.Dst); c != 0 {
		return c
	}
	if c := cmp(x.Src, y.Src); c != 0 {
		return c
	}
	return cmp(x.SendTime, y.SendTime)
}

// Less orders keys as their events are ordered, and keys of events that agree
// in everything by index.
func (a *Arena) Less(x, y Key) bool {
	if x.Same(y) {
		if c := a.Compare(a.At(x.Index()), a.At(y.Index())); c != 0 {
			return c < 0
		}
	}
	return x.Less(y)
}

// Before is Less for the pending-event set: of two events that wait with equal signatures, it makes the later one
// Tied. Neighbours in an order have been compared with each other, so in the end all are Tied that have such an
// event before them, unless one that was cancelled is in between.
func (a *Arena) Before(x, y Key) bool {
	if !x.Same(y) || x == y {
		return x.Less(y)
	}
	ex, ey := a.At(x.Index()), a.At(y.Index())
	if c := a.compareSignatures(ex, ey); c != 0 {
		return c < 0
	}
	before := x.Less(y)
	if c := compareSends(ex, ey); c != 0 {
		before = c < 0
	}
	earlier, later := ex, ey
	if !before {
		earlier, later = ey, ex
	}
	if later.State == Pending && earlier.Waits() { // and is not the one that was undone and sent again
		later.State = Tied
	}
	return before
}

func cmp[T float64 | uint32 | uint64](x, y T) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}
