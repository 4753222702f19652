// This file owns Network: LPs, and what follows from the settings.

package interconnect

import (
	"fmt"
	"math"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/models/network/topology"
)

// Network is a network whose routers are the LPs 0, 1, and so on, and whose terminals are those after
// them. It does not change, so that all PEs share it.
type Network struct {
	Config
	net       topology.Network
	oneWay    topology.OneWay // net, if its links lead in one direction
	adaptive  *topology.Valiant
	direct    bool // the routing draws nothing
	kinds     [classes]kind
	lookahead float64
	maxHops   uint32
	channels  int32   // of a link
	packet    int32   // flits of a packet
	output    int32   // flits of an output
	ports     int     // most ports of a router, with those to terminals
	routerOf  []int32 // of a terminal
	first     []int32 // terminal of a router, and after the last router their number
	levels    []int   // first router of each level of a tree, and their number; without levels, 0 and their number
}

// kind is what a router must know of a kind of link.
type kind struct {
	flit    float64 // time of a flit
	latency float64
	head    float64 // from when a flit begins to leave to when the router at the end may send it on
	buffer  int32   // flits
}

// New returns the network of the settings. It looks at all links. Each has to lead both ways
// ([topology.Check]) unless the network is a [topology.OneWay]. That takes about a second or less for a
// million terminals; in a run of several ranks each of them does it for the whole network, and all find the
// same.
func New(c Config) (*Network, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	channels := c.Routing.Channels()
	if channels < 1 || channels > math.MaxUint8 {
		return nil, fmt.Errorf("%w: %T has %d virtual channels: must be 1 to %d", ErrConfig, c.Routing, channels,
			math.MaxUint8)
	}
	n := &Network{Config: c, net: c.Routing.Network(), channels: int32(channels)}
	if err := topology.Check(n.net); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	n.oneWay, _ = n.net.(topology.OneWay)
	_, n.direct = c.Routing.(*topology.Minimal)
	if c.Adaptive {
		n.adaptive = c.Routing.(*topology.Valiant)
	}
	flits := func(bytes int) int32 { return int32(bytes / c.FlitBytes) }
	n.packet, n.output = int32((c.PacketBytes+c.FlitBytes-1)/c.FlitBytes), flits(c.Output)
	for class := range classes {
		l := c.link(class)
		k := kind{flit: float64(c.FlitBytes) / l.Bandwidth, latency: l.Latency, buffer: flits(l.Buffer)}
		k.head = k.flit + k.latency + c.Delay
		n.kinds[class] = k
	}
	n.levels = levels(n.net)
	n.first = make([]int32, 0, n.net.Routers()+1)
	for r := range n.net.Routers() {
		if ports := n.net.Ports(r) + n.net.Terminals(r); ports > math.MaxUint16 {
			return nil, fmt.Errorf("%w: router %d has %d ports: at most %d are possible", ErrConfig, r, ports, math.MaxUint16)
		}
		if n.net.Terminals(r) > math.MaxInt32-len(n.routerOf) {
			return nil, fmt.Errorf("%w: the routers up to %d have more than 2^31-1 terminals: give them fewer", ErrConfig, r)
		}
		n.ports = max(n.ports, n.net.Ports(r)+n.net.Terminals(r))
		n.first = append(n.first, int32(len(n.routerOf)))
		for range n.net.Terminals(r) {
			n.routerOf = append(n.routerOf, int32(r))
		}
	}
	n.first = append(n.first, int32(len(n.routerOf)))
	n.lookahead = n.leastLatency()
	if n.maxHops = uint32(c.MaxHops); c.MaxHops == 0 {
		n.maxHops = uint32(min(100+10*int64(n.reach()), math.MaxInt32))
	}
	return n, nil
}

// Shape returns the shape of the network.
func (n *Network) Shape() topology.Network { return n.net }

// Terminals returns the number of terminals.
func (n *Network) Terminals() int { return len(n.routerOf) }

// LP returns the LP of a terminal.
func (n *Network) LP(terminal int) ross.LPID { return ross.LPID(len(n.first) - 1 + terminal) }

// TerminalOf returns the terminal of an LP.
func (n *Network) TerminalOf(id ross.LPID) int { return int(id) - (len(n.first) - 1) }

// RouterOf returns the router of a terminal.
func (n *Network) RouterOf(terminal int) int { return int(n.routerOf[terminal]) }

// TerminalsOf returns the terminals of a router: those from first on, up to, but without, end.
func (n *Network) TerminalsOf(router int) (first, end int) {
	return int(n.first[router]), int(n.first[router+1])
}

// Lookahead returns the least time that an event takes from one router to another. It is the least
// latency of the links of the network: credits take that time.
func (n *Network) Lookahead() float64 { return n.lookahead }

