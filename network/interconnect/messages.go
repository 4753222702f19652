// This file owns how routers pass whole messages on: the granularity Messages.

package interconnect

import "github.com/ross-go/ross"

// passMessage sends a message on. The link keeps the order of messages, and the time when it is free is
// all that it needs: a message knows at once when it can go.
func (n *Network) passMessage(r *router, lp *ross.LP, _ *ross.None, m *arrival) {
	p, now, at := m.packet, lp.Now(), int(lp.ID())
	links := n.net.Ports(at)
	out, ok := n.leave(r, lp, &p, m.Port)
	if !ok {
		return
	}
	to := n.across(at, links, out.Port)
	l := ross.Write(lp, &r.Links.Of(lp)[out.Port])
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
