// This file owns the dragonfly+.

package topology

// DragonflyPlus is a dragonfly+ (Shpiner et al., "Dragonfly+: low cost topology for scaling datacenters",
// HiPINEB 2017), also called megafly: groups of leaves and spines. Each leaf of a group is joined with
// each of its spines. Terminals are at leaves, global links at spines, and each pair of groups is
// joined by equally many of these.
//
// Routers are numbered group by group, in a group first the leaves, then the spines. The ports of a
// leaf lead to the spines, in their order; those of a spine first to the leaves, then to other groups.
// The global links of a group lead, port by port and spine by spine, to the next group, the one after
// it, and so on, and after the last one to the next group again. This is the relative arrangement of
// Hastings et al., "Comparing global link arrangements for dragonfly networks", CLUSTER 2015.
type DragonflyPlus struct {
	leaves, spines, h, terminals int
	groups                       int
	size                         int // routers of a group
	parallel                     int // links between two groups
}

// NewDragonflyPlus returns a dragonfly+ of groups of leaves, each with the given number of terminals,
// and spines, each with the given number of global links. There may be spines*global+1 groups, which one link joins
// with each other, or fewer, if all other groups can get equally many of the spines*global links of a group. The
// largest network of routers with k ports has k/2 leaves, spines, global links and terminals.
func NewDragonflyPlus(leaves, spines, global, terminals, groups int) (*DragonflyPlus, error) {
	const most = 1 << 13
	if min(leaves, spines, global) < 1 || max(leaves, spines, global) > most {
		return nil, shapeError("dragonfly+ with groups of %d leaves, and %d spines with %d global links: "+
			"there must be 1 to %d of each", leaves, spines, global, most)
	}
	links := spines * global
	if groups < 2 || links%(groups-1) != 0 {
		return nil, shapeError("dragonfly+ of %d groups: %d spines with %d global links serve %d groups, or 1 more "+
			"than a divisor of %d", groups, spines, global, links+1, links)
	}
	if (leaves+spines)*groups > maxRouters {
		return nil, shapeError("dragonfly+ of %d groups of %d leaves and %d spines: there may be 2^28 routers",
			groups, leaves, spines)
	}
	s, err := newShape(leaves*groups, terminals)
	if err != nil {
		return nil, err
	}
	return &DragonflyPlus{leaves, spines, global, s.terminals, groups, leaves + spines, links / (groups - 1)}, nil
}

// Groups returns the number of groups.
func (d *DragonflyPlus) Groups() int { return d.groups }

// Group returns the group of a router.
func (d *DragonflyPlus) Group(router int) int { return router / d.size }

// IsLeaf reports whether a router is a leaf. The others are spines.
func (d *DragonflyPlus) IsLeaf(router int) bool { return router%d.size < d.leaves }

// Parallel returns the number of links between two groups.
func (d *DragonflyPlus) Parallel() int { return d.parallel }

// Routers implements [Network].
func (d *DragonflyPlus) Routers() int { return d.groups * d.size }

// Terminals implements [Network]: spines have none.
func (d *DragonflyPlus) Terminals(router int) int {
	if d.IsLeaf(router) {
		return d.terminals
	}
	return 0
}

// RouterOf returns the router of a terminal, if those of the first leaf come first, then those of the
// second one, and so on.
func (d *DragonflyPlus) RouterOf(terminal int) int {
	leaf := terminal / d.terminals
	return leaf/d.leaves*d.size + leaf%d.leaves
}

// Ports implements [Network].
func (d *DragonflyPlus) Ports(router int) int {
	if d.IsLeaf(router) {
		return d.spines
	}
	return d.leaves + d.h
}

// Link implements [Network]: links within a group are Up or Down, the others Global.
func (d *DragonflyPlus) Link(router, port int) (other, otherPort int, class Class) {
	group, at := router/d.size, router%d.size
	switch {
	case at < d.leaves:
		return router - at + d.leaves + port, at, Up
	case port < d.leaves:
		return router - at + port, at - d.leaves, Down
	}
	// The links of a group have numbers. Each row of groups-1 of them leads once to all other groups,
	// so a link that is so far behind the first one of its row leads back from one that is so far before
	// the last one.
	link, row := (at-d.leaves)*d.h+port-d.leaves, d.groups-1
	ahead := link % row
	back := link - ahead + row - 1 - ahead
	return (group+ahead+1)%d.groups*d.size + d.leaves + back/d.h, d.leaves + back%d.h, Global
}

// ahead returns the number of the first link of a group to another one.
func (d *DragonflyPlus) ahead(group, to int) int { return (to - group - 1 + d.groups) % d.groups }

