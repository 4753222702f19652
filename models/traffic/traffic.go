// The model: what an intersection does with cars.

package main

import (
	"fmt"

	"github.com/ross-go/ross"
)

const (
	carsEach = 15 // that begin at each intersection
	fullLane = 5  // cars, for a lane that leaves an intersection
	service  = 1  // mean time of each step
)

// The numbers that the original gives its events.
const (
	kindArrive = iota
	kindLeave
	kindChoose
)

// A lane is one of three (left, straight, right) on a side of an intersection.
const (
	west, east, north, south = 0, 3, 6, 9 // the sides, as the first of their lanes

	wl, ws, wr = west, west + 1, west + 2
	el, es, er = east, east + 1, east + 2
	nl, ns, nr = north, north + 1, north + 2
	sl, ss, sr = south, south + 1, south + 2

	lanes = 12
)

// opposite has for each lane the one of the next intersection that a car comes in on.
var opposite = [lanes]int8{el, es, er, wl, ws, wr, sl, ss, sr, nl, ns, nr}

// car is a car, in messages. Its 8 bytes share a cache line with the rest of the event.
type car struct {
	X, Y int8 // intersections to go, -99 to 100
	Lane int8
	From int8  // lane on which it came to the intersection before
	By   int32 // the intersection that sent it, as it took itself for
}

// The messages of an intersection, each about a car.
type (
	arrive struct{ car } // it comes
	choose struct{ car } // it is at the front, and chooses a lane
	leave  struct{ car } // it drives on
)

// crossing is the state of an intersection.
type crossing struct {
	Arrived, Finished int32
	In, Out           [lanes]int32 // cars in each lane
	At                ross.LPID    // the intersection that this one takes itself for
}

func (p *params) crossing() ross.Type[crossing, ross.None] {
	return ross.Type[crossing, ross.None]{
		Name:       "intersection",
		NeverStops: true,
		Label:      func(id ross.LPID) string { return fmt.Sprintf("intersection %d, %d", id%p.columns, id/p.columns) },
		Init:       p.init,
		On: []ross.Handler[crossing]{
			ross.On(p.arrive).Reverse(unarrive),
			ross.On(p.choose).Reverse(unchoose),
			ross.On(p.leave).Reverse(unleave),
		},
	}
}

func (p *params) init(c *crossing, lp *ross.LP) {
	c.At = lp.ID()
	for _, v := range p.carsOf(lp.ID()) {
		first := car{X: v.X, Y: v.Y, Lane: v.Lane, By: int32(lp.ID())}
		ross.Send(lp, lp.ID(), lp.RNG().Exponential(service), arrive{first})
	}
}

func (p *params) arrive(c *crossing, lp *ross.LP, _ *ross.None, m *arrive) {
	p.record.EventFrom(lp, ross.LPID(m.By), kindArrive)
	v := m.car
	if v.X == 0 && v.Y == 0 {
		c.Finished++
		return
	}
	c.Arrived++
	v.Lane = opposite[v.Lane]
	c.In[v.Lane]++
	v.By = int32(c.At)
	ross.Send(lp, c.At, lp.RNG().Exponential(service), choose{v})
}

func unarrive(c *crossing, _ *ross.LP, _ *ross.None, m *arrive) {
	if m.X == 0 && m.Y == 0 {
		c.Finished--
		return
	}
	c.Arrived--
	c.In[opposite[m.Lane]]--
}

func (p *params) choose(c *crossing, lp *ross.LP, chosen *int32, m *choose) {
	p.record.EventFrom(lp, ross.LPID(m.By), kindChoose)
	v := m.car
	c.In[m.Lane]--
	if lane, ok := c.lane(&v); ok {
		v.Lane = lane
		c.Out[lane]++
		*chosen = int32(lane) + 1
	}
	v.From, v.By = m.Lane, int32(c.At)
	ross.Send(lp, c.At, lp.RNG().Exponential(service), leave{v})
}

func unchoose(c *crossing, _ *ross.LP, chosen *int32, m *choose) {
	if *chosen != 0 {
		c.Out[*chosen-1]--
	}
	c.In[m.Lane]++
}

func (p *params) leave(c *crossing, lp *ross.LP, was *ross.LPID, m *leave) {
	p.record.EventFrom(lp, ross.LPID(m.By), kindLeave)
	*was = c.At
	c.Out[m.Lane]--
	to := p.neighbour(c.At, m.Lane/3*3)
	delay := lp.RNG().Exponential(service)
	if p.drift {
		c.At = to
	}
	v := m.car
	v.By = int32(c.At)
	ross.Send(lp, to, delay, arrive{v})
}

func unleave(c *crossing, _ *ross.LP, was *ross.LPID, m *leave) {
	c.Out[m.Lane]++
	c.At = *was
}

// neighbour returns the intersection on a side. The edges of the grid are joined.
func (p *params) neighbour(id ross.LPID, side int8) ross.LPID {
	x, y := id%p.columns, id/p.columns
	switch side {
	case west:
		x = (x + p.columns - 1) % p.columns
	case east:
		x = (x + 1) % p.columns
	case north:
		y = (y + 1) % p.rows
	default:
		y = (y + p.rows - 1) % p.rows
	}
	return y*p.columns + x
}
