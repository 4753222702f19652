// This file owns the model: intersections, cars, and their rules.

package main

import (
	"fmt"
	"math"

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

func (p *params) crossing() ross.Type[crossing] {
	return ross.Type[crossing]{
		Name:       "intersection",
		NeverStops: true,
		Label:      func(id ross.LPID) string { return fmt.Sprintf("intersection %d, %d", id%p.columns, id/p.columns) },
		Init:       p.init,
		Event: ross.Events(
			ross.On(p.arrive).Reverse(unarrive),
			ross.OnUndo(p.choose).Reverse(unchoose),
			ross.OnUndo(p.leave).Reverse(unleave),
		),
	}
}

func (p *params) init(c *crossing, lp *ross.LP) {
	c.At = lp.ID()
	for _, v := range p.carsOf(lp.ID()) {
		first := car{X: v.X, Y: v.Y, Lane: v.Lane, By: int32(lp.ID())}
		ross.Send(lp, lp.ID(), lp.RNG().Exponential(service), arrive{first})
	}
}

func (p *params) arrive(c *crossing, lp *ross.LP, m *arrive) {
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

func unarrive(c *crossing, _ *ross.LP, m *arrive) {
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

// The rules by which cars choose a lane.

// rule lets a car with a way to go in a direction take a lane.
type rule struct{ way, lane int8 }

// The directions in which a car has to go.
const (
	left = iota // x < 0
	right
	down // y < 0
	up
)

// rules has, for each lane on which a car comes, the lanes that it tries, in order.
var rules = [lanes][3]rule{
	el: {{down, ss}, {left, sr}, {right, sl}},
	es: {{left, ws}, {down, wl}, {up, wr}},
	er: {{up, ns}, {right, nr}, {left, nl}},
	wl: {{up, ns}, {right, nr}, {left, nl}},
	ws: {{right, es}, {up, el}, {down, er}},
	nl: {{right, es}, {up, el}, {down, er}},
	sr: {{right, es}, {up, el}, {down, er}},
	wr: {{down, ss}, {right, sl}, {left, sr}},
	ns: {{down, ss}, {right, sl}, {left, sr}},
	nr: {{left, ws}, {down, wl}, {up, wr}},
	sl: {{left, ws}, {down, wl}, {up, wr}},
	ss: {{up, ns}, {left, nl}, {right, nr}},
}

// back has, by the side on which a car comes, and by the lane on which it came to the intersection
// before, the lane that it takes if no rule fits.
var back = map[int8]map[int8]int8{
	east:  {sl: er, es: es, nr: el},
	west:  {sr: wl, ws: ws, nl: wr},
	north: {wr: nl, ns: ns, el: nr},
	south: {wl: sr, ss: ss, er: sl},
}

// backs is the table of back; -1: none.
var backs = func() (table [lanes / 3][lanes]int8) {
	for side := range table {
		for lane := range table[side] {
			table[side][lane] = -1
			if to, ok := back[int8(side*3)][int8(lane)]; ok {
				table[side][lane] = to
			}
		}
	}
	return table
}()

// lane chooses a lane on which a car leaves, and takes one step off its way if a rule fits. If none
// fits, the lanes on which the car came, here and to the intersection before, decide. ok is false if
// they name no lane; the car then stays on the one it is on.
func (c *crossing) lane(v *car) (lane int8, ok bool) {
	for _, r := range &rules[v.Lane] {
		if c.Out[r.lane] < fullLane && v.steps(r.way) {
			return r.lane, true
		}
	}
	lane = backs[v.Lane/3][v.From]
	return lane, lane >= 0
}

// steps takes a step off the way of a car in a direction, if it has to go there.
func (v *car) steps(to int8) bool {
	switch {
	case to == left && v.X < 0:
		v.X++
	case to == right && v.X > 0:
		v.X--
	case to == down && v.Y < 0:
		v.Y++
	case to == up && v.Y > 0:
		v.Y--
	default:
		return false
	}
	return true
}

// The cars with which a run begins.

// newCar is a car at the beginning of a run. There are 15 of them for each intersection on every
// rank, so they take as little room as possible.
type newCar struct{ X, Y, Lane int8 }

// makeCars makes the cars of all intersections. The original draws them with rand of the C library,
// one intersection after the other, block by block of the grid.
func (p *params) makeCars() {
	next := cRand()
	p.cars = make([]newCar, p.columns*p.rows*carsEach)
	for i := range p.cars {
		x, y, lane := next(), next(), next()
		p.cars[i] = newCar{X: int8(int32(x%200) - 99), Y: int8(int32(y%200) - 99), Lane: int8(lane % lanes)}
	}
}

// carsOf returns the cars that begin at an intersection.
func (p *params) carsOf(id ross.LPID) []newCar {
	i := p.place(id) * carsEach
	return p.cars[i : i+carsEach]
}

// place returns the place of an intersection in the order of the original.
func (p *params) place(id ross.LPID) uint64 {
	x, y := id%p.columns, id/p.columns
	width, height := p.columns/p.blocksX, p.rows/p.blocksY
	block := x/width + y/height*p.blocksX
	return uint64(block*width*height + x%width + y%height*width)
}

// cRand returns a function that draws like rand of the GNU C library with the seed 1: an additive
// lagged Fibonacci generator with lags 3 and 31.
func cRand() func() uint32 {
	var s [31]uint32
	s[0] = 1
	for i := 1; i < len(s); i++ {
		s[i] = uint32(uint64(s[i-1]) * 16807 % math.MaxInt32)
	}
	// The first three sums of the sequence are copies of s[0] to s[2], which s has already.
	i := 3
	draw := func() uint32 {
		s[i%31] += s[(i+28)%31]
		i++
		return s[(i-1)%31] >> 1
	}
	for range 310 {
		draw()
	}
	return draw
}
