// Package processes has processes with mistakes, and without.
package processes

import (
	"math/rand"
	"time"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/stats"
)

type shop struct {
	proc.Processes
	Desk   proc.Servers
	Open   proc.Signal
	Items  proc.Store[int]
	Tank   proc.Level
	Orders proc.Mailbox[order]
	Served int64
	Wait   stats.Tally
}

type order struct{ N int64 }

var last *proc.Self

var total int64

var shops = proc.Type(ross.Type[shop]{
	LPs: 3, Lookahead: 0.5, Saving: ross.SaveByLog,
	Init: func(s *shop, lp *ross.LP) {
		proc.Do(lp, s, func(p *proc.Self) { proc.Go(p, (*shop).customer) })
	},
	Event: proc.Mail(func(s *shop) *proc.Mailbox[order] { return &s.Orders }),
})

func (s *shop) customer(p *proc.Self) {
	last = p                                // want `writes the variable last` `the Self of a process is kept in the variable last: it names whichever process runs: keep its PID`
	total++                                 // want `total`
	p.Sleep(rand.Float64())                 // want `rand.Float64 in a handler`
	p.Sleep(float64(time.Now().Unix() % 2)) // want `time.Now`
	p.Sleep(p.Now() + 1)                    // want `Now\(\) is added to a delay: the engine adds it as well`
	p.Work(-1)                              // want `a delay of -1`
	s.Served++                              // want `Served`
	*ross.Write(p.LP(), &s.Served) += 1
	if s.Wait.Count() > 3 { // want `statistic`
		return
	}
	turn, _ := s.Desk.RequestWithin(p, p.LP().Now()+3) // want `Now\(\) is added to a delay`
	s.Desk.Release(p, turn)
	s.Tank.GetWithin(p, 7, -2)                  // want `a delay of -2`
	p.Any(proc.Timeout(-3), s.Open.Fired())     // want `a delay of -3`
	proc.GoAt(p, 2, 0.25, (*shop).customer)     // want `a delay that may be 0.25, below the Lookahead 0.5 of the type`
	proc.At[shop](p, 1, p.RNG().Exponential(1)) // want `a delay that may be 0, below the Lookahead`
}

func (s *shop) spins(p *proc.Self) {
	for { // want `a loop without end that does not wait: the run stands still here`
		if s.Served > 3 {
			proc.Go(p, (*shop).right)
		}
		s.Open.Fire(p)
	}
}

func (s *shop) right(p *proc.Self) {
	for {
		p.Sleep(p.RNG().Exponential(1))
		if !s.pause(p, 3) {
			break
		}
	}
	for i := 0; ; i++ {
		if i > 3 {
			return
		}
	}
}

func (s *shop) pause(p *proc.Self, delay float64) bool {
	for {
		switch p.Any(proc.Timeout(delay), s.Open.Fired(), s.Desk.Turn(0)) {
		case 0:
			return false
		case 2:
			s.Desk.Release(p, p.Turn())
		}
		proc.At[shop](p, p.LP().ID(), 0.1)
		proc.At[shop](p, 2, 0.5+p.RNG().Exponential(1))
	}
}

func (s *shop) waits(p *proc.Self) {
	for {
		s.Open.Wait(p)
	}
}

func (s *shop) reads(p *proc.Self) {
	for {
		s.pause(p, float64(s.Items.Get(p))+float64(s.Orders.Receive(p).N))
	}
}
