// This file owns the tests of what the algorithm keeps up to date while it works: the weights of
// a cut, the queue of vertices, and graphs made from graphs.

package partition

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMovesKeepTheWeightsOfACut(t *testing.T) {
	r := newRand(t)
	for range 100 {
		g := randomGraph(r, 1+r.IntN(30)).costs()
		c := newCut(g, oneSide(g), [2]int64{g.total() / 2, g.total() / 2})
		for range 50 {
			v := uint32(r.IntN(len(c.side)))
			before, gain := c.value, c.gain(v)
			c.move(v)
			require.Equal(t, before-gain, c.value)
		}
		require.Equal(t, newCut(g, slices.Clone(c.side), c.most), c)
		before := c.quality()
		c.refine()
		require.False(t, before.better(c.quality()))
		require.Equal(t, newCut(g, slices.Clone(c.side), c.most), c)
	}
}

// The queue does what a sorted list does.
func TestHeapReturnsTheGreatestGainAndOfEqualOnesTheNewest(t *testing.T) {
	r := newRand(t)
	const n = 40
	var stamp int64
	h := heap{place: make([]int32, n), stamp: &stamp}
	for v := range h.place {
		h.place[v] = -1
	}
	var list []item
	for i := range 20_000 {
		switch {
		case r.IntN(500) == 0:
			h.clear()
			list = list[:0]
		case r.IntN(3) > 0 || len(list) == 0:
			v, gain := uint32(r.IntN(n)), int64(r.IntN(6))
			h.set(v, gain)
			list = slices.DeleteFunc(list, func(it item) bool { return it.vertex == v })
			list = append(list, item{gain, int64(i), v})
		default:
			slices.SortFunc(list, func(a, b item) int {
				return cmp.Or(cmp.Compare(b.gain, a.gain), cmp.Compare(b.stamp, a.stamp))
			})
			require.Equal(t, list[0].vertex, h.pop())
			list = list[1:]
		}
		require.Len(t, h.items, len(list))
	}
}

// matrix holds the weights of all edges of a small graph.
func (g *csr) matrix() map[[2]uint32]int64 {
	m := map[[2]uint32]int64{}
	for v := range g.weight {
		for i := g.first[v]; i < g.first[v+1]; i++ {
			m[[2]uint32{uint32(v), g.to[i]}] += g.edge[i]
		}
	}
	return m
}

func TestGraphsOfGroupsAndOfSomeVertices(t *testing.T) {
	r := newRand(t)
	for range 200 {
		g := randomGraph(r, 1+r.IntN(30)).costs()
		lps := len(g.weight)
		groups := 1 + r.IntN(lps)
		group := make([]uint32, lps)
		for v := range group {
			group[v] = uint32(r.IntN(groups))
		}
		want, weights := map[[2]uint32]int64{}, make([]int64, groups)
		for e, w := range g.matrix() {
			if a, b := group[e[0]], group[e[1]]; a != b {
				want[[2]uint32{a, b}] += w
			}
		}
		for v, w := range g.weight {
			weights[group[v]] += w
		}
		c := g.contracted(group, groups)
		require.Equal(t, want, c.matrix())
		require.Equal(t, weights, c.weight)
		require.Len(t, c.to, len(want), "one edge for two groups")

		start, order := grouped(group, groups)
		scratch := make([]uint32, lps)
		for v := range scratch {
			scratch[v] = r.Uint32()
		}
		for c := range groups {
			members := order[start[c]:start[c+1]]
			require.True(t, slices.IsSorted(members))
			own := g.induced(members, scratch)
			want := map[[2]uint32]int64{}
			for i, a := range members {
				require.EqualValues(t, c, group[a])
				require.Equal(t, g.weight[a], own.weight[i])
				for j, b := range members {
					if w, ok := g.matrix()[[2]uint32{a, b}]; ok {
						want[[2]uint32{uint32(i), uint32(j)}] = w
					}
				}
			}
			require.Equal(t, want, own.matrix())
		}
	}
}

// Coarsening ends with a small graph of similar weights, also if most vertices have no free
// neighbour.
func TestCoarseningMakesGraphsSmall(t *testing.T) {
	for name, g := range map[string]*Graph{
		"torus": torus(t, nil, 20, 20, 20), "star": made(t, 5000, nil, star(5000)...), "no links": made(t, 5000, nil),
	} {
		random := random(1)
		levels := coarsened(g.costs(), &random)
		last := levels[len(levels)-1]
		require.LessOrEqual(t, len(last.weight), 2*coarseEnough, name)
		require.Equal(t, g.total(), last.total(), name)
		require.LessOrEqual(t, slices.Max(last.weight), g.total()/heaviestShare+1, name)
	}
}
