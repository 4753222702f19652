// This file owns the search for packets that never go on, in the routers that a run leaves.

package interconnect

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/network/topology"
)

// ErrDeadlock is wrapped by every [Deadlock].
var ErrDeadlock = errors.New("interconnect: deadlock of the network")

// Deadlock is the error about packets that wait for one another in a circle, and for which no run is long
// enough.
type Deadlock struct {
	// Circle has the virtual channels of a circle: the packets that wait for one of them cannot get it
	// because of those that wait for the next one, and those that wait for the last one hold up the first.
	Circle []topology.Channel
	// Packets are all packets in routers that wait for one of a circle, directly or behind others, by router.
	Packets []Stuck
}

// Stuck is a packet that never goes on.
type Stuck struct {
	Router   int // where it is
	From, To int // terminals
}

// shown is the number of channels of a circle, and of routers, that the text of an error lists.
const shown = 8

// Error returns one line with the routers that hold packets, and the circle.
func (d *Deadlock) Error() string {
	var circle, routers []string
	for _, c := range d.Circle {
		circle = append(circle, c.String())
	}
	for i := range d.Packets {
		if r := d.Packets[i].Router; i == 0 || d.Packets[i-1].Router != r {
			routers = append(routers, strconv.Itoa(r))
		}
	}
	return fmt.Sprintf(
		"%v: %d packets never go on, in the routers %s, because some of them wait for one another in a circle of virtual channels: %s: "+
			"give the routing other channels or routes, for which topology.Cycle finds no circle",
		ErrDeadlock, len(d.Packets), several(routers, ", "), several(circle, "; "))
}

// several joins the first few of a list, and the number of those left out.
func several(list []string, between string) string {
	if len(list) > shown {
		list = append(slices.Clip(list[:shown]), fmt.Sprintf("and %d more", len(list)-shown))
	}
	return strings.Join(list, between)
}

// Unwrap returns ErrDeadlock.
func (d *Deadlock) Unwrap() error { return ErrDeadlock }

// Deadlock returns the packets that can never go on, or nil if there are none. Call it after Run. It does not
// matter whether other traffic goes on, or whether the end of the run has cut it off. With [Messages] there
// are none. In a run of several ranks all call it, and all get the same.
//
// What waits is compared with what is on its way. A packet waits for a virtual channel that has no room. If
// the room there, what the input behind it holds, and its credits and packets under way make up its buffer,
// and nothing is under way, then room comes only from the first packet of that input. So each input waits
// for at most one other, and those from which that leads into a circle wait for ever.
func (n *Network) Deadlock(sim *ross.Simulation) (*Deadlock, error) {
	if n.Granularity == Messages {
		return nil, nil
	}
	waits, err := ross.Gather(sim, n.waits)
	if err != nil {
		return nil, err
	}
	g := newGraph(n, waits)
	if !g.search() {
		return nil, nil
	}
	d := &Deadlock{Circle: g.circle}
	packets, err := ross.Gather(sim, func(lp *ross.LP, r *router) []Stuck { return r.stuck(lp, g.of(int(lp.ID()))) })
	if err != nil {
		return nil, err
	}
	d.Packets = slices.Concat(packets...)
	return d, nil
}

// wait returns for what the first packet of an input waits, or with Packets that of an output for which no input
// waits.
type wait struct {
	In    int32 // input, or none-1
	Out   way   // by which the packet leaves
	For   what
	Room  int32 // flits for which the output has credits
	Holds int32 // flits in the input
	Owner int32 // input whose packet has the output
}

// what is what a packet waits for.
type what uint8

const (
	forRoom  what = iota // behind the output
	forOwner             // of the output, to leave it
)

// waits returns what may keep the packets of a router from going on. Those to a terminal, and those that have all
// they need, are left out.
func (n *Network) waits(lp *ross.LP, r *router) (all []wait) {
	if r.Held.Len() == 0 {
		return nil
	}
	outs := r.Outputs.Of(lp)
	for in := range r.Inputs.Of(lp) {
		x := &r.Inputs.Of(lp)[in]
		p := r.first(lp, &x.buffer)
		if p == nil {
			continue
		}
		o := &outs[p.Out.Channel]
		w := wait{In: int32(in), Out: p.Out, Room: o.Room, Owner: o.Owner}
		switch {
		case n.Granularity == Packets:
			if !r.blocked(lp, o) {
				continue
			}
		case o.Owner != int32(in)+1:
			w.For = forOwner
		case p.Here == 0 || o.Room > 0: // the rest of a packet comes, since the input is empty
			continue
		}
		for ; p != nil; p = r.Held.Get(lp, p.Next) {
			w.Holds += n.holds(p)
		}
		all = append(all, w)
	}
	for c := range outs {
		if o := &outs[c]; o.FirstInput == none && r.blocked(lp, o) {
			all = append(all, wait{In: none - 1, Out: r.first(lp, &o.buffer).Out, Room: o.Room})
		}
	}
	return all
}

