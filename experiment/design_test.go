// This file owns the tests of points and designs.

package experiment

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGridHasEveryCombination(t *testing.T) {
	var got []string
	for _, p := range Grid(Over("load", 0.5, 1), Over("policy", "fifo", "two words"), Over("fast", true), Over("n", 1, 2)) {
		got = append(got, p.String())
	}
	require.Equal(t, []string{
		"load=0.5 policy=fifo fast=true n=1", "load=0.5 policy=fifo fast=true n=2",
		`load=0.5 policy="two words" fast=true n=1`, `load=0.5 policy="two words" fast=true n=2`,
		"load=1 policy=fifo fast=true n=1", "load=1 policy=fifo fast=true n=2",
		`load=1 policy="two words" fast=true n=1`, `load=1 policy="two words" fast=true n=2`,
	}, got)
	require.Empty(t, Grid(Over("load", 0.5), Over[int]("none")))
	require.Equal(t, []Point{{}}, Grid())
	require.Equal(t, "(no parameters)", Grid()[0].String())
}

func TestTextsOfPointsAreDistinct(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range []Point{
		{}, {{"a", ""}}, {{"a", 1}}, {{"a", 1}, {"b", 2}}, {{"a", "1 b=2"}}, {{"a", "1"}, {"b", "2 "}}, {{"a=1 b", 2}}, {{"a", `"1"`}},
		{{"a", "\n"}}, {{"a", `\n`}}, {{"a", 1.5}}, {{"a", math.Nextafter(1.5, 2)}}, {{"a", true}}, {{"(no parameters)", ""}},
	} {
		require.False(t, seen[p.String()], "%s", p)
		seen[p.String()] = true
	}
}

func TestListTakesTheFactorsTogether(t *testing.T) {
	points, err := List(Over("load", 0.5, 0.7), Over("servers", 1, 2))
	require.NoError(t, err)
	require.Equal(t, []Point{{{"load", 0.5}, {"servers", 1}}, {{"load", 0.7}, {"servers", 2}}}, points)
	_, err = List(Over("load", 0.5, 0.7), Over("servers", 1))
	require.EqualError(t, err, `ross: list of points: "load" has 2 values and "servers" has 1: give all factors as many`)
	_, err = List()
	require.EqualError(t, err, "ross: list of points: no factors: give at least one")
}

func TestALatinHypercubeHasEachStratumOnceInEachDimension(t *testing.T) {
	for _, n := range []int{1, 2, 7, 100} {
		for seed := range uint64(5) {
			ranges := []Range{{Name: "a", High: 1}, {Name: "b", Low: -3, High: 39}, {Name: "c", Low: 1e-3, High: 1e3, Log: true}}
			points, err := LatinHypercube(n, seed, ranges...)
			require.NoError(t, err)
			require.Len(t, points, n)
			again, err := LatinHypercube(n, seed, ranges...)
			require.NoError(t, err)
			require.Equal(t, points, again)
			for d, r := range ranges {
				seen := map[int]bool{}
				for _, p := range points {
					require.Equal(t, r.Name, p[d].Name)
					x := p[d].Value.(float64)
					share := (x - r.Low) / (r.High - r.Low)
					if r.Log {
						share = math.Log(x/r.Low) / math.Log(r.High/r.Low)
					}
					stratum := int(math.Floor(share * float64(n)))
					require.False(t, seen[stratum], "seed %d, stratum %d of %s", seed, stratum, r.Name)
					seen[stratum] = true
				}
				for i := range n {
					require.True(t, seen[i])
				}
			}
		}
	}
	// The dimensions are combined at random, and so are the seeds.
	one, err := LatinHypercube(50, 1, Range{Name: "a", High: 1}, Range{Name: "b", High: 1})
	require.NoError(t, err)
	two, err := LatinHypercube(50, 2, Range{Name: "a", High: 1}, Range{Name: "b", High: 1})
	require.NoError(t, err)
	ab, a12 := 0.0, 0.0
	for i := range one {
		centred := func(p Point, d int) float64 { return (p[d].Value.(float64) - 0.5) * math.Sqrt(12) }
		ab += centred(one[i], 0) * centred(one[i], 1) / 50
		a12 += centred(one[i], 0) * centred(two[i], 0) / 50
	}
	require.InDelta(t, 0, ab, 4/math.Sqrt(50))
	require.InDelta(t, 0, a12, 4/math.Sqrt(50))
}

func TestErrorsOfALatinHypercube(t *testing.T) {
	for _, c := range []struct {
		n      int
		ranges []Range
		want   string
	}{
		{0, []Range{{Name: "a", High: 1}}, "0 points in 1 ranges: give at least one of each"},
		{3, nil, "3 points in 0 ranges: give at least one of each"},
		{3, []Range{{Name: "a", Low: 2, High: 1}}, `range "a" is 2 to 1: give finite numbers, the lower one first`},
		{3, []Range{{Name: "a", Low: 2, High: math.Inf(1)}}, `range "a" is 2 to +Inf: give finite numbers, the lower one first`},
		{3, []Range{{Name: "a", Low: math.NaN(), High: 1}}, `range "a" is NaN to 1: give finite numbers, the lower one first`},
		{3, []Range{{Name: "a", Low: 0, High: 1, Log: true}}, `range "a" is 0 to 1: a range with Log must be above 0`},
	} {
		_, err := LatinHypercube(c.n, 1, c.ranges...)
		require.EqualError(t, err, "ross: Latin hypercube: "+c.want)
	}
}

func TestPointsThatCannotBeUsed(t *testing.T) {
	for _, c := range []struct {
		point Point
		want  string
	}{
		{Point{{"a", math.NaN()}}, `parameter "a" is NaN: give finite numbers`},
		{Point{{"a", int64(1)}}, `parameter "a" is of type int64: give a float64, int, string or bool`},
		{Point{{"a", nil}}, `parameter "a" is of type <nil>: give a float64, int, string or bool`},
		{Point{{"", 1}}, "parameter 0 has no name: give it one"},
		{Point{{"\xff", 1}}, `parameter "\xff": give names in UTF-8`},
		{Point{{"a", 1}, {"a", 2}}, `parameter "a" is given twice: give each one value`},
	} {
		require.EqualError(t, c.point.check(), c.want, fmt.Sprint(c.point))
	}
	require.NoError(t, Point{{"a", 1}, {"b", 1.5}, {"c", ""}, {"d", false}}.check())
}
