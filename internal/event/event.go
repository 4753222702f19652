// Event: the hot line of an event and its states. The C twin of this layout
// is csrc/event.h; a test compares the two field by field.

package event

import "math"

// Event is the part of an event that sending, ordering and dispatching touch:
// 56 bytes, so that a payload of 8 bytes shares its cache line. The payload
// follows it. What only rollback and commit need is not here but in the history
// of the receiver's KP.
type Event struct {
	Time     float64 // receive time, virtual time; finite, >= 0
	Tie      float64 // first tie-breaker of the lineage, in [0, 1]
	SendTime float64 // virtual time at which it was sent
	Src      uint64  // global id of the sending LP
	Prio     float64 // priority in [0, 1], lower first; 1 by default
	Dst      uint32  // local index of the receiving LP
	Lineage  uint32  // node of the rest of the lineage; 0: the lineage is Tie alone
	Bits     uint32  // the model's bit field (tw_bf), zeroed before each forward run
	Type     uint16  // id of the receiving LP's type
	State    uint8   // where it is: one of the constants below
	Class    uint8   // 0: the payload follows; else the size class of the block it is in; and kept
}

// Size is the size of Event, bytes: where the payload begins.
const Size = 56

// States of an event. An event popped from the queue is asserted to be
// Pending: a double entry is the commonest bug of such engines.
const (
	Free      = iota // in the free list
	Pending          // in the pending-event set
	Cancelled        // in the pending-event set, to be dropped when it surfaces
	Running          // its handler runs
	Processed        // handled, and in the history of its KP
	Straggler        // in the list of events that came too late
)

// Key is what the pending-event set sorts instead of events: the bits of the
// time, which for finite times >= 0 order as the times do; then, in Lo, a
// 32-bit prefix of (priority, first tie-breaker) above the 32-bit index of the
// event. Keys equal in the first 96 bits are ordered by Compare.
type Key struct{ TS, Lo uint64 }

// Index returns the index of the event that the key stands for.
func (k Key) Index() uint32 { return uint32(k.Lo) }

// Time returns the receive time that the key holds.
func (k Key) Time() float64 { return math.Float64frombits(k.TS) }

// Less orders keys by all 128 bits. It is the order of the events except
// among keys for which Same holds.
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

// Prefix maps (priority, tie-breaker) to 32 bits that order as they do,
// priority first: never the wrong way round, though distinct pairs may share a
// prefix. A priority on the grid k/128, which 1, 0 and the common fractions
// are, leaves 23 bits to the tie-breaker; one between two grid points uses
// them for itself.
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
