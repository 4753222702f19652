// Package models has models with processes, for tests.
package models

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/resource"
)

// Bank is that of docs/from-simpy.md.
type Bank struct {
	proc.Processes
	Counter proc.Servers `ross:"counter,min"`
}

func (b *Bank) init(lp *ross.LP) {
	b.Counter.Open(lp, resource.Rules{Servers: 1})
	proc.Do(lp, b, func(p *proc.Self) { proc.Go(p, (*Bank).source) })
}

func (b *Bank) source(p *proc.Self) {
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
