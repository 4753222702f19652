package models

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/resource"
	"github.com/ross-go/ross/stats"
)

// System is a queueing system of theory: its rules, the rates and service times of two classes of customers, and the
// mean of their patience, 0 if that has no end. Class 0 has priority.
type System struct {
	Rules    resource.Rules
	Rates    [2]float64
	Fixed    [2]float64 // 0: exponential
	Mean     [2]float64
	Patience float64
}

// Queue is the state of the LP of a system.
type Queue struct {
	proc.Processes
	S       proc.Servers   `ross:"S"`
	Waiting [2]stats.Tally `ross:"Waiting"`
	Staying [2]stats.Tally `ross:"Staying"`
}

func (q *Queue) init(lp *ross.LP) {
	proc.Do(lp, q, func(p *proc.Self) {
		system := proc.Param[System](p)
		q.S.Open(lp, system.Rules)
		for class, rate := range system.Rates {
			if rate > 0 {
				proc.Go1(p, (*Queue).source, class)
			}
		}
	})
}

func (q *Queue) source(p *proc.Self, class int) {
	for {
		p.Sleep(p.RNG().Exponential(1 / proc.Param[System](p).Rates[class]))
		proc.Go1(p, (*Queue).guest, class)
	}
}

func (q *Queue) guest(p *proc.Self, class int) {
	came, system := p.Now(), *proc.Param[System](p)
	work := system.Fixed[class]
	if work == 0 {
		work = p.RNG().Exponential(system.Mean[class])
	}
	var turn proc.Turn
	if system.Patience > 0 {
		turn, _ = q.S.RequestWithin(p, p.RNG().Exponential(system.Patience))
	} else {
		turn = q.S.RequestPriority(p, float64(class))
	}
	if turn == 0 {
		return
	}
	q.Waiting[class].Add(p.LP(), p.Now()-came)
	if system.Rules.Order == resource.Preemptive {
		q.S.Serve(p, turn, work)
	} else {
		p.Sleep(work)
	}
	q.S.Release(p, turn)
	q.Staying[class].Add(p.LP(), p.Now()-came)
}

// Type returns the type of the LP of a system.
func (s *System) Type() ross.LPType {
	return proc.Type(ross.Type[Queue]{LPs: 1, Init: (*Queue).init}, proc.Given(s))
}

// PoolSystem is a queueing system of theory with a pool: what customers need, their rate, and the mean of their work
// if one member does it; and the mean time of use after which members break down, and of repairs.
type PoolSystem struct {
	Rules        resource.PoolRules
	Need         resource.Need
	Rate, Mean   float64
	Wear, Repair float64 // 0: they never break down
}

// Pit is the state of the LP of a system.
type Pit struct {
	proc.Processes
	P proc.Pool[[3]resource.Member] `ross:"P"`
}

func (q *Pit) source(p *proc.Self) {
	system := *proc.Param[PoolSystem](p)
	q.P.Open(p.LP(), system.Rules)
	for i := 0; system.Wear > 0 && i < q.P.Members(); i++ {
		proc.Go1(p, (*Pit).member, i)
	}
	for {
		p.Sleep(p.RNG().Exponential(1 / proc.Param[PoolSystem](p).Rate))
		proc.Go(p, (*Pit).guest)
	}
}

func (q *Pit) guest(p *proc.Self) {
	turn := q.P.Request(p, proc.Param[PoolSystem](p).Need)
	if turn != 0 {
		q.P.Work(p, turn, p.RNG().Exponential(proc.Param[PoolSystem](p).Mean))
		q.P.Release(p, turn)
	}
}

func (q *Pit) member(p *proc.Self, i int) {
	for {
		q.P.Wear(p, i, p.RNG().Exponential(proc.Param[PoolSystem](p).Wear))
		q.P.Break(p, i)
		p.Sleep(p.RNG().Exponential(proc.Param[PoolSystem](p).Repair))
		q.P.Repair(p, i)
	}
}

// Type returns the type of the LP of a system.
func (s *PoolSystem) Type() ross.LPType {
	return proc.Type(ross.Type[Pit]{LPs: 1, Init: proc.Start((*Pit).source)}, proc.Given(s))
}
