// This file owns the dragonfly: groups of routers, all of which are joined within a group, and whose
// global channels join each group with each other one.

package main

import (
	"fmt"

	"github.com/ross-go/ross"
)

const (
	maxPorts   = 64
	maxRouters = 1 << 22
)

// network is a dragonfly. Ports of a router are first those to the routers of its group, then its
// global channels, then its terminals.
type network struct {
	perGroup  uint64 // routers of a group
	channels  uint64 // global channels of a router
	terminals uint64 // of a router
	groups    int32
	routers   int32 // of all groups
	ends      int32 // terminals of all routers

	far []int32 // by router and channel: the router at the other end
}

// make checks the numbers and sets what follows from them.
func (n *network) make() error {
	r, g, t := n.perGroup, n.channels, n.terminals
	if r < 1 || g < 2 || g%2 != 0 || t < 1 || r > maxPorts || g > maxPorts || t > maxPorts || r+g+t > maxPorts || r*(r*g+1)*t > maxRouters {
		return fmt.Errorf("option --routers=%d, --channels=%d, --terminals=%d: must be at least 1, channels even, at most %d together, and give at most 2^22 terminals: %w",
			r, g, t, maxPorts, ross.ErrUsage)
	}
	n.groups = int32(r*g + 1)
	n.routers = int32(r) * n.groups
	n.ends = n.routers * int32(t)
	n.far = make([]int32, 0, int(n.routers)*int(g))
	for at := range n.routers {
		off := at%int32(r)*int32(g/2) + 1
		for i := range g {
			if i%2 == 0 {
				n.far = append(n.far, (at-off*int32(r)+n.routers)%n.routers)
			} else {
				n.far = append(n.far, (at+off*int32(r))%n.routers)
				off++
			}
		}
	}
	return nil
}

// group returns the group of a router.
func (n *network) group(router int32) int32 { return router / int32(n.perGroup) }

// routerOf returns the router of a terminal, which is given by its number among terminals.
func (n *network) routerOf(end int32) int32 { return end / int32(n.terminals) }

// gateway returns the router of group a with a channel to group b.
func (n *network) gateway(a, b int32) int32 {
	per, half := int32(n.perGroup), int32(n.channels/2)
	apart := max(a-b, b-a) - 1
	way, o := apart/(half*per), apart%(half*per)
	if way%2 != 0 {
		return (a+1)*per - 1 - o/half
	}
	return a*per + o/half
}

// hop returns the port that leads from a router towards one of another group, or, with the same
// group, towards another router, and the router behind that port.
func (n *network) hop(at, group, to int32) (port int8, next int32) {
	r, g := int32(n.perGroup), int32(n.channels)
	if here := n.group(at); here != group {
		to = n.gateway(here, group)
		for i := g - 1; i >= 0 && to == at; i-- { // the last channel that leads there
			if far := n.far[at*g+i]; n.group(far) == group {
				return int8(r + i), far
			}
		}
	}
	return int8(to % r), to
}
