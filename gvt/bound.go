// This file owns Bound: the signature that GVT is.

package gvt

import (
	"cmp"
	"math"

	"github.com/ross-go/ross/internal/event"
)

// Bound is a signature that no event not yet handled is before. Compare it by
// Before; only bounds of equal time and prefix need the rest, and whoever
// publishes one with a Node holds a reference to that node.
type Bound struct {
	Key   event.Key // time bits and prefix; the index is 0
	Prio  float64
	Tie   float64
	Node  uint32 // lineage
	After bool   // the bound is just after the event of this signature
}

// Max is the bound when there are no events.
var Max = Bound{Key: event.Key{TS: math.MaxUint64}}

// IsMax reports whether b is Max.
func (b *Bound) IsMax() bool { return b.Key.TS == math.MaxUint64 }

// Time returns the virtual time of the bound, math.MaxFloat64 for Max, as ROSS
// has it.
func (b *Bound) Time() float64 {
	if b.IsMax() {
		return math.MaxFloat64
	}
	return b.Key.Time()
}

// Of returns the bound of an event.
func Of(e *event.Event) Bound {
	k := event.KeyOf(e, 0)
	return Bound{Key: k, Prio: e.Prio, Tie: e.Tie, Node: e.Lineage}
}

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
	switch {
	case b.After == o.After:
		return 0
	case b.After:
		return 1
	}
	return -1
}

// Passed reports whether an event is before the bound: committed, if the bound
// is GVT.
func (b *Bound) Passed(e *event.Event, lines *event.Lineages) bool {
	o := Of(e)
	return o.Compare(b, lines) < 0
}

// Reached reports whether an event is not after the bound: whether nothing that
// is to be handled before it can arrive any more, if the bound is GVT.
func (b *Bound) Reached(e *event.Event, lines *event.Lineages) bool {
	o := Of(e)
	return o.Compare(b, lines) <= 0
}
