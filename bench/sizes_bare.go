// This file owns the baseline of Sizes: the same model on a heap, without the engine.

package bench

import (
	"math"
	"testing"

	"github.com/ross-go/ross/internal/event"
)

// bareLoop runs the model as a small simulator does: the LPs of the floor, a 4-ary heap of keys,
// and events in one slice, at the places that the keys name. As in the engine, an event is freed
// after its handler has sent another, so each message is copied once.
type bareLoop[S sizesState, M sizesMessage] struct {
	lps    []floorLP
	states []S
	events []bareEvent[M]
	free   uint32 // the only free place of events
	queue  heap4
}

type bareEvent[M sizesMessage] struct {
	dst int64
	m   M
}

func (c sized[S, M]) newBare() *bareLoop[S, M] {
	l := &bareLoop[S, M]{
		lps:    Phold{LPs: c.lps}.floorLPs(),
		states: make([]S, c.lps),
		events: make([]bareEvent[M], c.lps*sizesEvents+1),
		free:   uint32(c.lps * sizesEvents),
	}
	for i := range l.lps {
		fillParts(&l.states[i])
		for k := range sizesEvents {
			at := i*sizesEvents + k
			l.events[at].dst, l.events[at].m[0] = int64(i), sizesNext(uint64(at))
			l.send(&l.lps[i], uint32(at))
		}
	}
	return l
}

func (l *bareLoop[S, M]) send(lp *floorLP, at uint32) {
	time := lp.now + (lp.rng.Exponential(pholdMean-pholdLookahead) + pholdLookahead)
	tie := uint64(lp.core.Unif() * (1 << 32))
	l.queue.push(event.Key{TS: math.Float64bits(time), Lo: tie<<32 | uint64(at)})
}

// step handles the next event.
func (l *bareLoop[S, M]) step() {
	k := l.queue.pop()
	at := uint32(k.Lo)
	e := &l.events[at]
	lp, s := &l.lps[e.dst], &l.states[e.dst]
	lp.now = k.Time()
	lp.count++
	(*s)[sizesPlace(e.m[0], len(*s))].add(e.m[0])
	dst := e.dst
	if lp.rng.Unif() <= pholdRemote {
		dst = lp.rng.Integer(0, int64(len(l.lps))-1)
	}
	next := &l.events[l.free]
	*next = *e
	next.dst, next.m[0] = dst, sizesNext(e.m[0])
	l.send(lp, l.free)
	l.free = at
}

// bare measures a step of the bare loop.
func (c sized[S, M]) bare(b *testing.B) {
	l := c.newBare()
	for range 3 * len(l.events) {
		l.step()
	}
	for b.Loop() {
		l.step()
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mev/s")
}

// bareStates returns the states when all events before a time have been handled: an S of each LP.
func (c sized[S, M]) bareStates(end float64) (states []any) {
	l := c.newBare()
	for l.queue.h[0].Time() < end {
		l.step()
	}
	for i := range l.states {
		states = append(states, l.states[i])
	}
	return states
}
