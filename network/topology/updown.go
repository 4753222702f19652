// This file owns random routing on fat trees.

package topology

// fatTree is a network in which packets go up and then down.
type fatTree interface {
	Network
	// Level returns the level of a router, 0 next to the terminals.
	Level(router int) int
	// above reports whether ways down lead from one router to another one of level 0, or whether they
	// are the same.
	above(at, to int) bool
	// descend returns the port down that leads to a router of level 0.
	descend(at, to int) int
	// climb returns the port up that a number selects. Numbers drawn uniformly from those of all
	// routers lead to each router of the highest level about equally often.
	climb(at, number int) int
}

// RandomUp is random routing on fat trees: a packet goes up through random ports, and then down on the
// only way that there is. So any traffic is spread over the whole tree. Ways that turn from down to up
// do not exist, so one virtual channel is free of deadlock.
type RandomUp struct {
	net fatTree
	top int // level up to which all packets go, or 0
}

// NewRandomUp returns random minimal routing on a [Tree] or a [FatTree]: packets turn at a random one of
// the nearest routers above both ends (Greenberg and Leiserson, "Randomized routing on fat-trees", FOCS
// 1985).
func NewRandomUp(net Network) (*RandomUp, error) {
	t, ok := net.(fatTree)
	if !ok {
		return nil, shapeError("random ports up in a %T: it is no tree; take Valiant's routing", net)
	}
	return &RandomUp{net: t}, nil
}

// NewRandomTop returns random routing that is not minimal on a [Tree] or a [FatTree]: all packets that
// leave their router go to a random router of the highest level. This is Valiant's routing for folded
// Clos networks (Greenberg et al., "VL2: a scalable and flexible data center network", SIGCOMM 2009).
func NewRandomTop(net Network) (*RandomUp, error) {
	r, err := NewRandomUp(net)
	if err != nil {
		return nil, err
	}
	r.top = r.net.Level(net.Routers() - 1)
	return r, nil
}

// Network implements [Routing].
func (r *RandomUp) Network() Network { return r.net }

// Channels implements [Routing].
func (r *RandomUp) Channels() int { return 1 }

// Start implements [Routing]. Both routers must have terminals. via selects the ports up.
func (r *RandomUp) Start(_, to, via int) Packet {
	return Packet{Dst: int32(to), Via: int32(via), Dim: -1}
}

// Next implements [Routing].
func (r *RandomUp) Next(at int, p *Packet) (port, channel int, ok bool) {
	to := int(p.Dst)
	if at == to {
		return 0, 0, false
	}
	p.Hops++
	if p.Via >= 0 && (r.net.Level(at) < r.top || !r.net.above(at, to)) {
		return r.net.climb(at, int(p.Via)), 0, true
	}
	p.Via = -1
	return r.net.descend(at, to), 0, true
}
