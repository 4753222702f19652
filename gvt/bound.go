// This file owns Bound, the form in which GVT is expressed.

package gvt

import (
	"cmp"
	"math"

	"github.com/ross-go/ross/internal/engine/event"
)

// Bound is a place in the order of events that is not after any event not yet handled.
// Whoever publishes a Bound with a Node holds a reference to that node.
//
// A Bound covers the whole order, not only the signature: LPs that draw the same
// tie-breakers send events with equal signatures, and one of these may be under way
// while another is pending. A bound that ended with the signature would claim of both
// that nothing can come before them.
type Bound struct {
	Key      event.Key // time bits and prefix; the index is 0
	Prio     float64
	Tie      float64
	Dst      uint64 // first PE of the receiver's process << 32 | which LP of that process it is
	Src      uint64 // sender
	SendTime float64
	Node     uint32 // lineage
}

// Max is the bound when there are no events.
var Max = Bound{Key: event.Key{TS: math.MaxUint64}}

// IsMax reports whether b is Max.
func (b *Bound) IsMax() bool { return b.Key.TS == math.MaxUint64 }

// afterAll is the Dst of a bound just after all events of its signature.
const afterAll = math.MaxUint64

// After makes b the bound just after all events of its signature.
func (b *Bound) After() { b.Dst, b.Src, b.SendTime = afterAll, 0, 0 }

// IsAfter reports whether b is what After makes.
func (b *Bound) IsAfter() bool { return b.Dst == afterAll && b.Src == 0 }

// StopBy makes b the place at which LP lp ends the run: after all events of its signature,
// and after what After makes of it. If several LPs end the run at the same signature, the
// place of the one with the lowest id is first.
func (b *Bound) StopBy(lp uint64) { b.Dst, b.Src, b.SendTime = afterAll, lp+1, 0 }

// StoppedBy returns the LP that ends the run at b; ok is false if b is not what StopBy makes.
func (b *Bound) StoppedBy() (lp uint64, ok bool) { return b.Src - 1, b.Dst == afterAll && b.Src > 0 }

// StopAt returns the place at which LP lp ends the run at a virtual time: before all events of
// that time. If several LPs end it then, the place of the one with the lowest id is first.
func StopAt(time float64, lp uint64) Bound {
	b := Before(time, 0, 0)
	b.StopBy(lp)
	return b
}

// announces is the Dst of the first announcement of a run. No PE has such a number.
const announces = math.MaxUint32 << 32

// Announce makes b, the place of an event at the latest, announcement n of the run, counted from
// 0: LP lp ends the run at a virtual time after b. It is after all events of the signature of b,
// and after announcements with lower numbers.
func (b *Bound) Announce(n uint32, lp uint64, time float64) {
	b.Dst, b.Src, b.SendTime = announces|uint64(n), lp, time
}

// Announced returns what Announce has put into b; ok is false if it has put nothing there.
func (b *Bound) Announced() (lp uint64, time float64, ok bool) {
	return b.Src, b.SendTime, b.Dst >= announces && b.Dst != afterAll
}

// Time returns the virtual time of the bound, math.MaxFloat64 for Max, as ROSS
// has it.
func (b *Bound) Time() float64 {
	if b.IsMax() {
		return math.MaxFloat64
	}
	return b.Key.Time()
}

// Of returns the bound of an event for an LP of the process whose first PE is pe.
func Of(e *event.Event, pe uint32) Bound {
	return Bound{Key: event.KeyOf(e, 0), Prio: e.Prio, Tie: e.Tie, Node: e.Lineage,
		Dst: uint64(pe)<<32 | uint64(e.Dst), Src: e.Src, SendTime: e.SendTime}
}

// Before returns the bound before all events of a time, a priority and a first
// tie-breaker, and after all events that come before these: with a priority or a
// tie-breaker above 1 it is after all there are, with one below 0 before them.
func Before(time, prio, tie float64) Bound {
	const beyond = 2 // any number above 1 orders like this one
	switch {
	case !(time >= 0):
		return Bound{}
	case prio < 0:
		return Bound{Key: event.Key{TS: bits(time)}}
	case prio > 1:
		return Bound{Key: event.Key{TS: bits(time), Lo: math.MaxUint32 << 32}, Prio: beyond}
	case tie < 0:
		tie = 0
	case tie > 1:
		tie = beyond
	}
	// Adding 0 turns a negative zero into a positive one.
	b := Bound{Prio: prio + 0, Tie: tie + 0}
	b.Key = event.Key{TS: bits(time), Lo: uint64(event.Prefix(b.Prio, min(b.Tie, 1))) << 32}
	return b
}

func bits(f float64) uint64 { return math.Float64bits(f + 0) }

// Compare returns a number below, equal to or above 0 as b is before, equal to
// or after o.
func (b *Bound) Compare(o *Bound, lines *event.Lineages) int {
	switch {
	case b.Key.Less(o.Key):
		return -1
	case o.Key.Less(b.Key):
		return 1
	}
	if c := cmp.Compare(b.Prio, o.Prio); c != 0 {
		return c
	}
	if c := cmp.Compare(b.Tie, o.Tie); c != 0 {
		return c
	}
	if c := lines.Compare(b.Node, o.Node); c != 0 {
		return c
	}
	if c := cmp.Compare(b.Dst, o.Dst); c != 0 {
		return c
	}
	if c := cmp.Compare(b.Src, o.Src); c != 0 {
		return c
	}
	return cmp.Compare(b.SendTime, o.SendTime)
}

// Passed reports whether an event for an LP of PE pe is before the bound: committed,
// if the bound is GVT.
func (b *Bound) Passed(e *event.Event, pe uint32, lines *event.Lineages) bool {
	o := Of(e, pe)
	return o.Compare(b, lines) < 0
}

// Passes reports whether b is before an event for an LP of PE pe.
func (b *Bound) Passes(e *event.Event, pe uint32, lines *event.Lineages) bool {
	o := Of(e, pe)
	return b.Compare(&o, lines) < 0
}

// Reached reports whether an event for an LP of PE pe is not after the bound. If the
// bound is GVT, no event that must be handled before this one can arrive any more.
func (b *Bound) Reached(e *event.Event, pe uint32, lines *event.Lineages) bool {
	o := Of(e, pe)
	return o.Compare(b, lines) <= 0
}
