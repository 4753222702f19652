// This file owns tori, meshes and hypercubes.

package topology

import "slices"

// Torus is an n-dimensional torus or mesh. The number of a router is c0 + c1*L0 + c2*L0*L1 + ...,
// where c are its coordinates and L the lengths of the dimensions. Port 2d leads down in dimension
// d and port 2d+1 up. At the edges of a mesh, these lead back to the router itself and are of no use.
type Torus struct {
	shape
	lengths []int
	wraps   bool
}

// NewTorus returns a torus with the lengths of its dimensions, each at least 2, and with the given number of
// terminals at each router.
func NewTorus(lengths []int, terminals int) (*Torus, error) {
	return newTorus(lengths, terminals, true)
}

// NewMesh is NewTorus for a mesh, which has no links from one edge to the opposite one.
func NewMesh(lengths []int, terminals int) (*Torus, error) {
	return newTorus(lengths, terminals, false)
}

// NewHypercube returns a hypercube with 2^dimensions routers: a mesh of length 2 in each dimension.
func NewHypercube(dimensions, terminals int) (*Torus, error) {
	if dimensions < 1 || dimensions > 28 {
		return nil, shapeError("hypercube of %d dimensions: there must be 1 to 28", dimensions)
	}
	lengths := make([]int, dimensions)
	for d := range lengths {
		lengths[d] = 2
	}
	return newTorus(lengths, terminals, false)
}

func newTorus(lengths []int, terminals int, wraps bool) (*Torus, error) {
	if len(lengths) == 0 || len(lengths) > 28 {
		return nil, shapeError("%d dimensions: there must be 1 to 28", len(lengths))
	}
	routers := 1
	for _, n := range lengths {
		if n < 2 || n > maxRouters/routers {
			return nil, shapeError("lengths %v: each must be at least 2, and there may be 2^28 routers", lengths)
		}
		routers *= n
	}
	s, err := newShape(routers, terminals)
	if err != nil {
		return nil, err
	}
	return &Torus{s, slices.Clone(lengths), wraps}, nil
}

// Ports implements [Network].
func (t *Torus) Ports(int) int { return 2 * len(t.lengths) }

// Link implements [Network]. All links are Local.
func (t *Torus) Link(router, port int) (other, otherPort int, class Class) {
	below := 1
	for _, n := range t.lengths[:port/2] {
		below *= n
	}
	n := t.lengths[port/2]
	at := router / below % n
	to := at - 1 + port%2*2
	switch {
	case to >= 0 && to < n:
	case !t.wraps:
		return router, port, Local
	default:
		to = (to + n) % n
	}
	return router + (to-at)*below, port ^ 1, Local
}

// way returns in how many steps, and whether upwards, dimension d of a route goes from coordinate a
// to b. Of two ways of one length it goes up.
func (t *Torus) way(n, a, b int) (steps int, up bool) {
	up = b > a
	if steps = max(b-a, a-b); t.wraps && (2*steps > n || 2*steps == n && !up) {
		return n - steps, !up
	}
	return steps, up
}

// Distance implements [Network].
func (t *Torus) Distance(a, b int) (sum int) {
	for _, n := range t.lengths {
		steps, _ := t.way(n, a%n, b%n)
		sum += steps
		a, b = a/n, b/n
	}
	return sum
}

// Diameter implements [Network]: the sum of L/2 over the dimensions of a torus, of L-1 over those of
// a mesh.
func (t *Torus) Diameter() (sum int) {
	for _, n := range t.lengths {
		if t.wraps {
			sum += n / 2
		} else {
			sum += n - 1
		}
	}
	return sum
}

// Bisection returns the number of links between two halves: the network is cut straight across a
// dimension of the greatest even length, or if all are odd, of the greatest, where a half has one row of
// routers more. If no dimension is longer than the one that is cut, as in a hypercube, no halves have
// fewer links between them. Otherwise a cut with steps may have.
func (t *Torus) Bisection() int {
	even, longest := 0, 0
	for _, n := range t.lengths {
		if longest = max(longest, n); n%2 == 0 {
			even = max(even, n)
		}
	}
	if even > 0 {
		longest = even
	}
	cut := t.routers / longest
	if t.wraps {
		return 2 * cut
	}
	return cut
}

// Minimal implements [Network], dimension by dimension.
func (t *Torus) Minimal(at, to int) int {
	for d, n := range t.lengths {
		if steps, up := t.way(n, at%n, to%n); steps > 0 {
			if up {
				return 2*d + 1
			}
			return 2 * d
		}
		at, to = at/n, to/n
	}
	return -1
}

// crosses reports whether a port leads over the edge of a torus.
func (t *Torus) crosses(router, port int) bool {
	for _, n := range t.lengths[:port/2] {
		router /= n
	}
	n := t.lengths[port/2]
	return t.wraps && router%n == port%2*(n-1)
}

// Lengths returns the lengths of the dimensions.
func (t *Torus) Lengths() []int { return slices.Clone(t.lengths) }
