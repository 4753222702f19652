// This file owns the model: stations with one server each, between which customers walk.

package main

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/resource"
	"github.com/ross-go/ross/stats"
)

//go:generate go tool rossproc

// model has the parameters of the model, which no process changes. Times are in minutes.
type model struct {
	stations int     // at least 1
	service  float64 // time that a service takes on average, above 0
	load     float64 // the share of time for which servers are busy, above 0 and below 1
	walk     float64 // time from one station to another, above 0: the lookahead
}

// station is the state of an LP: what its processes share.
type station struct {
	proc.Processes
	Server proc.Servers `ross:"server,min"`
	Here   stats.Level  `ross:"customers present"`
}

// types returns the types of the LPs.
func (m *model) types() []ross.LPType {
	return []ross.LPType{proc.Type(ross.Type[station]{
		LPs:       m.stations,
		Lookahead: m.walk,
		Init:      proc.Start((*station).opens),
	}, proc.Given(m))}
}

// opens has customers come from outside. Half of all visits are by such customers.
func (s *station) opens(p *proc.Self) {
	s.Server.Open(p.LP(), resource.Rules{Servers: 1})
	for {
		m := proc.Param[model](p)
		p.Sleep(p.RNG().Exponential(2 * m.service / m.load))
		proc.Go(p, (*station).customer)
	}
}

// customer is served at one station after the other.
func (s *station) customer(p *proc.Self) {
	m := proc.Param[model](p)
	for {
		s.Here.Add(p.LP(), 1)
		turn := s.Server.Request(p)
		p.Sleep(p.RNG().Exponential(m.service))
		s.Server.Release(p, turn)
		s.Here.Add(p.LP(), -1)
		if p.RNG().Unif() < 0.5 {
			return
		}
		s = proc.At[station](p, ross.LPID(p.RNG().Integer(0, int64(m.stations-1))), m.walk)
	}
}
