// The same model without On, After, Write and the packages container and stats: one message with a kind, rings in
// slices that Reverse undoes, and statistics that Commit computes. It draws the same numbers. A timer that was
// cancelled is an event that finds nobody. The tests compare statistics and speed.

package main

import (
	"fmt"
	"math"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/testkit"
)

type kind uint8

const (
	isArrival kind = iota
	isVisit
	isDone
	isGiveUp
)

// Bits that events leave for Reverse and Commit.
const (
	bitServed  = iota // a service has begun
	bitWaited         // a customer joined the line
	bitGrew           // the ring has become larger
	bitLeft           // a customer has left the network
	bitIdle           // a server has become idle
	bitGaveUp         // a customer has given up
	bitUrgent         // the customer whose service has begun is urgent
	bitMissing        // there was no such customer
)

type note struct {
	Kind    kind
	Class   int32
	Entered float64
	Number  uint64 // of the customer who loses patience

	// What Event leaves for Reverse and Commit.
	Taken   handCustomer
	Skipped [2]uint64 // who had given up, by class
	Joined  int32     // class of the line that was joined
}

type handCustomer struct {
	Entered, Came float64
	Gone          bool
}

// handRing is the line of a class. Customer n is at n modulo the length, a power of two.
type handRing struct {
	Ring        []handCustomer
	First, Next uint64
}

func (r *handRing) at(n uint64) *handCustomer { return &r.Ring[n&uint64(len(r.Ring)-1)] }

func (r *handRing) resize(size int) {
	was := *r
	r.Ring = make([]handCustomer, size)
	for n := r.First; n < r.Next; n++ {
		*r.at(n) = *was.at(n)
	}
}

func (r *handRing) push(c handCustomer) (grew bool) {
	if grew = r.Next-r.First == uint64(len(r.Ring)); grew {
		r.resize(max(2*len(r.Ring), 1))
	}
	*r.at(r.Next) = c
	r.Next++
	return grew
}

func (r *handRing) unpush(grew bool) {
	r.Next--
	*r.at(r.Next) = handCustomer{}
	if grew {
		r.resize(len(r.Ring) / 2)
	}
}

func (r *handRing) pop() handCustomer {
	c := *r.at(r.First)
	*r.at(r.First) = handCustomer{}
	r.First++
	return c
}

func (r *handRing) unpop(c handCustomer) {
	r.First--
	*r.at(r.First) = c
}

// handBins counts numbers by size, 16 bins to each power of two from 2^-16 to 2^16.
type handBins [512]uint32

func (b *handBins) add(x float64) {
	i := 0
	if x > 0 {
		fraction, exponent := math.Frexp(x)
		i = (exponent+16)*16 + int((fraction-0.5)*32)
	}
	b[min(max(i, 0), len(b)-1)]++
}

func (b *handBins) quantile(q float64, n uint64) float64 {
	left := q * float64(n)
	for i, count := range b {
		if left -= float64(count); left <= 0 && i > 0 {
			return math.Ldexp(0.5+(float64(i%16)+0.5)/32, i/16-16)
		} else if left <= 0 {
			return 0
		}
	}
	return math.NaN()
}

// handFigures are the statistics of a station.
type handFigures struct {
	Wait, Urgent, Stay testkit.Tally
	Bins               handBins
	Length, Using      testkit.Level
	Served, Lost       uint64
	Missing            uint64 // events of customers who were served before they would have given up
}

type handStation struct {
	Busy    uint64
	Lines   [2]handRing
	Figures handFigures
}

type byHand struct {
	params
	warmUp, end float64
}

func (p *byHand) network() ross.Type[handStation] {
	return ross.Type[handStation]{
		Name:       "station",
		Label:      func(id ross.LPID) string { return fmt.Sprintf("station %d", id) },
		Init:       func(_ *handStation, lp *ross.LP) { p.next(lp) },
		Event:      ross.OnUndo(p.event).Reverse(p.reverse).Commit(p.commit),
		NeverStops: true,
	}
}

func (p *byHand) next(lp *ross.LP) {
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/p.arrivals), note{Kind: isArrival})
}

func (p *byHand) event(s *handStation, lp *ross.LP, bits *ross.Bits, m *note) {
	switch m.Kind {
	case isArrival:
		p.next(lp)
		m.Entered, m.Class = lp.Now(), 0
		if lp.RNG().Unif() >= p.urgent {
			m.Class = 1
		}
		p.join(s, lp, bits, m)
	case isVisit:
		p.join(s, lp, bits, m)
	case isDone:
		p.done(s, lp, bits, m)
	case isGiveUp:
		line := &s.Lines[m.Class]
		if m.Number < line.First {
			bits.Set(bitMissing)
			return
		}
		bits.Set(bitGaveUp)
		c := line.at(m.Number)
		m.Taken = *c
		*c = handCustomer{Gone: true}
	}
}

