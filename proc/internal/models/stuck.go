package models

import (
	"sync/atomic"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/resource"
)

// Stuck has processes that can never go on, and others that only seem to be stuck.
type Stuck struct {
	proc.Processes
	Forks [2]proc.Servers `ross:"fork,s"`
	Desk  proc.Servers    `ross:"desk,s"`
	Never proc.Signal
}

func (s *Stuck) init(lp *ross.LP) {
	s.Forks[0].Open(lp, resource.Rules{Servers: 1})
	s.Forks[1].Open(lp, resource.Rules{Servers: 1})
	s.Desk.Open(lp, resource.Rules{Servers: 1})
	proc.Do(lp, s, func(p *proc.Self) {
		first := proc.Go1(p, (*Stuck).eater, 0)
		proc.Go1(p, (*Stuck).eater, 1)
		proc.Go1(p, (*Stuck).friend, first)
		proc.Go(p, (*Stuck).forgets)
		proc.Go(p, (*Stuck).asks)
	})
}

// eater takes one fork, and then the other, which another one has by then.
func (s *Stuck) eater(p *proc.Self, i int) {
	left := s.Forks[i].Request(p)
	p.Sleep(1)
	right := s.Forks[1-i].Request(p)
	s.Forks[1-i].Release(p, right)
	s.Forks[i].Release(p, left)
}

// friend waits for an eater.
func (s *Stuck) friend(p *proc.Self, eater proc.PID) {
	p.Sleep(0.5)
	p.Join(eater)
}

// forgets ends with the desk.
func (s *Stuck) forgets(p *proc.Self) {
	s.Desk.Request(p)
	p.Sleep(1)
}

func (s *Stuck) asks(p *proc.Self) {
	p.Sleep(0.25)
	s.Desk.Request(p)
}

// hopes waits for what other events could bring.
func (s *Stuck) hopes(p *proc.Self) { s.Never.Wait(p) }

// StuckOnes returns the type of n LPs. If hope is set, another process waits for a signal.
func StuckOnes(n int, hope bool) ross.Type[Stuck] {
	return proc.Type(ross.Type[Stuck]{LPs: n, Init: func(s *Stuck, lp *ross.LP) {
		s.init(lp)
		if hope {
			proc.Do(lp, s, func(p *proc.Self) { proc.Go(p, (*Stuck).hopes) })
		}
	}})
}

// Drift has a process whose variables depend on more than its state.
type Drift struct {
	proc.Processes
	Sum float64
}

// Outside is what it should not read.
var Outside atomic.Int64

func (d *Drift) init(lp *ross.LP) {
	proc.Do(lp, d, func(p *proc.Self) { proc.Go(p, (*Drift).drifts) })
}

func (d *Drift) drifts(p *proc.Self) {
	p.Sleep(1)
	miles := float64(Outside.Add(1))
	p.Sleep(1)
	d.Sum += miles
}

// Drifts returns its type.
func Drifts() ross.Type[Drift] { return proc.Type(ross.Type[Drift]{LPs: 1, Init: (*Drift).init}) }

// Errand has a process that takes the desk of its LP along, one that could travel, but ends with the shop, and one
// that travels on.
type Errand struct {
	proc.Processes
	Desk, Shop proc.Servers
}

func (e *Errand) init(lp *ross.LP) {
	e.Desk.Open(lp, resource.Rules{Servers: 1})
	e.Shop.Open(lp, resource.Rules{Servers: 1})
	if lp.ID() == 0 {
		proc.Do(lp, e, func(p *proc.Self) {
			proc.Go(p, (*Errand).takes)
			proc.Go(p, (*Errand).asks)
			proc.Go(p, (*Errand).stays)
			proc.Go(p, (*Errand).rounds)
		})
	}
}

func (e *Errand) takes(p *proc.Self) {
	e.Desk.Request(p)
	p.Sleep(1)
	proc.At[Errand](p, 1, 10)
}

func (e *Errand) asks(p *proc.Self) {
	p.Sleep(2)
	e.Desk.Request(p)
}

func (e *Errand) stays(p *proc.Self) {
	e.Shop.Request(p)
	p.Sleep(1)
	if p.Now() > 1 {
		proc.At[Errand](p, 1, 10)
	}
}

// rounds takes a shop along that it has found free where it came to.
func (e *Errand) rounds(p *proc.Self) {
	e = proc.At[Errand](p, 1, 0.25)
	e.Shop.Request(p)
	proc.At[Errand](p, 0, 20)
}

// Errands returns its type.
func Errands() ross.Type[Errand] {
	return proc.Type(ross.Type[Errand]{LPs: 2, Init: (*Errand).init})
}
