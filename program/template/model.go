// This file owns the model: stations with one server each, between which customers walk.

package main

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/stats"
)

// model has the parameters of the model, which no handler changes. Times are in minutes.
type model struct {
	stations int     // at least 1
	service  float64 // time that a service takes on average, above 0
	load     float64 // the share of time for which servers are busy, above 0 and below 1
	walk     float64 // time from one station to another, above 0: the lookahead
}

// station is the state of an LP.
type station struct {
	Present int64         // customers at the station
	Here    stats.Level   `ross:"customers present"` // the same number, for the report
	Served  stats.Counter `ross:"services"`
}

// The messages of a station.
type (
	arrive struct{} // a customer comes from outside
	visit  struct{} // a customer comes from another station
	done   struct{} // a service ends
)

// types returns the types of the LPs. No type says how its events are undone, so the engine does it.
func (m *model) types() []ross.LPType {
	return []ross.LPType{ross.Type[station]{
		LPs:       m.stations,
		Lookahead: m.walk,
		Init:      func(_ *station, lp *ross.LP) { m.next(lp) },
		Event:     ross.Events(ross.On(m.arrive), ross.On(m.visit), ross.On(m.done)),
	}}
}

// next sends the next customer from outside. Half of all visits are by such customers.
func (m *model) next(lp *ross.LP) {
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(2*m.service/m.load), arrive{})
}

func (m *model) arrive(s *station, lp *ross.LP, _ *arrive) {
	m.next(lp)
	m.visit(s, lp, nil)
}

func (m *model) visit(s *station, lp *ross.LP, _ *visit) {
	if s.Present == 0 {
		m.serve(lp)
	}
	s.Present++
	s.Here.Add(lp, 1)
}

// serve begins a service.
func (m *model) serve(lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(m.service), done{}) }

// done sends half of the customers to a random station. The others leave.
func (m *model) done(s *station, lp *ross.LP, _ *done) {
	s.Present--
	s.Here.Add(lp, -1)
	s.Served.Inc(lp)
	if s.Present > 0 {
		m.serve(lp)
	}
	if lp.RNG().Unif() < 0.5 {
		to := lp.RNG().Integer(0, int64(m.stations-1))
		ross.Send(lp, ross.LPID(to), m.walk, visit{})
	}
}
