// This file owns the tests of a stream's state and of going back, of the bare generator and its arithmetic, and what
// the tests compare with: the generator in its textbook form, and small helpers shared by all tests.

package rng

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
	"unsafe"

	"github.com/ross-go/ross/internal/testing/testalloc"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/stretchr/testify/require"
)

// textbook is CLCG4 as it is defined, with divisions and branches.
type textbook struct {
	c     [4]uint32
	count uint64
}

func (g *textbook) unif() float64 {
	s := uint64(g.c[0]) * 45991 % 2147483647
	g.c[0] = uint32(s)
	u := float64(4.65661287524579692e-10 * float64(int64(s)))
	s = uint64(g.c[1]) * 207707 % 2147483543
	g.c[1] = uint32(s)
	u -= float64(4.65661310075985993e-10 * float64(int64(s)))
	if u < 0 {
		u++
	}
	s = uint64(g.c[2]) * 138556 % 2147483423
	g.c[2] = uint32(s)
	u += float64(4.65661336096842131e-10 * float64(int64(s)))
	if u >= 1 {
		u--
	}
	s = uint64(g.c[3]) * 49689 % 2147483323
	g.c[3] = uint32(s)
	u -= float64(4.65661357780891134e-10 * float64(int64(s)))
	if u < 0 {
		u++
	}
	g.count++
	return u
}

// States whose next draw is one of the two ends of the interval.
var (
	beforeZero = State{C: [4]uint32{239312462, 89468168, 1251367742, 1630165465}}
	beforeOne  = State{C: [4]uint32{1599025566, 1572482251, 1883631111, 1223345272}}
)

// newRand returns a source of test cases whose seed is printed if the test fails.
func newRand(t *testing.T) *rand.Rand {
	seed := uint64(time.Now().UnixNano())
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("test cases from seed %d", seed)
		}
	})
	return rand.New(rand.NewPCG(seed, 0))
}

// randomState returns any valid state.
func randomState(r *rand.Rand) State {
	s := State{Count: r.Uint64()}
	for j := range s.C {
		s.C[j] = uint32(1 + r.Uint64N(components[j].m-1))
	}
	return s
}

func generatorAt(s State) CLCG4 {
	var g CLCG4
	g.SetState(s)
	return g
}

func streamAt(s State) Stream {
	return Stream{CLCG4: generatorAt(s)}
}

// ulps is the number of float64 values from a to b, for finite values of one sign.
func ulps(a, b float64) uint64 {
	x, y := math.Float64bits(a), math.Float64bits(b)
	return max(x, y) - min(x, y)
}

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

// allDraws is one call of every distribution.
var allDraws = map[string]func(*Stream) float64{
	"Unif":        (*Stream).Unif,
	"Integer":     func(s *Stream) float64 { return float64(s.Integer(-3, 1000)) },
	"Ulong":       func(s *Stream) float64 { return float64(s.Ulong(3, 1000)) },
	"Binomial":    func(s *Stream) float64 { return float64(s.Binomial(5, 0.4)) },
	"Geometric":   func(s *Stream) float64 { return float64(s.Geometric(0.4)) },
	"Poisson":     func(s *Stream) float64 { return float64(s.Poisson(2)) },
	"PoissonBig":  func(s *Stream) float64 { return float64(s.Poisson(1e4)) },
	"Exponential": func(s *Stream) float64 { return s.Exponential(2) },
	"Pareto":      func(s *Stream) float64 { return s.Pareto(2, 3) },
	"Weibull":     func(s *Stream) float64 { return s.Weibull(2, 3) },
	"GammaLarge":  func(s *Stream) float64 { return s.Gamma(2, 3) },
	"GammaSmall":  func(s *Stream) float64 { return s.Gamma(0.2, 3) },
	"Normal01":    (*Stream).Normal01,
	"NormalSD":    func(s *Stream) float64 { return s.NormalSD(1, 2) },
	"LogNormal":   func(s *Stream) float64 { return s.LogNormal(0, 1) },
	"Erlang":      func(s *Stream) float64 { return s.Erlang(9, 2) },
	"Triangular":  func(s *Stream) float64 { return s.Triangular(1, 2, 4) },
	"Intn":        func(s *Stream) float64 { return float64(s.Intn(7)) },
	"BetaLarge":   func(s *Stream) float64 { return s.Beta(3, 1.5) },
	"BetaSmall":   func(s *Stream) float64 { return s.Beta(0.5, 2) },
	"PERT":        func(s *Stream) float64 { return s.PERT(1, 2, 4) },
	"TruncNormal": func(s *Stream) float64 { return s.TruncatedNormal(5, 2, 4, math.Inf(1)) },
	"TruncNarrow": func(s *Stream) float64 { return s.TruncatedNormal(5, 2, 4, 7) },
	"TruncTail":   func(s *Stream) float64 { return s.TruncatedNormal(5, 2, 9, 14) },
	"Alias":       func(s *Stream) float64 { return float64(someAlias.Draw(s)) },
	"Discrete":    someDiscrete.Draw,
	"Empirical":   someEmpirical.Draw,
	"Zipf":        func(s *Stream) float64 { return float64(someZipf.Draw(s)) },
	"Choice":      func(s *Stream) float64 { return Choice(s, someItems) },
	"Shuffle": func(s *Stream) float64 {
		order := [4]float64{1, 2, 3, 4}
		s.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		return order[0] + 10*order[1] + 100*order[2]
	},
}