// portTo returns the first port of a spine that leads to a group, or -1.
func (d *DragonflyPlus) portTo(spine, group int) int {
	if group == spine/d.size {
		return -1
	}
	first, row := (spine%d.size-d.leaves)*d.h, d.groups-1
	port := (d.ahead(spine/d.size, group) - first%row + row) % row
	if port >= d.h {
		return -1
	}
	return d.leaves + port
}

// joins reports whether global links lead from one spine to another, that number of them one after the
// other.
func (d *DragonflyPlus) joins(a, b, links int) bool {
	port, step := d.leaves, 1
	if links == 1 { // only those to the group of b
		if port = d.portTo(a, b/d.size); port < 0 {
			return false
		}
		step = d.groups - 1
	}
	for ; port < d.leaves+d.h; port += step {
		next, _, _ := d.Link(a, port)
		if links == 1 && next == b || links > 1 && d.joins(next, b, links-1) {
			return true
		}
	}
	return false
}

// meets reports whether a global link of a spine leads to a spine that has one to a group.
func (d *DragonflyPlus) meets(spine, group int) bool {
	for port := d.leaves; port < d.leaves+d.h; port++ {
		next, _, _ := d.Link(spine, port)
		if d.portTo(next, group) >= 0 {
			return true
		}
	}
	return false
}

// sharesGroup reports whether global links of two spines lead to the same group.
func (d *DragonflyPlus) sharesGroup(a, b int) bool {
	for port := d.leaves; port < d.leaves+d.h; port++ {
		next, _, _ := d.Link(a, port)
		if d.portTo(b, next/d.size) >= 0 {
			return true
		}
	}
	return false
}

// Distance implements [Network]. It takes constant time between leaves, which are 2 links apart in a
// group and 3 otherwise. With h global links of a spine, it takes up to h steps from a leaf to a spine,
// and h^3 between spines.
func (d *DragonflyPlus) Distance(a, b int) int {
	ga, gb := a/d.size, b/d.size
	leafA, leafB := d.IsLeaf(a), d.IsLeaf(b)
	switch {
	case a == b:
		return 0
	case ga == gb && leafA != leafB:
		return 1
	case ga == gb:
		return 2
	case leafA && leafB:
		return 3
	case leafA:
		return d.fromLeaf(ga, b)
	case leafB:
		return d.fromLeaf(gb, a)
	}
	// From spine to spine, the way consists of global links, and of ways by a leaf to another spine of
	// the group, which count 2.
	switch {
	case d.joins(a, b, 1):
		return 1
	case d.joins(a, b, 2):
		return 2
	case d.portTo(a, gb) >= 0 || d.portTo(b, ga) >= 0 || d.joins(a, b, 3):
		return 3
	case d.meets(a, gb) || d.meets(b, ga) || d.sharesGroup(a, b) || d.joins(a, b, 4):
		return 4
	}
	return 5
}

// fromLeaf returns the distance from any leaf of a group to a spine of another group.
func (d *DragonflyPlus) fromLeaf(group, spine int) int {
	switch {
	case d.portTo(spine, group) >= 0:
		return 2
	case d.meets(spine, group):
		return 3
	}
	return 4
}

// Diameter implements [Network]: 3, from leaf to leaf.
func (d *DragonflyPlus) Diameter() int { return 3 }

// Bisection returns the number of links between two halves: the groups are cut in two halves (one has
// one group more if their number is odd), and the links between the halves are counted. Searches
// of small networks find no halves with fewer links between them unless spines have more global links
// than links to leaves.
func (d *DragonflyPlus) Bisection() int { return d.groups / 2 * (d.groups - d.groups/2) * d.parallel }

// Minimal implements [Network]. Between leaves it goes up, over at most one global link, and down.
// Which spine it takes, and which link of several, depends on the destination, so that those of the
// leaves of a group are spread. For a spine as destination it looks at each port.
func (d *DragonflyPlus) Minimal(at, to int) int {
	group, other := at/d.size, to/d.size
	switch leaf := to % d.size; {
	case at == to:
		return -1
	case leaf >= d.leaves: // a spine
	case group == other && d.IsLeaf(at):
		return leaf % d.spines
	case group == other:
		return leaf
	default:
		link := leaf%d.parallel*(d.groups-1) + d.ahead(group, other)
		if d.IsLeaf(at) {
			return link / d.h
		}
		if link/d.h == at%d.size-d.leaves {
			return d.leaves + link%d.h
		}
		if port := d.portTo(at, other); port >= 0 {
			return port
		}
	}
	return nearer(d, at, to)
}

// leafFor returns a leaf for a random router: the router itself, or if it is a spine, a leaf of its
// group. If their number divides that of the spines, all leaves stand for equally many routers.
func (d *DragonflyPlus) leafFor(router int) int {
	at := router % d.size
	return router - at + at%d.leaves
}
