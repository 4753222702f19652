// This file owns coarsening: a sequence of ever smaller graphs, each made by contracting pairs of
// vertices, preferably those with a heavy edge between them.

package partition

const (
	// coarseEnough is the number of vertices below which a graph is bisected directly.
	coarseEnough = 128
	// heaviestShare is the greatest weight of a contracted vertex, as a part of all weight: a vertex
	// of average weight in a graph of two thirds of coarseEnough vertices. Heavier ones would make
	// balance hard.
	heaviestShare = coarseEnough * 2 / 3
)

// level is a graph and the vertex of the next coarser graph that each of its vertices is part of.
type level struct {
	*csr
	parent []uint32
}

// coarsened returns the graphs from g to the coarsest, whose parent is nil.
func coarsened(g *csr, r *random) []level {
	levels := []level{{csr: g}}
	most := g.total()/heaviestShare + 1
	for {
		last := &levels[len(levels)-1]
		n := len(last.weight)
		if n <= coarseEnough {
			return levels
		}
		parent, groups := last.matched(most, r)
		if groups > n-n/16 { // hardly any pairs: more levels would gain nothing
			return levels
		}
		last.parent = parent
		levels = append(levels, level{csr: last.contracted(parent, groups)})
	}
}

// matched pairs vertices of at most the given weight together. It returns the group of each vertex,
// a pair or a single one, and the number of groups.
func (g *csr) matched(most int64, r *random) (group []uint32, groups int) {
	n := len(g.weight)
	mate := make([]uint32, n)
	for v := range mate {
		mate[v] = noVertex
	}
	order := r.nearlyInOrder(n)
	single := 0
	for _, v := range order {
		if mate[v] != noVertex {
			continue
		}
		if u := g.partner(v, mate, most); u != noVertex {
			mate[v], mate[u] = u, v
		} else {
			single++
		}
	}
	if single > n/8 {
		g.matchSiblings(mate, order, most)
	}
	group = make([]uint32, n)
	for v, u := range mate { // in the order of the vertices, which keeps neighbours near each other in memory
		if u == noVertex || u > uint32(v) {
			group[v] = uint32(groups)
			groups++
		} else {
			group[v] = group[u]
		}
	}
	return group, groups
}

// partner returns the best neighbour for v that has no mate, or noVertex. Heavy edges are good, and
// light neighbours, so that the weights of the vertices remain similar: the rating is expansion*2 of
// Holtgrewe, Sanders and Schulz, "Engineering a scalable high quality graph partitioner", IPDPS
// 2010, without the weight of v, which is the same for all.
func (g *csr) partner(v uint32, mate []uint32, most int64) uint32 {
	best, bestRating := uint32(noVertex), -1.0
	for i := g.first[v]; i < g.first[v+1]; i++ {
		u := g.to[i]
		if mate[u] != noVertex || g.weight[v]+g.weight[u] > most {
			continue
		}
		e := float64(g.edge[i])
		if rating := e * e / float64(g.weight[u]+1); rating > bestRating {
			best, bestRating = u, rating
		}
	}
	return best
}

// matchSiblings pairs vertices without mates whose heaviest edges lead to the same vertex, such as
// the leaves of a star, and vertices without edges. Without this, graphs with a few vertices of many
// edges do not become small (LaSalle et al., "Improving graph partitioning for modern graphs and
// architectures", IA^3 2015).
func (g *csr) matchSiblings(mate, order []uint32, most int64) {
	n := len(mate)
	waiting := make([]uint32, n+1) // by their common neighbour; last those without edges
	for i := range waiting {
		waiting[i] = noVertex
	}
	for _, v := range order {
		if mate[v] != noVertex {
			continue
		}
		hub, heaviest := uint32(n), int64(-1)
		for i := g.first[v]; i < g.first[v+1]; i++ {
			if g.edge[i] > heaviest {
				hub, heaviest = g.to[i], g.edge[i]
			}
		}
		if u := waiting[hub]; u != noVertex && g.weight[u]+g.weight[v] <= most {
			mate[u], mate[v] = v, u
			waiting[hub] = noVertex
		} else {
			waiting[hub] = v
		}
	}
}
