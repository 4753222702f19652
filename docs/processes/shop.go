// Package processes has the programs of docs/processes.md: models whose entities are processes. Tests run each under
// every scheduler, compare the source with what was generated for it, and the page with the programs.
package processes

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/resource"
	"github.com/ross-go/ross/stats"
)

const (
	machines = 10
	part     = 10.  // minutes that a part takes, on average
	lasts    = 300. // minutes from a repair to the next failure
	repair   = 30.
	job      = 30. // minutes of the repairer's other jobs
)

// Shop is the state of an LP: a machine shop with a repairer.
type Shop struct {
	proc.Processes
	Repairer proc.Servers `ross:"repairer,min"`
	Machine  [machines]proc.PID
	Broken   [machines]bool
	Parts    stats.Counter `ross:"parts"`
}

func (s *Shop) Init(lp *ross.LP) {
	s.Repairer.Open(lp, resource.Rules{Servers: 1, Order: resource.Preemptive})
	proc.Do(lp, s, func(p *proc.Self) {
		for i := range machines {
			s.Machine[i] = proc.Go1(p, (*Shop).works, i)
			proc.Go1(p, (*Shop).breaks, i)
		}
		proc.Go(p, (*Shop).otherJobs)
	})
}

// works makes parts as long as the run goes on, and is interrupted when the machine breaks.
func (s *Shop) works(p *proc.Self, i int) {
	for {
		for left := p.RNG().NormalSD(part, 2); left > 0; {
			left = p.Work(left)
			if left <= 0 {
				continue
			}
			s.Broken[i] = true
			turn := s.Repairer.RequestPriority(p, 1)
			s.Repairer.Serve(p, turn, repair)
			s.Repairer.Release(p, turn)
			s.Broken[i] = false
		}
		s.Parts.Inc(p.LP())
	}
}

// breaks interrupts a machine that works now and then.
func (s *Shop) breaks(p *proc.Self, i int) {
	for {
		p.Sleep(p.RNG().Exponential(lasts))
		if !s.Broken[i] {
			p.Interrupt(s.Machine[i], 0)
		}
	}
}

// otherJobs keep the repairer busy. A machine that breaks takes him away from them.
func (s *Shop) otherJobs(p *proc.Self) {
	for {
		turn := s.Repairer.RequestPriority(p, 2)
		s.Repairer.Serve(p, turn, job)
		s.Repairer.Release(p, turn)
	}
}

var shop = proc.Type(ross.Type[Shop]{LPs: 1, Init: (*Shop).Init})
