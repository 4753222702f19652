// The same model without undo data, package container and package stats: one message with a kind,
// in which events leave what Reverse needs, queues and statistics of its own. It commits the same
// events; the tests compare its statistics, its length and its speed with those of the model.

package main

import (
	"math"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/testkit"
)

type kind uint8

const (
	isArrive kind = iota
	isLanded
	isReady
	isAirborne
)

// note is the message of an airport.
type note struct {
	Kind kind
	plane

	// What Reverse needs.
	Was    handDesk
	Runway testkit.Level
	Stack  testkit.Level
	Tally  testkit.Tally
	Popped plane
	Bin    int32
}

// Bits of an event.
const (
	bitLands = iota
	bitTakesOff
	bitPopped // a queue gave a plane
	bitQueued // a queue got a plane
	bitGrown
)

type handDesk struct {
	Busy   bool
	Ground int32
}

type handAirport struct {
	handDesk
	Holding, Lined handQueue

	ToLand    testkit.Tally
	Bins      [histogramBins]uint32 // of ToLand
	ToTakeOff testkit.Tally
	InStack   testkit.Level
	Runway    testkit.Level
	Landings  [hours]uint32
	Flights   [hours]uint64
	TakeOffs  uint64
}

const (
	histogramBins = 256 // one minute wide; the last one has the rest
	hours         = 24
)

// handQueue is a ring of planes.
type handQueue struct {
	Ring    ross.Block[plane]
	Head, N uint32
}

func (q *handQueue) push(lp *ross.LP, bits *ross.Bits, pl plane) {
	ring := q.Ring.Of(lp)
	if int(q.N) == len(ring) {
		bits.Set(bitGrown)
		ross.Save(lp, q)
		larger := ross.Alloc[plane](lp, max(4, 2*len(ring)))
		to := larger.Of(lp)
		if len(to) == 0 {
			return
		}
		for i := range q.N {
			to[i] = ring[(q.Head+i)%uint32(len(ring))]
		}
		ross.Free(lp, q.Ring)
		q.Ring, q.Head, ring = larger, 0, to
	}
	ring[(q.Head+q.N)&uint32(len(ring)-1)] = pl
	q.N++
}

func (q *handQueue) unpush(lp *ross.LP, bits *ross.Bits) {
	if bits.Get(bitGrown) {
		return // the engine restores the queue
	}
	q.N--
	ring := q.Ring.Of(lp)
	ring[(q.Head+q.N)&uint32(len(ring)-1)] = plane{}
}

func (q *handQueue) pop(lp *ross.LP) plane {
	ring := q.Ring.Of(lp)
	pl := ring[q.Head]
	ring[q.Head] = plane{}
	q.Head = (q.Head + 1) & uint32(len(ring)-1)
	q.N--
	return pl
}

func (q *handQueue) unpop(lp *ross.LP, pl plane) {
	ring := q.Ring.Of(lp)
	q.Head = (q.Head - 1) & uint32(len(ring)-1)
	ring[q.Head] = pl
	q.N++
}

func handType(p *params, end float64) ross.Type[handAirport] {
	return ross.Type[handAirport]{
		Name: "airport",
		Init: func(a *handAirport, lp *ross.LP) {
			a.Ground = int32(p.planes)
			for i := range p.planes {
				ross.Send(lp, lp.ID(), lp.RNG().Exponential(p.ground),
					note{Kind: isReady, plane: plane{Number: uint64(lp.ID())*p.planes + i}})
			}
		},
		Event: ross.OnUndo(func(a *handAirport, lp *ross.LP, bits *ross.Bits, m *note) { a.event(p, lp, bits, m) }).Reverse(
			func(a *handAirport, lp *ross.LP, bits *ross.Bits, m *note) { a.reverse(lp, bits, m) }),
		Final: func(a *handAirport, lp *ross.LP) {
			a.InStack.Add(end, 0, 0)
			a.Runway.Add(end, 0, 0)
		},
	}
}

