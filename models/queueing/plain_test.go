// The same model without On, After, Write and the packages container and stats: one message with a
// kind, rings in slices that Reverse undoes, and statistics that Commit computes. It draws the same
// numbers. Unlike the model, it does not collect results of other ranks.

package main

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/testkit"
)

type plainKind uint8

const (
	plainArrival plainKind = iota
	plainVisit
	plainDone
	plainGiveUp
)

// Bits that events leave for Reverse and Commit.
const (
	plainServed  = iota // a service has begun
	plainWaited         // a customer joined the line
	plainGrew           // the ring has become larger
	plainLeft           // a customer has left the network
	plainIdle           // a server has become idle
	plainGaveUp         // a customer has given up
	plainUrgent         // the customer whose service has begun is urgent
	plainMissing        // there was no such customer
)

type plainMsg struct {
	Kind    plainKind
	Class   int32
	Entered float64
	Number  uint64 // of the customer who loses patience

	// What Event leaves for Reverse and Commit.
	Taken   plainCustomer
	Skipped [2]uint64 // who had given up, by class
	Joined  int32     // class of the line that was joined
}

type plainCustomer struct {
	Entered, Came float64
	Gone          bool
}

// plainRing is the line of a class. Customer n is at n modulo the length, a power of two.
type plainRing struct {
	Ring        []plainCustomer
	First, Next uint64
}

func (r *plainRing) at(n uint64) *plainCustomer { return &r.Ring[n&uint64(len(r.Ring)-1)] }

func (r *plainRing) resize(size int) {
	was := *r
	r.Ring = make([]plainCustomer, size)
	for n := r.First; n < r.Next; n++ {
		*r.at(n) = *was.at(n)
	}
}

func (r *plainRing) push(c plainCustomer) (grew bool) {
	if grew = r.Next-r.First == uint64(len(r.Ring)); grew {
		r.resize(max(2*len(r.Ring), 1))
	}
	*r.at(r.Next) = c
	r.Next++
	return grew
}

func (r *plainRing) unpush(grew bool) {
	r.Next--
	*r.at(r.Next) = plainCustomer{}
	if grew {
		r.resize(len(r.Ring) / 2)
	}
}

func (r *plainRing) pop() plainCustomer {
	c := *r.at(r.First)
	*r.at(r.First) = plainCustomer{}
	r.First++
	return c
}

func (r *plainRing) unpop(c plainCustomer) {
	r.First--
	*r.at(r.First) = c
}

// plainBins counts numbers by size, 16 bins to each power of two from 2^-16 to 2^16.
type plainBins [512]uint32

func (b *plainBins) add(x float64) {
	i := 0
	if x > 0 {
		fraction, exponent := math.Frexp(x)
		i = (exponent+16)*16 + int((fraction-0.5)*32)
	}
	b[min(max(i, 0), len(b)-1)]++
}

func (b *plainBins) quantile(q float64, n uint64) float64 {
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

// plainFigures are the statistics of a station.
type plainFigures struct {
	Wait, Urgent, Stay testkit.Tally
	Bins               plainBins
	Length, Using      testkit.Level
	Served, Lost       uint64
	Missing            uint64 // events of customers who were served before they would have given up
}

type plainStation struct {
	Busy    uint64
	Lines   [2]plainRing
	Figures plainFigures
}

type plainModel struct {
	params
	warmUp, end float64
}

func (p *plainModel) network() ross.Type[plainStation] {
	return ross.Type[plainStation]{
		Name:  "station",
		Label: func(id ross.LPID) string { return fmt.Sprintf("station %d", id) },
		Init:  func(_ *plainStation, lp *ross.LP) { p.next(lp) },
		Event: ross.OnUndo(p.event).Reverse(p.reverse).Commit(p.commit),
		Check: &ross.Checker[plainStation]{
			Digest: func(s *plainStation) any { return s.Busy },
		},
		SerializedSize: func(s *plainStation, _ *ross.LP) int { return len(s.bytes()) },
		Serialize:      func(s *plainStation, _ *ross.LP, b []byte) { copy(b, s.bytes()) },
		Deserialize:    func(s *plainStation, _ *ross.LP, b []byte) error { return s.read(b) },
	}
}

func (p *plainModel) next(lp *ross.LP) {
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/p.arrivals), plainMsg{Kind: plainArrival})
}

func (p *plainModel) event(s *plainStation, lp *ross.LP, bits *ross.Bits, m *plainMsg) {
	switch m.Kind {
	case plainArrival:
		p.next(lp)
		m.Entered, m.Class = lp.Now(), 0
		if lp.RNG().Unif() >= p.urgent {
			m.Class = 1
		}
		p.join(s, lp, bits, m)
	case plainVisit:
		p.join(s, lp, bits, m)
	case plainDone:
		p.done(s, lp, bits, m)
	case plainGiveUp:
		line := &s.Lines[m.Class]
		if m.Number < line.First {
			bits.Set(plainMissing)
			return
		}
		bits.Set(plainGaveUp)
		c := line.at(m.Number)
		m.Taken = *c
		*c = plainCustomer{Gone: true}
	}
}

