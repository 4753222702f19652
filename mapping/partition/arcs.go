// This file owns lists of arcs, which are links in one direction, and how they become the rows of
// a graph.

package partition

import "math"

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