func drawNames() []string {
	return []string{
		"Unif", "Integer", "Ulong", "Binomial", "Geometric", "Poisson", "PoissonBig", "Exponential",
		"Pareto", "Weibull", "GammaLarge", "GammaSmall", "Normal01", "NormalSD", "LogNormal", "Erlang", "Triangular",
		"Intn", "BetaLarge", "BetaSmall", "PERT", "TruncNormal", "TruncNarrow", "TruncTail",
		"Alias", "Discrete", "Empirical", "Zipf", "Choice", "Shuffle",
	}
}

func TestRestoringAStateRepeatsWhateverFollowed(t *testing.T) {
	r := newRand(t)
	names := drawNames()
	require.Len(t, allDraws, len(names))
	for range 300 {
		s := streamAt(randomState(r))
		for range r.IntN(10) {
			allDraws[names[r.IntN(len(names))]](&s)
		}
		saved := s.State()
		var order []string
		var values []float64
		for range 10 {
			name := names[r.IntN(len(names))]
			order = append(order, name)
			values = append(values, allDraws[name](&s))
		}
		end := s.State()
		var other Stream
		for _, again := range []*Stream{&s, &other} {
			again.SetState(saved)
			require.Equal(t, saved, again.State())
			for i, name := range order {
				require.Equal(t, values[i], allDraws[name](again), "%v, draw %d", order, i)
			}
			require.Equal(t, end, again.State())
		}
	}
}

func TestReversingTheCountedDrawsRestoresTheStream(t *testing.T) {
	r := newRand(t)
	for name, draw := range allDraws {
		for range 50 {
			s := streamAt(randomState(r))
			before := s.State()
			draw(&s)
			skipped := s
			draws := s.Count() - before.Count
			for range draws {
				s.Reverse()
			}
			require.Equal(t, before, s.State(), "%s by Reverse", name)
			skipped.Skip(-int64(draws))
			require.Equal(t, before, skipped.State(), "%s by Skip", name)
		}
	}
}

func TestNormalPairs(t *testing.T) {
	start := func() Stream { return NewSeeder(DefaultSeeds).Stream(5) }
	first := start()
	x := first.Normal01()
	second := first
	y := second.Normal01()

	t.Run("the second value of a pair draws nothing and leaves nothing behind", func(t *testing.T) {
		plain := start()
		plain.Unif()
		plain.Unif()
		require.Equal(t, plain.State(), second.State())
	})
	t.Run("draws in between do not change the second value", func(t *testing.T) {
		s := first
		s.Unif()
		require.Equal(t, y, s.Normal01())
	})
	t.Run("undoing the draws in between keeps the second value", func(t *testing.T) {
		s := first
		s.Unif()
		s.Unif()
		s.Reverse()
		s.Skip(-1)
		require.Equal(t, first.State(), s.State())
		require.Equal(t, y, s.Normal01())
	})
	t.Run("undoing half of the pair's draws drops the second value", func(t *testing.T) {
		s := first
		s.Reverse()
		plain := start()
		plain.Unif()
		require.Equal(t, plain.State(), s.State())
	})
	t.Run("undoing both calls starts a new pair", func(t *testing.T) {
		s := second
		s.Reverse()
		s.Reverse()
		require.Equal(t, x, s.Normal01())
		require.Equal(t, y, s.Normal01())
	})
	t.Run("a saved state between the calls brings the second value back", func(t *testing.T) {
		s := second
		s.SetState(first.State())
		require.Equal(t, y, s.Normal01())
	})
	t.Run("a count that wraps does not drop the second value", func(t *testing.T) {
		s := streamAt(State{C: DefaultSeeds, Count: math.MaxUint64 - 2})
		s.Normal01()
		kept := s.State().Spare
		s.Unif()
		s.Reverse()
		s.Skip(5)
		require.Equal(t, kept, s.Normal01())
	})
}

