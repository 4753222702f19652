// This file owns what routers and terminals record of their links for samples at virtual times: what was sent, how long
// a link stood still for want of credits, what is in the buffer behind it, and what waits for it.

package interconnect

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/ross-go/ross"
)

// PointLayout is the layout of the samples of terminals at virtual times, for [ross.Type.PointLayout], with
// [Config.Record]; [NIC.Point] writes them. Those of routers have the same fields as arrays, by port: first the
// ports to routers, then those to terminals. They say of the link that leads away:
//
//	sent     bytes that have left, from the beginning of the run: whole flits, and those that have begun to
//	stalled  time in ns, from the beginning of the run, for which the link could have sent and something
//	         waited for it, but there were no credits
//	buffer   bytes of the buffer at its other end that have no credits now: they are in it, or under way, or
//	         their credits are; all virtual channels together. With Messages, which has no buffers, bytes
//	         that have been given to the link and have not left. 0 for links to terminals, which take all
//	waiting  packets in the router that leave by the link; messages in a terminal. 0 with Messages
const PointLayout = "sent:u64,stalled:f64,buffer:u32,waiting:u32"

// routerLayout returns PointLayout with arrays for the ports of a router.
func (n *Network) routerLayout() string {
	return fmt.Sprintf("sent:u64[%[1]d],stalled:f64[%[1]d],buffer:u32[%[1]d],waiting:u32[%[1]d]", n.ports)
}

// gauge is what a link remembers of its standing still.
type gauge struct {
	Stalled float64 // time for which it stood still, until From
	From    float64 // from when on it has been standing still, or will be when it has sent what it sends
	Waits   bool    // something waits for it; else From means nothing
}

// until returns for how long the link has stood still at a time.
func (g *gauge) until(now float64) float64 {
	if g.Waits && now > g.From {
		return g.Stalled + (now - g.From)
	}
	return g.Stalled
}

// moves notes that the link begins to send.
func (g *gauge) moves(lp *ross.LP) {
	if g.Waits {
		stalled := g.until(lp.Now())
		*ross.Write(lp, g) = gauge{Stalled: stalled}
	}
}

// waits notes that something waits for the link, which has sent what it sends at a time.
func (g *gauge) waits(lp *ross.LP, free float64) {
	if !g.Waits {
		ross.Write(lp, g)
		g.Waits, g.From = true, max(free, lp.Now())
	}
}

// moves notes, with Record, that a port begins to send.
func (n *Network) moves(r *router, lp *ross.LP, port uint16) {
	if r.Gauges.Len() > 0 { // it has none if it comes from a checkpoint of a run that recorded nothing
		r.Gauges.Of(lp)[port].moves(lp)
	}
}

// standing notes, with Record, whether something waits for a port that has sent what it can: what could go at once has
// gone, so the rest waits for the link or for credits.
func (n *Network) standing(r *router, lp *ross.LP, links int, port uint16) {
	if r.Gauges.Len() == 0 {
		return
	}
	first, count := n.span(links, port)
	outs := r.Outputs.Of(lp)[first : first+count]
	for i := range outs {
		if outs[i].First != 0 || n.Granularity == Flits && r.ready(lp, &outs[i]) != nil {
			r.Gauges.Of(lp)[port].waits(lp, r.Links.Of(lp)[port].Free)
			return
		}
	}
}

// leaving returns how many of some flits have not begun to leave by a link that will be free after a time.
func leaving(flits int32, after, flit float64) int32 {
	return int32(min(math.Floor(max(after, 0)/flit), float64(flits)))
}

// routerPoint writes a sample of a router.
func (n *Network) routerPoint(r *router, lp *ross.LP, buf []byte) {
	at, now := int(lp.ID()), lp.Now()
	links := n.net.Ports(at)
	stalled, full, waiting := buf[8*n.ports:], buf[16*n.ports:], buf[20*n.ports:]
	for port, l := range r.Links.Of(lp) {
		k := n.across(at, links, uint16(port)).kind
		still := leaving(l.Leaving, l.Free-now, k.flit)
		binary.LittleEndian.PutUint64(buf[8*port:], (l.Sent-uint64(still))*uint64(n.FlitBytes))
		if r.Gauges.Len() > 0 {
			binary.LittleEndian.PutUint64(stalled[8*port:], math.Float64bits(r.Gauges.Of(lp)[port].until(now)))
		}
		taken := int64(still)
		if n.Granularity != Messages {
			if taken = 0; port < links {
				first, count := n.span(links, uint16(port))
				for _, o := range r.Outputs.Of(lp)[first : first+count] {
					taken += int64(k.buffer - o.Room)
				}
			}
		}
		binary.LittleEndian.PutUint32(full[4*port:], n.bytes(taken))
	}
	if r.Held.Len() == 0 {
		return
	}
	count := func(b *buffer) {
		for p := r.first(lp, b); p != nil; p = r.Held.Get(lp, p.Next) {
			of := waiting[4*int(p.Out.Port):]
			binary.LittleEndian.PutUint32(of, binary.LittleEndian.Uint32(of)+1)
		}
	}
	for i := range r.Inputs.Of(lp) {
		count(&r.Inputs.Of(lp)[i].buffer)
	}
	for i := range r.Outputs.Of(lp) {
		count(&r.Outputs.Of(lp)[i].buffer)
	}
}

// bytes returns the bytes of some flits, at most what a field of a sample holds.
func (n *Network) bytes(flits int64) uint32 {
	return uint32(min(flits*int64(n.FlitBytes), math.MaxUint32))
}

// meter is what a NIC remembers of its link.
type meter struct {
	gauge
	Flits   uint64 // sent
	Leaving int32  // flits that had not left when the last packet or message began to
}

// moves notes that the link begins to send some flits.
func (m *meter) moves(lp *ross.LP, flits int32) {
	m.gauge.moves(lp)
	ross.Write(lp, m)
	m.Flits += uint64(flits)
	m.Leaving = flits
}

// standing notes, with Record, whether something waits for the link.
func (c *NIC) standing(lp *ross.LP) {
	if c.queue.Len() > 0 {
		c.gauge.waits(lp, c.Free)
	}
}

// Point writes a sample of the link of a terminal at a virtual time, with [PointLayout], for [ross.Type.Point].
// Without [Config.Record] it writes nothing.
func (c *NIC) Point(n *Network, lp *ross.LP, buf []byte) {
	if !n.Record {
		return
	}
	now, k := lp.Now(), &n.kinds[terminal]
	still := leaving(c.meter.Leaving, c.Free-now, k.flit)
	full := int64(c.Used)
	if n.Granularity == Messages {
		full = int64(still)
	}
	binary.LittleEndian.PutUint64(buf, (c.Flits-uint64(still))*uint64(n.FlitBytes))
	binary.LittleEndian.PutUint64(buf[8:], math.Float64bits(c.gauge.until(now)))
	binary.LittleEndian.PutUint32(buf[16:], n.bytes(full))
	binary.LittleEndian.PutUint32(buf[20:], uint32(min(c.queue.Len(), math.MaxUint32)))
}
