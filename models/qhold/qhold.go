// The model: LPs that pass checksums to one another.

package main

import (
	"math"

	"github.com/ross-go/ross"
)

// ring is the state of an LP.
type ring struct {
	sums
	Last  float64 // time of the last event
	Value uint64  // checksum
}

// sums are what is added up over all LPs.
type sums struct {
	Hash      uint64 // of the values that the LP has had
	Events    uint64
	Scheduled uint64
	Ties      uint64 // events at the time of the event before, on the same LP
	Zeros     uint64 // delays of 0, besides the lookahead
}

// token is the message: the value of its sender.
type token struct{ Value uint64 }

// undo is what undoes an event.
type undo struct {
	Last  float64
	Value uint64
	Zero  uint64
}

// The greatest numbers that are drawn.
const (
	lastValue = math.MaxUint64 - 1
	lastDelay = math.MaxUint32 - 1
)

func (p *params) ring() ross.Type[ring] {
	return ross.Type[ring]{
		Name: "qhold", Init: p.init, Lookahead: p.lookahead,
		NeverStops: true,
		Event:      ross.OnUndo(p.event).Reverse(p.reverse),
	}
}

func (p *params) init(r *ring, lp *ross.LP) {
	r.Value = lp.RNG().Ulong(0, lastValue)
	r.Hash += r.Value
	for range p.population {
		delay := lp.RNG().Ulong(0, lastDelay)
		p.send(r, lp, lp.ID(), delay)
	}
}

func (p *params) send(r *ring, lp *ross.LP, to ross.LPID, delay uint64) {
	r.Scheduled++
	ross.Send(lp, to, float64(delay)+p.lookahead, token{r.Value})
}

func (p *params) event(r *ring, lp *ross.LP, was *undo, m *token) {
	p.record.Event(lp, 0)
	was.Last, was.Value = r.Last, r.Value
	r.Events++
	if lp.Now() == r.Last {
		r.Ties++
	}
	r.Value = (r.Value + m.Value) ^ lp.RNG().Ulong(0, lastValue)
	r.Hash += r.Value
	delay := lp.RNG().Ulong(0, lastDelay)
	if delay == 0 {
		was.Zero = 1
		r.Zeros++
	}
	to := lp.ID()
	if lp.RNG().Ulong(0, lastValue) < p.threshold {
		for to == lp.ID() {
			to = ross.LPID(lp.RNG().Ulong(0, p.total-1))
		}
	}
	p.send(r, lp, to, delay)
	r.Last = lp.Now()
}

func (p *params) reverse(r *ring, lp *ross.LP, was *undo, _ *token) {
	r.Scheduled--
	r.Zeros -= was.Zero
	r.Hash -= r.Value
	if lp.Now() == was.Last {
		r.Ties--
	}
	r.Events--
	r.Last, r.Value = was.Last, was.Value
}

func (s sums) add(o sums) sums {
	return sums{s.Hash + o.Hash, s.Events + o.Events, s.Scheduled + o.Scheduled, s.Ties + o.Ties, s.Zeros + o.Zeros}
}
