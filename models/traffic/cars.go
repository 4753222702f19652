// This file owns the cars with which a run begins.

package main

import (
	"math"

	"github.com/ross-go/ross"
)

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
