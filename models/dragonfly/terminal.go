// This file owns terminals, and the processes that send messages through them.

package main

import (
	"fmt"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
)

const (
	chunks       = 16 // of a packet, and a packet is a message
	terminalTime = 6  // for a chunk to the router, the whole part of its size by the bandwidth
)

// terminal is the state of a terminal.
type terminal struct {
	Avail   float64 // when the last chunk has gone to the router
	Credit  float64 // when the last credit has been sent to the router
	Busy    int32   // chunks without credit
	Waiting container.Queue[terminalSend]

	Generated, Finished, Hops int64
	Travel, Max               float64 // sum and maximum of the times of packets that came here
}

// process is the state of a process.
type process struct {
	Avail float64 // when the last message has gone to the terminal
	Count int64   // messages sent
}

// The messages of terminals and processes.
type (
	generate struct {
		Start float64
		Dst   int32
	}
	terminalSend   struct{ chunk }
	terminalArrive struct {
		chunk
		Port int8 // of the router
	}
	finish struct {
		Start float64
		Hop   int16
	}
	again struct{}
)

func (p *params) terminal() ross.LPType {
	return ross.Type[terminal, ross.None]{
		Name:  "terminal",
		Label: func(id ross.LPID) string { return fmt.Sprintf("terminal %d", int32(id)-p.routers) },
		On: []ross.Handler[terminal]{
			ross.On(p.generate).Reverse(func(*terminal, *ross.LP, *ross.None, *generate) {}),
			ross.On(p.sendChunk).Reverse(unsend),
			ross.On(p.receive).Reverse(func(t *terminal, _ *ross.LP, was *float64, _ *terminalArrive) { t.Credit = *was }),
			ross.On(p.terminalCredit).Reverse(func(t *terminal, _ *ross.LP, _ *ross.None, _ *credit) { t.Busy++ }),
			ross.On(p.finished).Reverse(unfinish),
		},
	}
}

func (p *params) generate(_ *terminal, lp *ross.LP, _ *ross.None, m *generate) {
	p.record.Event(lp, kindGenerate)
	for i := range chunks {
		ross.Send(lp, lp.ID(), float64(i)+p.local(lp), terminalSend{chunk{Start: m.Start, Dst: m.Dst, Last: i == chunks-1}})
	}
}

// gone is the undo data of a chunk that a terminal sends.
type gone struct {
	Avail float64
	Waits bool
}

func (p *params) sendChunk(t *terminal, lp *ross.LP, was *gone, m *terminalSend) {
	p.record.Event(lp, kindTerminalSend)
	if t.Busy >= fullTerminal {
		was.Waits = true
		t.Waiting.Push(lp, *m)
		return
	}
	was.Avail = t.Avail
	if m.Last {
		t.Generated++
	}
	t.Avail = max(t.Avail, lp.Now()) + (terminalTime + lp.RNG().Exponential(terminalTime/200.))
	t.Busy++
	end := int32(lp.ID()) - p.routers
	ross.Send(lp, ross.LPID(p.routerOf(end)), t.Avail-lp.Now(), routerArrive{m.chunk, int32(lp.ID()), -1, 0, true})
}

func unsend(t *terminal, _ *ross.LP, was *gone, m *terminalSend) {
	if was.Waits {
		return
	}
	t.Busy--
	t.Avail = was.Avail
	if m.Last {
		t.Generated--
	}
}

// receive takes a chunk from the router, and gives a credit for it.
func (p *params) receive(t *terminal, lp *ross.LP, was *float64, m *terminalArrive) {
	p.record.Event(lp, kindTerminalArrive)
	if m.Last {
		ross.Send(lp, lp.ID(), routerTime+lp.RNG().Exponential(creditTime/200.), finish{m.Start, m.Hop})
	}
	*was = t.Credit
	lp.RNG().Unif() // the original draws an exponential of mean 0
	t.Credit = max(t.Credit, lp.Now()) + creditTime
	ross.Send(lp, ross.LPID(p.routerOf(int32(lp.ID())-p.routers)), t.Credit-lp.Now(), credit{m.Port})
}

func (p *params) terminalCredit(t *terminal, lp *ross.LP, _ *ross.None, _ *credit) {
	p.record.Event(lp, kindCredit)
	t.Busy--
	if first, ok := t.Waiting.Pop(lp); ok {
		ross.Send(lp, lp.ID(), p.local(lp), first)
	}
}

// sums is the undo data of a packet that has arrived.
type sums struct{ Travel, Max float64 }

func (p *params) finished(t *terminal, lp *ross.LP, was *sums, m *finish) {
	p.record.Event(lp, kindFinish)
	*was = sums{t.Travel, t.Max}
	time := lp.Now() - m.Start
	t.Finished++
	t.Hops += int64(m.Hop)
	t.Travel += time
	t.Max = max(t.Max, time)
}

func unfinish(t *terminal, _ *ross.LP, was *sums, m *finish) {
	t.Finished--
	t.Hops -= int64(m.Hop)
	t.Travel, t.Max = was.Travel, was.Max
}

func (p *params) process() ross.LPType {
	return ross.Type[process, ross.None]{
		Name:  "process",
		Label: func(id ross.LPID) string { return fmt.Sprintf("process %d", int32(id)-p.routers-p.ends) },
		Init: func(_ *process, lp *ross.LP) {
			ross.Send(lp, lp.ID(), lp.RNG().Exponential(p.interval), again{})
		},
		On: []ross.Handler[process]{
			ross.On(p.again).Reverse(func(s *process, _ *ross.LP, was *process, _ *again) { *s = *was }),
		},
	}
}

// again sends a message, and says when the process sends the next one.
func (p *params) again(s *process, lp *ross.LP, was *process, _ *again) {
	p.record.Event(lp, kindProcessSend)
	*was = *s
	if s.Count >= p.limit {
		return
	}
	from, to := int64(0), int64(p.ends)
	if p.traffic == worstCase { // the next group
		inGroup := int64(p.perGroup * p.terminals)
		own := (int64(lp.ID()) - int64(p.routers) - int64(p.ends)) / inGroup
		from = (own + 1) % int64(p.groups) * inGroup
		to = from + inGroup
	}
	first := int64(p.routers) // the original draws ids of LPs
	dst := int32(lp.RNG().Integer(first+from, first+to-1) - first)
	now := lp.Now()
	s.Avail = max(now, s.Avail) + (routerTime + lp.RNG().Exponential(p.interval/100))
	ross.Send(lp, lp.ID()-ross.LPID(p.ends), s.Avail-now, generate{now, dst})
	s.Count++
	ross.Send(lp, lp.ID(), p.interval+lp.RNG().Exponential(p.interval/100), again{})
}