func (a *handAirport) event(p *params, lp *ross.LP, bits *ross.Bits, m *note) {
	m.Was, m.Runway, m.Stack = a.handDesk, a.Runway, a.InStack
	switch m.Kind {
	case isArrive:
		pl := plane{m.Number, m.plane.Flights, lp.Now()}
		if a.Busy {
			bits.Set(bitQueued)
			a.Holding.push(lp, bits, pl)
			a.InStack.Add(lp.Now(), 1, 0)
			return
		}
		a.Runway.Add(lp.Now(), 1, 0)
		a.land(p, lp, bits, m, pl)
	case isReady:
		pl := plane{m.Number, m.plane.Flights, lp.Now()}
		if a.Busy {
			bits.Set(bitQueued)
			a.Lined.push(lp, bits, pl)
			return
		}
		a.Runway.Add(lp.Now(), 1, 0)
		a.takeOff(p, lp, bits, m, pl)
	case isLanded:
		a.Ground++
		a.Landings[a.hour(lp)]++
		a.Flights[a.hour(lp)] += uint64(m.plane.Flights)
		a.next(p, lp, bits, m)
		ross.Send(lp, lp.ID(), lp.RNG().Exponential(p.ground), note{Kind: isReady, plane: m.plane})
	case isAirborne:
		a.Ground--
		a.TakeOffs++
		a.next(p, lp, bits, m)
		to := (int64(lp.ID()) + lp.RNG().Integer(1, p.total-1)) % p.total
		ross.Send(lp, ross.LPID(to), p.lookahead+lp.RNG().Exponential(p.flight-p.lookahead),
			note{Kind: isArrive, plane: plane{Number: m.Number, Flights: m.plane.Flights + 1}})
	}
}

// hour returns the index of the hour.
func (a *handAirport) hour(lp *ross.LP) int { return min(int(lp.Now()/60), hours-1) }

func (a *handAirport) next(p *params, lp *ross.LP, bits *ross.Bits, m *note) {
	switch {
	case a.Holding.N > 0:
		bits.Set(bitPopped)
		m.Popped = a.Holding.pop(lp)
		a.InStack.Add(lp.Now(), -1, 0)
		a.land(p, lp, bits, m, m.Popped)
	case a.Lined.N > 0:
		bits.Set(bitPopped)
		m.Popped = a.Lined.pop(lp)
		a.takeOff(p, lp, bits, m, m.Popped)
	default:
		a.Busy = false
		a.Runway.Add(lp.Now(), -1, 0)
	}
}

func (a *handAirport) land(p *params, lp *ross.LP, bits *ross.Bits, m *note, pl plane) {
	bits.Set(bitLands)
	a.Busy = true
	wait := lp.Now() - pl.Since
	m.Tally, m.Bin = a.ToLand, int32(min(wait, histogramBins-1))
	a.ToLand.Add(wait)
	a.Bins[m.Bin]++
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(p.landing), note{Kind: isLanded, plane: pl})
}

func (a *handAirport) takeOff(p *params, lp *ross.LP, bits *ross.Bits, m *note, pl plane) {
	bits.Set(bitTakesOff)
	a.Busy = true
	m.Tally = a.ToTakeOff
	a.ToTakeOff.Add(lp.Now() - pl.Since)
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(p.takeoff), note{Kind: isAirborne, plane: pl})
}

func (a *handAirport) reverse(lp *ross.LP, bits *ross.Bits, m *note) {
	if bits.Get(bitLands) {
		a.ToLand = m.Tally
		a.Bins[m.Bin]--
		if bits.Get(bitPopped) {
			a.Holding.unpop(lp, m.Popped)
		}
	}
	if bits.Get(bitTakesOff) {
		a.ToTakeOff = m.Tally
		if bits.Get(bitPopped) {
			a.Lined.unpop(lp, m.Popped)
		}
	}
	switch m.Kind {
	case isArrive:
		if bits.Get(bitQueued) {
			a.Holding.unpush(lp, bits)
		}
	case isReady:
		if bits.Get(bitQueued) {
			a.Lined.unpush(lp, bits)
		}
	case isLanded:
		a.Landings[a.hour(lp)]--
		a.Flights[a.hour(lp)] -= uint64(m.plane.Flights)
	case isAirborne:
		a.TakeOffs--
	}
	a.handDesk, a.Runway, a.InStack = m.Was, m.Runway, m.Stack
}

// handTotals are the statistics of all airports.
type handTotals struct {
	ToLand, ToTakeOff testkit.Tally
	Bins              [histogramBins]uint64
	InStack, Runway   testkit.Level // Area and NonZero: means over time and airports
	Landings, Flights [hours]uint64
	TakeOffs          uint64
}

func (t *handTotals) add(a *handAirport, until, airports float64) {
	t.ToLand.Merge(&a.ToLand)
	t.ToTakeOff.Merge(&a.ToTakeOff)
	for i, n := range a.Bins {
		t.Bins[i] += uint64(n)
	}
	t.InStack.Merge(&a.InStack, until*airports)
	t.Runway.Merge(&a.Runway, until*airports)
	for i := range hours {
		t.Landings[i] += uint64(a.Landings[i])
		t.Flights[i] += a.Flights[i]
	}
	t.TakeOffs += a.TakeOffs
}

// quantile returns a quantile of the waits to land, wrong by half a minute at most.
func (t *handTotals) quantile(q float64) float64 {
	left := uint64(math.Ceil(q * float64(t.ToLand.N)))
	for i, n := range t.Bins {
		if left <= n {
			return float64(i) + 0.5
		}
		left -= n
	}
	return t.ToLand.Greatest
}
