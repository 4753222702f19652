// This file owns the tests of the bare generator and its arithmetic.

package rng

import (
	"fmt"
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testlevel"
)

func TestComponentsAreWhatTheGeneratorIsDefinedBy(t *testing.T) {
	for j, p := range components {
		require.Equal(t, uint64(1), p.a*p.b%p.m, "component %d: b is not the inverse of a", j)
		spacing := p.a
		for range 72 {
			spacing = spacing * spacing % p.m
		}
		require.Equal(t, spacing, p.avw, "component %d: avw is not a^(2^72)", j)
		// reduceStep subtracts m once only.
		require.Less(t, (1<<31-1)+p.a*(1<<31-p.m), 2*p.m, "component %d", j)
	}
}

func TestModularArithmeticEqualsDivision(t *testing.T) {
	r := newRand(t)
	for j, p := range components {
		edges := []uint64{1, 2, p.m / 2, p.m - 2, p.m - 1}
		for i := range 100_000 {
			x, y := 1+r.Uint64N(p.m-1), 1+r.Uint64N(p.m-1)
			if i < len(edges)*len(edges) {
				x, y = edges[i%len(edges)], edges[i/len(edges)]
			}
			if got, want := mulMod(x, y, p.m), x*y%p.m; got != want {
				t.Fatalf("component %d: mulMod(%d, %d) = %d, want %d", j, x, y, got, want)
			}
			if got, want := reduceStep(x*p.a, p.m), x*p.a%p.m; got != want {
				t.Fatalf("component %d: reduceStep(%d*a) = %d, want %d", j, x, got, want)
			}
		}
	}
}

func TestUnifEqualsTheTextbookForm(t *testing.T) {
	draws := testlevel.Times(10_000_000, 1_000_000)
	for _, seeds := range []Seeds{DefaultSeeds, DefaultCoreSeeds} {
		g := CLCG4{c: seeds}
		ref := textbook{c: seeds}
		for i := range draws / 2 {
			if got, want := g.Unif(), ref.unif(); got != want || g.c != ref.c {
				t.Fatalf("seeds %v, draw %d: %v, want %v; state %v, want %v", seeds, i, got, want, g.c, ref.c)
			}
		}
		require.Equal(t, ref.count, g.count)
	}
}

// Few draws come near a wrap-around by chance, so they are made here: the
// components of the draw are chosen, and stepped back once.
func TestUnifEqualsTheTextbookFormNextToWrapArounds(t *testing.T) {
	r := newRand(t)
	for range testlevel.Times(300_000, 30_000) {
		s := randomState(r).C
		offset := r.Uint32N(6000) - 3000
		switch r.IntN(3) {
		case 0:
			s[1] = s[0] + offset
		case 1:
			s[2] = s[1] - s[0] + offset
		case 2:
			s[3] = s[0] - s[1] + s[2] + offset
		}
		var g CLCG4
		for j := range s {
			m := components[j].m
			s[j] = uint32(min(max(uint64(s[j]&(1<<31-1)), 1), m-1))
			g.c[j] = uint32(mulMod(uint64(s[j]), components[j].b, m))
		}
		ref := textbook{c: g.c}
		if got, want := g.Unif(), ref.unif(); got != want || g.c != ref.c {
			t.Fatalf("components %v: %v, want %v", s, got, want)
		}
	}
}

func TestUnifReachesBothEndsOfTheInterval(t *testing.T) {
	for _, c := range []struct {
		before State
		want   float64
	}{{beforeZero, 0}, {beforeOne, 1}} {
		g := generatorAt(c.before)
		ref := textbook{c: c.before.C}
		require.Equal(t, c.want, g.Unif())
		require.Equal(t, c.want, ref.unif())
	}
}

func TestReverseUndoesADraw(t *testing.T) {
	r := newRand(t)
	for range 20_000 {
		before := randomState(r)
		g := generatorAt(before)
		first := g.Unif()
		between := g.State()
		g.Unif()
		require.Equal(t, first, g.Reverse(), "the number of the state gone back to")
		require.Equal(t, between, g.State())
		g.Reverse()
		require.Equal(t, before, g.State())
	}
}

func TestSkipEqualsSingleDraws(t *testing.T) {
	r := newRand(t)
	for i := range 400 {
		n := r.Int64N(2001) - 1000
		if i < 3 {
			n = int64(i) - 1
		}
		start := randomState(r)
		stepped, skipped := generatorAt(start), generatorAt(start)
		for range n {
			stepped.Unif()
		}
		for range -n {
			stepped.Reverse()
		}
		skipped.Skip(n)
		require.Equal(t, stepped.State(), skipped.State(), "skip %d from %v", n, start)
	}
}

func TestSkipsAddUp(t *testing.T) {
	r := newRand(t)
	for range 2000 {
		start := randomState(r)
		a, b := int64(r.Uint64())>>1, int64(r.Uint64())>>1
		twice, once := generatorAt(start), generatorAt(start)
		twice.Skip(a)
		twice.Skip(b)
		once.Skip(a + b)
		require.Equal(t, once.State(), twice.State(), "%d and %d", a, b)
		twice.Skip(-b)
		twice.Skip(-a)
		require.Equal(t, start, twice.State(), "%d and %d and back", a, b)
	}
}

func TestSkipTakesTheLongestJumps(t *testing.T) {
	start := State{C: DefaultSeeds, Count: 7}
	g := generatorAt(start)
	g.Skip(math.MinInt64)
	g.Skip(math.MaxInt64)
	g.Skip(1)
	require.Equal(t, start, g.State())
}

func TestValidAcceptsExactlyTheReachableComponents(t *testing.T) {
	require.True(t, State{C: DefaultSeeds}.Valid())
	require.False(t, State{}.Valid())
	for j, p := range components {
		for _, c := range []struct {
			value uint64
			want  bool
		}{{0, false}, {1, true}, {p.m - 1, true}, {p.m, false}, {math.MaxUint32, false}} {
			s := State{C: DefaultSeeds}
			s.C[j] = uint32(c.value)
			require.Equal(t, c.want, s.Valid(), fmt.Sprint("component ", j, " = ", c.value))
		}
	}
}

func TestSizesAreWhatEnginesBudgetFor(t *testing.T) {
	require.Equal(t, uintptr(24), unsafe.Sizeof(CLCG4{}))
	require.LessOrEqual(t, unsafe.Sizeof(Stream{}), uintptr(48))
	require.Zero(t, unsafe.Offsetof(Stream{}.CLCG4))
}
