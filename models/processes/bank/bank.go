// Package bank is a bank with a counter, and customers who lose patience.
package bank

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/resource"
)

//go:generate go run github.com/ross-go/ross/cmd/rossproc

// Bank is the state of an LP. Time is in minutes.
type Bank struct {
	proc.Processes
	Counter proc.Servers `ross:"counter,min"`
}

func (b *Bank) source(p *proc.Self) {
	b.Counter.Open(p.LP(), resource.Rules{Servers: 1})
	for {
		p.Sleep(p.RNG().Exponential(10))
		needs, patience := p.RNG().Exponential(12), 5+10*p.RNG().Unif()
		proc.Go2(p, (*Bank).customer, needs, patience)
	}
}

func (b *Bank) customer(p *proc.Self, needs, patience float64) {
	turn, ok := b.Counter.RequestWithin(p, patience)
	if !ok {
		return
	}
	p.Sleep(needs)
	b.Counter.Release(p, turn)
}

// Program returns the model: one bank, or as many as --lps says.
func Program() program.Program {
	bank := proc.Type(ross.Type[Bank]{Init: proc.Start((*Bank).source)})
	return program.Program{
		Name: "bank", Config: ross.Config{LPs: 1, End: 10_000, Statistics: ross.StatisticsInReport},
		Options: func(o *ross.Options, cfg *ross.Config) { cfg.RegisterLPs(o.Group("Bank Model")) },
		Build:   func(sim *ross.Simulation) error { return sim.Define(bank) },
	}
}
