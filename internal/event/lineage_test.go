// Lineages against the plain lists of tie-breakers that they stand for.

package event_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/mem"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
)

func newArena(t testing.TB, inline uintptr, budget *mem.Budget) *event.Arena {
	t.Helper()
	a, err := event.NewArena(inline, 1<<20, budget)
	require.NoError(t, err)
	t.Cleanup(a.Release)
	return a
}

// forest is a pool of lineages and, for each, the list that it stands for.
type forest struct {
	*event.Lineages
	all []lineage
}

type lineage struct {
	node     uint32
	ties     []float64
	extended bool // another list continues in the memory of ties
}

// newForest returns the forest of the empty lineage.
func newForest(a *event.Arena) *forest { return &forest{a.Lines, []lineage{{}}} }

func (f *forest) extend(t testing.TB, parent int, tie float64) {
	p := &f.all[parent]
	node, err := f.Extend(p.node, tie)
	require.NoError(t, err)
	ties := p.ties
	if p.extended {
		ties = slices.Clip(ties)
	}
	p.extended = true
	f.all = append(f.all, lineage{node: node, ties: append(ties, tie)})
}

func (f *forest) last() int { return len(f.all) - 1 }

// drop releases lineage i, which is not the empty one.
func (f *forest) drop(i int) {
	f.Drop(f.all[i].node)
	f.all = slices.Delete(f.all, i, i+1)
}

func (f *forest) dropAll() {
	for f.last() > 0 {
		f.drop(f.last())
	}
}

func (f *forest) check(t testing.TB, i, j int) {
	a, b := &f.all[i], &f.all[j]
	want := slices.Compare(a.ties, b.ties)
	if got := cmp.Compare(f.Compare(a.node, b.node), 0); got != want {
		t.Fatalf("%v and %v: Compare is %d, want %d", a.ties, b.ties, got, want)
	}
}

func TestLineagesCompareAsTheListsOfTheirTies(t *testing.T) {
	for _, c := range []struct {
		name   string
		values int // of tie-breakers: few give equal ones
		deep   int // of 100 extensions, those of the newest lineage
	}{
		{"bushy, all different", 1 << 40, 10},
		{"deep, all different", 1 << 40, 97},
		{"bushy, often equal", 2, 30},
		{"deep, often equal", 3, 90},
		{"all equal", 1, 70},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := modeltest.Rand(t)
			f := newForest(newArena(t, 8, nil))
			for range 1500 {
				parent := f.last()
				if r.IntN(100) >= c.deep {
					parent = r.IntN(len(f.all))
				}
				f.extend(t, parent, float64(r.IntN(c.values)))
			}
			for range testlevel.Times(20_000, 4000) {
				f.check(t, r.IntN(len(f.all)), r.IntN(len(f.all)))
			}
		})
	}
}

// TestLongChainsPartAnywhere has two chains of up to 3000 ties part at every
// kind of depth, end at others, and agree where they part.
func TestLongChainsPartAnywhere(t *testing.T) {
	r := modeltest.Rand(t)
	f := newForest(newArena(t, 8, nil))
	trunk := []int{0}
	for range 3000 {
		f.extend(t, trunk[len(trunk)-1], r.Float64())
		trunk = append(trunk, f.last())
	}
	for _, depth := range testlevel.Pick([]int{0, 1, 2, 3, 63, 64, 65, 1000, 2047, 2998, 2999}, []int{0, 1, 2, 3, 63, 64, 65, 1000, 2047, 2998, 2999}, []int{0, 64, 2999}) {
		same := f.all[trunk[depth+1]].ties[depth]
		for _, first := range []float64{0, same, 1} {
			f.extend(t, trunk[depth], first)
			branch := []int{f.last()}
			for range min(3000-depth-1, 1+r.IntN(3000)) {
				f.extend(t, branch[len(branch)-1], r.Float64())
				branch = append(branch, f.last())
			}
			for range 60 {
				i, j := branch[r.IntN(len(branch))], trunk[r.IntN(len(trunk))]
				f.check(t, i, j)
				f.check(t, j, i)
				require.Equal(t, len(f.all[i].ties)+1, f.Len(f.all[i].node))
			}
			last := branch[len(branch)-1]
			f.check(t, last, trunk[3000])
			require.Equal(t, append([]float64{7}, f.all[last].ties...), f.Append([]float64{7}, f.all[last].node))
		}
	}
}

