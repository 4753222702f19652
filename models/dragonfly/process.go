// This file owns the processes, which send messages, and the patterns of their traffic.

package main

import (
	"fmt"

	"github.com/ross-go/ross"
)

// Values of --traffic, as the original has them.
const (
	uniform       = iota + 1 // to any terminal
	worstCase                // to the next group
	transpose                // to the terminal that is at one's place in the transposed matrix
	neighbour                // to a terminal of the same router
	bisection                // to another group
	nearestRouter            // to a terminal of the next router
)

// sendingTime is the time for which a process sends, on average.
const sendingTime = 3000

// process is the state of a process.
type process struct {
	Avail float64 // when the last message has gone to the terminal
	Count int64   // messages sent
}

// again is the message of a process: it sends a message.
type again struct{}

func (p *params) process() ross.LPType {
	return ross.Type[process, ross.None]{
		Name:       "process",
		NeverStops: true,
		Label:      func(id ross.LPID) string { return fmt.Sprintf("process %d", int32(id)-p.routers-p.ends) },
		Init: func(_ *process, lp *ross.LP) {
			ross.Send(lp, lp.ID(), lp.RNG().Exponential(p.interval), again{})
		},
		On: []ross.Handler[process]{
			ross.On(p.again).Reverse(func(s *process, _ *ross.LP, was *process, _ *again) { *s = *was }),
		},
		Lookahead: routerTime * rounded,
	}
}

// again sends a message, and says when the process sends the next one.
func (p *params) again(s *process, lp *ross.LP, was *process, _ *again) {
	p.record.Event(lp, kindProcessSend)
	*was = *s
	if s.Count >= p.limit {
		return
	}
	end := int32(lp.ID()) - p.routers - p.ends
	dst := p.destination(lp, end)
	if dst == end && p.traffic == transpose { // as in the original, it never sends
		return
	}
	now := lp.Now()
	s.Avail = max(now, s.Avail) + (routerTime + lp.RNG().Exponential(p.interval/100))
	ross.Send(lp, lp.ID()-ross.LPID(p.ends), s.Avail-now, generate{now, dst})
	s.Count++
	ross.Send(lp, lp.ID(), p.interval+lp.RNG().Exponential(p.interval/100), again{})
}

// destination returns the terminal to which the process of a terminal sends.
func (p *params) destination(lp *ross.LP, end int32) int32 {
	each := int32(p.terminals)
	inGroup := each * int32(p.perGroup)
	own, mirrored := end/inGroup, each-1-end%each
	switch p.traffic {
	case worstCase:
		return p.ofGroup(lp, (own+1)%p.groups)
	case transpose:
		return end%inGroup*p.groups + own // a matrix with a row for each group
	case neighbour:
		return p.routerOf(end)*each + mirrored
	case bisection:
		to := int32(lp.RNG().Integer(0, int64(p.groups)-1))
		if to == own {
			to = (own + p.groups/2) % p.groups
		}
		return p.ofGroup(lp, to)
	case nearestRouter:
		return (p.routerOf(end)+1)%p.routers*each + mirrored
	}
	return int32(lp.RNG().Integer(0, int64(p.ends)-1))
}

// ofGroup draws a terminal of a group.
func (p *params) ofGroup(lp *ross.LP, group int32) int32 {
	n := int64(p.perGroup * p.terminals)
	return int32(int64(group)*n + lp.RNG().Integer(0, n-1))
}
