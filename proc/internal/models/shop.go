package models

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/resource"
	"github.com/ross-go/ross/stats"
)

// Machines is the number of machines of a Shop.
const Machines = 4

// Shop is a machine shop: machines make parts, fail, and are repaired by a repairer who also has other jobs.
type Shop struct {
	proc.Processes
	Repairer proc.Servers `ross:"repairer,h"`
	Workers  [Machines]proc.PID
	Down     [Machines]bool
	Parts    stats.Counter `ross:"parts"`
	Lost     stats.Tally   `ross:"lost,h"`
}

func (s *Shop) init(lp *ross.LP) {
	s.Repairer.Open(lp, resource.Rules{Servers: 1, Order: resource.Preemptive})
	proc.Do(lp, s, func(p *proc.Self) {
		for i := range s.Workers {
			s.Workers[i] = proc.Go1(p, (*Shop).machine, i)
			proc.Go1(p, (*Shop).failures, i)
		}
		proc.Go(p, (*Shop).others)
	})
}

func (s *Shop) machine(p *proc.Self, i int) {
	for {
		began := p.Now()
		for left := p.RNG().Unif() + 0.5; left > 0; {
			left = p.Work(left)
			if left > 0 {
				s.repair(p, i)
			}
		}
		s.Parts.Inc(p.LP())
		s.Lost.Add(p.LP(), p.Now()-began)
	}
}

func (s *Shop) repair(p *proc.Self, i int) {
	s.Down[i] = true
	turn := s.Repairer.RequestPriority(p, 1)
	s.Repairer.Serve(p, turn, 0.3)
	s.Repairer.Release(p, turn)
	s.Down[i] = false
}

func (s *Shop) failures(p *proc.Self, i int) {
	for n := uint64(0); ; n++ {
		p.Sleep(p.RNG().Exponential(5))
		if !s.Down[i] {
			p.Interrupt(s.Workers[i], n)
		}
	}
}

// others is the repairer's other jobs: unimportant ones, which repairs interrupt, and seldom an urgent one.
func (s *Shop) others(p *proc.Self) {
	for i := 0; ; i++ {
		priority := 2.0
		if i%5 == 4 {
			priority = 0
		}
		turn := s.Repairer.RequestPriority(p, priority)
		s.Repairer.Serve(p, turn, 0.7)
		s.Repairer.Release(p, turn)
		p.Sleep(0.4)
	}
}

// Shops returns the type of n shops.
func Shops(n int) ross.Type[Shop] {
	return proc.Type(ross.Type[Shop]{LPs: n, Init: (*Shop).init})
}
