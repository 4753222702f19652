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