func TestDroppedLineagesGiveTheirNodesBack(t *testing.T) {
	r := modeltest.Rand(t)
	a := newArena(t, 8, nil)
	f := newForest(a)
	for round := range 3 {
		for range 4000 {
			if r.IntN(3) == 0 && f.last() > 0 {
				f.drop(1 + r.IntN(f.last()))
			} else {
				f.extend(t, r.IntN(len(f.all)), float64(r.IntN(3)))
			}
		}
		require.NoError(t, a.Check())
		for range 2000 {
			f.check(t, r.IntN(len(f.all)), r.IntN(len(f.all)))
		}
		require.GreaterOrEqual(t, int(f.Live()), f.last())
		f.dropAll()
		require.Zero(t, f.Live(), "after round %d", round)
		require.NoError(t, a.Check())
	}
}

// TestAnAncestorLivesAsLongAsAnythingDescends drops a chain from its root on,
// as events of a zero-delay chain are freed, and its nodes are used again.
func TestAnAncestorLivesAsLongAsAnythingDescends(t *testing.T) {
	a := newArena(t, 8, nil)
	f := newForest(a)
	for i := range 3000 {
		f.extend(t, i, float64(i))
	}
	last, ties := f.all[3000].node, f.all[3000].ties
	for f.last() > 1 {
		f.drop(1)
	}
	require.EqualValues(t, 3000, f.Live())
	require.Equal(t, ties, f.Append(nil, last))
	f.dropAll()
	require.Zero(t, f.Live())
	used := a.Bytes()
	for i := range 3000 {
		f.extend(t, i, 0)
	}
	require.Equal(t, used, a.Bytes(), "freed nodes are not used again")
}

// FuzzLineages decodes operations of three bytes: what to do, to which lineage,
// and a tie-breaker or another lineage.
func FuzzLineages(f *testing.F) {
	f.Add([]byte{0, 0, 1, 0, 0, 1, 3, 1, 2, 0, 1, 2, 0, 2, 3, 3, 3, 4})
	f.Add([]byte{1, 255, 9, 1, 3, 9, 2, 1, 0, 3, 1, 2, 0, 1, 0, 3, 2, 3})
	f.Add([]byte{0, 0, 5, 1, 1, 5, 0, 0, 5, 1, 2, 5, 2, 1, 0, 2, 1, 0, 3, 9, 60, 3, 60, 9})
	f.Fuzz(func(t *testing.T, data []byte) {
		a := newArena(t, 8, nil)
		l := newForest(a)
		for ; len(data) >= 3 && len(l.all) < 4000; data = data[3:] {
			i := int(data[1]) % len(l.all)
			switch data[0] & 3 {
			case 0:
				l.extend(t, i, float64(data[2]))
			case 1: // a chain
				for range 1 + int(data[2])/8 {
					l.extend(t, i, float64(data[2]&7))
					i = l.last()
				}
			case 2:
				if i > 0 {
					l.drop(i)
				}
			case 3:
				j := int(data[2]) % len(l.all)
				l.check(t, i, j)
				l.check(t, j, i)
			}
		}
		for _, x := range l.all {
			require.True(t, slices.Equal(x.ties, l.Append(nil, x.node)))
		}
		require.NoError(t, a.Check())
		l.dropAll()
		require.Zero(t, l.Live())
		require.NoError(t, a.Check())
	})
}

func TestLineagesStopAtTheMemoryLimit(t *testing.T) {
	a := newArena(t, 8, mem.NewBudget(1<<20))
	var err error
	var node uint32
	n := 0
	for ; err == nil; n++ {
		node, err = a.Lines.Extend(node, 1)
	}
	require.ErrorIs(t, err, mem.ErrLimit)
	require.Greater(t, n, 1<<15)
	require.NoError(t, a.Check())
}
