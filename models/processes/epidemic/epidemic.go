// Package epidemic is an epidemic in places on a ring, with those who are sick as processes: they meet others, one in
// ten of them in a neighbouring place.
package epidemic

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/program"
)

//go:generate go run github.com/ross-go/ross/cmd/rossproc

const places, people = 32, 500

// Place is the state of an LP: how many of its people are well, sick, and have been sick. Time is in days.
type Place struct {
	proc.Processes
	Well, Sick, Over int64
}

func (c *Place) begins(p *proc.Self) {
	c.Well = people
	if p.LP().ID() == 0 {
		for range 5 {
			proc.Go(p, (*Place).person)
		}
	}
}

func (c *Place) person(p *proc.Self) {
	c.Well--
	c.Sick++
	ends := p.RNG().Exponential(5)
	for t := p.RNG().Exponential(2); t < ends; t += p.RNG().Exponential(2) {
		at := p.LP().ID()
		if p.RNG().Unif() < 0.1 {
			at = (at + places + 2*ross.LPID(p.RNG().Integer(0, 1)) - 1) % places
		}
		proc.GoAt(p, at, t, (*Place).contact)
	}
	p.Sleep(ends)
	c.Sick--
	c.Over++
}

// contact is with somebody who falls ill if he is well.
func (c *Place) contact(p *proc.Self) {
	if p.RNG().Unif() < float64(c.Well)/people {
		c.person(p)
	}
}

// Program returns the model.
func Program() program.Program {
	place := proc.Type(ross.Type[Place]{Init: proc.Start((*Place).begins)})
	return program.Program{
		Name: "epidemic", Config: ross.Config{LPs: places, End: 365},
		Build: func(sim *ross.Simulation) error { return sim.Define(place) },
	}
}
