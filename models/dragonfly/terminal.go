// This file owns what is attached to routers: terminals, and processes with their traffic.

package main

import (
	"fmt"

	"github.com/ross-go/ross"
)

const (
	chunks       = 16 // of a packet, and a packet is a message
	terminalTime = 6  // for a chunk to the router, the whole part of its size by the bandwidth
	finishMean   = 1. / 200
)

// terminal is the state of a terminal.
type terminal struct {
	Avail  float64 // when the last chunk has gone to the router
	Credit float64 // when the last credit has been sent to the router
	Busy   int32   // chunks without credit

	Generated      int32   // packets that have gone to the router
	Finished, Hops int64   // packets that came here, and their hops
	Travel, Max    float64 // sum and maximum of their times
}

// The messages of terminals, besides arrival and credit.
type (
	generate struct {
		Start float64
		Dst   int32
	}
	terminalSend struct{ chunk }
	finish       struct {
		Start float64
		Hop   int8
	}
)

func (p *params) terminal() ross.LPType {
	return ross.Type[terminal]{
		Name:       "terminal",
		NeverStops: true,
		Label:      func(id ross.LPID) string { return fmt.Sprintf("terminal %d", int32(id)-p.routers) },
		Event: ross.Events(
			ross.On(p.generate).Reverse(func(*terminal, *ross.LP, *generate) {}),
			ross.OnUndo(p.sendChunk).Reverse(unsend),
			ross.OnUndo(p.receive).Reverse(func(t *terminal, _ *ross.LP, was *float64, _ *arrival) { t.Credit = *was }),
			ross.On(p.terminalCredit).Reverse(func(t *terminal, _ *ross.LP, _ *credit) { t.Busy++ }),
			ross.OnUndo(p.finished).Reverse(func(t *terminal, _ *ross.LP, was *terminal, _ *finish) { *t = *was }),
		),
		Lookahead: creditTime * rounded,
	}
}

// own returns the router of a terminal.
func (p *params) own(lp *ross.LP) ross.LPID { return ross.LPID(p.routerOf(int32(lp.ID()) - p.routers)) }

// generate divides a packet into chunks.
func (p *params) generate(_ *terminal, lp *ross.LP, m *generate) {
	p.record.Event(lp, kindGenerate)
	c := chunk{Start: m.Start, Dst: m.Dst, Group: direct}
	if p.routing == nonMinimal {
		c.Group = undecided
	}
	for i := range chunks {
		c.Last = i == chunks-1
		ross.Send(lp, lp.ID(), float64(i)+p.local(lp), terminalSend{c})
	}
}

// sendChunk sends a chunk to the router.
func (p *params) sendChunk(t *terminal, lp *ross.LP, was *float64, m *terminalSend) {
	p.record.Event(lp, kindTerminalSend)
	*was = t.Avail
	now := lp.Now()
	t.Avail = max(t.Avail, now) + (terminalTime + lp.RNG().Exponential(terminalTime/200.))
	t.Busy++
	if m.Last {
		t.Generated++
	}
	ross.Send(lp, p.own(lp), t.Avail-now, arrival{m.chunk, 0})
}

func unsend(t *terminal, _ *ross.LP, was *float64, m *terminalSend) {
	t.Avail = *was
	t.Busy--
	if m.Last {
		t.Generated--
	}
}

// receive takes a chunk from the router, and gives a credit for it.
func (p *params) receive(t *terminal, lp *ross.LP, was *float64, m *arrival) {
	p.record.Event(lp, kindTerminalArrive)
	if m.Last {
		ross.Send(lp, lp.ID(), routerTime+lp.RNG().Exponential(finishMean), finish{m.Start, m.Hop})
	}
	*was = t.Credit
	lp.RNG().Unif() // the original draws an exponential of mean 0
	now := lp.Now()
	t.Credit = max(t.Credit, now) + creditTime
	ross.Send(lp, p.own(lp), t.Credit-now, credit{m.Port})
}

func (p *params) terminalCredit(t *terminal, lp *ross.LP, _ *credit) {
	p.record.Event(lp, kindCredit)
	t.Busy--
}

// finished counts a packet that has arrived.
func (p *params) finished(t *terminal, lp *ross.LP, was *terminal, m *finish) {
	p.record.Event(lp, kindFinish)
	*was = *t
	time := lp.Now() - m.Start
	t.Finished++
	t.Hops += int64(m.Hop)
	t.Travel += time
	t.Max = max(t.Max, time)
}

// The processes, which send messages, and the patterns of their traffic.

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
	return ross.Type[process]{
		Name:       "process",
		NeverStops: true,
		Label:      func(id ross.LPID) string { return fmt.Sprintf("process %d", int32(id)-p.routers-p.ends) },
		Init: func(_ *process, lp *ross.LP) {
			ross.Send(lp, lp.ID(), lp.RNG().Exponential(p.interval), again{})
		},
		Event:     ross.OnUndo(p.again).Reverse(func(s *process, _ *ross.LP, was *process, _ *again) { *s = *was }),
		Lookahead: routerTime * rounded,
	}
}

// again sends a message, and determines when the process sends the next one.
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
