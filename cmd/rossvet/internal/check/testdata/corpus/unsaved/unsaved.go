// Package unsaved is for the analyzer of that name.
package unsaved

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/stats"
)

type port struct{ Credits, Sent int64 }

func (p *port) use() { p.Credits-- } // want `s.Ports\[i\].Credits is changed without ross.Save or ross.Write`

type state struct {
	Length, Busy int64
	Ports        [4]port
	Cache        int64 `ross:"-"`
	Line         container.Queue[port]
	Block        ross.Block[port]
	Served       stats.Counter
}

type msg struct{ Hops int64 }

var log = ross.Type[state]{Saving: ross.SaveByLog, Event: ross.On((*state).Event)}

func (s *state) Event(lp *ross.LP, m *msg) {
	s.Busy++ // want `s.Busy is changed without ross.Save or ross.Write: the type has SaveByLog, so a rollback does not restore it: change it through ross.Write\(lp, &s.Busy\)`
	s.Ports[1].use()
	p := &s.Ports[2]
	p.Sent++                  // want `s.Ports\[i\].Sent is changed without`
	s.Block.Of(lp)[0].Sent++  // want `s.Block\[i\].Sent is changed without`
	s.Length = 1              // want `s.Length is changed without`
	ross.Save(lp, &s.Length)  // too late
	s.Line.At(lp, 0).Sent = 2 // want `a value of a container is changed through At, Get or Find, which are for reading`
	m.Hops++                  // want `the message is changed by what it was, m.Hops`
	s.Served.Inc(lp)
}

var on = ross.Type[state]{
	Saving: ross.SaveByLog, Init: (*state).init,
	Event: ross.Events(ross.On((*state).right), ross.On(func(s *state, lp *ross.LP, m *msg) {
		*s = state{} // want `\*s is changed without`
	})),
}

func (s *state) init(*ross.LP) { s.Length = 1 }

func (s *state) save(lp *ross.LP) { ross.Save(lp, &s.Length) }

func (s *state) longer(lp *ross.LP) int64 {
	ross.Save(lp, &s.Busy)
	return s.Busy
}

func (s *state) right(lp *ross.LP, m *msg) {
	*ross.Write(lp, &s.Length)++
	p := ross.Write(lp, &s.Ports[1])
	p.use()
	p.Sent++
	s.save(lp)
	s.Length = 2
	s.Busy = 1 + s.longer(lp)
	s.Cache++
	s.Line.Push(lp, port{})
	s.Line.Edit(lp, 0).Sent++
	s.Served.Inc(lp)
	copied := s.Ports[2]
	copied.Sent++
	q := ross.Write(lp, &s.Block.Of(lp)[0])
	q.Credits = copied.Sent
	hops := m.Hops
	hops++
	ross.Save(lp, m)
	m.Hops = hops
	m.Hops++
	s.ignored()
}

//rossvet:ignore it is only shown on the screen
func (s *state) ignored() { s.Ports[3].Sent++ }

// other types have no SaveByLog.
var other = ross.Type[delta]{Saving: ross.SaveByDelta, Event: ross.On(func(s *delta, _ *ross.LP, _ *msg) { s.N++ })}

type delta struct{ N int64 }

var _ = []ross.LPType{log, on, other}
