// This file owns lookahead: links of short lookahead cost more in a cut, or are not cut at all.

package partition

import (
	"math"
	"slices"

	"github.com/ross-go/ross/internal/sys/usage"
)

// dearest is how much more a link of little lookahead can cost, at most. It keeps sums within 64
// bits.
const dearest = 1 << (62 - sumBits)

// costs returns the graph whose weights of edges are what cutting them costs: the events, times the
// greatest lookahead of all links divided by that of the link.
func (g *Graph) costs() *csr {
	if g.delays == nil {
		return &g.csr
	}
	c := g.csr
	c.edge = make([]int64, len(g.edge))
	greatest := slices.Max(g.delays)
	for i, e := range g.edge {
		c.edge[i] = int64(float64(e) * min(greatest/g.delays[i], dearest)) // delay 0: +Inf is not the least
	}
	return &c
}

// Bound returns the greatest lookahead that all links between k PEs can possibly have, if no
// PE has more than 1+tolerance of the mean load: from there on, LPs that are joined by shorter links
// have too much load together for one PE. It may be too great where such groups do not add up to
// even loads. Use it as, or to choose, Options.KeepBelow. It is infinite if nothing need be cut.
//
// The error matches ross.ErrUsage: the graph has no lookahead, or k or tolerance is out of the
// range of Split.
func (g *Graph) Bound(k uint64, tolerance float64) (float64, error) {
	o, err := Options{Tolerance: tolerance}.checked(k)
	if err != nil {
		return 0, err
	}
	if g.delays == nil {
		return 0, usage.Errorf("partition: Bound: no link has a lookahead: set Link.Lookahead")
	}
	most := float64(g.total()) / float64(k) * (1 + o.Tolerance)
	order := make([]int, 0, len(g.to)/2)
	from := make([]uint32, len(g.to))
	for v := range g.weight {
		for i := g.first[v]; i < g.first[v+1]; i++ {
			if from[i] = uint32(v); g.to[i] > uint32(v) {
				order = append(order, i)
			}
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case g.delays[a] < g.delays[b]:
			return -1
		case g.delays[a] > g.delays[b]:
			return 1
		}
		return 0
	})
	sets := newSets(g.weight)
	for _, i := range order {
		if sets.join(from[i], g.to[i]) > most {
			return g.delays[i], nil
		}
	}
	return math.Inf(1), nil
}

// together returns the graph in which LPs that are joined by links of less lookahead than least are
// one vertex, and the vertex of each LP.
func (g *Graph) together(costs *csr, least float64) (*csr, []uint32) {
	sets := newSets(g.weight)
	for v := range g.weight {
		for i := g.first[v]; i < g.first[v+1]; i++ {
			if g.delays[i] < least {
				sets.join(uint32(v), g.to[i])
			}
		}
	}
	group := make([]uint32, len(g.weight))
	n := 0
	for v := range group { // the first of a set may come after others
		group[v] = noVertex
	}
	for v := range group {
		first := sets.find(uint32(v))
		if group[first] == noVertex {
			group[first] = uint32(n)
			n++
		}
		group[v] = group[first]
	}
	return costs.contracted(group, n), group
}

// sets are disjoint sets of vertices.
type sets struct {
	parent []uint32
	weight []int64 // of the set, at its first vertex
}

func newSets(weight []int64) sets {
	s := sets{make([]uint32, len(weight)), slices.Clone(weight)}
	for v := range s.parent {
		s.parent[v] = uint32(v)
	}
	return s
}

// find returns the vertex that stands for the set of v.
func (s sets) find(v uint32) uint32 {
	for s.parent[v] != v {
		s.parent[v] = s.parent[s.parent[v]]
		v = s.parent[v]
	}
	return v
}

// join makes one set of those of two vertices. It returns its weight.
func (s sets) join(a, b uint32) float64 {
	a, b = s.find(a), s.find(b)
	if a != b {
		if s.weight[a] < s.weight[b] {
			a, b = b, a
		}
		s.parent[b] = a
		s.weight[a] += s.weight[b]
	}
	return float64(s.weight[a])
}