func (p *byHand) join(s *handStation, lp *ross.LP, bits *ross.Bits, m *note) {
	c := handCustomer{Entered: m.Entered, Came: lp.Now()}
	if s.Busy < p.servers {
		s.Busy++
		p.serve(lp, bits, m, m.Class, c)
		return
	}
	bits.Set(bitWaited)
	line := &s.Lines[m.Class]
	if p.patience > 0 {
		ross.Send(lp, lp.ID(), lp.RNG().Exponential(p.patience),
			note{Kind: isGiveUp, Class: m.Class, Number: line.Next})
	}
	m.Joined = m.Class
	if line.push(c) {
		bits.Set(bitGrew)
	}
}

func (p *byHand) serve(lp *ross.LP, bits *ross.Bits, m *note, class int32, c handCustomer) {
	bits.Set(bitServed)
	if class == 0 {
		bits.Set(bitUrgent)
	}
	m.Taken = c
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(p.service), note{Kind: isDone, Class: class, Entered: c.Entered})
}

func (p *byHand) done(s *handStation, lp *ross.LP, bits *ross.Bits, m *note) {
	if lp.RNG().Unif() < p.leave {
		bits.Set(bitLeft)
	} else {
		to := ross.LPID(lp.RNG().Integer(0, p.stations-1))
		ross.Send(lp, to, p.walk, note{Kind: isVisit, Class: m.Class, Entered: m.Entered})
	}
	m.Skipped = [2]uint64{}
	for class := range s.Lines {
		line := &s.Lines[class]
		for line.First < line.Next {
			c := line.pop()
			if !c.Gone {
				p.serve(lp, bits, m, int32(class), c)
				return
			}
			m.Skipped[class]++
		}
	}
	bits.Set(bitIdle)
	s.Busy--
}

func (p *byHand) reverse(s *handStation, _ *ross.LP, bits *ross.Bits, m *note) {
	switch m.Kind {
	case isArrival, isVisit:
		if bits.Get(bitWaited) {
			s.Lines[m.Joined].unpush(bits.Get(bitGrew))
		} else {
			s.Busy--
		}
	case isDone:
		if bits.Get(bitIdle) {
			s.Busy++
		} else if bits.Get(bitUrgent) {
			s.Lines[0].unpop(m.Taken)
		} else {
			s.Lines[1].unpop(m.Taken)
		}
		for class, skipped := range m.Skipped {
			for range skipped {
				s.Lines[class].unpop(handCustomer{Gone: true})
			}
		}
	case isGiveUp:
		if bits.Get(bitGaveUp) {
			*s.Lines[m.Class].at(m.Number) = m.Taken
		}
	}
}

// commit computes the statistics.
func (p *byHand) commit(s *handStation, lp *ross.LP, bits *ross.Bits, m *note) {
	f, now := &s.Figures, lp.Now()
	counts := now >= p.warmUp
	switch {
	case bits.Get(bitMissing):
		f.Missing++
	case bits.Get(bitWaited):
		f.Length.Add(now, 1, p.warmUp)
	case bits.Get(bitGaveUp):
		f.Length.Add(now, -1, p.warmUp)
		if counts {
			f.Lost++
		}
	case bits.Get(bitIdle):
		f.Using.Add(now, -1, p.warmUp)
	case bits.Get(bitServed) && m.Kind == isDone:
		f.Length.Add(now, -1, p.warmUp)
	case bits.Get(bitServed):
		f.Using.Add(now, 1, p.warmUp)
	}
	if !counts {
		return
	}
	if m.Kind == isDone {
		f.Served++
		if bits.Get(bitLeft) {
			f.Stay.Add(now - m.Entered)
		}
	}
	if bits.Get(bitServed) {
		f.Wait.Add(now - m.Taken.Came)
		f.Bins.add(now - m.Taken.Came)
		if bits.Get(bitUrgent) {
			f.Urgent.Add(now - m.Taken.Came)
		}
	}
}

// total returns the statistics of all stations, whose levels are means over time and stations.
func (p *byHand) total(sim *ross.Simulation) (all handFigures) {
	time := float64(sim.TotalLPs()) * (p.end - p.warmUp)
	for id := range uint64(sim.TotalLPs()) {
		f := &ross.StateOf[handStation](sim.LP(ross.LPID(id))).Figures
		all.Wait.Merge(&f.Wait)
		all.Urgent.Merge(&f.Urgent)
		all.Stay.Merge(&f.Stay)
		for i, n := range f.Bins {
			all.Bins[i] += n
		}
		for _, level := range []struct{ to, from *testkit.Level }{{&all.Length, &f.Length}, {&all.Using, &f.Using}} {
			level.from.Add(p.end, 0, p.warmUp)
			level.to.Merge(level.from, time)
		}
		all.Served += f.Served
		all.Lost += f.Lost
		all.Missing += f.Missing
	}
	return all
}
