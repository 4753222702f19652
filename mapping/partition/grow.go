// This file owns the first cut of the coarsest graph.

package partition

// tries is how many first cuts are made. The best is taken.
const tries = 16

// firstCut returns a cut of a small graph. A quarter of the tries begins with random sides, since in
// graphs of a few vertices the others are often the same.
func firstCut(g *csr, target int64, most [2]int64, r *random) *cut {
	var best *cut
	for i := range tries {
		c := newCut(g, oneSide(g), most)
		if i%4 == 3 {
			c.fill(target, r)
		} else {
			c.grow(target, r)
		}
		c.refine()
		if best == nil || c.quality().better(best.quality()) {
			best = c
		}
	}
	return best
}

// oneSide puts all vertices on side 1.
func oneSide(g *csr) []uint8 {
	side := make([]uint8, len(g.weight))
	for v := range side {
		side[v] = 1
	}
	return side
}

// nearer reports whether the weight of side 0 is nearer to the target with another vertex.
func (c *cut) nearer(v uint32, target int64) bool {
	return c.load[0]+c.weight[v]-target < target-c.load[0]
}

// fill moves random vertices to side 0 until it has the target weight.
func (c *cut) fill(target int64, r *random) {
	for _, v := range r.permutation(len(c.side)) {
		if c.nearer(v, target) {
			c.move(v)
		}
	}
}

// grow moves vertices to side 0, beginning with a random one, until it has the target weight: each
// time the vertex at its edge that makes the cut smallest (greedy graph growing: Karypis and Kumar,
// "A fast and high quality multilevel scheme for partitioning irregular graphs", SIAM Journal on
// Scientific Computing 20(1), 1998).
func (c *cut) grow(target int64, r *random) {
	n := len(c.side)
	place := make([]int32, n)
	for v := range place {
		place[v] = -1
	}
	var stamp int64
	edge := heap{place: place, stamp: &stamp}
	seen := make([]bool, n) // whether a vertex is at the edge, or was
	for _, seed := range r.permutation(n) {
		if c.load[0] >= target {
			return
		}
		if seen[seed] {
			continue
		}
		seen[seed] = true
		edge.set(seed, 0)
		for len(edge.items) > 0 && c.load[0] < target {
			v := edge.pop()
			if !c.nearer(v, target) {
				continue
			}
			c.move(v)
			for i := c.first[v]; i < c.first[v+1]; i++ {
				u := c.to[i]
				if c.side[u] == 1 && (!seen[u] || place[u] >= 0) {
					seen[u] = true
					edge.set(u, c.gain(u))
				}
			}
		}
	}
}