func TestNothingAllocates(t *testing.T) {
	seeder := NewSeeder(DefaultSeeds)
	s := seeder.Stream(1)
	for name, draw := range allDraws {
		require.Zero(t, testalloc.PerRun(100, func() { draw(&s) }), name)
	}
	require.Zero(t, testalloc.PerRun(100, func() {
		saved := s.State()
		s.Unif()
		s.Reverse()
		s.Skip(-12345)
		s.SetState(saved)
		s = seeder.Stream(s.Count())
	}))
}

func TestRewindUndoesAllDraws(t *testing.T) {
	r := newRand(t)
	names := drawNames()
	for range 300 {
		s := streamAt(randomState(r))
		for s.Keeps() {
			s.Normal01()
		}
		saved := s.State()
		for range r.IntN(40) {
			switch r.IntN(8) {
			case 0:
				s.Reverse()
			case 1:
				s.Skip(r.Int64N(1<<16) - 1<<15)
			default:
				allDraws[names[r.IntN(len(names))]](&s)
			}
		}
		require.False(t, s.WasSet())
		s.Rewind(uint32(saved.Count))
		require.Equal(t, saved, s.State())
		require.False(t, s.Keeps())
	}
}

func TestRewindPassesTheEndOf32Bits(t *testing.T) {
	for _, count := range []uint64{1<<32 - 3, 1<<33 + 2, 0} {
		st := randomState(newRand(t))
		st.Count = count
		for _, n := range []int{0, 1, 5, 16, 17, 1000} {
			s := streamAt(st)
			for range n {
				s.Unif()
			}
			s.Rewind(uint32(count))
			require.Equal(t, st, s.State().State, "%d draws after %d", n, count)
		}
	}
}

func TestAStreamThatWasSetSaysSo(t *testing.T) {
	st := streamAt(randomState(newRand(t)))
	made := st.State().Stream()
	require.False(t, made.WasSet())
	require.False(t, made.Keeps())
	for _, n := range []int64{1<<15 - 1, -1 << 15} {
		made.Skip(n)
		require.False(t, made.WasSet(), n)
	}
	for _, n := range []int64{1 << 15, -1<<15 - 1, math.MinInt64} {
		far := st
		far.Skip(n)
		require.True(t, far.WasSet(), n)
		require.True(t, far.Keeps(), n)
	}
	made.SetState(made.State())
	require.True(t, made.WasSet())
	require.True(t, made.Keeps())
	made.Normal01()
	made.Normal01()
	require.True(t, made.WasSet(), "for ever")

	st.Normal01()
	made = st.State().Stream()
	require.True(t, made.Keeps(), "a normal value")
	require.False(t, made.WasSet())
	require.Equal(t, st, made)
}

func TestAWalkReturnsTheStreamsOfItsSeeder(t *testing.T) {
	seeder := NewSeeder(DefaultSeeds)
	w := seeder.Walk()
	for _, from := range []uint64{0, 1, 250, 65_530, 3, math.MaxUint64 - 5} {
		for i := range uint64(20) { // the last one goes on with stream 0 behind the largest number
			require.Equal(t, seeder.CLCG4(from+i), w.CLCG4(from+i), "stream %d", from+i)
		}
		require.Equal(t, seeder.CLCG4(from), w.CLCG4(from), "back to stream %d", from)
	}
	require.Equal(t, seeder.CLCG4(0), func() CLCG4 { w := seeder.Walk(); return w.CLCG4(0) }())
}
