// This file owns how routers pass packets on. With the granularity Packets, a packet comes into the buffer of its
// input, goes to its output when that has room, and leaves when the link is free and there is room for all of it at the
// other end. With the granularity Messages, routers pass whole messages on.

package interconnect

import "github.com/ross-go/ross"

// packetArrives takes a packet.
func (n *Network) packetArrives(r *router, lp *ross.LP, m *arrival) {
	p := m.packet
	links := n.net.Ports(int(lp.ID()))
	out, ok := n.leave(r, lp, &p, m.Port)
	if !ok {
		return
	}
	in := n.channel(links, m.Port, m.VC)
	x := &r.Inputs.Of(lp)[in]
	o := &r.Outputs.Of(lp)[out.Channel]
	l := &r.Links.Of(lp)[out.Port]
	if x.First == 0 && o.First == 0 && o.FirstInput == none && l.Free <= lp.Now() && o.Room >= p.Flits {
		n.giveBack(lp, links, m.Port, m.VC, p.Flits, max(m.Tail-lp.Now(), 0))
		n.transmit(r, lp, links, &p, m.Tail, out, o, l)
		if n.Record {
			n.standing(r, lp, links, out.Port)
		}
		return
	}
	h := r.Held.Add(lp, held{packet: p, Tail: m.Tail, Out: out, Port: m.Port, VC: m.VC})
	if h == 0 {
		return
	}
	r.append(lp, &x.buffer, h)
	if x.First == h {
		n.advance(r, lp, links, in)
	}
}

func (n *Network) packetCredit(r *router, lp *ross.LP, m *credit) {
	links := n.net.Ports(int(lp.ID()))
	*ross.Write(lp, &r.Outputs.Of(lp)[n.channel(links, m.Port, m.VC)].Room) += m.Flits
	n.servePackets(r, lp, links, m.Port)
}

func (n *Network) packetIdle(r *router, lp *ross.LP, m *idle) {
	*ross.Write(lp, &r.Links.Of(lp)[m.Port].Waking) = false
	n.servePackets(r, lp, n.net.Ports(int(lp.ID())), m.Port)
}

// fits reports whether an output has room for a packet of that number of flits. An empty one always has.
func (n *Network) fits(o *output, flits int32) bool {
	return o.Queued == 0 || o.Queued+flits <= n.output
}

// advance moves the first packets of an input to their outputs while these have room. Then the input
// waits for room for the next packet.
func (n *Network) advance(r *router, lp *ross.LP, links int, in int32) {
	x := &r.Inputs.Of(lp)[in]
	for p := r.first(lp, &x.buffer); p != nil; p = r.first(lp, &x.buffer) {
		o, port := &r.Outputs.Of(lp)[p.Out.Channel], p.Out.Port
		if o.FirstInput != none || !n.fits(o, p.Flits) {
			r.wait(lp, in+1, o)
			return
		}
		n.move(r, lp, links, x, p, o)
		n.servePackets(r, lp, links, port)
	}
}

// move moves the first packet of an input to its output.
func (n *Network) move(r *router, lp *ross.LP, links int, x *input, p *held, o *output) {
	n.giveBack(lp, links, p.Port, p.VC, p.Flits, max(p.Tail-lp.Now(), 0))
	r.append(lp, &o.buffer, r.remove(lp, &x.buffer))
	*ross.Write(lp, &o.Queued) += p.Flits
}

// servePackets has a port send a packet if it can, of its virtual channels in turn, and inputs fill the
// room that this makes.
func (n *Network) servePackets(r *router, lp *ross.LP, links int, port uint16) {
	first, count := n.span(links, port)
	outs, l := r.Outputs.Of(lp)[first:first+count], &r.Links.Of(lp)[port]
	if l.Free <= lp.Now() {
		vc := int32(l.Last)
		for range count {
			if vc++; vc >= count {
				vc = 0
			}
			o := &outs[vc]
			if p := r.first(lp, &o.buffer); p != nil && p.Flits <= o.Room {
				out, _ := r.Held.Remove(lp, r.remove(lp, &o.buffer))
				*ross.Write(lp, &o.Queued) -= out.Flits
				n.transmit(r, lp, links, &out.packet, out.Tail, out.Out, o, l)
				n.refill(r, lp, links, o)
				break
			}
		}
	}
	if l.Free > lp.Now() {
		for i := range outs {
			if outs[i].First != 0 {
				wake(lp, l, port)
				break
			}
		}
	}
	if n.Record {
		n.standing(r, lp, links, port)
	}
}

// refill moves packets to an output from the inputs that wait for it.
func (n *Network) refill(r *router, lp *ross.LP, links int, o *output) {
	for o.FirstInput != none {
		x := &r.Inputs.Of(lp)[o.FirstInput-1]
		p := r.first(lp, &x.buffer)
		if p == nil || !n.fits(o, p.Flits) {
			return
		}
		in := r.next(lp, o)
		n.move(r, lp, links, x, p, o)
		n.advance(r, lp, links, in-1)
	}
}

// transmit puts a packet on a link that is free.
func (n *Network) transmit(r *router, lp *ross.LP, links int, p *packet, tail float64, out way, o *output, l *link) {
	to, now := n.across(int(lp.ID()), links, out.Port), lp.Now()
	if n.Record {
		n.moves(r, lp, out.Port)
	}
	ross.Write(lp, l)
	l.Leaving = p.Flits
	l.Free = max(now+float64(to.kind.flit*float64(p.Flits)), tail+to.kind.flit)
	l.Sent += uint64(p.Flits)
	l.Last = out.VC
	p.Hops++
	if to.ends {
		ross.Send(lp, to.lp, l.Free-now+to.kind.latency, delivery{*p})
		return
	}
	*ross.Write(lp, &o.Room) -= p.Flits
	ross.Send(lp, to.lp, to.kind.head, arrival{*p, l.Free - to.kind.flit + to.kind.head, to.port, out.VC})
}

// passMessage sends a message on. The link keeps the order of messages, and the time when it is free is
// all that it needs: a message knows at once when it can go.
func (n *Network) passMessage(r *router, lp *ross.LP, m *arrival) {
	p, now, at := m.packet, lp.Now(), int(lp.ID())
	links := n.net.Ports(at)
	out, ok := n.leave(r, lp, &p, m.Port)
	if !ok {
		return
	}
	to := n.across(at, links, out.Port)
	l := ross.Write(lp, &r.Links.Of(lp)[out.Port])
	if n.Record {
		l.Leaving = leaving(l.Leaving, l.Free-now, to.kind.flit) + p.Flits
	}
	start := max(now, l.Free)
	l.Free = max(start+float64(to.kind.flit*float64(p.Flits)), m.Tail+to.kind.flit)
	l.Sent += uint64(p.Flits)
	p.Hops++
	if to.ends {
		ross.Send(lp, to.lp, l.Free-now+to.kind.latency, delivery{p})
		return
	}
	ross.Send(lp, to.lp, start-now+to.kind.head, arrival{p, l.Free - to.kind.flit + to.kind.head, to.port, 0})
}
