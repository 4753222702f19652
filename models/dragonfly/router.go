// This file owns routers.

package main

import (
	"fmt"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
)

const (
	chunkSize  = 32 // bytes
	routerTime = 0.1
	creditTime = 1

	globalBandwidth, localBandwidth = 4.7, 5.25

	fullGlobal, fullLocal, fullTerminal = 65536, 32768, 16384 // chunks without credit
)

// The numbers that the original gives its events.
const (
	_ = iota
	kindGenerate
	kindTerminalArrive
	kindTerminalSend
	kindRouterSend
	kindRouterArrive
	kindCredit
	_
	kindFinish
	kindProcessSend
)

// router is the state of a router.
type router struct {
	Ports   [maxPorts]port
	Waiting container.Queue[waiting]
}

// port is a port of a router.
type port struct {
	Out    float64 // when the last chunk has left
	Credit float64 // when the last credit has been sent to where that is the port, as in the original
	Busy   int32   // chunks without credit
}

// waiting is a chunk that waits for a credit of a port.
type waiting struct {
	Port int8
	routerSend
}

// chunk is a part of a packet, on its way.
type chunk struct {
	Start float64 // when the packet began
	Dst   int32   // number of the terminal
	Last  bool    // chunk of its packet
	Hop   int16
}

// The messages of a router. Those of terminals and processes are in terminal.go.
type (
	routerArrive struct {
		chunk
		From  int32 // id of the LP that sent it
		Group int32 // that it goes to first, -1: none
		Port  int8  // of the sender
		First bool  // it comes from a terminal
	}
	routerSend struct {
		chunk
		Group int32
		First bool
	}
	credit struct{ Port int8 }
)

// passed is the undo data of a chunk that a router sends on.
type passed struct {
	Out  float64
	Port int8 // -1: it has to wait
}

func (p *params) router() ross.LPType {
	return ross.Type[router, ross.None]{
		Name: "router",
		Label: func(id ross.LPID) string {
			return fmt.Sprintf("router %d of group %d", int32(id)%int32(p.perGroup), p.group(int32(id)))
		},
		On: []ross.Handler[router]{
			ross.On(p.arrive).Reverse(func(r *router, _ *ross.LP, was *float64, m *routerArrive) { r.Ports[m.Port].Credit = *was }),
			ross.On(p.pass).Reverse(unpass),
			ross.On(p.credit).Reverse(func(r *router, _ *ross.LP, _ *ross.None, m *credit) { r.Ports[m.Port].Busy++ }),
		},
	}
}

// arrive takes a chunk, and gives a credit for it to where it came from.
func (p *params) arrive(r *router, lp *ross.LP, was *float64, m *routerArrive) {
	p.record.Event(lp, kindRouterArrive)
	c := m.chunk
	c.Hop++
	ross.Send(lp, lp.ID(), p.local(lp), routerSend{c, m.Group, m.First})
	k := &r.Ports[m.Port]
	*was = k.Credit
	k.Credit = max(k.Credit, lp.Now()) + (creditTime + lp.RNG().Exponential(creditTime/1000.))
	ross.Send(lp, ross.LPID(m.From), k.Credit-lp.Now(), credit{m.Port})
}

// local draws the time of a step within a router or a terminal.
func (p *params) local(lp *ross.LP) float64 {
	return routerTime + lp.RNG().Exponential(p.interval/200)
}

// pass sends a chunk on.
func (p *params) pass(r *router, lp *ross.LP, was *passed, m *routerSend) {
	p.record.Event(lp, kindRouterSend)
	at := int32(lp.ID())
	group, here, to := m.Group, p.group(at), p.routerOf(m.Dst)
	if m.First && p.routing == nonMinimal && p.group(to) != here {
		group = int32(lp.RNG().Integer(0, int64(p.groups)-1))
	}
	if group == here {
		group = -1
	}
	through, bandwidth, full := int8(0), float32(localBandwidth), int32(fullLocal)
	next, ends := int32(0), to == at
	if ends {
		through, full = int8(p.perGroup+p.channels)+int8(m.Dst%int32(p.terminals)), fullTerminal
	} else {
		first := group
		if first < 0 {
			first = p.group(to)
		}
		if through, next = p.hop(at, first, to); through >= int8(p.perGroup) {
			bandwidth, full = globalBandwidth, fullGlobal
		}
	}
	k := &r.Ports[through]
	if was.Port = through; k.Busy >= full {
		was.Port = -1
		r.Waiting.Push(lp, waiting{through, routerSend{m.chunk, group, false}})
		return
	}
	was.Out = k.Out
	k.Out = max(k.Out, lp.Now()) + (float64(float32(1/bandwidth))*chunkSize + lp.RNG().Exponential(chunkSize/200.))
	k.Busy++
	if ends {
		ross.Send(lp, ross.LPID(p.routers+m.Dst), k.Out-lp.Now(), terminalArrive{m.chunk, through})
	} else {
		ross.Send(lp, ross.LPID(next), k.Out-lp.Now(), routerArrive{m.chunk, at, group, through, false})
	}
}

func unpass(r *router, _ *ross.LP, was *passed, _ *routerSend) {
	if was.Port >= 0 {
		k := &r.Ports[was.Port]
		k.Busy--
		k.Out = was.Out
	}
}

// credit lets the first chunk go that waits for the port.
func (p *params) credit(r *router, lp *ross.LP, _ *ross.None, m *credit) {
	p.record.Event(lp, kindCredit)
	r.Ports[m.Port].Busy--
	found := false
	for range r.Waiting.Len() { // once around, so that the others stay in their order
		w, _ := r.Waiting.Pop(lp)
		if !found && w.Port == m.Port {
			found = true
			ross.Send(lp, lp.ID(), p.local(lp), w.routerSend)
		} else {
			r.Waiting.Push(lp, w)
		}
	}
}
