// This file owns a cut of a graph into two sides: its weights, and what a move changes; and the queues of vertices by
// gain.

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

// heap is a binary heap of vertices, the greatest gain first. Of equal gains the vertex that came or
// changed last is first, which gives better cuts than other orders (Hagen, Huang and Kahng, "On
// implementation choices for iterative improvement partitioning algorithms", IEEE Transactions on
// CAD 16(10), 1997).
type heap struct {
	items []item
	place []int32 // by vertex: its place in items, or -1; shared by heaps that have no vertex in common
	stamp *int64  // counts changes
}

type item struct {
	gain, stamp int64
	vertex      uint32
}

func (a *item) before(b *item) bool {
	return a.gain > b.gain || a.gain == b.gain && a.stamp > b.stamp
}

// clear removes all vertices.
func (h *heap) clear() {
	for i := range h.items {
		h.place[h.items[i].vertex] = -1
	}
	h.items = h.items[:0]
}

// set inserts a vertex, or changes its gain.
func (h *heap) set(v uint32, gain int64) {
	*h.stamp++
	it := item{gain, *h.stamp, v}
	i := int(h.place[v])
	if i < 0 {
		i = len(h.items)
		h.items = append(h.items, it)
		h.up(i, it)
		return
	}
	if it.before(&h.items[i]) {
		h.up(i, it)
	} else {
		h.down(i, it)
	}
}

// pop removes the first vertex of a heap that is not empty.
func (h *heap) pop() uint32 {
	v := h.items[0].vertex
	h.place[v] = -1
	last := len(h.items) - 1
	it := h.items[last]
	h.items = h.items[:last]
	if last > 0 {
		h.down(0, it)
	}
	return v
}

func (h *heap) up(i int, it item) {
	for i > 0 {
		parent := (i - 1) / 2
		if !it.before(&h.items[parent]) {
			break
		}
		h.put(i, h.items[parent])
		i = parent
	}
	h.put(i, it)
}

func (h *heap) down(i int, it item) {
	for {
		child := 2*i + 1
		if child >= len(h.items) {
			break
		}
		if child+1 < len(h.items) && h.items[child+1].before(&h.items[child]) {
			child++
		}
		if !h.items[child].before(&it) {
			break
		}
		h.put(i, h.items[child])
		i = child
	}
	h.put(i, it)
}

func (h *heap) put(i int, it item) {
	h.items[i] = it
	h.place[it.vertex] = int32(i)
}
