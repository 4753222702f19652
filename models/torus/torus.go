// This file owns the nodes, which route chunks of packets.

package main

import (
	"fmt"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
)

const (
	chunks     = 16           // of a packet
	packetSize = 512          // bytes
	fullPort   = chunks * 512 // chunks sent through a port whose credits have not come back
	routerTime = 0.1          // least time for what happens within a node or a process
)

// The numbers that the original gives its events.
const (
	kindGenerate = iota + 1
	kindArrive
	kindSend
	_
	kindCredit
	kindWait
	kindProcessSend
	kindProcessReceive
)

// node is the state of a node.
type node struct {
	Generated int32 // packets sent on their way
	Waiting   container.Map[int8, container.Queue[chunk]]
	Ports     [maxPorts]port
}

// port is a port of a node to a neighbour.
type port struct {
	Link   float64 // when the link is free
	Credit float64 // when the last credit has been sent for what came from the neighbour on the other side
	Busy   int32   // chunks without credit
}

// chunk is a part of a packet, on its way.
type chunk struct {
	Start float64 // when the packet began
	Dst   int32
	Last  bool // chunk of its packet
	Port  int8 // through which it goes or has come; unrouted: not known yet
	Hop   int16
}

const unrouted = -1

// The messages of nodes.
type (
	generate struct {
		Start float64
		Dst   int32 // or how to find it, see params.target
	}
	send   struct{ chunk }
	wait   struct{ chunk }
	arrive struct{ chunk }
	credit struct{ Port int8 }
)

// sent is the undo data of a chunk that a node sends on.
type sent struct {
	Link float64
	Port int8 // unrouted: the chunk has to wait
}

func (p *params) node() ross.LPType {
	return ross.Type[node, ross.None]{
		Name:       "node",
		NeverStops: true,
		Label:      func(id ross.LPID) string { return fmt.Sprintf("node %d", id) },
		On: []ross.Handler[node]{
			ross.On(p.generate).Reverse(func(*node, *ross.LP, *ross.None, *generate) {}),
			ross.On(p.send).Reverse(unsend),
			ross.On(p.wait).Reverse(func(*node, *ross.LP, *ross.None, *wait) {}),
			ross.On(p.arrive).Reverse(unarrive),
			ross.On(p.credit).Reverse(uncredit),
		},
		Lookahead: p.lookahead(p.creditTime, p.head, routerTime),
	}
}

// local draws the time of a step within a node.
func (p *params) local(lp *ross.LP) float64 {
	return routerTime + lp.RNG().Exponential(p.interval/200)
}

// generate divides a packet into chunks.
func (p *params) generate(n *node, lp *ross.LP, _ *ross.None, m *generate) {
	p.record.Event(lp, kindGenerate)
	at := int32(lp.ID())
	c := chunk{Start: m.Start, Dst: p.target(at, m.Dst)}
	c.Port = p.route(at, c.Dst)
	if n.Ports[c.Port].Busy >= p.full {
		lp.Fail(fmt.Errorf("port %d is full when a packet begins: the network is saturated, raise --arrive_rate: %w", c.Port, ross.ErrModel))
		return
	}
	for i := range chunks {
		c.Last = i == chunks-1
		ross.Send(lp, lp.ID(), p.local(lp), send{c})
	}
}

// send sends a chunk to the neighbour behind its port.
func (p *params) send(n *node, lp *ross.LP, was *sent, m *send) {
	p.record.Event(lp, kindSend)
	at, c := int32(lp.ID()), m.chunk
	if c.Port == unrouted {
		c.Port = p.route(at, c.Dst)
	}
	k := &n.Ports[c.Port]
	if k.Busy >= p.full {
		was.Port = unrouted
		ross.Send(lp, lp.ID(), p.local(lp), wait{c})
		return
	}
	*was = sent{k.Link, c.Port}
	k.Link = max(k.Link, lp.Now()) + (lp.RNG().Exponential(p.head/200) + p.head)
	k.Busy++
	ross.Send(lp, ross.LPID(p.neighbour(at, c.Port)), k.Link-lp.Now(), arrive{c})
	if c.Last && c.Hop == 0 {
		n.Generated++
	}
}

func unsend(n *node, _ *ross.LP, was *sent, m *send) {
	if was.Port == unrouted {
		return
	}
	if m.Last && m.Hop == 0 {
		n.Generated--
	}
	k := &n.Ports[was.Port]
	k.Busy--
	k.Link = was.Link
}

// wait has a chunk wait for a credit of its port.
func (p *params) wait(n *node, lp *ross.LP, _ *ross.None, m *wait) {
	p.record.Event(lp, kindWait)
	if waiting := n.Waiting.Ensure(lp, m.Port); waiting != nil {
		waiting.Push(lp, m.chunk)
	}
}

// arrive gives the neighbour a credit for a chunk, and has it go on.
func (p *params) arrive(n *node, lp *ross.LP, was *float64, m *arrive) {
	p.record.Event(lp, kindArrive)
	now, c := lp.Now(), m.chunk
	k := &n.Ports[c.Port]
	*was = k.Credit
	k.Credit = max(k.Credit, now) + (p.creditTime + lp.RNG().Exponential(p.creditMean))
	ross.Send(lp, lp.Sender(), k.Credit-now, credit{c.Port})
	c.Port = unrouted
	c.Hop++
	time := p.local(lp)
	switch {
	case c.Dst != int32(lp.ID()):
		ross.Send(lp, lp.ID(), time, send{c})
	case c.Last:
		ross.Send(lp, lp.ID()+ross.LPID(p.nodes), time, receive{c.Start, c.Hop})
	}
}

func unarrive(n *node, _ *ross.LP, was *float64, m *arrive) { n.Ports[m.Port].Credit = *was }

// credit lets the first chunk go that waits for the port.
func (p *params) credit(n *node, lp *ross.LP, _ *ross.None, m *credit) {
	p.record.Event(lp, kindCredit)
	n.Ports[m.Port].Busy--
	if n.Waiting.Len() == 0 {
		return
	}
	if waiting := n.Waiting.Find(lp, m.Port); waiting != nil {
		if c, ok := waiting.Pop(lp); ok {
			ross.Send(lp, lp.ID(), lp.RNG().Exponential(p.interval/100), send{c})
		}
	}
}

func uncredit(n *node, _ *ross.LP, _ *ross.None, m *credit) { n.Ports[m.Port].Busy++ }
