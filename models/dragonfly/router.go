// This file owns the dragonfly and its routers: all routers of a group are joined, and global channels join
// each group with each other one.

package main

import (
	"fmt"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
)

const (
	maxPorts   = 64
	maxRouters = 1 << 22
)

// network is a dragonfly. Ports of a router are first those to the routers of its group, then its
// global channels, then its terminals.
type network struct {
	perGroup  uint64 // routers of a group
	channels  uint64 // global channels of a router
	terminals uint64 // of a router
	groups    int32
	routers   int32 // of all groups
	ends      int32 // terminals of all routers

	far []int32 // by router and channel: the router at the other end
}

// make checks the numbers and sets what follows from them.
func (n *network) make() error {
	r, g, t := n.perGroup, n.channels, n.terminals
	if r < 1 || g < 2 || g%2 != 0 || t < 1 || r > maxPorts || g > maxPorts || t > maxPorts || r+g+t > maxPorts ||
		r*(r*g+1)*t > maxRouters {
		return fmt.Errorf(
			"option --routers=%d, --channels=%d, --terminals=%d: must be at least 1, channels even, at most %d together, and give at most 2^22 terminals: %w",
			r, g, t, maxPorts, ross.ErrUsage)
	}
	n.groups = int32(r*g + 1)
	n.routers = int32(r) * n.groups
	n.ends = n.routers * int32(t)
	n.far = make([]int32, 0, int(n.routers)*int(g))
	for at := range n.routers {
		off := at%int32(r)*int32(g/2) + 1
		for i := range g {
			if i%2 == 0 {
				n.far = append(n.far, (at-off*int32(r)+n.routers)%n.routers)
			} else {
				n.far = append(n.far, (at+off*int32(r))%n.routers)
				off++
			}
		}
	}
	return nil
}

// group returns the group of a router.
func (n *network) group(router int32) int32 { return router / int32(n.perGroup) }

// routerOf returns the router of a terminal, which is given by its number among terminals.
func (n *network) routerOf(end int32) int32 { return end / int32(n.terminals) }

// gateway returns the router of group a with a channel to group b.
func (n *network) gateway(a, b int32) int32 {
	per, half := int32(n.perGroup), int32(n.channels/2)
	apart := max(a-b, b-a) - 1
	way, o := apart/(half*per), apart%(half*per)
	if way%2 != 0 {
		return (a+1)*per - 1 - o/half
	}
	return a*per + o/half
}

// hop returns the port that leads from a router towards one of another group, or, with the same
// group, towards another router, and the router behind that port.
func (n *network) hop(at, group, to int32) (port int8, next int32) {
	r, g := int32(n.perGroup), int32(n.channels)
	if here := n.group(at); here != group {
		to = n.gateway(here, group)
		for i := g - 1; i >= 0 && to == at; i-- { // the last channel that leads there
			if far := n.far[at*g+i]; n.group(far) == group {
				return int8(r + i), far
			}
		}
	}
	return int8(to % r), to
}

// Routers.

const (
	chunkSize  = 32 // bytes
	routerTime = 0.1
	creditTime = 1

	globalBandwidth, localBandwidth = 4.7, 5.25

	rounded = 1 - 1e-6 // delays are differences of times, so they can be a little less than promised
)

// limits are the chunks without credit that fill a port of a router, by what it leads to.
type limits struct{ Global, Local, Terminal int32 }

var originalLimits = limits{65536, 32768, 16384}

// linkTime returns the least time of a chunk on a link. The original has it as a 32-bit float.
func linkTime(bandwidth float32) float64 { return float64(1 / bandwidth * chunkSize) }

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
	Waiting container.Map[int8, container.Queue[chunk]] // by port
	Ports   [maxPorts]port
}

// port is a port of a router.
type port struct {
	Out    float64 // when the last chunk has left
	Credit float64 // when the last credit has been sent to where that is the port, as in the original
	Busy   int32   // chunks without credit
}

// chunk is a part of a packet, on its way.
type chunk struct {
	Start float64 // when the packet began
	Dst   int32   // number of the terminal
	Group int16   // that it goes to first; or direct, or undecided
	Hop   int8
	Last  bool // chunk of its packet
}

const (
	direct    = -1
	undecided = -2 // the first router draws a group
)

// The messages of a router. The first and the last are also messages of a terminal.
type (
	arrival struct {
		chunk
		Port int8 // of the sender
	}
	routerSend struct{ chunk }
	credit     struct{ Port int8 }
)

