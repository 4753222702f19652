// This file owns the processes, which send messages and receive them.

package main

import (
	"fmt"

	"github.com/ross-go/ross"
)

// Codes that a generate has in place of a destination: a neighbour by direction, less nearest, or
// the opposite node.
const (
	opposite = -1
	nearest  = -2 - maxPorts
)

// target returns the destination of a packet.
func (p *params) target(at, dst int32) int32 {
	switch {
	case dst >= 0:
		return dst
	case dst == opposite:
		return p.opposite(at)
	}
	way := dst - nearest
	if dims := int32(len(p.size)); way < dims {
		return p.neighbour(at, int8(2*way))
	} else {
		return p.neighbour(at, int8(2*(way-dims)+1))
	}
}

// process is the state of a process.
type process struct {
	Count int32   // packets sent
	Avail float64 // when the last of them has gone to the node

	Finished, Hops int64   // packets that came here, and their hops
	Travel, Max    float64 // sum and maximum of their times
}

// The messages of processes.
type (
	again   struct{} // sends a message
	receive struct {
		Start float64
		Hop   int16
	}
)

// before is the undo data of a process that sends.
type before struct {
	Avail float64
	Count int32
}

func (p *params) process() ross.LPType {
	return ross.Type[process]{
		Name:       "process",
		NeverStops: true,
		Label:      func(id ross.LPID) string { return fmt.Sprintf("process %d", int32(id)%p.nodes) },
		Init: func(_ *process, lp *ross.LP) {
			ross.Send(lp, lp.ID(), lp.RNG().Exponential(p.interval), again{})
		},
		Event: ross.Events(
			ross.OnUndo(p.again).Reverse(func(s *process, _ *ross.LP, was *before, _ *again) {
				s.Avail,
					s.Count = was.Avail, was.Count
			}),
			ross.OnUndo(p.receive).Reverse(unreceive),
		),
		Lookahead: p.lookahead(routerTime),
	}
}

// again sends a message, as packets, and determines when the process sends the next one.
func (p *params) again(s *process, lp *ross.LP, was *before, _ *again) {
	p.record.Event(lp, kindProcessSend)
	*was = before{s.Avail, s.Count}
	if int64(s.Count) >= p.limit {
		return
	}
	at, dst := int32(lp.ID())-p.nodes, int32(opposite)
	switch p.traffic {
	case uniform:
		n := int64(p.nodes)
		if dst = int32(lp.RNG().Integer(n, 2*n-1) - n); dst == at {
			dst = (at + p.nodes/2) % p.nodes
		}
	case neighbours:
		dst = nearest + s.Count%int32(p.ports())
	}
	now := lp.Now()
	for range p.packets {
		time := p.local(lp)
		s.Avail = max(s.Avail, now) + time
		ross.Send(lp, ross.LPID(at), s.Avail-now, generate{now + time, dst})
		s.Count++
	}
	ross.Send(lp, lp.ID(), routerTime+lp.RNG().Exponential(p.interval), again{})
}

// received is the undo data of a process that receives.
type received struct{ Travel, Max float64 }

func (p *params) receive(s *process, lp *ross.LP, was *received, m *receive) {
	p.record.Event(lp, kindProcessReceive)
	*was = received{s.Travel, s.Max}
	time := lp.Now() - m.Start
	s.Finished++
	s.Hops += int64(m.Hop)
	s.Travel += time
	s.Max = max(s.Max, time)
}

func unreceive(s *process, _ *ross.LP, was *received, m *receive) {
	s.Finished--
	s.Hops -= int64(m.Hop)
	s.Travel, s.Max = was.Travel, was.Max
}
