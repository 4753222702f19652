package models

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/resource"
)

// Desks are LPs with two counters each. Customers of one begin at others, and take whichever counter is free first.
type Desks struct {
	proc.Processes
	Counter [2]proc.Servers `ross:"counter,min"`
	Closed  proc.Signal
	Count   [6]uint64
}

const desks = 4

func (d *Desks) init(lp *ross.LP) {
	d.Counter[0].Open(lp, resource.Rules{Servers: 1})
	d.Counter[1].Open(lp, resource.Rules{Servers: 1, Order: resource.ByPriority})
	proc.Do(lp, d, func(p *proc.Self) {
		proc.Go(p, (*Desks).source)
		proc.Go(p, (*Desks).porter)
		proc.GoAt(p, (lp.ID()+1)%desks, 2, (*Desks).checks)
	})
}

// source sends customers to all desks.
func (d *Desks) source(p *proc.Self) {
	for i := uint32(0); ; i++ {
		p.Sleep(p.RNG().Exponential(2))
		to := ross.LPID(p.RNG().Integer(0, desks-1))
		if i%3 == 0 {
			proc.GoAt1(p, to, 0.25, (*Desks).hasty, p.RNG().Exponential(3))
		} else {
			proc.GoAt2(p, to, 0.25+p.RNG().Unif(), (*Desks).customer, p.RNG().Exponential(3), i)
		}
	}
}

// customer is served, and begins again elsewhere if he has an even number.
func (d *Desks) customer(p *proc.Self, needs float64, n uint32) {
	if d.served(p, needs, n) && n%2 == 0 {
		d = proc.At[Desks](p, ross.LPID(n)%desks, 0.5)
		d.served(p, needs/2, n)
	}
}

// served reports whether a counter was free in time.
func (d *Desks) served(p *proc.Self, needs float64, n uint32) bool {
	i := p.Any(d.Counter[0].Turn(0), d.Counter[1].Turn(float64(n%3)), proc.Timeout(2.5), d.Closed.Fired())
	if i < 0 || i > 1 {
		d.Count[2+i&1]++
		return false
	}
	turn := p.Turn()
	defer d.Counter[i].Release(p, turn)
	p.Sleep(needs)
	d.Count[i]++
	return true
}

// hasty asks for a counter in the way of the others.
func (d *Desks) hasty(p *proc.Self, needs float64) {
	turn, ok := d.Counter[0].RequestWithin(p, 1)
	if !ok {
		d.Count[4]++
		return
	}
	defer d.Counter[0].Release(p, turn)
	p.Sleep(needs)
}

func (d *Desks) porter(p *proc.Self) {
	for {
		p.Sleep(25)
		d.Closed.Fire(p)
	}
}

// checks interrupts and kills whoever waits or is served.
func (d *Desks) checks(p *proc.Self) {
	for {
		p.Sleep(5 + p.RNG().Unif())
		for t := range d.Counter[1].All(p.LP()) {
			if id := d.Counter[1].Find(p.LP(), t); p.RNG().Unif() < 0.3 {
				p.Kill(id)
			} else {
				p.Interrupt(id, 0)
			}
		}
		d.Count[5]++
	}
}

// DeskTypes returns the type.
func DeskTypes() []ross.LPType {
	return []ross.LPType{proc.Type(ross.Type[Desks]{LPs: desks, Init: (*Desks).init, Lookahead: 0.25})}
}
