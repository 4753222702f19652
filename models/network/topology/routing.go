// This file owns routings.

package topology

// Packet is what a routing knows of a packet. It has no pointers, so it can be part of a message.
// Routing.Start makes it.
type Packet struct {
	Dst   int32 // router at which it leaves the network
	Via   int32 // router to which it goes first, -1: none, or it has been there
	Hops  uint8 // links that it has taken since the last of these two began
	Dim   int8  // dimension of a torus in which it goes
	Wraps bool  // it has gone over the edge of that dimension
	Far   bool  // it has taken a global link
}

// Routing leads packets through a network. It chooses the port and the virtual channel that they take.
// Its methods may be called by several goroutines at once.
type Routing interface {
	// Network returns the network.
	Network() Network
	// Channels returns the number of virtual channels of each link.
	Channels() int
	// Start returns a packet from one router to another. via is a router drawn uniformly from all,
	// which routings that are not random ignore.
	Start(from, to, via int) Packet
	// Next returns the port and the virtual channel that a packet takes from a router. ok is false
	// if the packet is where it leaves the network.
	Next(at int, p *Packet) (port, channel int, ok bool)
}

// Minimal is minimal routing: packets take the ports of Network.Minimal. Virtual channels make it free
// of deadlock: on a torus a packet changes from 0 to 1 when it has gone over the edge of a dimension
// (Dally and Seitz 1987), on a dragonfly when it has taken its global link, and on a slim fly with
// its second link. Meshes, hypercubes, trees and the dragonfly+ need one.
type Minimal struct{ net Network }

// NewMinimal returns minimal routing on a network of this package.
func NewMinimal(net Network) *Minimal { return &Minimal{net} }

// Network implements [Routing].
func (m *Minimal) Network() Network { return m.net }

// Channels implements [Routing].
func (m *Minimal) Channels() int {
	switch n := m.net.(type) {
	case *Torus:
		if !n.wraps {
			return 1
		}
	case *Tree, *FatTree, *DragonflyPlus:
		return 1
	}
	return 2
}

// Start implements [Routing].
func (m *Minimal) Start(_, to, _ int) Packet { return Packet{Dst: int32(to), Via: -1, Dim: -1} }

// Next implements [Routing].
func (m *Minimal) Next(at int, p *Packet) (port, channel int, ok bool) {
	return m.towards(at, int(p.Dst), p)
}

// towards leads a packet towards a router.
func (m *Minimal) towards(at, to int, p *Packet) (port, channel int, ok bool) {
	if port = m.net.Minimal(at, to); port < 0 {
		return 0, 0, false
	}
	switch n := m.net.(type) {
	case *Torus:
		if dim := int8(port / 2); dim != p.Dim {
			p.Dim, p.Wraps = dim, false
		}
		channel = number(p.Wraps)
		p.Wraps = p.Wraps || n.crosses(at, port)
	case *Dragonfly:
		channel = number(p.Far)
		p.Far = p.Far || port >= n.a-1
	case *SlimFly:
		channel = int(p.Hops)
	}
	p.Hops++
	return port, channel, true
}

func number(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// Valiant is random routing: a packet goes to a random router first, and from there to its
// destination, both on minimal routes (Valiant and Brebner, "Universal schemes for parallel
// communication", STOC 1981). So any traffic becomes uniform, for twice the links. Each half of the
// way has virtual channels of its own. On a dragonfly+ the random router is always a leaf: for a spine
// that is drawn, one of its group. Trees cannot use it, since packets go up once: they have [RandomUp].
type Valiant struct{ Minimal }

// NewValiant returns Valiant's routing on a network of this package, but for trees.
func NewValiant(net Network) (*Valiant, error) {
	if _, ok := net.(fatTree); ok {
		return nil,
			shapeError("Valiant's routing on a tree: packets would go up twice; minimal routing and RandomUp spread them")
	}
	return &Valiant{Minimal{net}}, nil
}

// Channels implements [Routing].
func (v *Valiant) Channels() int { return 2 * v.Minimal.Channels() }

// Start implements [Routing].
func (v *Valiant) Start(from, to, via int) Packet {
	p := v.Minimal.Start(from, to, via)
	if from != to {
		p.Via = int32(v.between(via))
	}
	return p
}

// between returns the router through which a packet goes for one that was drawn.
func (v *Valiant) between(via int) int {
	if d, ok := v.net.(*DragonflyPlus); ok {
		return d.leafFor(via)
	}
	return via
}

// Choose returns a packet that goes the minimal way, or that of Start, whichever has the shorter queue,
// weighted by the links of the way: UGAL-L (Singh, "Load-balanced routing in interconnection
// networks", thesis, Stanford 2005). queue returns the length of the queue at a port of router
// from; the minimal way is taken if its product is at most the other one's plus threshold.
func (v *Valiant) Choose(from, to, via, threshold int, queue func(port int) int) Packet {
	minimal := v.Minimal.Start(from, to, via)
	if via = v.between(via); from == to || via == from || via == to {
		return minimal
	}
	direct := queue(v.net.Minimal(from, to)) * v.net.Distance(from, to)
	around := queue(v.net.Minimal(from, via)) * (v.net.Distance(from, via) + v.net.Distance(via, to))
	if direct <= around+threshold {
		return minimal
	}
	return v.Start(from, to, via)
}

// Next implements [Routing].
func (v *Valiant) Next(at int, p *Packet) (port, channel int, ok bool) {
	if p.Via >= 0 {
		if port, channel, ok = v.towards(at, int(p.Via), p); ok {
			return port, channel, true
		}
		*p = Packet{Dst: p.Dst, Via: -1, Dim: -1}
	}
	port, channel, ok = v.towards(at, int(p.Dst), p)
	return port, channel + v.Minimal.Channels(), ok
}