func (p *plainModel) join(s *plainStation, lp *ross.LP, bits *ross.Bits, m *plainMsg) {
	c := plainCustomer{Entered: m.Entered, Came: lp.Now()}
	if s.Busy < p.servers {
		s.Busy++
		p.serve(lp, bits, m, m.Class, c)
		return
	}
	bits.Set(plainWaited)
	line := &s.Lines[m.Class]
	if p.patience > 0 {
		ross.Send(lp, lp.ID(), lp.RNG().Exponential(p.patience), plainMsg{Kind: plainGiveUp, Class: m.Class, Number: line.Next})
	}
	m.Joined = m.Class
	if line.push(c) {
		bits.Set(plainGrew)
	}
}

func (p *plainModel) serve(lp *ross.LP, bits *ross.Bits, m *plainMsg, class int32, c plainCustomer) {
	bits.Set(plainServed)
	if class == 0 {
		bits.Set(plainUrgent)
	}
	m.Taken = c
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(p.service), plainMsg{Kind: plainDone, Class: class, Entered: c.Entered})
}

func (p *plainModel) done(s *plainStation, lp *ross.LP, bits *ross.Bits, m *plainMsg) {
	if lp.RNG().Unif() < p.leave {
		bits.Set(plainLeft)
	} else {
		to := ross.LPID(lp.RNG().Integer(0, p.stations-1))
		ross.Send(lp, to, p.walk, plainMsg{Kind: plainVisit, Class: m.Class, Entered: m.Entered})
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
	bits.Set(plainIdle)
	s.Busy--
}

func (p *plainModel) reverse(s *plainStation, _ *ross.LP, bits *ross.Bits, m *plainMsg) {
	switch m.Kind {
	case plainArrival, plainVisit:
		if bits.Get(plainWaited) {
			s.Lines[m.Joined].unpush(bits.Get(plainGrew))
		} else {
			s.Busy--
		}
	case plainDone:
		if bits.Get(plainIdle) {
			s.Busy++
		} else if bits.Get(plainUrgent) {
			s.Lines[0].unpop(m.Taken)
		} else {
			s.Lines[1].unpop(m.Taken)
		}
		for class, skipped := range m.Skipped {
			for range skipped {
				s.Lines[class].unpop(plainCustomer{Gone: true})
			}
		}
	case plainGiveUp:
		if bits.Get(plainGaveUp) {
			*s.Lines[m.Class].at(m.Number) = m.Taken
		}
	}
}

// commit computes the statistics.
func (p *plainModel) commit(s *plainStation, lp *ross.LP, bits *ross.Bits, m *plainMsg) {
	f, now := &s.Figures, lp.Now()
	counts := now >= p.warmUp
	switch {
	case bits.Get(plainMissing):
		f.Missing++
	case bits.Get(plainWaited):
		f.Length.Add(now, 1, p.warmUp)
	case bits.Get(plainGaveUp):
		f.Length.Add(now, -1, p.warmUp)
		if counts {
			f.Lost++
		}
	case bits.Get(plainIdle):
		f.Using.Add(now, -1, p.warmUp)
	case bits.Get(plainServed) && m.Kind == plainDone:
		f.Length.Add(now, -1, p.warmUp)
	case bits.Get(plainServed):
		f.Using.Add(now, 1, p.warmUp)
	}
	if !counts {
		return
	}
	if m.Kind == plainDone {
		f.Served++
		if bits.Get(plainLeft) {
			f.Stay.Add(now - m.Entered)
		}
	}
	if bits.Get(plainServed) {
		f.Wait.Add(now - m.Taken.Came)
		f.Bins.add(now - m.Taken.Came)
		if bits.Get(plainUrgent) {
			f.Urgent.Add(now - m.Taken.Came)
		}
	}
}

// total returns the statistics of all stations, whose levels are means over time and stations.
func (p *plainModel) total(sim *ross.Simulation) (all plainFigures) {
	time := float64(sim.TotalLPs()) * (p.end - p.warmUp)
	for id := range uint64(sim.TotalLPs()) {
		f := &ross.StateOf[plainStation](sim.LP(ross.LPID(id))).Figures
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

// bytes returns the state as checkpoints have it.
func (s *plainStation) bytes() []byte {
	order := binary.LittleEndian
	b := order.AppendUint64(nil, s.Busy)
	for i := range s.Lines {
		line := &s.Lines[i]
		b = order.AppendUint64(b, line.First)
		b = order.AppendUint64(b, line.Next)
		b = order.AppendUint64(b, uint64(len(line.Ring)))
		b, _ = binary.Append(b, order, line.Ring)
	}
	b, _ = binary.Append(b, order, &s.Figures)
	return b
}

func (s *plainStation) read(b []byte) error {
	order := binary.LittleEndian
	s.Busy = order.Uint64(b)
	b = b[8:]
	for i := range s.Lines {
		line := &s.Lines[i]
		line.First, line.Next = order.Uint64(b), order.Uint64(b[8:])
		line.Ring = make([]plainCustomer, order.Uint64(b[16:]))
		n, err := binary.Decode(b[24:], order, line.Ring)
		if err != nil {
			return err
		}
		b = b[24+n:]
	}
	_, err := binary.Decode(b, order, &s.Figures)
	return err
}
