// This file owns the tests of how graphs are made, and of the errors about bad input.

package partition

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
)

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
		Link{A: 2, B: 0, Events: 1.5, Lookahead: 3}, Link{A: 0, B: 2, Events: 0.25, Lookahead: 2}, Link{A: 2, B: 0, Events: 8, Lookahead: 5},
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
		{link(Link{A: 1, B: 4}), "ross: partition: link between LPs 1 and 4: LP 4 does not exist: give ids below 4, the number of LPs"},
		{link(Link{A: math.MaxUint64, B: 1}), "ross: partition: link between LPs 18446744073709551615 and 1: LP 18446744073709551615 does not exist: give ids below 4, the number of LPs"},
		{link(Link{A: 1, B: 3, Events: -1}), between + "-1 events" + number},
		{link(Link{A: 1, B: 3, Events: nan}), between + "NaN events" + number},
		{link(Link{A: 1, B: 3, Events: inf}), between + "+Inf events" + number},
		{link(Link{A: 1, B: 3, Lookahead: -1}), between + "lookahead -1" + number},
		{link(Link{A: 1, B: 3, Lookahead: nan}), between + "lookahead NaN" + number},
		{link(Link{A: 1, B: 3, Lookahead: inf}), between + "lookahead +Inf" + number},
		{link(Link{A: 1, B: 3, Events: math.MaxFloat64}), "ross: partition: the sum of all events is infinite: give smaller numbers"},
		{load(-1), "ross: partition: LP 2: load -1" + number},
		{load(nan), "ross: partition: LP 2: load NaN" + number},
		{load(inf), "ross: partition: LP 2: load +Inf" + number},
		{neighbours([]Neighbour{{LP: 2}}, nil), "ross: partition: link between LPs 0 and 2: LP 2 does not exist: give ids below 2, the number of LPs"},
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
		{func() error { _, err := FromLinks(1<<31, nil, nil); return err }, "ross: partition: 2147483648 LPs: a graph has at most 2147483647"},
		{func() error { _, err := FromNeighbours(math.MaxUint64, nil, nil); return err }, "ross: partition: 18446744073709551615 LPs: a graph has at most 2147483647"},
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
		{2, Options{KeepBelow: 1}, "ross: partition: Options.KeepBelow=1: no link has a lookahead: set Link.Lookahead, or leave out KeepBelow"},
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