// holds returns the flits of a packet that are in the buffer of its input.
func (n *Network) holds(p *held) int32 {
	if n.Granularity == Packets {
		return p.Flits
	}
	return p.Here
}

// blocked reports whether the first packet of an output, with Packets, has no room to go to.
func (r *router) blocked(lp *ross.LP, o *output) bool {
	p := r.first(lp, &o.buffer)
	return p != nil && p.Flits > o.Room
}

// stuck returns the packets of a router behind waits that have no end.
func (r *router) stuck(lp *ross.LP, waits []wait) (all []Stuck) {
	list := func(b *buffer) {
		for p := r.first(lp, b); p != nil; p = r.Held.Get(lp, p.Next) {
			all = append(all, Stuck{int(lp.ID()), int(p.From), int(p.To)})
		}
	}
	outs := map[int32]bool{}
	for i := range waits {
		w := &waits[i]
		if w.In >= 0 {
			list(&r.Inputs.Of(lp)[w.In].buffer)
		}
		if c := w.Out.Channel; !outs[c] {
			outs[c] = true
			list(&r.Outputs.Of(lp)[c].buffer)
		}
	}
	return all
}

// node is a wait of a router, by its place in the list of the router.
type node struct{ router, place int }

// graph has the waits of all routers; each leads to at most one other.
type graph struct {
	n      *Network
	waits  [][]wait
	state  [][]uint8
	circle []topology.Channel // the first one found
}

// States of nodes.
const (
	unseen uint8 = iota
	open         // on the way that is being followed
	ends         // something goes on
	never
)

func newGraph(n *Network, waits [][]wait) *graph {
	g := &graph{n: n, waits: waits, state: make([][]uint8, len(waits))}
	for r := range waits {
		g.state[r] = make([]uint8, len(waits[r]))
	}
	return g
}

// search finds out which waits have no end, and reports whether there are any.
func (g *graph) search() (found bool) {
	var path []node
	for r := range g.waits {
		for place := range g.waits[r] {
			path = path[:0]
			at, goes := node{r, place}, true
			for goes && g.state[at.router][at.place] == unseen {
				g.state[at.router][at.place] = open
				path = append(path, at)
				at, goes = g.next(at)
			}
			verdict := ends
			if goes {
				if verdict = g.state[at.router][at.place]; verdict == open {
					verdict = never
					g.found(path[slices.Index(path, at):])
				}
			}
			for _, p := range path {
				g.state[p.router][p.place] = verdict
			}
			found = found || verdict == never
		}
	}
	return found
}

// found keeps the first circle.
func (g *graph) found(circle []node) {
	if g.circle != nil {
		return
	}
	for _, c := range circle {
		if w := &g.waits[c.router][c.place]; w.For == forRoom {
			g.circle = append(g.circle, topology.Channel{Router: c.router, Port: int(w.Out.Port), Channel: int(w.Out.VC)})
		}
	}
}

// next returns the wait that has to end before another one does; ok is false if that goes on without.
func (g *graph) next(at node) (to node, ok bool) {
	n, w := g.n, &g.waits[at.router][at.place]
	if w.For == forOwner {
		return g.find(at.router, w.Owner-1)
	}
	other, port, _ := n.net.Link(at.router, int(w.Out.Port))
	in := n.channel(n.net.Ports(other), uint16(port), w.Out.VC)
	to, ok = g.find(other, in)
	return to, ok && g.quiet(w, at.router, &g.waits[to.router][to.place])
}

// quiet reports whether neither flits nor credits are under way between the output of a wait and the input
// behind it.
func (g *graph) quiet(w *wait, router int, behind *wait) bool {
	_, _, class := g.n.net.Link(router, int(w.Out.Port))
	return w.Room+behind.Holds == g.n.kinds[class].buffer
}

// find returns the wait of an input.
func (g *graph) find(router int, in int32) (to node, ok bool) {
	place := slices.IndexFunc(g.waits[router], func(w wait) bool { return w.In == in })
	return node{router, place}, place >= 0
}

// of returns the waits of a router that have no end.
func (g *graph) of(router int) (all []wait) {
	for place := range g.waits[router] {
		if g.state[router][place] == never {
			all = append(all, g.waits[router][place])
		}
	}
	return all
}
