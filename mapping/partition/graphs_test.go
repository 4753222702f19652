// This file owns the graphs that the tests divide, and what they see of a division.

package partition

import (
	"flag"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/network/topology"
)

var seedFlag = flag.Uint64("seed", 0, "seed of the random tests; 0 takes a new one")

// newRand returns random numbers whose seed is printed when the test fails, to be given back as
// -seed.
func newRand(t *testing.T) *rand.Rand {
	if *seedFlag != 0 {
		return testrand.Of(*seedFlag, 0)
	}
	return testrand.New(t)
}

// made returns a graph that must be right.
func made(t testing.TB, lps uint64, load func(uint64) float64, links ...Link) *Graph {
	t.Helper()
	g, err := FromLinks(lps, load, slices.Values(links))
	require.NoError(t, err)
	return g
}

// linksOf returns a link of one event for each of a network, between routers with other numbers if
// there is a permutation.
func linksOf(net topology.Network, permuted []int) iter.Seq[Link] {
	return func(yield func(Link) bool) {
		for l := range topology.Links(net) {
			if l.From == l.To { // the edge of a mesh
				continue
			}
			a, b := l.From, l.To
			if permuted != nil {
				a, b = permuted[a], permuted[b]
			}
			if !yield(Link{A: uint64(a), B: uint64(b), Events: 1}) {
				return
			}
		}
	}
}

func torus(t testing.TB, permuted []int, lengths ...int) *Graph {
	t.Helper()
	net, err := topology.NewTorus(lengths, 1)
	require.NoError(t, err)
	g, err := FromLinks(uint64(net.Routers()), nil, linksOf(net, permuted))
	require.NoError(t, err)
	return g
}

// star returns the links of an LP to all others.
func star(lps uint64) (links []Link) {
	for lp := uint64(1); lp < lps; lp++ {
		links = append(links, Link{A: 0, B: lp, Events: 1})
	}
	return links
}

// clique returns the links among LPs first to first+n-1.
func clique(first, n uint64) (links []Link) {
	for a := first; a < first+n; a++ {
		for b := a + 1; b < first+n; b++ {
			links = append(links, Link{A: a, B: b, Events: 1})
		}
	}
	return links
}

// randomGraph has weights that are often equal or 0, and parts that are not connected.
func randomGraph(r *rand.Rand, lps int) *Graph {
	weight := func() float64 {
		if r.IntN(3) == 0 {
			return 100 * r.Float64()
		}
		return float64(r.IntN(4))
	}
	loads := make([]float64, lps)
	for lp := range loads {
		loads[lp] = 1
	}
	if r.IntN(2) == 0 {
		for lp := range loads {
			loads[lp] = weight()
		}
	}
	var links []Link
	if lps > 0 {
		for range r.IntN(4*lps + 1) {
			l := Link{A: r.Uint64N(uint64(lps)), B: r.Uint64N(uint64(lps)), Events: weight()}
			if r.IntN(2) == 0 {
				l.Lookahead = float64(r.IntN(5))
			}
			links = append(links, l)
		}
	}
	g, err := FromLinks(uint64(lps), func(lp uint64) float64 { return loads[lp] }, slices.Values(links))
	if err != nil {
		panic(err)
	}
	return g
}

// divided is what a division of a graph comes to.
type divided struct {
	cut   float64
	loads []float64
}

func (g *Graph) divided(part []uint32, k uint64) divided {
	d := divided{loads: make([]float64, k)}
	for v, p := range part {
		d.loads[p] += g.load.float(g.weight[v])
		for i := g.first[v]; i < g.first[v+1]; i++ {
			if part[g.to[i]] != p {
				d.cut += g.events.float(g.edge[i]) / 2
			}
		}
	}
	return d
}

// split divides a graph and requires a part for each LP.
func split(t testing.TB, g *Graph, k uint64, o Options) ([]uint32, divided) {
	t.Helper()
	part, err := g.Split(k, o)
	require.NoError(t, err)
	require.Len(t, part, int(g.LPs()))
	for lp, p := range part {
		if uint64(p) >= k {
			require.Failf(t, "no such part", "LP %d: %d of %d", lp, p, k)
		}
	}
	return part, g.divided(part, k)
}
