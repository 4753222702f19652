package models

import (
	"sync/atomic"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
)

// Shaky is a state with a process that panics in states which are impossible, and which optimistic runs undo.
type Shaky struct {
	proc.Processes
	Came, Started int
}

// Tick is what LP 0 sends to LP 1.
type Tick struct{ N int }

// Panics counts the panics, also those that are undone.
var Panics atomic.Int64

const ticks = 40

func (s *Shaky) sends(p *proc.Self) {
	for i := range ticks {
		p.Sleep(1)
		ross.Send(p.LP(), 1, 0.5, Tick{i})
	}
}

// checks panics if a tick has not come that came before.
func (s *Shaky) checks(p *proc.Self) {
	p.Sleep(0.75)
	for i := range ticks {
		p.Sleep(1)
		if s.Came <= i {
			Panics.Add(1)
			panic("impossible")
		}
	}
}

func (s *Shaky) starts(p *proc.Self) {
	p.Sleep(0.1)
	s.Started++
}

func (s *Shaky) tick(lp *ross.LP, _ *Tick) {
	proc.Do(lp, s, func(p *proc.Self) {
		s.Came++
		proc.Go(p, (*Shaky).starts)
	})
}

// Shakies returns the type of two LPs.
func Shakies() ross.Type[Shaky] {
	return proc.Type(ross.Type[Shaky]{LPs: 2, Event: ross.On((*Shaky).tick), Init: func(s *Shaky, lp *ross.LP) {
		proc.Do(lp, s, func(p *proc.Self) {
			if lp.ID() == 0 {
				proc.Go(p, (*Shaky).sends)
			} else {
				proc.Go(p, (*Shaky).checks)
			}
		})
	}})
}
