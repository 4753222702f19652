// Package processes compares models made of processes (package proc) with the same models made of handlers, which have
// the same events and draws.
package processes

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/resource"
)

//go:generate go run github.com/ross-go/ross/cmd/rossproc

// Hall is a bank made of processes.
type Hall struct {
	proc.Processes
	Counter proc.Servers `ross:"counter,min"`
}

func (b *Hall) init(lp *ross.LP) {
	b.Counter.Open(lp, resource.Rules{Servers: 1})
	proc.Do(lp, b, func(p *proc.Self) { proc.Go(p, (*Hall).source) })
}

func (b *Hall) source(p *proc.Self) {
	for {
		p.Sleep(p.RNG().Exponential(10))
		needs, patience := p.RNG().Exponential(12), 5+10*p.RNG().Unif()
		proc.Go2(p, (*Hall).customer, needs, patience)
	}
}

func (b *Hall) customer(p *proc.Self, needs, patience float64) {
	turn, ok := b.Counter.RequestWithin(p, patience)
	if !ok {
		return
	}
	p.Sleep(needs)
	b.Counter.Release(p, turn)
}

// Bank is a bank made of handlers, that of docs/from-simpy.md.
type Bank struct {
	Counter resource.Servers[float64] `ross:"counter,min"`
}

type (
	customer struct{}
	served   struct{ Ticket resource.Ticket }
	gone     struct{ Ticket resource.Ticket }
)

func (b *Bank) init(lp *ross.LP) {
	b.Counter.Open(lp, resource.Rules{Servers: 1})
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(10), customer{})
}

func (b *Bank) customer(lp *ross.LP, _ *customer) {
	r := lp.RNG()
	needs, patience := r.Exponential(12), 5+10*r.Unif()
	t, outcome := b.Counter.Request(lp, needs)
	if outcome == resource.Starts {
		b.serve(lp, t)
	}
	resource.Patience(lp, &b.Counter, t, patience, gone{t})
	ross.Send(lp, lp.ID(), r.Exponential(10), customer{})
}

func (b *Bank) serve(lp *ross.LP, t resource.Ticket) {
	ross.Send(lp, lp.ID(), *b.Counter.Get(lp, t), served{t})
}

func (b *Bank) served(lp *ross.LP, m *served) {
	if _, next := b.Counter.Release(lp, m.Ticket); next != 0 {
		b.serve(lp, next)
	}
}

func (b *Bank) gone(lp *ross.LP, m *gone) { b.Counter.Renege(lp, m.Ticket) }

// Place is where travellers are, as processes.
type Place struct {
	proc.Processes
	Visits uint64
}

func (a *Place) init(lp *ross.LP) {
	proc.Do(lp, a, func(p *proc.Self) {
		for range 4 {
			proc.Go(p, (*Place).traveller)
		}
	})
}

func (a *Place) traveller(p *proc.Self) {
	for miles := 0.0; ; {
		a = proc.At[Place](p, ross.LPID(p.RNG().Integer(0, lps-1)), 0.1+p.RNG().Exponential(1))
		*ross.Write(p.LP(), &a.Visits)++
		miles++
		p.Sleep(p.RNG().Exponential(1))
		miles += 0.5
	}
}

// Stop is where travellers are, as messages.
type Stop struct{ Visits uint64 }

type (
	arrives struct{ Miles float64 }
	goes    struct{ Miles float64 }
)

func (s *Stop) init(lp *ross.LP) {
	for range 4 {
		s.away(lp, 0)
	}
}

func (s *Stop) away(lp *ross.LP, miles float64) {
	to := ross.LPID(lp.RNG().Integer(0, lps-1))
	ross.Send(lp, to, 0.1+lp.RNG().Exponential(1), arrives{miles})
}

func (s *Stop) arrives(lp *ross.LP, m *arrives) {
	*ross.Write(lp, &s.Visits)++
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), goes{m.Miles + 1})
}

func (s *Stop) goes(lp *ross.LP, m *goes) { s.away(lp, m.Miles+0.5) }

// Dorm has processes that only sleep.
type Dorm struct {
	proc.Processes
	Nights uint64
}

func (d *Dorm) init(lp *ross.LP) {
	proc.Do(lp, d, func(p *proc.Self) {
		for i := range 4 {
			proc.Go1(p, (*Dorm).sleeper, i)
		}
	})
}

func (d *Dorm) sleeper(p *proc.Self, i int) {
	for {
		p.Sleep(p.RNG().Exponential(1))
		*ross.Write(p.LP(), &d.Nights) += uint64(i)
	}
}

// Clocks has messages that do the same.
type Clocks struct{ Nights uint64 }

type night struct{ I int }

func (c *Clocks) init(lp *ross.LP) {
	for i := range 4 {
		ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), night{i})
	}
}

func (c *Clocks) night(lp *ross.LP, m *night) {
	*ross.Write(lp, &c.Nights) += uint64(m.I)
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), *m)
}

// lps is the number of LPs of each model.
const lps = 64

// models are the types of LPs by model and by what they are made of.
var models = map[string][2]func(ross.Saving) ross.LPType{
	"bank": {
		func(s ross.Saving) ross.LPType {
			return ross.Type[Bank]{LPs: lps, Init: (*Bank).init, Saving: s, Event: ross.Events(
				ross.On((*Bank).customer), ross.On((*Bank).served), ross.On((*Bank).gone))}
		},
		func(s ross.Saving) ross.LPType {
			return proc.Type(ross.Type[Hall]{LPs: lps, Init: (*Hall).init, Saving: s})
		},
	},
	"traveller": {
		func(s ross.Saving) ross.LPType {
			return ross.Type[Stop]{LPs: lps, Init: (*Stop).init, Saving: s, Event: ross.Events(
				ross.On((*Stop).arrives), ross.On((*Stop).goes))}
		},
		func(s ross.Saving) ross.LPType {
			return proc.Type(ross.Type[Place]{LPs: lps, Init: (*Place).init, Saving: s})
		},
	},
	"sleeper": {
		func(s ross.Saving) ross.LPType {
			return ross.Type[Clocks]{LPs: lps, Init: (*Clocks).init, Saving: s, Event: ross.On((*Clocks).night)}
		},
		func(s ross.Saving) ross.LPType {
			return proc.Type(ross.Type[Dorm]{LPs: lps, Init: (*Dorm).init, Saving: s})
		},
	},
}
