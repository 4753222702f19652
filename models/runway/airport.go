// The model: what an airport does with planes.

package main

import (
	"fmt"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/stats"
)

// plane is a plane, in messages and in queues.
type plane struct {
	Number  uint64
	Flights uint32
	Since   float64 // virtual time from which it waits for a runway
}

// An airport receives these messages, each about a plane.
type (
	arrive   struct{ plane } // it comes, and wants to land
	landed   struct{ plane } // it leaves the runway
	ready    struct{ plane } // it wants to take off
	airborne struct{ plane } // it has left the runway
)

// airport is the state of an airport. Its queues and statistics undo themselves.
type airport struct {
	desk
	Holding container.Queue[plane] // in the air, until the runway is free
	Lined   container.Queue[plane] // on the ground, until the runway is free

	ToLand    stats.Histogram `ross:"wait to land,min"`
	ToTakeOff stats.Tally     `ross:"wait to take off,min"`
	InStack   stats.Level     `ross:"planes waiting to land"`
	Runway    stats.Level     `ross:"runway in use"`
	Landings  stats.Series    `ross:"flights until landing,flights,every=60"`
	TakeOffs  stats.Counter   `ross:"take-offs"`
}

// desk is what Reverse restores, and so the undo data of all events.
type desk struct {
	Busy   bool  // the runway
	Ground int32 // planes on the ground
}

// undo undoes an event about an M.
func undo[M any](a *airport, _ *ross.LP, was *desk, _ *M) { a.desk = *was }

func airportType(p *params) ross.Type[airport] {
	return ross.Type[airport]{
		Name:       "airport",
		NeverStops: true,
		Label:      func(id ross.LPID) string { return fmt.Sprintf("airport %d", id) },
		Init:       p.init,
		Event: ross.Events(
			ross.OnUndo(p.arrive).Reverse(undo),
			ross.OnUndo(p.landed).Reverse(undo),
			ross.OnUndo(p.ready).Reverse(undo),
			ross.OnUndo(p.airborne).Reverse(undo),
		),
	}
}

func (p *params) init(a *airport, lp *ross.LP) {
	a.Ground = int32(p.planes)
	for i := range p.planes {
		ross.Send(lp, lp.ID(), lp.RNG().Exponential(p.ground), ready{plane{Number: uint64(lp.ID())*p.planes + i}})
	}
}

func (p *params) arrive(a *airport, lp *ross.LP, was *desk, m *arrive) {
	*was = a.desk
	pl := plane{m.Number, m.Flights, lp.Now()}
	if a.Busy {
		a.Holding.Push(lp, pl)
		a.InStack.Add(lp, 1)
		return
	}
	a.Runway.Set(lp, 1)
	p.land(a, lp, pl)
}

func (p *params) ready(a *airport, lp *ross.LP, was *desk, m *ready) {
	*was = a.desk
	pl := plane{m.Number, m.Flights, lp.Now()}
	if a.Busy {
		a.Lined.Push(lp, pl)
		return
	}
	a.Runway.Set(lp, 1)
	p.takeOff(a, lp, pl)
}

func (p *params) landed(a *airport, lp *ross.LP, was *desk, m *landed) {
	*was = a.desk
	a.Ground++
	a.Landings.Add(lp, float64(m.Flights))
	p.next(a, lp)
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(p.ground), ready{m.plane})
}

func (p *params) airborne(a *airport, lp *ross.LP, was *desk, m *airborne) {
	*was = a.desk
	a.Ground--
	a.TakeOffs.Inc(lp)
	p.next(a, lp)
	to := (int64(lp.ID()) + lp.RNG().Integer(1, p.total-1)) % p.total
	ross.Send(lp, ross.LPID(to), p.lookahead+lp.RNG().Exponential(p.flight-p.lookahead),
		arrive{plane{Number: m.Number, Flights: m.Flights + 1}})
}

// next gives the runway to the plane that has waited longest to land, or if no plane waits to land, to take
// off.
func (p *params) next(a *airport, lp *ross.LP) {
	if pl, ok := a.Holding.Pop(lp); ok {
		a.InStack.Add(lp, -1)
		p.land(a, lp, pl)
	} else if pl, ok := a.Lined.Pop(lp); ok {
		p.takeOff(a, lp, pl)
	} else {
		a.Busy = false
		a.Runway.Set(lp, 0)
	}
}

func (p *params) land(a *airport, lp *ross.LP, pl plane) {
	a.Busy = true
	a.ToLand.Add(lp, lp.Now()-pl.Since)
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(p.landing), landed{pl})
}

func (p *params) takeOff(a *airport, lp *ross.LP, pl plane) {
	a.Busy = true
	a.ToTakeOff.Add(lp, lp.Now()-pl.Since)
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(p.takeoff), airborne{pl})
}
