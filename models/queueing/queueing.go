// This file owns the model: the stations of the network, their messages and their statistics.

package main

import (
	"fmt"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/stats"
)

// params are the parameters of the model, by flag.
type params struct {
	servers                                          uint64
	arrivals, service, leave, urgent, patience, walk float64

	stations int64 // on all PEs
}

// station is the state of an LP: servers, and lines of customers before them.
type station struct {
	Busy  uint64                       // servers
	Lines [2]container.Queue[customer] // by class: urgent customers and others
	Heads [2]uint64                    // numbers of the first customers in the lines

	Wait   stats.Histogram `ross:"waiting time"`           // of those who are served
	Urgent stats.Tally     `ross:"waiting time of urgent"` // of these, the urgent ones
	Length stats.Level     `ross:"customers waiting,,every=5"`
	Using  stats.Level     `ross:"servers busy"`
	Served stats.Counter   `ross:"services"`
	Lost   stats.Counter   `ross:"gave up"`
	Stay   stats.Tally     `ross:"time in network"` // of those who leave after a service
}

// who is what a customer carries from station to station.
type who struct {
	Entered float64 // time of arrival from outside
	Class   int32   // 0: urgent, 1: other
}

// customer is a customer in a line.
type customer struct {
	Entered, Came float64
	Patience      ross.Timer
	Gone          bool // gave up, and is still in the line
}

// The messages of a station.
type (
	arrival struct{}      // a customer comes from outside
	visit   struct{ who } // a customer comes from another station
	done    struct{ who } // the service of a customer ends
	giveUp  struct {      // a customer has waited for too long
		Number uint64 // in the line of its class
		Class  int32
	}
)

// network returns the type of the stations. Containers and statistics are undone by themselves, and
// Write saves the only other field that changes. So there are no Reverse handlers.
func (p *params) network() ross.Type[station] {
	return ross.Type[station]{
		Name:       "station",
		NeverStops: true,
		Label:      func(id ross.LPID) string { return fmt.Sprintf("station %d", id) },
		Saving:     ross.SaveByLog,
		Init:       func(_ *station, lp *ross.LP) { p.next(lp) },
		Event:      ross.Events(ross.On(p.arrival), ross.On(p.visit), ross.On(p.done), ross.On(p.giveUp)),
	}
}

// next sends the next customer from outside.
func (p *params) next(lp *ross.LP) {
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/p.arrivals), arrival{})
}

func (p *params) arrival(s *station, lp *ross.LP, _ *arrival) {
	p.next(lp)
	w := who{Entered: lp.Now()}
	if lp.RNG().Unif() >= p.urgent {
		w.Class = 1
	}
	p.join(s, lp, w)
}

func (p *params) visit(s *station, lp *ross.LP, m *visit) { p.join(s, lp, m.who) }

// join has a customer served at once, or puts it into the line.
func (p *params) join(s *station, lp *ross.LP, w who) {
	if s.Busy < p.servers {
		*ross.Write(lp, &s.Busy)++
		s.Using.Add(lp, 1)
		p.serve(s, lp, w, 0)
		return
	}
	line, c := &s.Lines[w.Class], customer{Entered: w.Entered, Came: lp.Now()}
	if p.patience > 0 {
		m := giveUp{s.Heads[w.Class] + uint64(line.Len()), w.Class}
		c.Patience = ross.After(lp, lp.RNG().Exponential(p.patience), m)
	}
	line.Push(lp, c)
	s.Length.Add(lp, 1)
}

// serve begins the service of a customer who has waited for a time. There is a server for it.
func (p *params) serve(s *station, lp *ross.LP, w who, waited float64) {
	s.Wait.Add(lp, waited)
	if w.Class == 0 {
		s.Urgent.Add(lp, waited)
	}
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(p.service), done{w})
}

// done sends a customer on, and takes the next one from the lines.
func (p *params) done(s *station, lp *ross.LP, m *done) {
	s.Served.Inc(lp)
	if lp.RNG().Unif() < p.leave {
		s.Stay.Add(lp, lp.Now()-m.Entered)
	} else {
		to := ross.LPID(lp.RNG().Integer(0, p.stations-1))
		ross.Send(lp, to, p.walk, visit(*m))
	}
	for class := range s.Lines {
		for line := &s.Lines[class]; line.Len() > 0; {
			c, _ := line.Pop(lp)
			*ross.Write(lp, &s.Heads[class])++
			if !c.Gone {
				c.Patience.Cancel(lp)
				s.Length.Add(lp, -1)
				p.serve(s, lp, who{c.Entered, int32(class)}, lp.Now()-c.Came)
				return
			}
		}
	}
	*ross.Write(lp, &s.Busy)--
	s.Using.Add(lp, -1)
}

// giveUp handles the end of a customer's patience. The customer stays in the line and is passed
// over.
func (p *params) giveUp(s *station, lp *ross.LP, m *giveUp) {
	s.Lines[m.Class].Edit(lp, int(m.Number-s.Heads[m.Class])).Gone = true
	s.Length.Add(lp, -1)
	s.Lost.Inc(lp)
}
