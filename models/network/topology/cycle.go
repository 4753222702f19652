// This file owns the search for deadlocks.

package topology

import "fmt"

// Channel is a virtual channel of a link, by the router from which the link leads.
type Channel struct{ Router, Port, Channel int }

// String returns the channel in words.
func (c Channel) String() string {
	return fmt.Sprintf("router %d, port %d, channel %d", c.Router, c.Port, c.Channel)
}

// Cycle looks for a cycle of virtual channels: a packet can hold each while it waits for the
// next one. Without one the routing is free of deadlock (Dally and Seitz 1987). It follows packets
// between all routers with terminals by way of all routers, so it is for small networks: n routers
// take time in proportion to n^3, or to n^2 if packets go by way of none. It returns an error if [Check]
// finds one in the network, or if a packet does not arrive at its router within limit links, or takes a
// port or channel that there is not.
func Cycle(r Routing, limit int) ([]Channel, error) {
	net := r.Network()
	if err := Check(net); err != nil {
		return nil, err
	}
	next := map[Channel]map[Channel]bool{}
	for from := range net.Routers() {
		for to := range net.Routers() {
			if net.Terminals(from) == 0 || net.Terminals(to) == 0 {
				continue
			}
			var before Packet
			for via := range net.Routers() {
				p := r.Start(from, to, via)
				if via > 0 && p == before {
					continue // not by way of it
				}
				before = p
				if err := follow(r, from, to, via, limit, next); err != nil {
					return nil, err
				}
			}
		}
	}
	return findCycle(next), nil
}

// follow follows a packet, and enters which channel it takes after which.
func follow(r Routing, from, to, via, limit int, next map[Channel]map[Channel]bool) error {
	var before Channel
	p := r.Start(from, to, via)
	for at, links := from, 0; ; links++ {
		port, channel, ok := r.Next(at, &p)
		if !ok {
			if at != to {
				return fmt.Errorf("topology: a packet from router %d to %d by way of %d ends at %d", from, to, via, at)
			}
			return nil
		}
		if ports := r.Network().Ports(at); port < 0 || port >= ports {
			return fmt.Errorf(
				"topology: a packet from router %d to %d by way of %d takes port %d of router %d: it has %d ports, counted from 0",
				from, to, via, port, at, ports)
		}
		if links == limit || channel < 0 || channel >= r.Channels() {
			return fmt.Errorf(
				"topology: a packet from router %d to %d by way of %d takes link %d, channel %d: there should be at most %d links and %d channels",
				from, to, via, links+1, channel, limit, r.Channels())
		}
		c := Channel{at, port, channel}
		if next[c] == nil {
			next[c] = map[Channel]bool{}
		}
		if links > 0 {
			next[before][c] = true
		}
		before = c
		at, _, _ = r.Network().Link(at, port)
	}
}

// findCycle returns a cycle of a graph, or nil.
func findCycle(next map[Channel]map[Channel]bool) (cycle []Channel) {
	const open, done = 1, 2
	state := map[Channel]int{}
	var path []Channel
	var visit func(c Channel) bool
	visit = func(c Channel) bool {
		state[c] = open
		path = append(path, c)
		for to := range next[c] {
			if state[to] == open {
				for path[0] != to {
					path = path[1:]
				}
				return true
			}
			if state[to] == 0 && visit(to) {
				return true
			}
		}
		path = path[:len(path)-1]
		state[c] = done
		return false
	}
	for c := range next {
		if state[c] == 0 && visit(c) {
			return path
		}
	}
	return nil
}
