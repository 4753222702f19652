// The same model without On, After, Write and the packages container and stats: one message with a kind, people in a
// slice that Reverse undoes, and statistics that Commit computes. A timer that was cancelled is an event that finds
// another stay than its own. The tests compare statistics, people and speed.

package main

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/rng"
)

type kind uint8

const (
	isLeave kind = iota
	isArrive
	isChange
	isMeet
)

// Bits that events leave for Reverse and Commit.
const (
	bitPassed   = iota // the timer was cancelled
	bitStayed          // nobody may leave
	bitNew             // somebody got a place that nobody has had
	bitInfected        // somebody was infected
)

// note is the message of a cell.
type note struct {
	Kind    kind
	Health  health // of somebody who arrives; Event leaves it for Commit
	H, Stay uint32 // who, and which stay in that place
	Due     float64

	// What Event leaves for Reverse.
	Was    float64 // Due of the person before
	Before health
	Met    uint32 // who was infected
}

// handPerson is a place in a cell.
type handPerson struct {
	Due    float64
	Link   uint32 // here, or the free place after this one
	Stay   uint32 // how many have left this place
	Health health
}

const here = ^uint32(0)

type handCell struct {
	People  []handPerson // the first has number 1
	N, Free uint32
	Count   counts
	Figures handFigures
}

// handFigures are the statistics of a cell.
type handFigures struct {
	Infected, Walks, Stays uint64
	Passed                 uint64 // events whose timers were cancelled
	PerDay                 []uint64
	Sick                   testkit.Level
}

type byHand struct {
	params
	warmUp, end float64
}

func (p *byHand) cells() ross.Type[handCell] {
	return ross.Type[handCell]{
		Name: "cell", Init: p.init, NeverStops: true, Lookahead: p.way,
		Event: ross.OnUndo(p.event).Reverse(p.reverse).Commit(p.commit),
	}
}

func (p *byHand) init(c *handCell, lp *ross.LP) {
	var bits ross.Bits
	for i := range p.people {
		var m note
		p.enter(c, lp, &bits, &m)
		if i < p.seeds && lp.ID() == p.middle() {
			p.infect(c, lp, m.H)
			p.infected(c, lp)
		}
	}
}

func (p *byHand) enter(c *handCell, lp *ross.LP, bits *ross.Bits, m *note) {
	if c.Free == 0 {
		bits.Set(bitNew)
		c.People = append(c.People, handPerson{Due: m.Due, Link: here, Health: m.Health})
		m.H = uint32(len(c.People))
	} else {
		m.H = c.Free
		q := &c.People[m.H-1]
		m.Was, m.Before, c.Free = q.Due, q.Health, q.Link
		q.Due, q.Link, q.Health = m.Due, here, m.Health
	}
	c.N++
	c.Count[m.Health]++
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(p.stay), note{Kind: isLeave, H: m.H})
	if m.Health.ill() {
		p.wait(&c.People[m.H-1], lp, m.H)
	}
}

func (p *byHand) wait(q *handPerson, lp *ross.LP, h uint32) {
	if q.Health == infectious {
		p.next(lp, h, q.Stay)
	}
	ross.Send(lp, lp.ID(), max(q.Due-lp.Now(), 0), note{Kind: isChange, H: h, Stay: q.Stay})
}

// next sends the next meeting of somebody.
func (p *byHand) next(lp *ross.LP, h, stay uint32) {
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/p.contacts), note{Kind: isMeet, H: h, Stay: stay})
}

func (p *byHand) infect(c *handCell, lp *ross.LP, h uint32) {
	q := &c.People[h-1]
	c.Count[susceptible]--
	c.Count[exposed]++
	q.Health, q.Due = exposed, lp.Now()+lp.RNG().Exponential(p.latent)
	p.wait(q, lp, h)
}

func (p *byHand) event(c *handCell, lp *ross.LP, bits *ross.Bits, m *note) {
	if m.Kind == isArrive {
		p.enter(c, lp, bits, m)
		return
	}
	q := &c.People[m.H-1]
	switch m.Kind {
	case isLeave:
		if p.closes > 0 && c.Count[infectious] >= int64(p.closes) {
			bits.Set(bitStayed)
			ross.Send(lp, lp.ID(), lp.RNG().Exponential(p.stay), note{Kind: isLeave, H: m.H})
			return
		}
		m.Health = q.Health
		c.Count[q.Health]--
		q.Link, c.Free = c.Free, m.H
		q.Stay++
		c.N--
		ross.Send(lp, p.params.next(lp), p.way, note{Kind: isArrive, Health: q.Health, Due: q.Due})
	case isChange:
		if q.Stay != m.Stay {
			bits.Set(bitPassed)
			return
		}
		m.Was = q.Due
		c.Count[q.Health]--
		q.Health++
		c.Count[q.Health]++
		if m.Health = q.Health; q.Health == infectious {
			q.Due = lp.Now() + lp.RNG().Exponential(p.sick)
			p.wait(q, lp, m.H)
		}
	case isMeet:
		if q.Stay != m.Stay || q.Health != infectious {
			bits.Set(bitPassed)
			return
		}
		p.next(lp, m.H, m.Stay)
		met := c.random(lp.RNG())
		if c.People[met-1].Health == susceptible && lp.RNG().Unif() < p.infects {
			bits.Set(bitInfected)
			m.Met, m.Was = met, c.People[met-1].Due
			p.infect(c, lp, met)
		}
	}
}