// passed is the undo data of a chunk that a router sends on.
type passed struct {
	Out  float64
	Port int8 // -1: it has to wait
}

func (p *params) router() ross.LPType {
	return ross.Type[router]{
		Name:       "router",
		NeverStops: true,
		Label: func(id ross.LPID) string {
			return fmt.Sprintf("router %d of group %d", uint64(id)%p.perGroup, uint64(id)/p.perGroup)
		},
		Event: ross.Events(
			ross.OnUndo(p.arrive).Reverse(func(r *router, _ *ross.LP, was *float64, m *arrival) {
				r.Ports[m.Port].Credit = *was
			}),
			ross.OnUndo(p.pass).Reverse(unpass),
			ross.On(p.credit).Reverse(func(r *router, _ *ross.LP, m *credit) { r.Ports[m.Port].Busy++ }),
		),
		Lookahead: creditTime * rounded,
	}
}

// local draws the time of a step within a router or a terminal.
func (p *params) local(lp *ross.LP) float64 {
	return routerTime + lp.RNG().Exponential(p.localMean)
}

// arrive takes a chunk, and gives a credit for it to where it came from.
func (p *params) arrive(r *router, lp *ross.LP, was *float64, m *arrival) {
	p.record.Event(lp, kindRouterArrive)
	c := m.chunk
	c.Hop++
	ross.Send(lp, lp.ID(), p.local(lp), routerSend{c})
	k, now := &r.Ports[m.Port], lp.Now()
	*was = k.Credit
	k.Credit = max(k.Credit, now) + (creditTime + lp.RNG().Exponential(creditTime/1000.))
	ross.Send(lp, lp.Sender(), k.Credit-now, credit{m.Port})
}

// pass sends a chunk on.
func (p *params) pass(r *router, lp *ross.LP, was *passed, m *routerSend) {
	p.record.Event(lp, kindRouterSend)
	at, c := int32(lp.ID()), m.chunk
	end, here := p.routerOf(c.Dst), p.group(at)
	if c.Group == undecided && p.group(end) != here {
		c.Group = int16(lp.RNG().Integer(0, int64(p.groups)-1))
	}
	if c.Group < 0 || int32(c.Group) == here {
		c.Group = direct
	}
	through, to, time, full := p.nextHop(at, end, c)
	k, now := &r.Ports[through], lp.Now()
	if k.Busy >= full {
		was.Port = -1
		if waiting := r.Waiting.Ensure(lp, through); waiting != nil {
			waiting.Push(lp, c)
		}
		return
	}
	*was = passed{k.Out, through}
	k.Out = max(k.Out, now) + (time + lp.RNG().Exponential(chunkSize/200.))
	k.Busy++
	ross.Send(lp, to, k.Out-now, arrival{c, through})
}

// nextHop returns the port through which a chunk for a terminal of router end goes on, the LP behind
// the port, the least time that takes, and the limit of the port.
func (p *params) nextHop(at, end int32, c chunk) (through int8, to ross.LPID, time float64, full int32) {
	if end == at {
		through = int8(int32(p.perGroup+p.channels) + c.Dst - end*int32(p.terminals))
		return through, ross.LPID(p.routers + c.Dst), p.localTime, p.full.Terminal
	}
	group := int32(c.Group)
	if group < 0 {
		group = p.group(end)
	}
	through, next := p.hop(at, group, end)
	if through >= int8(p.perGroup) {
		return through, ross.LPID(next), p.globalTime, p.full.Global
	}
	return through, ross.LPID(next), p.localTime, p.full.Local
}

func unpass(r *router, _ *ross.LP, was *passed, _ *routerSend) {
	if was.Port >= 0 {
		k := &r.Ports[was.Port]
		k.Busy--
		k.Out = was.Out
	}
}

// credit lets the first chunk go that waits for the port.
func (p *params) credit(r *router, lp *ross.LP, m *credit) {
	p.record.Event(lp, kindCredit)
	r.Ports[m.Port].Busy--
	if r.Waiting.Len() == 0 {
		return
	}
	if waiting := r.Waiting.Find(lp, m.Port); waiting != nil {
		if c, ok := waiting.Pop(lp); ok {
			ross.Send(lp, lp.ID(), p.local(lp), routerSend{c})
		}
	}
}