func (n *Network) leastLatency() float64 {
	least := math.Inf(1)
	var seen [classes]bool
	for l := range topology.Links(n.net) {
		if seen[l.Class] || l.From == l.To && l.FromPort == l.ToPort { // the latter is no link
			continue
		}
		seen[l.Class] = true
		for _, class := range []topology.Class{l.Class, l.Class.Opposite()} {
			least = min(least, n.least(class))
		}
	}
	if math.IsInf(least, 1) { // one router
		return n.least(terminal)
	}
	return least
}

// least returns the least time of an event on a link.
func (n *Network) least(class topology.Class) float64 {
	if n.Granularity == Messages {
		return n.kinds[class].head
	}
	return n.kinds[class].latency
}

// leastToTerminal returns the least time of what a router sends to a terminal. A message of one flit is there
// when that has come.
func (n *Network) leastToTerminal() float64 {
	k := &n.kinds[terminal]
	return min(n.least(terminal), k.flit+k.latency)
}

// Place sets in a configuration what the network needs: the number of LPs, their types (the router
// is the first, the terminal the second), the mapping, and the lookahead. The mapping has
// each terminal on the PE of its router, and neighbouring numbers of routers on the same PE, in trees
// level by level. So all
// that goes to another PE goes over a link between routers, and takes at least Lookahead.
func (n *Network) Place(cfg *ross.Config) {
	routers := len(n.first) - 1
	cfg.NLP, cfg.LPs = 0, int(routers+len(n.routerOf))
	cfg.TypeMap = func(id ross.LPID) int {
		if int(id) < routers {
			return 0
		}
		return 1
	}
	cfg.Mapping = mapping.For(func(s mapping.Shape) (mapping.Places, error) {
		return mapping.Places{PE: func(id uint64) uint64 {
			router := int(id)
			if router >= routers {
				router = n.RouterOf(router - routers)
			}
			return n.place(router, s.PEs)
		}}, nil
	})
	cfg.ConsLookahead = n.Lookahead()
}

// levels returns the numbers of the first routers of all levels of a network, and the number of all
// routers.
func levels(net topology.Network) []int {
	first := []int{0}
	if t, ok := net.(interface{ Level(router int) int }); ok {
		for r := range net.Routers() {
			if t.Level(r) == len(first) {
				first = append(first, r)
			}
		}
	}
	return append(first, net.Routers())
}

// reach returns a number of links by which any router reaches any other one: that of the ways by the first
// router, or by one of each part of a network that does not hang together.
func (n *Network) reach() (links int) {
	to := func(r, port int) int { other, _, _ := n.net.Link(r, port); return other }
	if n.oneWay == nil {
		return 2 * n.farthest(to)
	}
	return n.farthest(to) + n.farthest(func(r, port int) int { from, _ := n.oneWay.Source(r, port); return from })
}

// farthest returns the greatest distance from the first router of each part of a network.
func (n *Network) farthest(next func(router, port int) int) (links int) {
	routers := n.net.Routers()
	found, queue := make([]bool, routers), make([]int32, 0, routers)
	for first := range routers {
		if found[first] {
			continue
		}
		found[first], queue = true, append(queue[:0], int32(first))
		for distance, at := 0, 0; at < len(queue); distance++ {
			links = max(links, distance)
			for end := len(queue); at < end; at++ {
				for port := range n.net.Ports(int(queue[at])) {
					if to := next(int(queue[at]), port); !found[to] {
						found[to], queue = true, append(queue, int32(to))
					}
				}
			}
		}
	}
	return links
}

// place returns the PE of a router: the same share of each level is on each PE.
func (n *Network) place(router int, pes uint64) uint64 {
	level := 0
	for router >= n.levels[level+1] {
		level++
	}
	first, end := n.levels[level], n.levels[level+1]
	return uint64(router-first) * pes / uint64(end-first)
}

// Label returns the name of an LP, such as "router 7" or "terminal 12".
func (n *Network) Label(id ross.LPID) string {
	if int(id) < len(n.first)-1 {
		return fmt.Sprintf("router %d", id)
	}
	return fmt.Sprintf("terminal %d", n.TerminalOf(id))
}

// SendingTime returns the time in ns for which the link of a terminal sends a message of that number of bytes.
func (n *Network) SendingTime(bytes int64) float64 {
	flits, rest := int64(0), bytes
	if n.Granularity != Messages {
		each := int64(n.PacketBytes)
		flits, rest = rest/each*n.flits(each), rest%each
	}
	if rest > 0 || bytes == 0 {
		flits += n.flits(rest)
	}
	return float64(flits) * n.kinds[terminal].flit
}
