// The model: nodes that route chunks of packets, and processes that send messages.

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
	Ports     [maxPorts]port
	Waiting   [maxPorts]container.Queue[send]
	Generated int32 // packets sent on their way
}

// port is a port of a node to a neighbour.
type port struct {
	Link   float64 // when the link is free
	Credit float64 // when the last credit has been sent for what came from the neighbour on the other side
	Busy   int32   // chunks without credit
}

// process is the state of a process.
type process struct {
	Count int32   // packets sent
	Avail float64 // when the last of them has gone to the node

	Finished, Hops int64
	Travel, Max    float64 // sum and maximum of the times of messages that came here
}

// chunk is a part of a packet, on its way.
type chunk struct {
	Start float64 // when the packet began
	Dst   int32
	Last  bool // chunk of its packet
	Port  int8 // through which it goes, or has come
	Hop   int16
}

// The messages of nodes: generate, send, wait, arrive, credit, and those of processes.
type (
	generate struct {
		Start float64
		Dst   int32 // or how to find it, see params.target
	}
	send struct {
		chunk
		Routed bool  // Port is set
		From   int32 // the node that it came from; -1: none
	}
	wait   struct{ send }
	arrive struct {
		chunk
		From int32
	}
	credit struct{ Port int8 }

	again   struct{} // a process sends a message
	receive struct {
		Start float64
		Hop   int16
	}
)

// sent is the undo data of a chunk that a node sends on.
type sent struct {
	Link float64
	Gone bool // it was sent, and did not have to wait
}

func (p *params) node() ross.LPType {
	return ross.Type[node, ross.None]{
		Name:  "node",
		Label: func(id ross.LPID) string { return fmt.Sprintf("node %d", id) },
		On: []ross.Handler[node]{
			ross.On(p.generate).Reverse(func(*node, *ross.LP, *ross.None, *generate) {}),
			ross.On(p.send).Reverse(p.unsend),
			ross.On(p.wait).Reverse(func(*node, *ross.LP, *ross.None, *wait) {}),
			ross.On(p.arrive).Reverse(unarrive),
			ross.On(p.credit).Reverse(uncredit),
		},
	}
}

// index returns the number of the node of an LP, which is also that of a process among processes.
func (p *params) index(lp *ross.LP) int32 { return int32(lp.ID()) % p.nodes }

// generate divides a packet into chunks.
func (p *params) generate(n *node, lp *ross.LP, _ *ross.None, m *generate) {
	p.record.Event(lp, kindGenerate)
	at := p.index(lp)
	c := chunk{Start: m.Start, Dst: p.target(at, m.Dst)}
	c.Port = p.route(at, c.Dst)
	if n.Ports[c.Port].Busy >= fullPort {
		lp.Fail(fmt.Errorf("port %d is full when a packet begins: the network is saturated, raise --arrive_rate: %w", c.Port, ross.ErrModel))
		return
	}
	for i := range chunks {
		c.Last = i == chunks-1
		ross.Send(lp, lp.ID(), p.local(lp), send{c, true, -1})
	}
}

// local draws the time of a step within a node.
func (p *params) local(lp *ross.LP) float64 {
	return routerTime + lp.RNG().Exponential(p.interval/200)
}

func (p *params) send(n *node, lp *ross.LP, was *sent, m *send) {
	p.record.Event(lp, kindSend)
	c := p.routed(lp, m)
	k := &n.Ports[c.Port]
	if k.Busy >= fullPort {
		ross.Send(lp, lp.ID(), p.local(lp), wait{send{c, true, m.From}})
		return
	}
	was.Link, was.Gone = k.Link, true
	k.Link = max(k.Link, lp.Now()) + (lp.RNG().Exponential(p.head/200) + p.head)
	k.Busy++
	at := p.index(lp)
	ross.Send(lp, ross.LPID(p.neighbour(at, c.Port)), k.Link-lp.Now(), arrive{c, at})
	if c.Last && m.From < 0 {
		n.Generated++
	}
}

// routed returns the chunk of a message, with its port.
func (p *params) routed(lp *ross.LP, m *send) chunk {
	c := m.chunk
	if !m.Routed {
		c.Port = p.route(p.index(lp), c.Dst)
	}
	return c
}

func (p *params) unsend(n *node, lp *ross.LP, was *sent, m *send) {
	if !was.Gone {
		return
	}
	if m.Last && m.From < 0 {
		n.Generated--
	}
	k := &n.Ports[p.routed(lp, m).Port]
	k.Busy--
	k.Link = was.Link
}

// wait has a chunk wait for a credit of its port.
func (p *params) wait(n *node, lp *ross.LP, _ *ross.None, m *wait) {
	p.record.Event(lp, kindWait)
	n.Waiting[m.Port].Push(lp, m.send)
}

func (p *params) arrive(n *node, lp *ross.LP, was *float64, m *arrive) {
	p.record.Event(lp, kindArrive)
	now := lp.Now()
	k := &n.Ports[m.Port]
	*was = k.Credit
	k.Credit = max(k.Credit, now) + (p.creditTime + lp.RNG().Exponential(p.creditMean))
	ross.Send(lp, ross.LPID(m.From), k.Credit-now, credit{m.Port})
	c := m.chunk
	c.Hop++
	time := p.local(lp)
	switch {
	case c.Dst != p.index(lp):
		ross.Send(lp, lp.ID(), time, send{c, false, m.From})
	case c.Last:
		ross.Send(lp, lp.ID()+ross.LPID(p.nodes), time, receive{c.Start, c.Hop})
	}
}

func unarrive(n *node, _ *ross.LP, was *float64, m *arrive) { n.Ports[m.Port].Credit = *was }

func (p *params) credit(n *node, lp *ross.LP, _ *ross.None, m *credit) {
	p.record.Event(lp, kindCredit)
	n.Ports[m.Port].Busy--
	if first, ok := n.Waiting[m.Port].Pop(lp); ok {
		ross.Send(lp, lp.ID(), lp.RNG().Exponential(p.interval/100), first)
	}
}

func uncredit(n *node, _ *ross.LP, _ *ross.None, m *credit) { n.Ports[m.Port].Busy++ }
