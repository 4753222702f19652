package models

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/resource"
)

// House is the parameters of an inn. Each type of inns has others.
type House struct {
	Nights      int
	Night, Way  float64
	Prices      []float64 // of meals
	Inns, Rooms int       // of all houses, and of the inn
}

// Inn is where guests stay, who use parameters of the house that they come from, and of the one where they are.
type Inn struct {
	proc.Processes
	Rooms  proc.Servers
	Paid   float64
	Reason [6]uint64
}

func (s *Inn) opens(p *proc.Self) {
	m := proc.Param[House](p)
	s.Rooms.Open(p.LP(), resource.Rules{Servers: m.Rooms})
	for i := 0; ; i++ {
		p.Sleep(p.RNG().Exponential(m.Night))
		guest := proc.Go1(p, (*Inn).guest, i%len(m.Prices))
		proc.Go1(p, (*Inn).pays, i%2)
		if proc.Go1(p, (*Inn).traveller, i); i%4 == 3 {
			proc.Go1(p, (*Inn).calls, guest)
		}
	}
}

// guest stays for some nights, and pays when he leaves, also if he is called away.
func (s *Inn) guest(p *proc.Self, meal int) {
	m, came := proc.Param[House](p), p.Now()
	turn := s.Rooms.Request(p)
	defer s.Rooms.Release(p, turn)
	defer func() { s.Paid += m.Prices[meal] * (p.Now() - came) }()
	for night := 0; night < m.Nights; night++ {
		if m := proc.Param[House](p); m.Nights > night+1 { // another m
			p.Sleep(m.Night / 2)
			s.Reason[0] += uint64(len(m.Prices))
		}
		p.Sleep(m.Night)
		price := s.eats(p, meal)
		more := func() float64 { return price + m.Prices[0] }
		s.Paid += more()
	}
	s.Reason[1]++
}

// eats waits for a meal, and returns its price.
func (s *Inn) eats(p *proc.Self, meal int) float64 {
	m := proc.Param[House](p)
	for range meal {
		p.Sleep(m.Night / 16)
	}
	return m.Prices[meal]
}

// pays for a night, and may only rest: nobody has given tents parameters.
func (s *Inn) pays(p *proc.Self, nights int) {
	p.Sleep(0.5)
	if nights == 0 {
		return
	}
	m := proc.Param[House](p)
	defer func() { s.Paid += m.Prices[0] }()
	p.Sleep(m.Night * float64(nights))
}

// calls somebody away.
func (s *Inn) calls(p *proc.Self, guest proc.PID) {
	m := proc.Param[House](p)
	p.Sleep(m.Night * float64(m.Nights))
	if p.Kill(guest) {
		s.Reason[2]++
	}
}

// traveller goes from inn to inn with what he pays at home in mind.
func (s *Inn) traveller(p *proc.Self, n int) {
	home, m, owes := p.LP().ID(), proc.Param[House](p), 0.
	for i := range m.Nights {
		s = proc.At[Inn](p, (home+ross.LPID(i)+1)%ross.LPID(m.Inns), m.Way)
		here := proc.Param[House](p)
		p.Sleep(here.Night)
		price := here.Prices[n%len(here.Prices)]
		if price+2 > m.Prices[0] {
			s.Reason[3]++
			continue
		}
		s.Reason[4]++
		owes += s.walks(p, m.Way, n) + price + float64(m.Rooms+here.Rooms)
	}
	s = proc.At[Inn](p, home, m.Way)
	s.Paid += owes + m.Prices[0]
	s.Reason[5]++
}

// walks goes to the next inn and back, and returns a price of where it began.
func (s *Inn) walks(p *proc.Self, way float64, n int) float64 {
	from, m := p.LP().ID(), proc.Param[House](p)
	proc.At[Inn](p, (from+1)%ross.LPID(m.Inns), way)
	p.Sleep(m.Night)
	proc.At[Inn](p, from, m.Way)
	return m.Prices[n%len(m.Prices)]
}

// Inns returns three types, whose inns cost more and more, and a fourth one of tents.
func Inns() (all []ross.LPType) {
	for i := range 3 {
		f := float64(i + 1)
		h := &House{Nights: 2 + i, Night: 1 + f/8, Way: 0.25 + f/16, Prices: []float64{3 * f, 5 * f, 7 * f}[:1+(i+1)%3],
			Inns: 6, Rooms: 2 + i}
		t := ross.Type[Inn]{Name: []string{"huts", "inns", "hotels"}[i], LPs: 2, Init: proc.Start((*Inn).opens), Lookahead: 0.25}
		all = append(all, proc.Type(t, proc.Given(h)))
	}
	rests := func(s *Inn, lp *ross.LP) {
		proc.Do(lp, s, func(p *proc.Self) { proc.Go1(p, (*Inn).pays, 0) })
	}
	return append(all, proc.Type(ross.Type[Inn]{Name: "tents", LPs: 1, Init: rests, Lookahead: 0.25}))
}
