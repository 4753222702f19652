// Package desk is the desk of a hospital: patients wait for one of three clerks.
package desk

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/resource"
)

//go:generate go run github.com/ross-go/ross/cmd/rossproc

// Desk is the state of an LP. Time is in minutes.
type Desk struct {
	proc.Processes
	Clerks proc.Servers `ross:"clerks,min"`
}

func (d *Desk) door(p *proc.Self) {
	d.Clerks.Open(p.LP(), resource.Rules{Servers: 3})
	for {
		p.Sleep(p.RNG().Exponential(1))
		proc.Go1(p, (*Desk).patient, p.RNG().Exponential(2.5))
	}
}

func (d *Desk) patient(p *proc.Self, needs float64) {
	turn := d.Clerks.Request(p)
	p.Sleep(needs)
	d.Clerks.Release(p, turn)
}

// Program returns the model: one desk, or as many as --lps says.
func Program() program.Program {
	desk := proc.Type(ross.Type[Desk]{Init: proc.Start((*Desk).door)})
	return program.Program{
		Name: "desk", Config: ross.Config{LPs: 1, End: 10_000, Statistics: ross.StatisticsInReport},
		Options: func(o *ross.Options, cfg *ross.Config) { cfg.RegisterLPs(o.Group("Desk Model")) },
		Build:   func(sim *ross.Simulation) error { return sim.Define(desk) },
	}
}
