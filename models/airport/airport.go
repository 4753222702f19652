// The model: what an airport does with planes.

package main

import (
	"fmt"

	"github.com/ross-go/ross"
)

// The airports are the points of a grid whose edges are joined.
const (
	rows, columns = 32, 32
	airports      = rows * columns
)

// Mean times.
const (
	landing = 10 // on the runway
	ground  = 30 // between landing and departure
)

// The numbers that the original gives its events.
const (
	kindArrival = iota + 1
	kindDeparture
	kindLand
)

// airport is the state of an LP.
type airport struct {
	Landings, Ground int32
	Waiting          float64 // sum of the times between arrival and the beginning of landing
	Far              float64 // when the runway is free
}

// The messages of an airport.
type (
	arrival   struct{}
	departure struct{}
	land      struct{ Wait float64 }
)

func (p *params) airport() ross.Type[airport] {
	return ross.Type[airport]{
		Name:       "airport",
		NeverStops: true,
		Label:      func(id ross.LPID) string { return fmt.Sprintf("row %d, column %d", id/columns, id%columns) },
		Init:       p.init,
		Event: ross.Events(
			ross.OnUndo(p.arrive).Reverse(unarrive),
			ross.On(p.depart).Reverse(undepart),
			ross.OnUndo(p.land).Reverse(unland),
		),
	}
}

func (p *params) init(a *airport, lp *ross.LP) {
	a.Ground = int32(p.planes)
	for range p.planes {
		ross.Send(lp, lp.ID(), lp.RNG().Exponential(ground), departure{})
	}
}

func (p *params) depart(a *airport, lp *ross.LP, _ *departure) {
	p.record.Event(lp, kindDeparture)
	a.Ground--
	flight := lp.RNG().Exponential(p.mean)
	ross.Send(lp, neighbour(lp.ID(), lp.RNG().Integer(0, 3)), flight, arrival{})
}

func undepart(a *airport, _ *ross.LP, _ *departure) { a.Ground++ }

// neighbour returns the airport in a direction. North and south are one column off, as in the
// original, whose events this model has.
func neighbour(id ross.LPID, direction int64) ross.LPID {
	switch direction {
	case 0: // north
		if id < columns {
			return id + airports - columns
		}
		return id - columns + 1
	case 1: // south
		if id >= airports-columns {
			return id - (airports - columns)
		}
		return id + columns - 1
	case 2: // east
		if id%columns == columns-1 {
			return id - (columns - 1)
		}
		return id + 1
	}
	if id%columns == 0 {
		return id + columns - 1
	}
	return id - 1
}

func (p *params) arrive(a *airport, lp *ross.LP, far *float64, _ *arrival) {
	p.record.Event(lp, kindArrival)
	*far = a.Far
	now := lp.Now()
	a.Far = max(a.Far, now)
	time := lp.RNG().Exponential(landing)
	ross.Send(lp, lp.ID(), time+a.Far-now, land{a.Far - now})
	a.Far += time
}

func unarrive(a *airport, _ *ross.LP, far *float64, _ *arrival) { a.Far = *far }

func (p *params) land(a *airport, lp *ross.LP, waiting *float64, m *land) {
	p.record.Event(lp, kindLand)
	*waiting = a.Waiting
	a.Landings++
	a.Waiting += m.Wait
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(ground), departure{})
}

func unland(a *airport, _ *ross.LP, waiting *float64, _ *land) {
	a.Landings--
	a.Waiting = *waiting
}
