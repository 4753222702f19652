// This file owns the torus and its nodes, which route chunks of packets.

package main

import (
	"fmt"
	"strconv"
	"strings"

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
	return ross.Type[node]{
		Name:       "node",
		NeverStops: true,
		Label:      func(id ross.LPID) string { return fmt.Sprintf("node %d", id) },
		Event: ross.Events(
			ross.On(p.generate).Reverse(func(*node, *ross.LP, *generate) {}),
			ross.OnUndo(p.send).Reverse(unsend),
			ross.On(p.wait).Reverse(func(*node, *ross.LP, *wait) {}),
			ross.OnUndo(p.arrive).Reverse(unarrive),
			ross.On(p.credit).Reverse(uncredit),
		),
		Lookahead: p.lookahead(p.creditTime, p.head, routerTime),
	}
}

// local draws the time of a step within a node.
func (p *params) local(lp *ross.LP) float64 {
	return routerTime + lp.RNG().Exponential(p.interval/200)
}

// generate divides a packet into chunks.
func (p *params) generate(n *node, lp *ross.LP, m *generate) {
	p.record.Event(lp, kindGenerate)
	at := int32(lp.ID())
	c := chunk{Start: m.Start, Dst: p.target(at, m.Dst)}
	c.Port = p.route(at, c.Dst)
	if n.Ports[c.Port].Busy >= p.full {
		lp.Fail(fmt.Errorf("port %d is full when a packet begins: the network is saturated, raise --arrive_rate: %w", c.Port,
			ross.ErrModel))
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
func (p *params) wait(n *node, lp *ross.LP, m *wait) {
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
func (p *params) credit(n *node, lp *ross.LP, m *credit) {
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

func uncredit(n *node, _ *ross.LP, m *credit) { n.Ports[m.Port].Busy++ }

// The torus: who is whose neighbour, and which way leads where.

const (
	maxDims  = 8
	maxPorts = 2 * maxDims
	maxNodes = 1 << 24
)

// grid is an n-dimensional torus. Port 2d of a node leads down in dimension d, and port 2d+1 up.
type grid struct {
	size  []int32 // by dimension
	step  []int32 // by dimension: from a node to the next one up
	at    []int32 // by node and dimension: coordinate
	nodes int32
}

// parseGrid returns the torus of a text such as 4,4,4,4,2.
func parseGrid(text string) (g grid, err error) {
	nodes := 1
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || n > maxNodes || nodes*n > maxNodes || len(g.size) == maxDims {
			return g, fmt.Errorf("option --dims=%s: must be 1 to %d lengths, of at most 2^24 nodes together: %w", text, maxDims,
				ross.ErrUsage)
		}
		g.size, g.step = append(g.size, int32(n)), append(g.step, int32(nodes))
		nodes *= n
	}
	g.nodes = int32(nodes)
	g.at = make([]int32, 0, nodes*len(g.size))
	for node := range g.nodes {
		for _, n := range g.size {
			g.at = append(g.at, node%n)
			node /= n
		}
	}
	return g, nil
}

// ports returns the number of ports of a node.
func (g *grid) ports() int { return 2 * len(g.size) }

// coordinates returns those of a node.
func (g *grid) coordinates(node int32) []int32 {
	dims := len(g.size)
	return g.at[int(node)*dims:][:dims]
}

// neighbour returns the node to which a port leads.
func (g *grid) neighbour(node int32, port int8) int32 {
	d := port / 2
	at, last, step := g.coordinates(node)[d], g.size[d]-1, g.step[d]
	switch up := port%2 != 0; {
	case up && at == last:
		return node - last*step
	case up:
		return node + step
	case at == 0:
		return node + last*step
	default:
		return node - step
	}
}

// opposite returns the node with coordinates L-1-c, where c are those of a node and L the lengths.
func (g *grid) opposite(node int32) int32 { return g.nodes - 1 - node }

// route returns the port that leads from one node towards another, dimension by dimension.
func (g *grid) route(from, to int32) int8 {
	a, b := g.coordinates(from), g.coordinates(to)
	for d, n := range g.size {
		way, half := a[d]-b[d], n/2
		switch {
		case way == 0:
		case way > half || way < 0 && way >= -half:
			return int8(2*d + 1)
		default:
			return int8(2 * d)
		}
	}
	return 0 // unreached: params.distinct has no node send to itself
}
