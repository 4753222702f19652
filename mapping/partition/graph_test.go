// This file owns the tests of how graphs are made, and of the errors about bad input; of what the algorithm keeps up
// to date while it works: the weights of a cut, the queue of vertices, and graphs made from graphs; and the graphs that
// the tests divide.

package partition

import (
	"cmp"
	"flag"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/stretchr/testify/require"
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

// lattice has an LP at each point, and a link from each to the next one in each dimension; in a torus also from the
// last one to the first.
type lattice struct {
	lengths []int
	torus   bool
}

// lps returns the number of points.
func (l lattice) lps() int {
	n := 1
	for _, length := range l.lengths {
		n *= length
	}
	return n
}

// links returns a link of one event for each, between LPs with other numbers if there is a permutation.
func (l lattice) links(permuted []int) iter.Seq[Link] {
	return func(yield func(Link) bool) {
		for a := range l.lps() {
			stride := 1
			for _, length := range l.lengths {
				b, last := a+stride, a/stride%length == length-1
				if last {
					b -= length * stride
				}
				stride *= length
				if last && (!l.torus || length <= 2) {
					continue
				}
				from, to := min(a, b), max(a, b)
				if permuted != nil {
					from, to = permuted[a], permuted[b]
				}
				if !yield(Link{A: uint64(from), B: uint64(to), Events: 1}) {
					return
				}
			}
		}
	}
}

func torus(t testing.TB, permuted []int, lengths ...int) *Graph {
	t.Helper()
	net := lattice{lengths, true}
	g, err := FromLinks(uint64(net.lps()), nil, net.links(permuted))
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

// seen lists the links of a graph as neighbours of each LP, sorted.
func (g *Graph) seen() (all [][]Neighbour) {
	for v := range g.weight {
		own := []Neighbour{}
		for i := g.first[v]; i < g.first[v+1]; i++ {
			n := Neighbour{LP: uint64(g.to[i]), Events: g.events.float(g.edge[i])}
			if g.delays != nil {
				n.Lookahead = g.delays[i]
			}
			own = append(own, n)
		}
		slices.SortFunc(own, func(a, b Neighbour) int { return int(a.LP) - int(b.LP) })
		all = append(all, own)
	}
	return all
}

func TestLinksBetweenTheSameLPsAddUp(t *testing.T) {
	g := made(t, 4, nil,
		Link{A: 2, B: 0, Events: 1.5, Lookahead: 3}, Link{A: 0, B: 2, Events: 0.25, Lookahead: 2},
		Link{A: 2, B: 0, Events: 8, Lookahead: 5},
		Link{A: 1, B: 1, Events: 100}, Link{A: 3, B: 2, Events: 0})
	require.Equal(t, [][]Neighbour{
		{{2, 9.75, 2}}, {}, {{0, 9.75, 2}, {3, 0, 0}}, {{2, 0, 0}},
	}, g.seen())
	require.Equal(t, "4 LPs, 2 links", g.String())
	require.Equal(t, 100.0, g.events.float(g.self))
}

// neighboursIn turns lists into the function of FromNeighbours.
func neighboursIn(lists [][]Neighbour) func(uint64) iter.Seq[Neighbour] {
	return func(lp uint64) iter.Seq[Neighbour] { return slices.Values(lists[lp]) }
}

func TestNeighboursAndLinksMakeTheSameGraph(t *testing.T) {
	r := newRand(t)
	for range 300 {
		want := randomGraph(r, 1+r.IntN(20))
		lists := want.seen()
		for _, l := range lists {
			r.Shuffle(len(l), func(i, j int) { l[i], l[j] = l[j], l[i] })
		}
		got, err := FromNeighbours(want.LPs(), nil, neighboursIn(lists))
		require.NoError(t, err)
		require.Equal(t, want.seen(), got.seen())
	}
}

// Several links of two LPs need not be named in the same order: events add up to the same number.
func TestNeighboursMayBeNamedInPartsAndWithThemselves(t *testing.T) {
	g, err := FromNeighbours(2, nil, neighboursIn([][]Neighbour{
		{{1, 0.1, 1}, {1, 0.2, 2}, {1, 0.3, 3}, {0, 7, 1}}, {{0, 0.3, 3}, {0, 0.1, 1}, {0, 0.2, 2}},
	}))
	require.NoError(t, err)
	require.InDelta(t, 0.6, g.seen()[0][0].Events, 1e-12)
	require.Equal(t, 1.0, g.seen()[0][0].Lookahead)
	require.Equal(t, 7.0, g.events.float(g.self))
}

func TestWeightsAreMultiplesOfAUnit(t *testing.T) {
	s, err := newScale("x", []float64{1, 2.5, 1 << 40})
	require.NoError(t, err)
	require.Equal(t, 2.5, s.float(s.units(2.5)), "numbers of few bits are exact")
	for _, w := range []float64{1, 3, 0.1, 1e-300, 1e300, 5e-324} {
		s, err := newScale("x", []float64{w, w, w})
		require.NoError(t, err)
		require.InEpsilon(t, w, s.float(s.units(w)), 1e-15)
		require.Zero(t, s.units(0))
		require.EqualValues(t, 1, s.units(math.SmallestNonzeroFloat64), "what is not 0 does not become 0")
		require.LessOrEqual(t, 3*s.units(w), int64(1)<<sumBits)
	}
}

func TestBadGraphsAreErrorsThatNameTheLP(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	link := func(l Link) func() error {
		return func() error {
			_, err := FromLinks(4, nil, slices.Values([]Link{{A: 0, B: 1, Events: 1}, l}))
			return err
		}
	}
	load := func(x float64) func() error {
		return func() error {
			_, err := FromLinks(4, func(lp uint64) float64 {
				if lp == 2 {
					return x
				}
				return 1
			}, slices.Values([]Link{}))
			return err
		}
	}
	neighbours := func(lists ...[]Neighbour) func() error {
		return func() error {
			_, err := FromNeighbours(uint64(len(lists)), nil, neighboursIn(lists))
			return err
		}
	}
	const between = "ross: partition: link between LPs 1 and 3: "
	const number = ": give a finite number, at least 0"
	for i, c := range []struct {
		make func() error
		want string
	}{
		{link(Link{A: 1, B: 4}),
			"ross: partition: link between LPs 1 and 4: LP 4 does not exist: give ids below 4, the number of LPs"},
		{link(Link{A: math.MaxUint64, B: 1}),
			"ross: partition: link between LPs 18446744073709551615 and 1: LP 18446744073709551615 does not exist: give ids below 4, the number of LPs"},
		{link(Link{A: 1, B: 3, Events: -1}), between + "-1 events" + number},
		{link(Link{A: 1, B: 3, Events: nan}), between + "NaN events" + number},
		{link(Link{A: 1, B: 3, Events: inf}), between + "+Inf events" + number},
		{link(Link{A: 1, B: 3, Lookahead: -1}), between + "lookahead -1" + number},
		{link(Link{A: 1, B: 3, Lookahead: nan}), between + "lookahead NaN" + number},
		{link(Link{A: 1, B: 3, Lookahead: inf}), between + "lookahead +Inf" + number},
		{link(Link{A: 1, B: 3, Events: math.MaxFloat64}),
			"ross: partition: the sum of all events is infinite: give smaller numbers"},
		{load(-1), "ross: partition: LP 2: load -1" + number},
		{load(nan), "ross: partition: LP 2: load NaN" + number},
		{load(inf), "ross: partition: LP 2: load +Inf" + number},
		{neighbours([]Neighbour{{LP: 2}}, nil),
			"ross: partition: link between LPs 0 and 2: LP 2 does not exist: give ids below 2, the number of LPs"},
		{neighbours([]Neighbour{{LP: 1, Events: -1}}, nil), "ross: partition: link between LPs 0 and 1: -1 events" + number},
		{neighbours([]Neighbour{{LP: 1, Events: 1}}, nil),
			"ross: partition: LP 0 names LP 1 as its neighbour, which does not name it: let both name each other, or use FromLinks"},
		{neighbours(nil, []Neighbour{{LP: 0, Events: 1}}),
			"ross: partition: LP 1 names LP 0 as its neighbour, which does not name it: let both name each other, or use FromLinks"},
		{neighbours([]Neighbour{{LP: 1, Events: 1}}, []Neighbour{{LP: 0, Events: 1}, {LP: 2}}, nil),
			"ross: partition: LP 1 names LP 2 as its neighbour, which does not name it: let both name each other, or use FromLinks"},
		{neighbours([]Neighbour{{LP: 1, Events: 2}}, []Neighbour{{LP: 0, Events: 3}}),
			"ross: partition: LP 0 has 2 events with LP 1, which has 3 with it: give the same number on both sides, or use FromLinks, which adds the directions"},
		{neighbours([]Neighbour{{LP: 1, Events: 2, Lookahead: 1}}, []Neighbour{{LP: 0, Events: 2}}),
			"ross: partition: LP 0 has lookahead 1 with LP 1, which has 0 with it: give the same on both sides"},
		{func() error { _, err := FromLinks(1<<31, nil, nil); return err },
			"ross: partition: 2147483648 LPs: a graph has at most 2147483647"},
		{func() error { _, err := FromNeighbours(math.MaxUint64, nil, nil); return err },
			"ross: partition: 18446744073709551615 LPs: a graph has at most 2147483647"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			err := c.make()
			require.EqualError(t, err, c.want)
			require.ErrorIs(t, err, ross.ErrUsage)
		})
	}
}

func TestBadOptionsAreErrors(t *testing.T) {
	g := made(t, 3, nil, Link{A: 0, B: 1, Events: 1})
	for _, c := range []struct {
		k    uint64
		o    Options
		want string
	}{
		{0, Options{}, "ross: partition: 0 parts: give 1 to 4294967295"},
		{1 << 32, Options{}, "ross: partition: 4294967296 parts: give 1 to 4294967295"},
		{2, Options{Tolerance: -0.1}, "ross: partition: Options.Tolerance=-0.1: give 0 to 1; 0 stands for 0.03"},
		{2, Options{Tolerance: math.NaN()}, "ross: partition: Options.Tolerance=NaN: give 0 to 1; 0 stands for 0.03"},
		{2, Options{Tolerance: 3}, "ross: partition: Options.Tolerance=3: give 0 to 1; 0 stands for 0.03"},
		{2, Options{KeepBelow: -1}, "ross: partition: Options.KeepBelow=-1: give a finite lookahead, at least 0"},
		{2, Options{KeepBelow: math.NaN()}, "ross: partition: Options.KeepBelow=NaN: give a finite lookahead, at least 0"},
		{2, Options{KeepBelow: math.Inf(1)}, "ross: partition: Options.KeepBelow=+Inf: give a finite lookahead, at least 0"},
		{2, Options{KeepBelow: 1},
			"ross: partition: Options.KeepBelow=1: no link has a lookahead: set Link.Lookahead, or leave out KeepBelow"},
	} {
		_, err := g.Split(c.k, c.o)
		require.EqualError(t, err, c.want)
		require.ErrorIs(t, err, ross.ErrUsage)
		if c.o.KeepBelow == 0 {
			_, err = g.Bound(c.k, c.o.Tolerance)
			require.EqualError(t, err, c.want)
		}
	}
	_, err := g.Bound(2, 0)
	require.EqualError(t, err, "ross: partition: Bound: no link has a lookahead: set Link.Lookahead")
	require.ErrorIs(t, err, ross.ErrUsage)
}

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
