// This file pins that the tree is the same for any distribution of the LPs.

package fold_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/num/fold"
	"github.com/ross-go/ross/internal/testing/testrand"
)

// The tests of the tree: it is the same for any distribution of the LPs.

func merged(a, b string) string { return "(" + a + " " + b + ")" }

// over returns the value of the root if ranks[id] has LP id, and how many values are sent.
func over(ranks []int, leaf func(uint64) (string, bool)) (root string, ok bool, sent int) {
	var all []fold.Part[string]
	for rank := range slices.Max(ranks) + 1 {
		var ids []uint64
		for id, r := range ranks {
			if r == rank {
				ids = append(ids, uint64(id))
			}
		}
		all = append(all, fold.Local(uint64(len(ranks)), ids, leaf, merged)...)
	}
	slices.SortFunc(all, func(a, b fold.Part[string]) int { return int(a.First) - int(b.First) })
	root, ok = fold.All(uint64(len(ranks)), all, merged)
	return root, ok, len(all)
}

func named(id uint64) (string, bool) { return fmt.Sprint(id), true }

func TestTreeDependsOnIDsAlone(t *testing.T) {
	for total, want := range []string{"", "0", "(0 1)", "((0 1) 2)", "((0 1) (2 3))", "(((0 1) (2 3)) 4)",
		"(((0 1) (2 3)) (4 5))"} {
		if total > 0 {
			got, ok, _ := over(make([]int, total), named)
			require.True(t, ok)
			require.Equal(t, want, got)
		}
	}
	seed := testrand.Seed(t)
	r := testrand.Of(seed, 1)
	for range 200 {
		total, holes := 1+r.IntN(70), r.IntN(3)
		leaf := func(id uint64) (string, bool) {
			return fmt.Sprint(id), id%3 >= uint64(holes)
		}
		want, some, _ := over(make([]int, total), leaf)
		ranks := make([]int, total)
		for i := range ranks {
			ranks[i] = r.IntN(4)
		}
		got, ok, _ := over(ranks, leaf)
		require.Equal(t, want, got, "seed %d, ranks %v", seed, ranks)
		require.Equal(t, some, ok)
		blocks := slices.Sorted(slices.Values(ranks))
		got, _, _ = over(blocks, leaf)
		require.Equal(t, want, got, "seed %d, ranks %v", seed, blocks)
	}
}

func TestRanksWithNeighboursSendFewValues(t *testing.T) {
	ranks := make([]int, 1000)
	for i := range ranks {
		ranks[i] = i / 334
	}
	got, ok, sent := over(ranks, named)
	require.True(t, ok)
	require.LessOrEqual(t, sent, 3*10)
	require.Equal(t, 999, strings.Count(got, "("))
}

func TestNoValueIsNone(t *testing.T) {
	_, ok, sent := over([]int{0, 1, 0}, func(uint64) (string, bool) { return "", false })
	require.False(t, ok)
	require.Zero(t, sent)
	require.Empty(t, fold.Local(0, nil, named, merged))
	_, ok = fold.All[string](0, nil, merged)
	require.False(t, ok)
}

func TestWithoutMergeLeavesAreReturned(t *testing.T) {
	got := fold.Local(9, []uint64{0, 1, 2, 7}, func(id uint64) (string, bool) { return fmt.Sprint(id), id != 1 }, nil)
	require.Equal(t, []fold.Part[string]{{0, "0"}, {2, "2"}, {7, "7"}}, got)
}

// The runnable example.

func Example() {
	name := func(id uint64) (string, bool) { return fmt.Sprint(id), true }
	merge := func(a, b string) string { return "(" + a + " " + b + ")" }
	one := fold.Local(6, []uint64{0, 1, 2}, name, merge)
	other := fold.Local(6, []uint64{3, 4, 5}, name, merge)
	fmt.Println(one, other)
	fmt.Println(fold.All(6, append(one, other...), merge))
	// Output:
	// [{0 (0 1)} {2 2}] [{3 3} {4 (4 5)}]
	// (((0 1) (2 3)) (4 5)) true
}
