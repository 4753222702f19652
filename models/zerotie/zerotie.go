// This file owns the model: what an LP of zerotie does, and what it adds to the event trace.

package main

import (
	"encoding/binary"
	"math"

	"github.com/ross-go/ross"
)

// state is the state of an LP: a hash over the events it handled, in order.
type state struct{ hash uint64 }

// msg has how many events without delay led to this one, and their
// priority.
type msg struct {
	hop      int32
	priority float32
}

type params struct {
	usePrio uint64
	maxHop  uint64
	p       float64 // probability of another event without delay

	last int64 // highest global id
}

func zerotie(p *params) ross.Type[state] {
	return ross.Type[state]{
		Name: "zerotie",
		Init: func(_ *state, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, msg{0, 1}) },
		Event: ross.On(func(s *state, lp *ross.LP, m *msg) {
			s.hash = s.hash*6364136223846793005 + 1442695040888963407 + uint64(lp.ID()) + uint64(m.hop)
			if m.hop == 0 {
				p.next(lp)
			}
			if uint64(m.hop) < p.maxHop && lp.RNG().Unif() <= p.p {
				dst := ross.LPID(lp.RNG().Integer(0, p.last))
				ross.SendPriority(lp, dst, 0, float64(m.priority), msg{m.hop + 1, m.priority})
			}
		}).Trace(trace),
		Final:     func(s *state, lp *ross.LP) { lp.Printf("LPHASH %d %016x\n", lp.ID(), s.hash) },
		TraceSize: 8, TraceLayout: "hop:u32,priority:f32",
	}
}

// next keeps the model going: one event of the next unit of time for each of
// this one.
func (p *params) next(lp *ross.LP) {
	dst := ross.LPID(lp.RNG().Integer(0, p.last))
	u := lp.RNG().Unif()
	priority := float32(1)
	if p.usePrio != 0 {
		priority = 0.75
		if u <= 0.5 {
			priority = 0.25
		}
	}
	ross.SendPriority(lp, dst, 1, float64(priority), msg{0, priority})
}

// What zerotie adds to the event trace.

// trace writes hop as an int32 and priority as a float32.
func trace(_ *ross.LP, _ ross.TraceKind, m *msg, buf []byte) bool {
	binary.LittleEndian.PutUint32(buf, uint32(m.hop))
	binary.LittleEndian.PutUint32(buf[4:], math.Float32bits(m.priority))
	return true
}
