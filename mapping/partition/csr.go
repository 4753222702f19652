// This file owns the weighted graphs in which the algorithm works: contraction, and the part of a graph on one side of
// a cut; and lists of arcs, which are links in one direction, and how they become the rows of a graph.

package partition

import "math"

// csr is a graph in compressed rows: the neighbours of vertex v are to[first[v]:first[v+1]], each
// once, in any order, and none is v. Every edge is in the rows of both its vertices.
type csr struct {
	first  []int
	to     []uint32
	edge   []int64 // weights of edges, like to
	weight []int64 // of vertices
}

// noVertex is not a vertex, by maxLPs.
const noVertex = math.MaxUint32

func (g *csr) total() (sum int64) {
	for _, w := range g.weight {
		sum += w
	}
	return sum
}

// grouped returns the vertices sorted by their group, 0 to n-1: those of group c are
// order[start[c]:start[c+1]].
func grouped[G uint8 | uint32](group []G, n int) (start []int, order []uint32) {
	start = make([]int, n+1)
	for _, c := range group {
		start[c+1]++
	}
	for c := range n {
		start[c+1] += start[c]
	}
	order = make([]uint32, len(group))
	next := append([]int(nil), start[:n]...)
	for v, c := range group {
		order[next[c]] = uint32(v)
		next[c]++
	}
	return start, order
}

// contracted returns the graph in which each of n groups is one vertex. Edges between the same
// groups become one, and those inside a group vanish.
func (g *csr) contracted(group []uint32, n int) *csr {
	start, order := grouped(group, n)
	c := &csr{first: make([]int, n+1), weight: make([]int64, n)}
	c.to, c.edge = make([]uint32, 0, len(g.to)), make([]int64, 0, len(g.to))
	at := make([]int, n) // by group: one more than its place in the present row, if that is not before the row
	for v := range n {
		row := len(c.to)
		for _, member := range order[start[v]:start[v+1]] {
			c.weight[v] += g.weight[member]
			for i := g.first[member]; i < g.first[member+1]; i++ {
				u := group[g.to[i]]
				if u == uint32(v) {
					continue
				}
				if k := at[u] - 1; k >= row {
					c.edge[k] += g.edge[i]
					continue
				}
				c.to, c.edge = append(c.to, u), append(c.edge, g.edge[i])
				at[u] = len(c.to)
			}
		}
		c.first[v+1] = len(c.to)
	}
	return c
}

// induced returns the graph of some vertices and the edges among them; vertex i of it is members[i].
// local is scratch memory, one number for each vertex of g, with any contents.
func (g *csr) induced(members, local []uint32) *csr {
	m := 0
	for i, v := range members {
		local[v] = uint32(i)
		m += g.first[v+1] - g.first[v]
	}
	p := &csr{first: make([]int, 1, len(members)+1), weight: make([]int64, len(members))}
	p.to, p.edge = make([]uint32, 0, m), make([]int64, 0, m)
	for i, v := range members {
		p.weight[i] = g.weight[v]
		for j := g.first[v]; j < g.first[v+1]; j++ {
			u := g.to[j]
			if k := local[u]; int(k) < len(members) && members[k] == u {
				p.to, p.edge = append(p.to, k), append(p.edge, g.edge[j])
			}
		}
		p.first = append(p.first, len(p.to))
	}
	return p
}

// arcs is a list of links, one direction at a time.
type arcs struct {
	from, to []uint32
	events   []float64
	delay    []float64 // nil: all 0
}

// transposed returns the arcs turned round and sorted by their new beginning, among n vertices. Arcs
// of the same beginning keep their order. So a list that is transposed twice is sorted by both ends.
func (a *arcs) transposed(n int) arcs {
	next := make([]int, n+1)
	for _, v := range a.to {
		next[v+1]++
	}
	for v := range n {
		next[v+1] += next[v]
	}
	t := arcs{from: make([]uint32, len(a.to)), to: make([]uint32, len(a.to)), events: make([]float64, len(a.to))}
	if a.delay != nil {
		t.delay = make([]float64, len(a.to))
	}
	for i, v := range a.to {
		k := next[v]
		next[v]++
		t.from[k], t.to[k], t.events[k] = v, a.from[i], a.events[i]
		if a.delay != nil {
			t.delay[k] = a.delay[i]
		}
	}
	return t
}

// merged returns a graph without loads, whose rows are the arcs by their beginning, by which they
// must be sorted. Arcs between the same vertices become one: their events add up, as integers, so that
// their order does not matter, and the least delay counts.
func (a *arcs) merged(n int, events scale) *Graph {
	g := &Graph{csr: csr{first: make([]int, n+1), to: a.to[:0], edge: make([]int64, 0, len(a.to))}}
	if a.delay != nil {
		g.delays = a.delay[:0]
	}
	at := make([]int, n) // by vertex: one more than its place in the present row, if that is not before the row
	i := 0
	for v := range n {
		row := len(g.to)
		for ; i < len(a.from) && a.from[i] == uint32(v); i++ {
			u, units := a.to[i], events.units(a.events[i])
			if k := at[u] - 1; k >= row {
				g.edge[k] += units
				if a.delay != nil {
					g.delays[k] = math.Min(g.delays[k], a.delay[i])
				}
				continue
			}
			g.to, g.edge = append(g.to, u), append(g.edge, units)
			if a.delay != nil {
				g.delays = append(g.delays, a.delay[i])
			}
			at[u] = len(g.to)
		}
		g.first[v+1] = len(g.to)
	}
	return g
}
