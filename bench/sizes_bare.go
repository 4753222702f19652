// This file owns the baseline of Sizes: the same model on a heap, without the engine.

package bench

import (
	"math"
	"testing"

	"github.com/ross-go/ross/internal/event"
)

// bareEvent is an event of the bare loop.
type bareEvent[M sizesMessage] struct {
	dst int64
	m   M
}

// bare runs the model as a small simulator does: the LPs of the floor, a 4-ary heap of keys, and
// events in one slice, at the places that the keys name. As in the engine, an event is freed after
// its handler has sent another, so each message is copied once.
func (c sized[S, M]) bare(b *testing.B) {
	const pending = sizesEvents
	lps := Phold{LPs: c.lps}.floorLPs()
	states := make([]S, c.lps)
	events := make([]bareEvent[M], c.lps*pending+1)
	q := &heap4{}
	send := func(lp *floorLP, at uint32) {
		time := lp.now + lp.rng.Exponential(pholdMean-pholdLookahead) + pholdLookahead
		tie := uint64(lp.core.Unif() * (1 << 32))
		q.push(event.Key{TS: math.Float64bits(time), Lo: tie<<32 | uint64(at)})
	}
	for i := range lps {
		for k := range len(states[i]) {
			states[i][k].sum = uint64(k)
		}
		for k := range pending {
			at := i*pending + k
			events[at].dst, events[at].m[0] = int64(i), sizesNext(uint64(at))
			send(&lps[i], uint32(at))
		}
	}
	free := uint32(len(events) - 1)
	step := func() {
		k := q.pop()
		at := uint32(k.Lo)
		e := &events[at]
		lp, s := &lps[e.dst], &states[e.dst]
		lp.now = k.Time()
		lp.count++
		(*s)[sizesPlace(e.m[0], len(*s))].add(e.m[0])
		dst := e.dst
		if lp.rng.Unif() <= pholdRemote {
			dst = lp.rng.Integer(0, int64(c.lps)-1)
		}
		next := &events[free]
		*next = *e
		next.dst, next.m[0] = dst, sizesNext(e.m[0])
		send(lp, free)
		free = at
	}
	for range 3 * c.lps * pending {
		step()
	}
	for b.Loop() {
		step()
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mev/s")
}
