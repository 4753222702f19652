// This file owns the dragonfly.

package topology

// Dragonfly is a dragonfly of a*h+1 groups of a routers with h global links each (Kim, Dally, Scott
// and Abts, "Technology-driven, highly-scalable dragonfly topology", ISCA 2008). All routers of a
// group are joined, and so is each pair of groups, by one link. Ports are first the a-1 to the other
// routers of the group, in their order, then the global ones. The global links of a group lead, port
// by port and router by router, to the next group, the one after it, and so on (the relative
// arrangement of Hastings et al., "Comparing global link arrangements for dragonfly networks",
// CLUSTER 2015).
type Dragonfly struct {
	shape
	a, h, groups int
}

// NewDragonfly returns a dragonfly of groups of a routers, each with h global links and p terminals. A
// balanced one has a = 2h = 2p.
func NewDragonfly(a, h, p int) (*Dragonfly, error) {
	if a < 1 || h < 1 || a > 1<<13 || h > 1<<13 || a*(a*h+1) > maxRouters {
		return nil,
			shapeError(
				"groups of %d routers with %d global links: there must be at least one of each, and there may be 2^28 routers", a,
				h)
	}
	s, err := newShape(a*(a*h+1), p)
	if err != nil {
		return nil, err
	}
	return &Dragonfly{s, a, h, a*h + 1}, nil
}

// Groups returns the number of groups.
func (d *Dragonfly) Groups() int { return d.groups }

// Group returns the group of a router.
func (d *Dragonfly) Group(router int) int { return router / d.a }

// Ports implements [Network].
func (d *Dragonfly) Ports(int) int { return d.a - 1 + d.h }

// Link implements [Network]: links are Local or Global.
func (d *Dragonfly) Link(router, port int) (other, otherPort int, class Class) {
	group, at := router/d.a, router%d.a
	if port < d.a-1 {
		to := port
		if to >= at {
			to++
		}
		return group*d.a + to, d.local(to, at), Local
	}
	ahead := at*d.h + port - (d.a - 1) // groups to the one that it leads to, less 1
	to, back := (group+ahead+1)%d.groups, d.groups-2-ahead
	return to*d.a + back/d.h, d.a - 1 + back%d.h, Global
}

// local returns the port of a router of a group to another one.
func (d *Dragonfly) local(at, to int) int {
	if to > at {
		return to - 1
	}
	return to
}

// gateway returns the router of one group with the link to another group, and its port.
func (d *Dragonfly) gateway(group, to int) (router, port int) {
	ahead := (to - group - 1 + d.groups) % d.groups
	return group*d.a + ahead/d.h, d.a - 1 + ahead%d.h
}

// Distance implements [Network]. It takes up to h steps.
func (d *Dragonfly) Distance(a, b int) int {
	if ga, gb := a/d.a, b/d.a; ga != gb {
		out, _ := d.gateway(ga, gb)
		in, _ := d.gateway(gb, ga)
		direct := 1
		if a != out {
			direct++
		}
		if b != in {
			direct++
		}
		if direct == 3 && d.throughAnother(a, b) {
			return 2
		}
		return direct
	}
	if a == b {
		return 0
	}
	return 1
}

// throughAnother reports whether global links of both routers lead to one and the same router of a third
// group, which is a way of two links, and none of them to the group of the other.
func (d *Dragonfly) throughAnother(a, b int) bool {
	for port := d.a - 1; port < d.a-1+d.h; port++ {
		x, _, _ := d.Link(a, port)
		out, _ := d.gateway(x/d.a, b/d.a)
		in, _ := d.gateway(b/d.a, x/d.a)
		if out == x && in == b {
			return true
		}
	}
	return false
}

// Diameter implements [Network]: 3, or less if groups are smaller than that needs.
func (d *Dragonfly) Diameter() int {
	if d.a == 1 {
		return 1
	}
	most := 0
	for b := range d.routers { // all routers of group 0 see the same, but for their place in it
		for a := range d.a {
			if most = max(most, d.Distance(a, b)); most == 3 {
				return most
			}
		}
	}
	return most
}

// Bisection returns the number of links between two halves: the groups are cut in two halves (one has
// one group more if their number is odd), and the links between the halves are counted. Searches
// of small networks find no halves with fewer links between them if a is at least 2h. Otherwise halves
// that divide groups may have fewer.
func (d *Dragonfly) Bisection() int { return d.groups / 2 * (d.groups - d.groups/2) }

// Minimal implements [Network]. Between groups it begins the way with one global link, which is the
// one that dragonflies call minimal: at most local, global, local. It is longer by one link than the
// Distance where global links of both routers lead to the same router of a third group.
func (d *Dragonfly) Minimal(at, to int) int {
	group := at / d.a
	if other := to / d.a; other != group {
		gate, port := d.gateway(group, other)
		if gate == at {
			return port
		}
		to = gate
	}
	if at == to {
		return -1
	}
	return d.local(at%d.a, to%d.a)
}
