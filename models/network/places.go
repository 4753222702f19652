// This file owns what the program says of its places: where routers and terminals are, how they are linked, and what
// their samples hold.

package main

import (
	"fmt"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/network/interconnect"
	"github.com/ross-go/ross/models/network/topology"
	"github.com/ross-go/ross/program/parts/places"
)

// places returns the map of the network.
func (p *params) places() *places.Map {
	net, n := p.net.Shape(), p.net
	m := &places.Map{Title: fmt.Sprintf("%s, %s routing, %s", p.shape, p.routing, p.granularity), TimeUnit: "ns",
		Arrange: arrangement(net)}
	if t, ok := net.(*topology.Torus); ok {
		m.Lengths = t.Lengths()
	}
	groups, _ := net.(interface{ Group(router int) int })
	levels, _ := net.(interface{ Level(router int) int })
	room := func(l interconnect.Link, channels int) float64 {
		if n.Granularity == interconnect.Messages {
			return 0
		}
		return float64(channels * (l.Buffer / n.FlitBytes * n.FlitBytes))
	}
	for r := range net.Routers() {
		node := places.Node{LP: uint64(r), Name: n.Label(ross.LPID(r)), Kind: "router"}
		if groups != nil {
			node.Group = groups.Group(r) + 1
		}
		if levels != nil {
			node.Layer = levels.Level(r)
		}
		m.Nodes = append(m.Nodes, node)
		for port := range net.Ports(r) {
			to, toPort, class := net.Link(r, port)
			if to == r && toPort == port {
				continue
			}
			l := n.Links[class]
			m.Links = append(m.Links, places.Link{From: uint64(r), To: uint64(to), Class: class.String(), Capacity: l.Bandwidth,
				Room: room(l, n.Routing.Channels()), Index: port})
		}
	}
	for r := range net.Routers() {
		first, end := n.TerminalsOf(r)
		for t := first; t < end; t++ {
			lp := uint64(n.LP(t))
			node := places.Node{LP: lp, Name: n.Label(n.LP(t)), Kind: "terminal", At: places.LP(uint64(r))}
			if groups != nil {
				node.Group = groups.Group(r) + 1
			}
			m.Nodes = append(m.Nodes, node)
			m.Links = append(m.Links,
				places.Link{From: lp, To: uint64(r), Class: "terminal", Capacity: n.Terminal.Bandwidth, Room: room(n.Terminal, 1)},
				places.Link{From: uint64(r), To: lp, Class: "terminal", Capacity: n.Terminal.Bandwidth,
					Index: net.Ports(r) + t - first})
		}
	}
	if n.Record {
		m.Values = values(n.Granularity)
	}
	return m
}

// values returns what samples hold.
func values(g interconnect.Granularity) []places.Value {
	load := places.Value{Name: "load", Title: "Load", Field: "sent", Counts: true, Per: places.Capacity, Unit: "B"}
	if g == interconnect.Messages { // which has no buffers and no credits
		return []places.Value{load, {Name: "buffer", Title: "Bytes that wait", Field: "buffer", Unit: "B"}}
	}
	return []places.Value{load,
		{Name: "buffer", Title: "Buffer in use", Field: "buffer", Per: places.Room, Unit: "B"},
		{Name: "stall", Title: "Standing still", Field: "stalled", Counts: true, Per: places.Time, Unit: "ns"},
		{Name: "waiting", Title: "Waiting", Field: "waiting", Unit: "packets"}}
}

// arrangement returns how a shape is best drawn.
func arrangement(net topology.Network) places.Arrangement {
	switch net.(type) {
	case *topology.Torus:
		return places.Grid
	case *topology.Dragonfly, *topology.DragonflyPlus:
		return places.Groups
	case *topology.SlimFly:
		return places.Circle
	case interface{ Level(router int) int }:
		return places.Layers
	}
	return places.ByLinks
}
