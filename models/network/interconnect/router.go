// This file owns the LP type of routers: its state, its messages, and how packets find their outputs.

package interconnect

import (
	"math"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/models/network/topology"
)

// packet is a packet on its way, or with Messages a message.
type packet struct {
	Route    topology.Packet
	From, To int32  // terminals
	Number   uint32 // of the message, among those of From
	Flits    int32
	Hops     uint32  // links so far
	Bytes    int64   // of the message
	Tag      uint64  // of the message
	Sent     float64 // when the message was sent
}

// The messages of routers. Ports and virtual channels are those of the receiver.
type (
	arrival struct { // the head of a packet may be sent on
		packet
		Tail float64 // when all of it may have been sent on, but for the time of a flit
		Port uint16
		VC   uint8
	}
	flit struct { // a further flit of a packet may be sent on
		Port uint16
		VC   uint8
	}
	credit struct { // there is room behind a port
		Flits int32
		Port  uint16
		VC    uint8
	}
	idle struct{ Port uint16 } // a port may have sent what it sent
)

// router is the state of a router.
type router struct {
	Links   ross.Block[link]   // by port
	Inputs  ross.Block[input]  // by channel, see Network.channel
	Outputs ross.Block[output] // by channel
	Held    container.Slab[held]
	Gauges  ross.Block[gauge] // by port, with Config.Record
}

// link is the sending end of a link.
type link struct {
	Free    float64 // when it has sent what it sends
	Sent    uint64  // flits
	Leaving int32   // flits that had not left when the last packet began to
	Last    uint8   // virtual channel that sent last
	Waking  bool    // an idle is on its way
}

// input is the buffer of a virtual channel at the end of a link.
type input struct {
	buffer
	Behind int32 // input that waits behind this one for the same output
}

// output is a virtual channel of a link.
type output struct {
	buffer       // with Packets
	Queued int32 // flits in buffer
	Room   int32 // flits for which there is room in the buffer at the other end
	Owner  int32 // input whose packet has the channel, with Flits
	// Inputs whose first packet waits for the output.
	FirstInput, LastInput int32
}

// none is the number of no input: they count from 1.
const none = 0

// buffer is a list of held packets.
type buffer struct{ First, Last container.Handle }

// held is a packet in a router.
type held struct {
	packet
	Tail float64          // as in arrival
	Next container.Handle // behind it in its buffer
	Out  way
	Here int32  // flits in the router, with Flits
	Gone int32  // flits sent on, with Flits
	Port uint16 // by which it came
	VC   uint8
}

// way is where a packet leaves a router.
type way struct {
	Channel int32 // of the router
	Port    uint16
	VC      uint8
}

// Router returns the LP type of routers, the first type of Simulation.Define.
func (n *Network) Router() ross.LPType {
	t := ross.Type[router]{
		Name: "router", Label: n.Label, Saving: ross.SaveByLog,
		Init:       n.initRouter,
		Lookahead:  min(n.Lookahead(), n.leastToTerminal()),
		NeverStops: true,
	}
	if n.Record {
		t.PointLayout, t.Point = n.routerLayout(), n.routerPoint
	}
	switch n.Granularity {
	case Messages:
		t.Event = ross.On(n.passMessage)
	case Packets:
		t.Event = ross.Events(ross.On(n.packetArrives), ross.On(n.packetCredit), ross.On(n.packetIdle))
	case Flits:
		t.Event = ross.Events(ross.On(n.headArrives), ross.On(n.flitArrives), ross.On(n.flitCredit), ross.On(n.flitIdle))
	}
	return t
}

func (n *Network) initRouter(r *router, lp *ross.LP) {
	at := int(lp.ID())
	links, ends := n.net.Ports(at), n.net.Terminals(at)
	r.Links = ross.Alloc[link](lp, links+ends)
	if n.Record {
		r.Gauges = ross.Alloc[gauge](lp, links+ends)
	}
	if n.Granularity == Messages {
		return
	}
	channels := links*int(n.channels) + ends
	r.Inputs, r.Outputs = ross.Alloc[input](lp, channels), ross.Alloc[output](lp, channels)
	outs := r.Outputs.Of(lp)
	for c := range outs {
		outs[c].Room = math.MaxInt32 // terminals take all that comes
		if port := c / int(n.channels); port < links {
			_, _, class := n.net.Link(at, port)
			outs[c].Room = n.kinds[class].buffer
		}
	}
}

// channel returns the number of a virtual channel in a router: terminals have one each.
func (n *Network) channel(links int, port uint16, vc uint8) int32 {
	if int(port) < links {
		return int32(port)*n.channels + int32(vc)
	}
	return int32(links)*n.channels + int32(int(port)-links)
}

// span returns the virtual channels of a port: the number of the first one, and how many there are.
func (n *Network) span(links int, port uint16) (first, count int32) {
	if int(port) < links {
		return int32(port) * n.channels, n.channels
	}
	return n.channel(links, port, 0), 1
}

// leave chooses the way of a packet out of a router: the route, and its first router may choose that. ok is
// false if there is no such way, which ends the run.
func (n *Network) leave(r *router, lp *ross.LP, p *packet, port uint16) (out way, ok bool) {
	at := int(lp.ID())
	links := n.net.Ports(at)
	if int(port) >= links {
		n.begin(r, lp, p)
	}
	if p.Hops >= n.maxHops {
		n.astray(lp, p)
		return way{}, false
	}
	if to, vc, more := n.Routing.Next(at, &p.Route); more {
		if uint(to) >= uint(links) || uint(vc) >= uint(n.channels) {
			n.noWay(lp, p, to, vc, links)
			return way{}, false
		}
		return way{n.channel(links, uint16(to), uint8(vc)), uint16(to), uint8(vc)}, true
	}
	if p.To < n.first[at] || p.To >= n.first[at+1] {
		n.elsewhere(lp, p)
		return way{}, false
	}
	to := uint16(links + int(p.To-n.first[at]))
	return way{n.channel(links, to, 0), to, 0}, true
}

