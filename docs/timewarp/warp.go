// This file owns the events of the picture: a Time Warp of a few lines, without an engine, for three LPs.

package main

import (
	"cmp"
	"math"
	"slices"
)

// The LPs, each on a PE of its own.
const (
	lpA = iota
	lpB
	lpC
	lps
)

// event is a message for an LP at a virtual time.
type event struct {
	to    int
	at    float64
	cause *event // nil: there from the beginning
	is    state
	// What has happened since the last picture.
	undone bool
}

// state is what has become of an event.
type state int

const (
	pending state = iota
	handled
	cancelled
)

// world is the three LPs. The state of an LP is how many events it has handled, and count finds that from events.
type world struct{ events []*event }

// first returns the LPs with the events that they have at the beginning.
func first() *world {
	return &world{[]*event{{to: lpA, at: 1}, {to: lpB, at: 1.5}, {to: lpC, at: 2}}}
}

// sends is the model: what an LP sends when it handles e as its n-th event.
func sends(e *event, n int) []*event {
	switch {
	case e.to == lpA && n == 1:
		return []*event{{to: lpA, at: e.at + 3.5, cause: e}}
	case e.to == lpA && e.at > 4:
		return []*event{{to: lpB, at: e.at + 3/float64(n), cause: e}} // earlier, the more A has seen
	case e.to == lpC:
		return []*event{{to: lpA, at: e.at + 1, cause: e}}
	}
	return nil
}

// count returns how many events of an LP have been handled.
func (w *world) count(lp int) (n int) {
	for _, e := range w.events {
		if e.to == lp && e.is == handled {
			n++
		}
	}
	return n
}

// handle lets an LP handle its next pending event, and sends what that sends. It reports whether there was one.
func (w *world) handle(lp int) bool {
	var next *event
	for _, e := range w.events {
		if e.to == lp && e.is == pending && (next == nil || e.at < next.at) {
			next = e
		}
	}
	if next == nil {
		return false
	}
	next.is, next.undone = handled, false
	for _, e := range sends(next, w.count(lp)) {
		w.rollBack(e.to, e.at)
		w.events = append(w.events, e)
	}
	return true
}

// rollBack undoes what an LP has handled at a time or after it, and cancels what that has sent.
func (w *world) rollBack(lp int, at float64) {
	for _, e := range w.events {
		if e.to != lp || e.at < at || e.is != handled {
			continue
		}
		e.is, e.undone = pending, true
		for _, sent := range w.events {
			if sent.cause == e && sent.is != cancelled {
				w.rollBack(sent.to, sent.at)
				sent.is = cancelled
			}
		}
	}
}

// gvt returns the global virtual time, the least time of a pending event: nothing before it can be undone.
func (w *world) gvt() float64 {
	least := math.Inf(1)
	for _, e := range w.events {
		if e.is == pending {
			least = min(least, e.at)
		}
	}
	return least
}

// committed returns the events before GVT, in the order of time.
func (w *world) committed() (those []*event) {
	for _, e := range w.events {
		if e.is == handled && e.at < w.gvt() {
			those = append(those, e)
		}
	}
	slices.SortFunc(those, func(a, b *event) int { return cmp.Compare(a.at, b.at) })
	return those
}

// forget drops what has been cancelled, and which events were undone.
func (w *world) forget() {
	w.events = slices.DeleteFunc(w.events, func(e *event) bool { return e.is == cancelled })
	for _, e := range w.events {
		e.undone = false
	}
}

// scene is a part of the picture: who handles an event, one after the other, and what is to be seen then.
type scene struct {
	title, text string
	turns       []int
}

// Until the end of the second scene PE 3 is slow, so that its event for A comes late.
var scenes = []scene{
	{"1  PEs run ahead", "PE 3 is slow; 1 and 2 do not wait.", []int{lpA, lpB, lpA, lpB}},
	{"2  A straggler: roll back", "C sends A an event before 4.5.", []int{lpC}},
	{"3  Again, in the right order", "What B gets now comes earlier.", []int{lpA, lpA}},
}
