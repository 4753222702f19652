// Package undo has Reverse handlers that forget something.
package undo

import (
	"encoding/binary"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/stats"
)

type port struct{ Credits, Sent int64 }

func (p *port) send()   { p.Credits--; p.Sent++ }
func (p *port) unsend() { p.Credits++; p.Sent-- }

type core struct{ Handled int64 }

type state struct {
	core
	N, M   int64
	Ports  [4]port
	Bytes  [8]byte
	Cache  int64 `ross:"-"`
	Line   container.Queue[int64]
	Served stats.Counter
}

type msg struct{ N int64 }

var wrong = ross.Type[state]{
	Event: ross.On(func(s *state, lp *ross.LP, m *msg) {
		s.N++
		s.M += m.N  // want `Reverse undoes nothing of s.M, which is changed here: after a rollback it is wrong: undo it in Reverse, or call ross.Save\(lp, &s.M\) before the change`
		s.Handled++ // want `Reverse undoes nothing of s.core.Handled`
		s.Ports[0].Sent++
		s.Ports[1].Credits-- // want `Reverse undoes nothing of s.Ports\[i\].Credits`
	}).Reverse(func(s *state, lp *ross.LP, m *msg) {
		s.N--
		s.Ports[0].Sent--
	}),
}

var explicit = ross.Type[state]{
	Saving: ross.SaveByReverse,
	Event:  ross.On((*state).event).Reverse((*state).reverse),
}

func (s *state) event(lp *ross.LP, m *msg) {
	s.step()
	binary.LittleEndian.PutUint64(s.Bytes[:], 1)
}

func (s *state) step() {
	s.N++ // want `state.reverse undoes nothing of s.N, which is changed here`
	s.M++
}

func (s *state) reverse(lp *ross.LP, m *msg) { s.M-- }

var on = ross.Type[state]{Event: ross.Events(
	ross.On(func(s *state, lp *ross.LP, m *msg) {
		s.N = 3 // want `Reverse undoes nothing of s.N`
	}).Reverse(func(s *state, lp *ross.LP, m *msg) {
		s.M--
	}),
	ross.On(func(s *state, lp *ross.LP, m *port) { s.M++ }).Reverse(func(s *state, _ *ross.LP, _ *port) { s.M-- }),
)}

var point = ross.Type[state]{
	Event: ross.On(func(*state, *ross.LP, *msg) {}),
	Point: func(s *state, lp *ross.LP, buf []byte) {
		s.N = 0 // want `Reverse undoes nothing of s.N`
	},
	ReversePoint: func(s *state, lp *ross.LP, buf []byte) { s.M = 0 },
}

var right = []ross.LPType{
	ross.Type[state]{
		Event: ross.On(func(s *state, lp *ross.LP, m *msg) {
			s.N++
			ross.Save(lp, &s.M)
			s.M = 7
			s.Cache++
			s.Line.Push(lp, 1)
			s.Served.Inc(lp)
			p := ross.Write(lp, &s.Ports[2])
			p.send()
			s.Ports[1].send()
			m.N, s.Handled = s.Handled, 5
			ross.Send(lp, 0, lp.RNG().Unif(), msg{})
			binary.LittleEndian.PutUint64(s.Bytes[:], 1)
		}).Reverse(func(s *state, lp *ross.LP, m *msg) {
			s.N--
			s.Ports[1].unsend()
			s.core = core{m.N}
		}).Commit(func(s *state, lp *ross.LP, m *msg) { s.Bytes[1]++ }),
	},
	ross.Type[state]{
		Event: ross.On(func(s *state, lp *ross.LP, m *msg) { s.N++ }).Reverse(func(s *state, lp *ross.LP, m *msg) { restore(s) }),
	},
	ross.Type[state]{
		Event: ross.On(func(s *state, lp *ross.LP, m *msg) { s.Bytes[0]++ }).Reverse(func(s *state, lp *ross.LP, m *msg) {
			binary.LittleEndian.PutUint64(s.Bytes[:], uint64(m.N))
		}),
	},
	ross.Type[state]{
		Check: &ross.Checker[state]{Digest: func(s *state) any { return s.N }},
		Event: ross.On(func(s *state, lp *ross.LP, m *msg) { s.M++ }).Reverse(func(s *state, lp *ross.LP, m *msg) {}),
	},
	ross.Type[state]{
		Saving: ross.SaveByDelta,
		Event:  ross.On(func(s *state, lp *ross.LP, m *msg) { s.M++ }).Reverse(func(s *state, lp *ross.LP, m *msg) {}),
	},
}

type sums struct {
	Sum, Part, Whole float64
	Ports            [2]struct{ Load float32 }
}

var rounding = ross.Type[sums]{
	Event: ross.On(func(s *sums, lp *ross.LP, m *msg) {
		s.Sum += lp.Now()
		s.Part += 0.1
		s.Whole += 2
		s.Whole += float64(m.N)
		s.Ports[1].Load -= float32(lp.Now())
	}).Reverse(func(s *sums, lp *ross.LP, m *msg) {
		s.Ports[1].Load += float32(lp.Now()) // want `s.Ports\[i\].Load is a sum of floats`
		s.Whole -= float64(m.N)
		s.Whole -= 2
		s.Part -= 0.1     // want `s.Part is a sum of floats`
		s.Sum -= lp.Now() // want `s.Sum is a sum of floats that Reverse undoes by arithmetic: rounding makes that inexact, \(a\+b\)-b is not always a: leave it to ross.Save\(lp, &s.Sum\)`
	}),
}

var exact = ross.Type[sums]{
	Check: &ross.Checker[sums]{Digest: func(s *sums) any { return s.Whole }},
	Event: ross.On(func(s *sums, lp *ross.LP, m *msg) { s.Sum += lp.Now() }).Reverse(func(s *sums, lp *ross.LP, m *msg) { s.Sum -= lp.Now() }),
}

func restore(s *state) { *s = state{} }

var _ = []any{rounding, exact, wrong, explicit, on, point, right}
