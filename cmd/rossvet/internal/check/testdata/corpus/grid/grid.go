// Package grid is an epidemic in cells, with one mistake of each kind that a beginner makes, chosen by a flag.
package grid

import (
	"math/rand/v2"
	"time"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/stats"
)

type params struct {
	side     int64
	mistake  int
	contacts float64
}

type person struct {
	Sick bool
	Due  float64
}

type cell struct {
	People container.Slab[person]
	Count  [3]int64
	Last   int64
	Cases  stats.Counter
	Time   stats.Tally
	Cache  int64 `ross:"-"`
}

type (
	walk   struct{}
	arrive struct{ Left float64 }
)

var (
	infections int64
	world      *ross.Simulation
)

func (p *params) cells(sim *ross.Simulation) ross.LPType {
	world = sim
	return ross.Type[cell]{
		Name: "cell", Init: p.init, Saving: ross.SaveByLog,
		Event: ross.Events(ross.On(p.walk), ross.On(p.arrive)),
	}
}

func (p *params) init(s *cell, lp *ross.LP) {
	s.Count[0] = p.side
	for range s.Count[0] {
		s.Last = int64(s.People.Add(lp, person{}))
	}
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), walk{})
}

func (p *params) walk(s *cell, lp *ross.LP, _ *walk) {
	p.mistakes(s, lp)
	who := s.People.Edit(lp, container.Handle(s.Last))
	if who == nil {
		return
	}
	who.Sick, who.Due = true, lp.Now()+1
	*ross.Write(lp, &s.Count[0])--
	*ross.Write(lp, &s.Count[1])++
	s.Cases.Inc(lp)
	s.Time.Add(lp, who.Due)
	ross.Send(lp, ross.LPID(lp.RNG().Integer(0, p.side*p.side-1)), 0.5, arrive{Left: 3})
}

func (p *params) mistakes(s *cell, lp *ross.LP) {
	switch p.mistake {
	case 1:
		s.Count[2]++ // want `s.Count\[i\] is changed without`
	case 2:
		infections++ // want `a handler writes the variable infections`
	case 3:
		if s.Cases.Count() > 0 { // want `stats.Counter.Count in a handler`
			lp.RNG().Unif()
		}
	case 4:
		if who := s.People.Get(lp, 1); who != nil {
			who.Due++ // want `a value of a container is changed through At, Get or Find`
		}
	case 5:
		ross.Send(lp, lp.ID(), 1+rand.Float64(), walk{}) // want `rand.Float64 in a handler`
	case 6:
		ross.Send(lp, lp.ID(), lp.Now()+1, walk{}) // want `Now\(\) is added to a delay`
	case 7:
		ross.Send(lp, lp.ID(), -1, walk{}) // want `a delay of -1`
	case 8:
		ross.StateOf[cell](world.LP(0)).Count[1]++ // want `sim.LP in a handler`
	case 9:
		if time.Now().Nanosecond()%2 == 0 { // want `time.Now in a handler`
			ross.Send(lp, lp.ID(), 1, walk{})
		}
	case 10:
		go func() { ross.Send(lp, lp.ID(), 1, walk{}) }() // want `go statement in a handler`
	}
}

func (p *params) arrive(s *cell, lp *ross.LP, m *arrive) {
	s.Cache++
	if p.mistake == 11 {
		m.Left *= 0.5 // want `the message is changed by what it was, m.Left`
	}
	if m.Left > 1 {
		ross.Send(lp, ross.LPID(lp.RNG().Integer(0, p.side-1)), m.Left, arrive{Left: m.Left - 1})
	}
}

// count is called after the run.
func count(sim *ross.Simulation) (sum int64, err error) {
	return ross.Reduce(sim, func(_ *ross.LP, s *cell) int64 { return s.Count[1] }, func(a, b int64) int64 { return a + b })
}

var _ = []any{(*params).cells, count}
