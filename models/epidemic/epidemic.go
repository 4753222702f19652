// The model: what people in the cells of a grid do, and how they infect each other.

package main

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/stats"
)

// health is how a person is.
type health uint8

const (
	susceptible health = iota
	exposed            // infected, and not infectious yet
	infectious
	recovered // for good
	healths
)

// ill reports whether the health will change by itself.
func (h health) ill() bool { return h == exposed || h == infectious }

// counts are numbers of people by health.
type counts [healths]int64

func (n counts) plus(m counts) counts {
	for h := range n {
		n[h] += m[h]
	}
	return n
}

// person is somebody in a cell.
type person struct {
	Health health
	Due    float64    // when the health of somebody who is ill changes
	Change ross.Timer // at that time
	Meet   ross.Timer // of an infectious person, when he meets the next one
}

// cell is the state of an LP.
type cell struct {
	People container.Slab[person]
	Count  counts // of those who are here

	Infected stats.Counter `ross:"infections"`
	PerDay   stats.Series  `ross:"infections per day,,every=1"`
	Sick     stats.Level   `ross:"infectious people"`
	Walks    stats.Counter `ross:"walks"`
	Stays    stats.Counter `ross:"walks that were not allowed"`
}

// The messages of a cell.
type (
	leave  struct{ H container.Handle } // somebody walks away
	arrive struct {                     // somebody comes from another cell
		Health health
		Due    float64
	}
	change struct{ H container.Handle } // somebody's health changes
	meet   struct{ H container.Handle } // an infectious person meets somebody
)

// cells returns the type of the cells. Containers, timers and statistics are undone by themselves, and Write saves the
// only other field that changes. So there are no Reverse handlers.
func (p *params) cells() ross.Type[cell] {
	return ross.Type[cell]{
		Label: p.label, Init: p.init, Saving: ross.SaveByLog, NeverStops: true, Lookahead: p.way,
		Event: ross.Events(ross.On(p.leave), ross.On(p.arrive), ross.On(p.change), ross.On(p.meet)),
	}
}

func (p *params) init(c *cell, lp *ross.LP) {
	for i := range p.people {
		if h := p.enter(c, lp, person{}); i < p.seeds && lp.ID() == p.middle() {
			p.become(c, lp, h, exposed)
		}
	}
}

// enter adds a person to the cell, who stays there for some time.
func (p *params) enter(c *cell, lp *ross.LP, who person) container.Handle {
	h := c.People.Add(lp, who)
	c.count(lp, who.Health, 1)
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(p.stay), leave{h})
	if who.Health.ill() {
		p.wait(c.People.Edit(lp, h), lp, h)
	}
	return h
}

// wait sets the timers of somebody who is ill. A change that was due on the way comes at once.
func (p *params) wait(who *person, lp *ross.LP, h container.Handle) {
	if who.Health == infectious {
		who.Meet = ross.After(lp, lp.RNG().Exponential(1/p.contacts), meet{h})
	}
	who.Change = ross.After(lp, max(who.Due-lp.Now(), 0), change{h})
}

// count counts people who come, or leave.
func (c *cell) count(lp *ross.LP, h health, n int64) {
	*ross.Write(lp, &c.Count[h]) += n
	if h == infectious {
		c.Sick.Add(lp, float64(n))
	}
}

func (p *params) leave(c *cell, lp *ross.LP, m *leave) {
	if p.closes > 0 && c.Count[infectious] >= int64(p.closes) {
		c.Stays.Inc(lp)
		ross.Send(lp, lp.ID(), lp.RNG().Exponential(p.stay), *m)
		return
	}
	who, _ := c.People.Remove(lp, m.H)
	who.Change.Cancel(lp)
	who.Meet.Cancel(lp)
	c.count(lp, who.Health, -1)
	c.Walks.Inc(lp)
	ross.Send(lp, p.next(lp), p.way, arrive{who.Health, who.Due})
}

func (p *params) arrive(c *cell, lp *ross.LP, m *arrive) {
	p.enter(c, lp, person{Health: m.Health, Due: m.Due})
}

func (p *params) change(c *cell, lp *ross.LP, m *change) {
	p.become(c, lp, m.H, c.People.Get(lp, m.H).Health+1)
}

func (p *params) meet(c *cell, lp *ross.LP, m *meet) {
	c.People.Edit(lp, m.H).Meet = ross.After(lp, lp.RNG().Exponential(1/p.contacts), *m)
	met := c.People.Random(lp, lp.RNG())
	if c.People.Get(lp, met).Health == susceptible && lp.RNG().Unif() < p.infects {
		p.become(c, lp, met, exposed)
	}
}

// become changes the health of a person to the next one.
func (p *params) become(c *cell, lp *ross.LP, h container.Handle, to health) {
	who := c.People.Edit(lp, h)
	c.count(lp, who.Health, -1)
	c.count(lp, to, 1)
	who.Health = to
	switch to {
	case exposed:
		c.Infected.Inc(lp)
		c.PerDay.Add(lp, 1)
		who.Due = lp.Now() + lp.RNG().Exponential(p.latent)
	case infectious:
		who.Due = lp.Now() + lp.RNG().Exponential(p.sick)
	default:
		who.Meet.Cancel(lp)
		return
	}
	p.wait(who, lp, h)
}
