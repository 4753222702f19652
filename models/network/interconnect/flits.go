// This file owns how routers pass flits on: the granularity Flits. The first packet of an input gets a
// virtual channel of its output, and holds it until its last flit has left. The channels of a link take
// turns, flit by flit.

package interconnect

import "github.com/ross-go/ross"

// headArrives takes the first flit of a packet.
func (n *Network) headArrives(r *router, lp *ross.LP, m *arrival) {
	p := m.packet
	links := n.net.Ports(int(lp.ID()))
	out, ok := n.leave(r, lp, &p, m.Port)
	if !ok {
		return
	}
	h := r.Held.Add(lp, held{packet: p, Out: out, Port: m.Port, VC: m.VC, Here: 1})
	if h == 0 {
		return
	}
	in := n.channel(links, m.Port, m.VC)
	x := &r.Inputs.Of(lp)[in]
	r.append(lp, &x.buffer, h)
	if x.First == h {
		n.request(r, lp, links, in)
	}
}

// flitArrives takes a further flit of the packet that came last.
func (n *Network) flitArrives(r *router, lp *ross.LP, m *flit) {
	links := n.net.Ports(int(lp.ID()))
	in := n.channel(links, m.Port, m.VC)
	x := &r.Inputs.Of(lp)[in]
	p := r.Held.Get(lp, x.Last)
	if p == nil {
		return
	}
	*ross.Write(lp, &p.Here)++
	if x.First == x.Last && r.Outputs.Of(lp)[p.Out.Channel].Owner == in+1 {
		n.serveFlits(r, lp, links, p.Out.Port)
	}
}

func (n *Network) flitCredit(r *router, lp *ross.LP, m *credit) {
	links := n.net.Ports(int(lp.ID()))
	*ross.Write(lp, &r.Outputs.Of(lp)[n.channel(links, m.Port, m.VC)].Room) += m.Flits
	n.serveFlits(r, lp, links, m.Port)
}

func (n *Network) flitIdle(r *router, lp *ross.LP, m *idle) {
	*ross.Write(lp, &r.Links.Of(lp)[m.Port].Waking) = false
	n.serveFlits(r, lp, n.net.Ports(int(lp.ID())), m.Port)
}

// request gets the virtual channel for the first packet of an input, or has it wait.
func (n *Network) request(r *router, lp *ross.LP, links int, in int32) {
	p := r.first(lp, &r.Inputs.Of(lp)[in].buffer)
	if p == nil {
		return
	}
	o := &r.Outputs.Of(lp)[p.Out.Channel]
	if o.Owner != none {
		r.wait(lp, in+1, o)
		return
	}
	*ross.Write(lp, &o.Owner) = in + 1
	n.serveFlits(r, lp, links, p.Out.Port)
}

// ready returns the packet that has a virtual channel, if it has a flit to send, or nil.
func (r *router) ready(lp *ross.LP, o *output) *held {
	if o.Owner == none {
		return nil
	}
	if p := r.first(lp, &r.Inputs.Of(lp)[o.Owner-1].buffer); p != nil && p.Here > 0 {
		return p
	}
	return nil
}

// serveFlits has a port send a flit if it can, of its virtual channels in turn.
func (n *Network) serveFlits(r *router, lp *ross.LP, links int, port uint16) {
	first, count := n.span(links, port)
	outs, l := r.Outputs.Of(lp)[first:first+count], &r.Links.Of(lp)[port]
	if l.Free <= lp.Now() {
		vc := int32(l.Last)
		for range count {
			if vc++; vc >= count {
				vc = 0
			}
			if p := r.ready(lp, &outs[vc]); p != nil && outs[vc].Room > 0 {
				n.transmitFlit(r, lp, links, p, &outs[vc], l)
				break
			}
		}
	}
	if l.Free > lp.Now() {
		for i := range outs {
			if r.ready(lp, &outs[i]) != nil {
				wake(lp, l, port)
				break
			}
		}
	}
	if n.Record {
		n.standing(r, lp, links, port)
	}
}

// transmitFlit puts a flit on a link that is free. After the last one the channel goes to the next
// packet.
func (n *Network) transmitFlit(r *router, lp *ross.LP, links int, p *held, o *output, l *link) {
	to, out := n.across(int(lp.ID()), links, p.Out.Port), p.Out
	if n.Record {
		n.moves(r, lp, out.Port)
	}
	ross.Write(lp, l)
	l.Free = lp.Now() + to.kind.flit
	l.Sent++
	l.Last = out.VC
	ross.Write(lp, &p.Here)
	ross.Write(lp, &p.Gone)
	p.Here--
	p.Gone++
	n.giveBack(lp, links, p.Port, p.VC, 1, 0)
	last := p.Gone == p.Flits
	carried := p.packet
	carried.Hops++
	switch {
	case to.ends && last:
		ross.Send(lp, to.lp, to.kind.flit+to.kind.latency, delivery{carried})
	case to.ends:
	case p.Gone == 1:
		ross.Send(lp, to.lp, to.kind.head, arrival{carried, 0, to.port, out.VC})
	default:
		ross.Send(lp, to.lp, to.kind.head, flit{to.port, out.VC})
	}
	if !to.ends {
		*ross.Write(lp, &o.Room)--
	}
	if last {
		in := o.Owner - 1
		r.Held.Remove(lp, r.remove(lp, &r.Inputs.Of(lp)[in].buffer))
		*ross.Write(lp, &o.Owner) = r.next(lp, o)
		n.request(r, lp, links, in)
	}
}