// begin gives a packet its route.
func (n *Network) begin(r *router, lp *ross.LP, p *packet) {
	at, to := int(lp.ID()), n.RouterOf(int(p.To))
	if n.direct {
		p.Route = n.Routing.Start(at, to, at)
		return
	}
	via := int(lp.RNG().Integer(0, int64(n.net.Routers())-1))
	if n.adaptive == nil {
		p.Route = n.Routing.Start(at, to, via)
		return
	}
	links := n.net.Ports(at)
	p.Route = n.adaptive.Choose(at, to, via, n.Threshold, func(port int) int {
		if uint(port) >= uint(links) {
			n.noWay(lp, p, port, 0, links)
			return 0
		}
		return n.queue(r, lp, links, port)
	})
}

// queue returns the flits that wait for a port, or are on its link and behind it.
func (n *Network) queue(r *router, lp *ross.LP, links, port int) int {
	if n.Granularity == Messages {
		_, _, class := n.net.Link(int(lp.ID()), port)
		ahead := (r.Links.Of(lp)[port].Free - lp.Now()) / n.kinds[class].flit
		return int(min(max(ahead, 0), math.MaxInt32))
	}
	_, _, class := n.net.Link(int(lp.ID()), port)
	first, count := n.span(links, uint16(port))
	sum := count * n.kinds[class].buffer
	for _, o := range r.Outputs.Of(lp)[first : first+count] {
		sum += o.Queued - o.Room
	}
	return int(sum)
}

// end is what is at the other end of a port.
type end struct {
	kind *kind
	lp   ross.LPID
	port uint16 // of a router
	ends bool   // it is a terminal
}

// across returns what is at the other end of a port of a router.
func (n *Network) across(at int, links int, port uint16) end {
	if int(port) >= links {
		return end{&n.kinds[terminal], n.LP(int(n.first[at]) + int(port) - links), 0, true}
	}
	to, other, class := n.net.Link(at, int(port))
	return end{&n.kinds[class], ross.LPID(to), uint16(other), false}
}

// giveBack sends a credit for what has left the buffer of a port, or will have after a while. It takes the
// latency of the link as the other router sees it.
func (n *Network) giveBack(lp *ross.LP, links int, port uint16, vc uint8, flits int32, after float64) {
	at := int(lp.ID())
	if int(port) >= links {
		ross.Send(lp, n.LP(int(n.first[at])+int(port)-links), after+n.kinds[terminal].latency, credit{flits, 0, vc})
		return
	}
	from, fromPort := n.source(at, int(port))
	_, _, class := n.net.Link(from, fromPort)
	ross.Send(lp, ross.LPID(from), after+n.kinds[class].latency, credit{flits, uint16(fromPort), vc})
}

// source returns the port whose link leads to a port.
func (n *Network) source(at, port int) (from, fromPort int) {
	if n.oneWay != nil {
		return n.oneWay.Source(at, port)
	}
	from, fromPort, _ = n.net.Link(at, port)
	return from, fromPort
}

// first returns the first packet of a buffer, or nil.
func (r *router) first(lp *ross.LP, b *buffer) *held { return r.Held.Get(lp, b.First) }

// append puts a packet behind those of a buffer. It returns false without memory for it.
func (r *router) append(lp *ross.LP, b *buffer, h container.Handle) {
	last := r.Held.Get(lp, b.Last)
	ross.Write(lp, b).Last = h
	if last == nil {
		b.First = h
		return
	}
	*ross.Write(lp, &last.Next) = h
}

// remove takes the first packet out of a buffer.
func (r *router) remove(lp *ross.LP, b *buffer) container.Handle {
	h := b.First
	first := r.Held.Get(lp, h)
	if first == nil {
		return 0
	}
	ross.Write(lp, b).First = first.Next
	if first.Next == 0 {
		b.Last = 0
	}
	*ross.Write(lp, &first.Next) = 0
	return h
}

// wait has an input wait for an output, behind those that do.
func (r *router) wait(lp *ross.LP, in int32, o *output) {
	ins := r.Inputs.Of(lp)
	ross.Write(lp, o)
	if o.LastInput == none {
		o.FirstInput = in
	} else {
		*ross.Write(lp, &ins[o.LastInput-1].Behind) = in
	}
	o.LastInput = in
}

// next returns the input that has waited longest for an output, which then does not wait any more.
func (r *router) next(lp *ross.LP, o *output) (in int32) {
	if in = o.FirstInput; in == none {
		return none
	}
	x := &r.Inputs.Of(lp)[in-1]
	ross.Write(lp, o).FirstInput = x.Behind
	if x.Behind == none {
		o.LastInput = none
	}
	*ross.Write(lp, &x.Behind) = none
	return in
}

// wake has a busy link report when it is free.
func wake(lp *ross.LP, l *link, port uint16) {
	if !l.Waking {
		*ross.Write(lp, &l.Waking) = true
		ross.Send(lp, lp.ID(), l.Free-lp.Now(), idle{port})
	}
}
