// This file owns the tests of lookahead.

package partition

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/mapping"
)

// least returns the least lookahead between parts.
func (g *Graph) least(part []uint32) float64 {
	least := math.Inf(1)
	for v := range part {
		for i := g.first[v]; i < g.first[v+1]; i++ {
			if part[v] != part[g.to[i]] {
				least = min(least, g.delays[i])
			}
		}
	}
	return least
}

// A ring is cut at two links. With equal events these are where lookahead is great.
func TestLinksOfLittleLookaheadAreCutLast(t *testing.T) {
	const n = 64
	var links []Link
	for lp := range uint64(n) {
		l := Link{A: lp, B: (lp + 1) % n, Events: 1, Lookahead: 0.5}
		if lp == 20 || lp == 20+n/2 {
			l.Lookahead = 4
		}
		links = append(links, l)
	}
	g := made(t, n, nil, links...)
	part, d := split(t, g, 2, Options{})
	require.Equal(t, 2.0, d.cut)
	require.Equal(t, 4.0, g.least(part))

	links[20].Lookahead, links[20].Events = 0, 0.9 // no lookahead at all is dearest
	part, _ = split(t, made(t, n, nil, links...), 2, Options{})
	require.Equal(t, part[20], part[21])
}

// grid returns a grid of 16 x 16 in blocks of 4 x 4; links inside blocks have little lookahead, but
// hardly any events.
func blocks() (links []Link) {
	const n = 16
	id := func(x, y int) uint64 { return uint64(y*n + x) }
	link := func(a, b uint64, border bool) {
		l := Link{A: a, B: b, Events: 0.001, Lookahead: 1}
		if border {
			l.Events, l.Lookahead = 10, 2
		}
		links = append(links, l)
	}
	for y := range n {
		for x := range n {
			if x+1 < n {
				link(id(x, y), id(x+1, y), x%4 == 3)
			}
			if y+1 < n {
				link(id(x, y), id(x, y+1), y%4 == 3)
			}
		}
	}
	return links
}

func TestLinksBelowTheLimitAreKept(t *testing.T) {
	g := made(t, 256, nil, blocks()...)
	for _, k := range []uint64{2, 4, 8, 16} {
		part, free := split(t, g, k, Options{})
		require.Equal(t, 1.0, g.least(part), "these are cheaper")
		part, kept := split(t, g, k, Options{KeepBelow: 2})
		require.Equal(t, 2.0, g.least(part))
		require.Less(t, free.cut, kept.cut)
		for _, load := range kept.loads {
			require.Equal(t, float64(256/k), load)
		}
		bound, err := g.Bound(k, 0)
		require.NoError(t, err)
		require.Equal(t, 2.0, bound)
	}
	bound, err := g.Bound(17, 0)
	require.NoError(t, err)
	require.Equal(t, 1.0, bound, "a block is too large")
	bound, err = g.Bound(1, 0)
	require.NoError(t, err)
	require.True(t, math.IsInf(bound, 1))

	part, d := split(t, g, 2, Options{KeepBelow: 3})
	require.Zero(t, d.cut, "all links are kept")
	require.Equal(t, part, make([]uint32, 256))
}

// No division can have more lookahead than Bound says.
func TestNoBalancedDivisionHasMoreLookaheadThanTheBound(t *testing.T) {
	r := newRand(t)
	for range 200 {
		g := randomGraph(r, 2+r.IntN(8))
		if g.delays == nil {
			continue
		}
		bound, err := g.Bound(2, 0.1)
		require.NoError(t, err)
		most, best := float64(g.total())/2*1.1, 0.0
		for set := range 1 << len(g.weight) {
			part := make([]uint32, len(g.weight))
			for v := range part {
				part[v] = uint32(set >> v & 1)
			}
			if d := g.divided(part, 2); slices.Max(d.loads) <= g.load.float(int64(most)) {
				best = max(best, g.least(part))
			}
		}
		require.LessOrEqual(t, best, bound)
	}
}

func TestLookaheadOfALoopDoesNotCount(t *testing.T) {
	g := made(t, 2, nil, Link{A: 0, B: 0, Events: 1, Lookahead: 1}, Link{A: 0, B: 1, Events: 1})
	require.Nil(t, g.delays)
	q, err := g.Quality(mustMap(mapping.NewLinear(2, 1, 1)))
	require.NoError(t, err)
	require.Equal(t, Quality{Cut: 1, Events: 2, Load: 2, Greatest: 1, PEs: 2}, q)
}
