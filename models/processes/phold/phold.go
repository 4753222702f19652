// Package phold is PHOLD with jobs as processes: they move at random among the members.
package phold

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/program"
)

//go:generate go run github.com/ross-go/ross/cmd/rossproc

const members, jobs = 64, 4 // each member has four jobs at first

// Member is the state of an LP.
type Member struct {
	proc.Processes
	Received int64
}

func (m *Member) begins(p *proc.Self) {
	for range jobs {
		proc.Go(p, (*Member).job)
	}
}

func (m *Member) job(p *proc.Self) {
	for {
		to := p.LP().ID()
		if p.RNG().Unif() < 0.25 {
			to = ross.LPID(p.RNG().Integer(0, members-1))
		}
		m = proc.At[Member](p, to, 0.1+p.RNG().Exponential(0.9))
		m.Received++
	}
}

// Program returns the model.
func Program() program.Program {
	member := proc.Type(ross.Type[Member]{Init: proc.Start((*Member).begins), Lookahead: 0.1})
	return program.Program{
		Name: "phold", Config: ross.Config{LPs: members, End: 100},
		Build: func(sim *ross.Simulation) error { return sim.Define(member) },
	}
}