// random draws somebody who is here, as container.Slab does.
func (c *handCell) random(r *rng.Stream) uint32 {
	n, places := int64(c.N), int64(len(c.People))
	if n == places {
		return uint32(r.Integer(0, n-1)) + 1
	}
	for range 32 {
		if i := r.Integer(0, places-1); c.People[i].Link == here {
			return uint32(i) + 1
		}
	}
	left := r.Integer(0, n-1)
	for i := range c.People {
		if c.People[i].Link == here {
			if left == 0 {
				return uint32(i) + 1
			}
			left--
		}
	}
	panic("nobody is here")
}

func (p *byHand) reverse(c *handCell, _ *ross.LP, bits *ross.Bits, m *note) {
	if bits.Get(bitPassed) || bits.Get(bitStayed) {
		return
	}
	switch q := &c.People[m.H-1]; m.Kind {
	case isLeave:
		c.N++
		q.Stay--
		c.Free, q.Link = q.Link, here
		c.Count[q.Health]++
	case isArrive:
		c.N--
		c.Count[m.Health]--
		if bits.Get(bitNew) {
			c.People = c.People[:len(c.People)-1]
			return
		}
		q.Due, q.Link, q.Health, c.Free = m.Was, c.Free, m.Before, m.H
	case isChange:
		c.Count[q.Health]--
		q.Health--
		c.Count[q.Health]++
		q.Due = m.Was
	case isMeet:
		if bits.Get(bitInfected) {
			c.Count[exposed]--
			c.Count[susceptible]++
			q = &c.People[m.Met-1]
			q.Health, q.Due = susceptible, m.Was
		}
	}
}

// commit computes the statistics.
func (p *byHand) commit(c *handCell, lp *ross.LP, bits *ross.Bits, m *note) {
	f, now := &c.Figures, lp.Now()
	if bits.Get(bitPassed) {
		f.Passed++
		return
	}
	switch m.Kind {
	case isLeave:
		if bits.Get(bitStayed) {
			if now >= p.warmUp {
				f.Stays++
			}
			return
		}
		if now >= p.warmUp {
			f.Walks++
		}
		if m.Health == infectious {
			f.Sick.Add(now, -1, p.warmUp)
		}
	case isArrive:
		if m.Health == infectious {
			f.Sick.Add(now, 1, p.warmUp)
		}
	case isChange:
		if m.Health == infectious {
			f.Sick.Add(now, 1, p.warmUp)
		} else {
			f.Sick.Add(now, -1, p.warmUp)
		}
	case isMeet:
		if bits.Get(bitInfected) {
			p.infected(c, lp)
		}
	}
}

// infected counts an infection.
func (p *byHand) infected(c *handCell, lp *ross.LP) {
	f, day := &c.Figures, int(lp.Now())
	if lp.Now() < p.warmUp {
		return
	}
	f.Infected++
	for len(f.PerDay) <= day {
		f.PerDay = append(f.PerDay, 0)
	}
	f.PerDay[day]++
}

// total returns the statistics of all cells, whose level is the mean over time and cells.
func (p *byHand) total(sim *ross.Simulation) (all handFigures) {
	time := float64(sim.TotalLPs()) * (p.end - p.warmUp)
	for id := range uint64(sim.TotalLPs()) {
		f := &ross.StateOf[handCell](sim.LP(ross.LPID(id))).Figures
		all.Infected += f.Infected
		all.Walks += f.Walks
		all.Stays += f.Stays
		all.Passed += f.Passed
		for day, n := range f.PerDay {
			for len(all.PerDay) <= day {
				all.PerDay = append(all.PerDay, 0)
			}
			all.PerDay[day] += n
		}
		f.Sick.Add(p.end, 0, p.warmUp)
		all.Sick.Merge(&f.Sick, time)
	}
	return all
}
