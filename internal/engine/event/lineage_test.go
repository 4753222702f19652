// This file pins the order of events, the lineages that it compares, and the steps of a comparison.

package event

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/sys/mem"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
)

// Lineages against the plain lists of tie-breakers that they stand for.

func newArena(t testing.TB, inline uintptr, budget *mem.Budget) *Arena {
	t.Helper()
	a, err := NewArena(inline, 1<<20, budget)
	require.NoError(t, err)
	t.Cleanup(a.Release)
	return a
}

// forest is a pool of lineages and, for each, the list that it stands for.
type forest struct {
	*Lineages
	all []lineage
}

type lineage struct {
	node     uint32
	ties     []float64
	extended bool // another list continues in the memory of ties
}

// newForest returns the forest of the empty lineage.
func newForest(a *Arena) *forest { return &forest{a.Lines, []lineage{{}}} }

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
	if got := min(max(f.Compare(a.node, b.node), -1), 1); got != want {
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
			r := testrand.New(t)
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
	r := testrand.New(t)
	f := newForest(newArena(t, 8, nil))
	trunk := []int{0}
	for range 3000 {
		f.extend(t, trunk[len(trunk)-1], r.Float64())
		trunk = append(trunk, f.last())
	}
	for _, depth := range testlevel.Pick([]int{0, 1, 2, 3, 63, 64, 65, 1000, 2047, 2998, 2999},
		[]int{0, 1, 2, 3, 63, 64, 65, 1000, 2047, 2998, 2999}, []int{0, 64, 2999}) {
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
	r := testrand.New(t)
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

// The order of events, and the part of it in keys.

// priorities and ties are those at which Prefix changes its ways, and any.
var priorities = []func(*rand.Rand) float64{
	func(*rand.Rand) float64 { return 0 },
	func(*rand.Rand) float64 { return 1 },
	func(*rand.Rand) float64 { return math.SmallestNonzeroFloat64 },
	func(*rand.Rand) float64 { return math.Nextafter(1, 0) },
	func(r *rand.Rand) float64 { return float64(r.IntN(129)) / 128 },
	func(r *rand.Rand) float64 { return math.Nextafter(float64(1+r.IntN(127))/128, float64(r.IntN(2))) },
	func(r *rand.Rand) float64 { return r.Float64() },
	func(r *rand.Rand) float64 { return 0.3 + 1e-9*r.Float64() },
}

var ties = []func(*rand.Rand) float64{
	func(*rand.Rand) float64 { return 0 },
	func(*rand.Rand) float64 { return 1 }, // rounding may give it, though the generator's range excludes it
	func(*rand.Rand) float64 { return math.Nextafter(1, 0) },
	func(r *rand.Rand) float64 { return r.Float64() },
	func(r *rand.Rand) float64 { return float64(r.IntN(1<<23)) / (1 << 23) },
	func(r *rand.Rand) float64 { return 0.7 + 1e-9*r.Float64() },
}

func pick(r *rand.Rand, from []func(*rand.Rand) float64) float64 { return from[r.IntN(len(from))](r) }

func TestPrefixNeverContradictsPriorityAndTie(t *testing.T) {
	r := testrand.New(t)
	for range 400000 {
		p, q := pick(r, priorities), pick(r, priorities)
		x, y := pick(r, ties), pick(r, ties)
		if r.IntN(2) == 0 {
			q = p
		}
		if p > q || p == q && x > y {
			p, q, x, y = q, p, y, x
		}
		if Prefix(p, x) > Prefix(q, y) {
			t.Fatalf("(%v, %v) is before (%v, %v), but its prefix is not: %#x, %#x",
				p, x, q, y, Prefix(p, x), Prefix(q, y))
		}
	}
}

func TestPrefixTellsTiesApartOnTheGridOfPriorities(t *testing.T) {
	for cell := range 129 {
		p := float64(cell) / 128
		require.Less(t, Prefix(p, 0.5), Prefix(p, 0.5+1.0/(1<<22)), "priority %v", p)
		if cell > 0 {
			require.Less(t, Prefix(math.Nextafter(p, 0), 1), Prefix(p, 0), "priority %v", p)
		}
	}
}

// randomEvent fills an event from few values, so that two of them often agree
// in some parts of the signature and all that follows.
func randomEvent(t *testing.T, r *rand.Rand, a *Arena, lineages []lineage) Key {
	e, i, err := a.Alloc()
	require.NoError(t, err)
	*e = Event{
		Time: []float64{0, math.SmallestNonzeroFloat64, 1, math.MaxFloat64}[r.IntN(4)],
		Prio: []float64{0, 0.3, 0.3 + 1e-12, 1}[r.IntN(4)],
		Tie:  []float64{0, 0.5, 0.5 + 1e-12, math.Nextafter(1, 0)}[r.IntN(4)],
		Dst:  uint32(r.IntN(2)), Src: uint64(r.IntN(2)), SendTime: float64(r.IntN(2)),
		Lineage: lineages[r.IntN(len(lineages))].node, State: Pending,
	}
	return KeyOf(e, i)
}

func TestKeysAndCompareGiveOneTotalOrder(t *testing.T) {
	r := testrand.New(t)
	a := newArena(t, 8, nil)
	f := newForest(a)
	for range 20 {
		f.extend(t, r.IntN(len(f.all)), float64(r.IntN(2)))
	}
	var keys []Key
	for range 500 {
		keys = append(keys, randomEvent(t, r, a, f.all))
	}
	same := 0
	for range 50000 {
		x, y, z := keys[r.IntN(500)], keys[r.IntN(500)], keys[r.IntN(500)]
		c := a.Compare(a.At(x.Index()), a.At(y.Index()))
		require.Equal(t, c < 0, a.Compare(a.At(y.Index()), a.At(x.Index())) > 0)
		switch {
		case !x.Same(y): // the keys alone decide, as the events do
			require.Equal(t, x.Less(y), c < 0)
			require.NotZero(t, c)
		case c != 0:
			require.Equal(t, c < 0, a.Less(x, y))
			same++
		default:
			require.Equal(t, x.Less(y), a.Less(x, y))
		}
		require.Equal(t, x != y, a.Less(x, y) != a.Less(y, x), "of two keys one is first")
		if a.Less(x, y) && a.Less(y, z) {
			require.True(t, a.Less(x, z), "%+v, %+v, %+v", x, y, z)
		}
	}
	require.Greater(t, same, 1000, "too few pairs had keys that only the events order")
}

// TestEachPartOfASignatureDecidesInItsTurn changes one part after the other, the
// later ones all against it.
func TestEachPartOfASignatureDecidesInItsTurn(t *testing.T) {
	a := newArena(t, 8, nil)
	f := newForest(a)
	f.extend(t, 0, 0.5)
	f.extend(t, 1, 0.1)
	f.extend(t, 0, 0.6)
	less, longer, more := f.all[1].node, f.all[2].node, f.all[3].node
	x := Event{Time: 1, Prio: 0.5, Tie: 0.5, Lineage: longer, Dst: 1, Src: 1, SendTime: 1}
	for _, c := range []struct {
		what string
		y    Event
	}{
		{"time", Event{Time: 2}},
		{"priority", Event{Time: 1, Prio: 0.6}},
		{"tie-breaker", Event{Time: 1, Prio: 0.5, Tie: 0.6}},
		{"lineage", Event{Time: 1, Prio: 0.5, Tie: 0.5, Lineage: more}},
		{"receiver", Event{Time: 1, Prio: 0.5, Tie: 0.5, Lineage: longer, Dst: 2}},
		{"sender", Event{Time: 1, Prio: 0.5, Tie: 0.5, Lineage: longer, Dst: 1, Src: 2}},
		{"send time", Event{Time: 1, Prio: 0.5, Tie: 0.5, Lineage: longer, Dst: 1, Src: 1, SendTime: 2}},
	} {
		require.Negative(t, a.Compare(&x, &c.y), c.what)
		require.Positive(t, a.Compare(&c.y, &x), c.what)
	}
	require.Zero(t, a.Compare(&x, &x))
	shorter := x
	shorter.Lineage, shorter.Dst = less, 9
	require.Negative(t, a.Compare(&shorter, &x), "a lineage is before those that extend it")
	require.Equal(t, 1.0, KeyOf(&x, 7).Time())
	require.EqualValues(t, 7, KeyOf(&x, 7).Index())
}

// Thanks to the jump pointers of lineages, comparing two chains visits O(log
// length) nodes. The test counts them on the pointers themselves, in the way
// Compare follows them.

func TestEveryAncestorIsALogarithmAway(t *testing.T) {
	a, err := NewArena(8, 1<<16, nil)
	require.NoError(t, err)
	defer a.Release()
	l := a.Lines
	const length = 50000
	chain := []uint32{0}
	for range length {
		node, err := l.Extend(chain[len(chain)-1], 0.5)
		require.NoError(t, err)
		chain = append(chain, node)
	}
	steps := func(i, depth uint32) (n int) {
		for at := l.at(i); at.Depth > depth; n++ {
			if i = at.Parent; l.at(at.Jump).Depth >= depth {
				i = at.Jump
			}
			at = l.at(i)
		}
		return n
	}
	most := 0
	for depth := uint32(0); depth <= length; depth += 7 {
		require.Equal(t, chain[depth], l.climb(chain[length], depth))
		most = max(most, steps(chain[length], depth), steps(chain[depth], 0), steps(chain[depth], depth/3))
	}
	require.LessOrEqual(t, float64(most), 3*math.Log2(length), "steps from a node to an ancestor")
}

// TestNodesOfOneDepthJumpEquallyFar is what lets Compare climb two chains in
// step until they meet.
func TestNodesOfOneDepthJumpEquallyFar(t *testing.T) {
	a, err := NewArena(8, 1<<16, nil)
	require.NoError(t, err)
	defer a.Release()
	l := a.Lines
	jump := map[uint32]uint32{}
	for range 20 {
		node := uint32(0)
		for range 500 {
			node, err = l.Extend(node, 0.5)
			require.NoError(t, err)
			n := l.at(node)
			to, known := jump[n.Depth]
			require.True(t, !known || to == l.at(n.Jump).Depth)
			jump[n.Depth] = l.at(n.Jump).Depth
		}
	}
}

// TestCopiesOfLongChainsAreInTheOrderOfTheirTieBreakers compares chains that share no nodes, as those that come from
// other ranks.
func TestCopiesOfLongChainsAreInTheOrderOfTheirTieBreakers(t *testing.T) {
	r := testrand.New(t)
	l := newArena(t, 8, nil).Lines
	chain := func(ties []float64) uint32 {
		node := uint32(0)
		for _, tie := range ties {
			child, err := l.Extend(node, tie)
			require.NoError(t, err)
			l.Drop(node)
			node = child
		}
		return node
	}
	ties := make([]float64, 5*longChain)
	for i := range ties {
		ties[i] = r.Float64()
	}
	a := chain(ties)
	for range testlevel.Times(400, 100) {
		other := slices.Clone(ties[:1+r.IntN(len(ties))])
		if r.IntN(2) == 0 { // it goes its own way from somewhere on
			for i := r.IntN(len(other)); i < len(other); i++ {
				other[i] = r.Float64()
			}
		}
		b := chain(other)
		require.Equal(t, slices.Compare(ties, other), sign(l.Compare(a, b)))
		require.Equal(t, slices.Compare(other, ties), sign(l.Compare(b, a)))

		// What was sent from b on, is found along a.
		from := r.IntN(len(other))
		start := chain(other[:from])
		var bits []uint64
		for _, tie := range other[from:] {
			bits = append(bits, math.Float64bits(tie))
		}
		node, left := l.Follow(a, start, bits)
		whole := slices.Clone(l.Append(nil, node))
		for _, w := range left {
			whole = append(whole, math.Float64frombits(w))
		}
		require.Equal(t, other, whole)
		if slices.Equal(ties[:len(other)], other) {
			require.Empty(t, left)
		}
		l.Drop(start)
		l.Drop(b)
	}
	l.Drop(a)
	require.Zero(t, l.Live())
}

func sign(n int) int { return min(max(n, -1), 1) }
