// This file owns a cut of a graph into two sides: its weights, and what a move changes.

package partition

// cut is a division of the vertices of a graph into sides 0 and 1.
type cut struct {
	*csr
	side  []uint8
	load  [2]int64 // weight of each side
	most  [2]int64 // what it should be at most
	value int64    // weight of the edges between the sides
	out   []int64  // by vertex: weight of its edges to the other side
	in    []int64  // and to its own
}

// newCut returns the cut with the given sides, which it keeps.
func newCut(g *csr, side []uint8, most [2]int64) *cut {
	n := len(side)
	c := &cut{csr: g, side: side, most: most, out: make([]int64, n), in: make([]int64, n)}
	for v, s := range side {
		c.load[s] += g.weight[v]
		var in, out int64
		for i := g.first[v]; i < g.first[v+1]; i++ {
			if side[g.to[i]] == s {
				in += g.edge[i]
			} else {
				out += g.edge[i]
			}
		}
		c.in[v], c.out[v] = in, out
		c.value += out
	}
	c.value /= 2
	return c
}

// gain is by how much the cut becomes smaller if v moves.
func (c *cut) gain(v uint32) int64 { return c.out[v] - c.in[v] }

// excess is the weight above what the sides should have at most.
func (c *cut) excess() int64 {
	return max(0, c.load[0]-c.most[0]) + max(0, c.load[1]-c.most[1])
}

// move puts v on the other side.
func (c *cut) move(v uint32) {
	from := c.side[v]
	c.side[v] = 1 - from
	c.load[from] -= c.weight[v]
	c.load[1-from] += c.weight[v]
	c.value -= c.gain(v)
	c.in[v], c.out[v] = c.out[v], c.in[v]
	for i := c.first[v]; i < c.first[v+1]; i++ {
		u, e := c.to[i], c.edge[i]
		if c.side[u] == from {
			c.in[u] -= e
			c.out[u] += e
		} else {
			c.in[u] += e
			c.out[u] -= e
		}
	}
}

// quality orders cuts: balance comes first, then the weight of the edges.
type quality struct{ excess, value int64 }

func (c *cut) quality() quality { return quality{c.excess(), c.value} }

func (q quality) better(than quality) bool {
	return q.excess < than.excess || q.excess == than.excess && q.value < than.value
}
