// This file owns the tests of a stream's state and of going back.

package rng

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

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
		require.Zero(t, testing.AllocsPerRun(100, func() { draw(&s) }), name)
	}
	require.Zero(t, testing.AllocsPerRun(100, func() {
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
