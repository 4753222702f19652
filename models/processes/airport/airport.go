// Package airport is planes that hop between the airports of a grid: models/airport, with planes as processes.
package airport

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/resource"
)

//go:generate go run github.com/ross-go/ross/cmd/rossproc

// The airports are the points of a grid whose edges are joined.
const rows, columns, airports = 32, 32, rows * columns

const landing, ground = 10, 30 // mean times on the runway, and between landing and departure

// params has how many planes each airport has at the beginning, and the mean time of a flight.
type params struct {
	planes int
	flight float64
}

// Airport is the state of an LP.
type Airport struct {
	proc.Processes
	Runway proc.Servers `ross:"runway"`
}

func (a *Airport) opens(p *proc.Self) {
	a.Runway.Open(p.LP(), resource.Rules{Servers: 1})
	for range proc.Param[params](p).planes {
		proc.Go(p, (*Airport).plane)
	}
}

func (a *Airport) plane(p *proc.Self) {
	for {
		p.Sleep(p.RNG().Exponential(ground))
		flight := p.RNG().Exponential(proc.Param[params](p).flight)
		a = proc.At[Airport](p, neighbour(p.LP().ID(), p.RNG().Integer(0, 3)), flight)
		lands := p.RNG().Exponential(landing)
		turn := a.Runway.Request(p)
		p.Sleep(lands)
		a.Runway.Release(p, turn)
	}
}

// neighbour returns the airport in a direction. North and south are one column off, as in the original.
func neighbour(id ross.LPID, direction int64) ross.LPID {
	switch {
	case direction == 0 && id < columns:
		return id + airports - columns
	case direction == 0:
		return id - columns + 1
	case direction == 1 && id >= airports-columns:
		return id - airports + columns
	case direction == 1:
		return id + columns - 1
	case direction == 2:
		return id/columns*columns + (id+1)%columns
	}
	return id/columns*columns + (id+columns-1)%columns
}

// Program returns the model.
func Program() program.Program {
	m := params{planes: 4, flight: 1}
	airport := proc.Type(ross.Type[Airport]{Init: proc.Start((*Airport).opens)}, proc.Given(&m))
	return program.Program{
		Name: "airport", Config: ross.Config{LPs: airports, End: 1000, Statistics: ross.StatisticsInReport},
		Options: m.options, Prepare: m.prepare,
		Build: func(sim *ross.Simulation) error { return sim.Define(airport) },
	}
}
