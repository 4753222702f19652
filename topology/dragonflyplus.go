// This file owns the dragonfly+.

package topology

// DragonflyPlus is a dragonfly+ (Shpiner et al., "Dragonfly+: low cost topology for scaling datacenters",
// HiPINEB 2017): groups of leaves, which have the terminals, and spines, which have the global links. Each
// leaf is joined with each spine of its group, and each pair of groups by one link. Routers are
// numbered group by group, leaves first. Ports of a leaf lead to the spines, in their order; those of a
// spine lead first to the leaves, then to other groups, which are arranged as those of [Dragonfly].
type DragonflyPlus struct {
	leaves, spines, h, p, groups int
}

// NewDragonflyPlus returns a dragonfly+ of spines*h+1 groups of so many leaves, each with p terminals, and
// spines, each with h global links. A balanced one has as many of each.
func NewDragonflyPlus(leaves, spines, h, p int) (*DragonflyPlus, error) {
	const most = 1 << 13
	if min(leaves, spines, h) < 1 || max(leaves, spines, h) > most || (leaves+spines)*(spines*h+1) > maxRouters {
		return nil, shapeError("groups of %d leaves and %d spines with %d global links: there must be at least one of each, and there may be 2^28 routers", leaves, spines, h)
	}
	if _, err := newShape(leaves, p); err != nil {
		return nil, err
	}
	return &DragonflyPlus{leaves, spines, h, p, spines*h + 1}, nil
}

// size returns the number of routers of a group.
func (d *DragonflyPlus) size() int { return d.leaves + d.spines }

// Groups returns the number of groups.
func (d *DragonflyPlus) Groups() int { return d.groups }

// Group returns the group of a router.
func (d *DragonflyPlus) Group(router int) int { return router / d.size() }

// Leaf reports whether a router is a leaf.
func (d *DragonflyPlus) Leaf(router int) bool { return router%d.size() < d.leaves }

// Routers implements [Network].
func (d *DragonflyPlus) Routers() int { return d.groups * d.size() }

// Terminals implements [Network]: leaves have p, and spines none.
func (d *DragonflyPlus) Terminals(router int) int {
	if d.Leaf(router) {
		return d.p
	}
	return 0
}

// RouterOf returns the router of a terminal.
func (d *DragonflyPlus) RouterOf(terminal int) int {
	leaf := terminal / d.p
	return leaf/d.leaves*d.size() + leaf%d.leaves
}

// Ports implements [Network].
func (d *DragonflyPlus) Ports(router int) int {
	if d.Leaf(router) {
		return d.spines
	}
	return d.leaves + d.h
}

// Link implements [Network]: links are Up, from a leaf, or Down, from a spine, or Global.
func (d *DragonflyPlus) Link(router, port int) (other, otherPort int, class Class) {
	group, at := router/d.size(), router%d.size()
	first := group * d.size()
	if at < d.leaves {
		return first + d.leaves + port, at, Up
	}
	spine := at - d.leaves
	if port < d.leaves {
		return first + port, spine, Down
	}
	ahead := spine*d.h + port - d.leaves // groups to the one that it leads to, less 1
	to, back := (group+ahead+1)%d.groups, d.groups-2-ahead
	return to*d.size() + d.leaves + back/d.h, d.leaves + back%d.h, Global
}

// gateway returns the spine of a group with the link to another group, and its port.
func (d *DragonflyPlus) gateway(group, to int) (router, port int) {
	ahead := (to - group - 1 + d.groups) % d.groups
	return group*d.size() + d.leaves + ahead/d.h, d.leaves + ahead%d.h
}

// Distance implements [Network]: 2 between leaves of a group, and 3 between those of two. It searches for
// ways from and to spines, which takes time and memory in proportion to what is near.
func (d *DragonflyPlus) Distance(a, b int) int {
	switch {
	case a == b:
		return 0
	case !d.Leaf(a) || !d.Leaf(b):
		return d.search(a, b)
	case d.Group(a) == d.Group(b):
		return 2
	}
	return 3
}

// search returns the distance of two different routers.
func (d *DragonflyPlus) search(a, b int) int {
	seen := map[int]bool{a: true}
	for links, near := 1, []int{a}; ; links++ {
		var next []int
		for _, at := range near {
			for port := range d.Ports(at) {
				to, _, _ := d.Link(at, port)
				if to == b {
					return links
				}
				if !seen[to] {
					seen[to] = true
					next = append(next, to)
				}
			}
		}
		near = next
	}
}

// Diameter implements [Network]: 3, the distance of leaves of two groups.
func (d *DragonflyPlus) Diameter() int { return 3 }

// Bisection returns the number of links between two halves, cut between groups as in [Dragonfly.Bisection].
func (d *DragonflyPlus) Bisection() int { return d.groups / 2 * (d.groups - d.groups/2) }

// Minimal implements [Network]: between leaves, up to a spine, over at most one global link, and down.
// Within a group the spine is chosen by the destination. For spines it takes a way that is not always
// the shortest.
func (d *DragonflyPlus) Minimal(at, to int) int {
	if at == to {
		return -1
	}
	size := d.size()
	group, here, there := at/size, at%size, to%size
	if other := to / size; other != group {
		gate, port := d.gateway(group, other)
		if gate == at {
			return port
		}
		there = gate % size
	}
	switch {
	case here >= d.leaves && there >= d.leaves: // down, and up again
		return there % d.leaves
	case here >= d.leaves:
		return there
	case there >= d.leaves:
		return there - d.leaves
	}
	return there % d.spines
}

// waypoint returns the leaf by way of which packets go instead of a spine, so that they go down only
// once in each half of their way.
func (d *DragonflyPlus) waypoint(router int) int {
	if at := router % d.size(); at >= d.leaves {
		return router - at + (at-d.leaves)%d.leaves
	}
	return router
}
