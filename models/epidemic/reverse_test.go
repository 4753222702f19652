// The same model with Reverse handlers for the counts, instead of Write. Containers, timers and statistics undo
// themselves here, too. The benchmark shows what Reverse gains.

package main

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
)

// tally is what Reverse needs: the health that one less has, and the one that one more has, from 1; 0 is no health.
type tally struct{ Less, More uint8 }

// byReverse is the model with Reverse handlers.
type byReverse struct{ params }

func undo[M any](c *cell, _ *ross.LP, t *tally, _ *M) {
	if t.More > 0 {
		c.Count[t.More-1]--
	}
	if t.Less > 0 {
		c.Count[t.Less-1]++
	}
}

func (p *byReverse) cells() ross.Type[cell] {
	return ross.Type[cell]{
		Name: "cell", Label: p.label, Init: p.init, NeverStops: true, Lookahead: p.way,
		Event: ross.Events(
			ross.OnUndo(p.leave).Reverse(undo[leave]), ross.OnUndo(p.arrive).Reverse(undo[arrive]),
			ross.OnUndo(p.change).Reverse(undo[change]), ross.OnUndo(p.meet).Reverse(undo[meet])),
	}
}

func (p *byReverse) init(c *cell, lp *ross.LP) {
	var t tally
	for i := range p.people {
		if h := p.enter(c, lp, &t, person{}); i < p.seeds && lp.ID() == p.middle() {
			p.become(c, lp, &t, h, exposed)
		}
	}
}

func (p *byReverse) enter(c *cell, lp *ross.LP, t *tally, who person) container.Handle {
	h := c.People.Add(lp, who)
	c.more(lp, t, who.Health)
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(p.stay), leave{h})
	if who.Health.ill() {
		p.wait(c.People.Edit(lp, h), lp, h)
	}
	return h
}

func (c *cell) more(lp *ross.LP, t *tally, h health) {
	t.More = uint8(h) + 1
	c.Count[h]++
	if h == infectious {
		c.Sick.Add(lp, 1)
	}
}

func (c *cell) less(lp *ross.LP, t *tally, h health) {
	t.Less = uint8(h) + 1
	c.Count[h]--
	if h == infectious {
		c.Sick.Add(lp, -1)
	}
}

func (p *byReverse) leave(c *cell, lp *ross.LP, t *tally, m *leave) {
	if p.closes > 0 && c.Count[infectious] >= int64(p.closes) {
		c.Stays.Inc(lp)
		ross.Send(lp, lp.ID(), lp.RNG().Exponential(p.stay), *m)
		return
	}
	who, _ := c.People.Remove(lp, m.H)
	who.Change.Cancel(lp)
	who.Meet.Cancel(lp)
	c.less(lp, t, who.Health)
	c.Walks.Inc(lp)
	ross.Send(lp, p.next(lp), p.way, arrive{who.Health, who.Due})
}

func (p *byReverse) arrive(c *cell, lp *ross.LP, t *tally, m *arrive) {
	p.enter(c, lp, t, person{Health: m.Health, Due: m.Due})
}

func (p *byReverse) change(c *cell, lp *ross.LP, t *tally, m *change) {
	p.become(c, lp, t, m.H, c.People.Get(lp, m.H).Health+1)
}

func (p *byReverse) meet(c *cell, lp *ross.LP, t *tally, m *meet) {
	c.People.Edit(lp, m.H).Meet = ross.After(lp, lp.RNG().Exponential(1/p.contacts), *m)
	met := c.People.Random(lp, lp.RNG())
	if c.People.Get(lp, met).Health == susceptible && lp.RNG().Unif() < p.infects {
		p.become(c, lp, t, met, exposed)
	}
}

func (p *byReverse) become(c *cell, lp *ross.LP, t *tally, h container.Handle, to health) {
	who := c.People.Edit(lp, h)
	c.less(lp, t, who.Health)
	c.more(lp, t, to)
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
