// This file owns the tests of the distributions that ROSS does not have: Erlang, triangular, alias, empirical, Zipf,
// choice and shuffle; and the benchmarks of all. Those with impl=naive measure the textbook form in the same run.

package rng

import (
	"math"
	"slices"
	"testing"

	"github.com/ross-go/ross/internal/testlevel"
	"github.com/stretchr/testify/require"
)

// Distributions of the tests of streams.
var (
	someItems       = []float64{3, 1, 4, 1, 5}
	someAlias, _    = NewAlias([]float64{5, 0, 1, 2.5})
	someDiscrete, _ = NewDiscrete([]float64{-1, 0, 7}, []float64{1, 2, 3})
	someEmpirical   = sampleOf(someItems...)
	someZipf, _     = NewZipf(1000, 1.2)
)

func sampleOf(x ...float64) *Empirical {
	e, err := NewEmpirical(x)
	if err != nil {
		panic(err)
	}
	return e
}

// requireFrequencies draws n times and compares the frequencies with the probabilities. The
// chi-square statistic of f degrees of freedom has the mean f and the variance 2f; cells whose
// expectation is below 8 are put together.
func requireFrequencies(t *testing.T, n int, probability []float64, draw func() int) {
	t.Helper()
	counts := make([]float64, len(probability))
	for range n {
		counts[draw()]++
	}
	chi, cells, seen, expected := 0.0, 0, 0.0, 0.0
	for i, p := range probability {
		if p == 0 {
			require.Zero(t, counts[i], "impossible value %d", i)
		}
		seen, expected = seen+counts[i], expected+p*float64(n)
		if expected >= 8 {
			chi += (seen - expected) * (seen - expected) / expected
			cells, seen, expected = cells+1, 0, 0
		}
	}
	if expected > 0 {
		chi += (seen - expected) * (seen - expected) / max(expected, 1)
		cells++
	}
	free := float64(cells - 1)
	require.InDelta(t, free, chi, 4.5*math.Sqrt(2*free)+4, "chi-square of %g degrees of freedom", free)
}

// requireDistribution compares n draws with a distribution function by Kolmogorov and Smirnov:
// 1.95/sqrt(n) is exceeded once in a thousand.
func requireDistribution(t *testing.T, n int, function func(x float64) float64, draw func() float64) {
	t.Helper()
	sample := make([]float64, n)
	for i := range sample {
		sample[i] = draw()
	}
	slices.Sort(sample)
	worst := 0.0
	for i, x := range sample {
		p := function(x)
		worst = max(worst, p-float64(i)/float64(n), float64(i+1)/float64(n)-p)
	}
	require.Less(t, worst, 1.95/math.Sqrt(float64(n)))
}

func testStream(id uint64) *Stream {
	s := NewSeeder(DefaultSeeds).Stream(1000 + id)
	return &s
}

func TestDistributionFunctionsOfErlangTriangularAndEmpirical(t *testing.T) {
	testlevel.Once(t, "numbers that no build changes")
	s := testStream(1)
	for _, k := range []uint32{1, 2, 7, 8, 9, 40} {
		requireDistribution(t, 20_000, func(x float64) float64 {
			// 1 - sum of (x*k/mean)^i/i! * e^(-x*k/mean)
			rate, sum, term := x*float64(k)/2.5, 0.0, math.Exp(-x*float64(k)/2.5)
			for i := range k {
				sum += term
				term *= rate / float64(i+1)
			}
			return 1 - sum
		}, func() float64 { return s.Erlang(k, 2.5) })
	}
	for _, p := range [][3]float64{{0, 0.5, 1}, {-3, 1, 2}, {5, 5, 9}, {5, 9, 9}, {-1e308, 0, 1e308}} {
		low, mode, high := p[0], p[1], p[2]
		requireDistribution(t, 20_000, func(x float64) float64 {
			width := high/2 - low/2
			if x < mode {
				return (x/2 - low/2) / width * ((x/2 - low/2) / (mode/2 - low/2))
			}
			if x == high {
				return 1
			}
			return 1 - (high/2-x/2)/width*((high/2-x/2)/(high/2-mode/2))
		}, func() float64 { return s.Triangular(low, mode, high) })
	}
	// Half of the numbers are in [1, 4], a quarter in [1, 1.5]...
	e := sampleOf(4, 1, 1.5, 9, 9.25)
	requireDistribution(t, 20_000, func(x float64) float64 {
		for i, high := range []float64{1.5, 4, 9, 9.25} {
			if low := []float64{1, 1.5, 4, 9}[i]; x <= high {
				return (float64(i) + (x-low)/(high-low)) / 4
			}
		}
		return 1
	}, func() float64 { return e.Draw(s) })
}

func TestFrequenciesOfAliasDiscreteAndChoice(t *testing.T) {
	testlevel.Once(t, "numbers that no build changes")
	s := testStream(2)
	r := newRand(t)
	for _, weights := range [][]float64{
		{1}, {0, 3}, {1, 0, 0}, {1, 1, 1, 1}, {1e-3, 1, 1000}, {0.1, 0.2, 0.3, 0.4}, {math.MaxFloat64, math.MaxFloat64, 0},
		{math.SmallestNonzeroFloat64, 2 * math.SmallestNonzeroFloat64}, make([]float64, 300),
	} {
		if len(weights) == 300 {
			for i := range weights {
				weights[i] = float64(i % 7)
			}
		}
		a, err := NewAlias(weights)
		require.NoError(t, err)
		require.Equal(t, len(weights), a.Len())
		sum := 0.0
		for _, w := range weights {
			sum += w / slices.Max(weights)
		}
		probability := make([]float64, len(weights))
		for i, w := range weights {
			probability[i] = w / slices.Max(weights) / sum
		}
		requireFrequencies(t, 20_000, probability, func() int { return a.Draw(s) })
	}
	// The table itself, for any weights: the share of each index is its weight.
	for range 200 {
		weights := make([]float64, 1+r.IntN(50))
		sum := 0.0
		for i := range weights {
			if weights[i] = math.Exp(20*r.Float64() - 10); i > 0 && r.IntN(4) == 0 {
				weights[i] = 0
			}
			sum += weights[i]
		}
		a, err := NewAlias(weights)
		require.NoError(t, err)
		share := make([]float64, len(weights))
		for i, c := range a.cells {
			share[i] += c.keep
			share[c.other] += 1 - c.keep
		}
		for i, w := range weights {
			require.InDelta(t, w/sum*float64(len(weights)), share[i], 1e-12*float64(len(weights)))
			if w == 0 {
				require.Zero(t, a.cells[i].keep)
			}
		}
	}
	d, err := NewDiscrete([]string{"b", "a"}, []float64{1, 3})
	require.NoError(t, err)
	requireFrequencies(t, 20_000, []float64{0.25, 0.75}, func() int { return map[string]int{"b": 0, "a": 1}[d.Draw(s)] })
	requireFrequencies(t, 20_000, []float64{0.2, 0.2, 0.2, 0.2, 0.2}, func() int { return Choice(s, []int{0, 1, 2, 3, 4}) })
}

func TestFrequenciesOfZipf(t *testing.T) {
	testlevel.Once(t, "numbers that no build changes")
	s := testStream(3)
	tries := 0.0
	for _, n := range []uint64{1, 2, 3, 10, 1000} {
		for _, exponent := range []float64{0, 1e-12, 0.3, 0.9, 1 - 1e-10, 1, 1 + 1e-10, 1.1, 2, 3.7, 20} {
			z, err := NewZipf(n, exponent)
			require.NoError(t, err)
			probability, sum := make([]float64, n+1), 0.0
			for k := uint64(1); k <= n; k++ {
				probability[k] = math.Pow(float64(k), -exponent)
				sum += probability[k]
			}
			for k := range probability {
				probability[k] /= sum
			}
			const draws = 8000
			before := s.Count()
			requireFrequencies(t, draws, probability, func() int { return int(z.Draw(s)) })
			tries = max(tries, float64(s.Count()-before)/draws)
		}
	}
	t.Logf("at most %.3f tries", tries)
	require.Less(t, tries, 1.1)
	// A large n: the share of k = 1 is 1/zeta(2), and that of the first 100.
	z, err := NewZipf(1<<52, 2)
	require.NoError(t, err)
	requireFrequencies(t, 50_000, []float64{6 / (math.Pi * math.Pi), 1.5 / (math.Pi * math.Pi), 1 - 7.5/(math.Pi*math.Pi)},
		func() int { return min(int(z.Draw(s)), 3) - 1 })
	z, err = NewZipf(1<<52, 0)
	require.NoError(t, err)
	requireDistribution(t, 20_000, func(x float64) float64 { return x / (1 << 52) }, func() float64 { return float64(z.Draw(s)) })
}

func TestMomentsOfTheDistributionsBesideROSSs(t *testing.T) {
	testlevel.Once(t, "numbers that no build changes")
	const n = 40_000
	harmonic := func(e float64) (sum float64) {
		for k := 1.0; k <= 1000; k++ {
			sum += math.Pow(k, -e)
		}
		return sum
	}
	for id, c := range []struct {
		name           string
		mean, variance float64
		draw           func(*Stream) float64
	}{
		{"erlang", 2, 4. / 9, allDraws["Erlang"]},
		{"erlang, mirrored", -2, 1, func(s *Stream) float64 { return s.Erlang(4, -2) }},
		{"triangular", 7. / 3, (1 + 4 + 16 - 2 - 4 - 8) / 18., allDraws["Triangular"]},
		{"alias", (2*1 + 3*2.5) / 8.5, (4*1+9*2.5)/8.5 - math.Pow(9.5/8.5, 2), allDraws["Alias"]},
		{"discrete", 20. / 6, (1+49*3)/6. - math.Pow(20./6, 2), allDraws["Discrete"]},
		// Four pieces, from 1 to 1, 3, 4 and 5: a piece from a to b has the square (a^2+ab+b^2)/3.
		{"empirical", (1 + 2 + 3.5 + 4.5) / 4, (3+13+37+61)/12. - math.Pow(11./4, 2), allDraws["Empirical"]},
		{"zipf", harmonic(0.2) / harmonic(1.2), harmonic(-0.8)/harmonic(1.2) - math.Pow(harmonic(0.2)/harmonic(1.2), 2), allDraws["Zipf"]},
		{"choice", 14. / 5, (9+1+16+1+25)/5. - math.Pow(14./5, 2), allDraws["Choice"]},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := testStream(100 + uint64(id))
			sum, squares, fourths := 0.0, 0.0, 0.0
			for range n {
				x := (c.draw(s) - c.mean) / math.Sqrt(c.variance)
				sum, squares, fourths = sum+x, squares+x*x, fourths+x*x*x*x
			}
			require.InDelta(t, 0, sum/n, 5/math.Sqrt(n), "mean")
			require.InDelta(t, 1, squares/n, 5*math.Sqrt(fourths/n/n), "variance")
		})
	}
}

func TestAShuffleGivesEveryOrderTheSameChance(t *testing.T) {
	testlevel.Once(t, "numbers that no build changes")
	s := testStream(4)
	orders := map[[4]int]int{}
	requireFrequencies(t, 24_000, slices.Repeat([]float64{1. / 24}, 24), func() int {
		order := [4]int{0, 1, 2, 3}
		s.Shuffle(4, func(i, j int) { order[i], order[j] = order[j], order[i] })
		if _, known := orders[order]; !known {
			orders[order] = len(orders)
		}
		return orders[order]
	})
	require.Len(t, orders, 24)
	before := s.Count()
	for _, n := range []int{-1, 0, 1} {
		s.Shuffle(n, func(int, int) { t.Error("nothing to swap") })
	}
	require.Equal(t, before, s.Count())
}

func TestErrorsOfTables(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		err  func() error
		want string
	}{
		{func() error { _, err := NewAlias(nil); return err }, "ross: alias table: 0 weights: give 1 to 16777216"},
		{func() error { _, err := NewAlias(make([]float64, 1<<24+1)); return err }, "ross: alias table: 16777217 weights: give 1 to 16777216"},
		{func() error { _, err := NewAlias([]float64{1, -1}); return err }, "ross: alias table: weight 1 is -1: give a finite number of 0 or more"},
		{func() error { _, err := NewAlias([]float64{nan, 1}); return err }, "ross: alias table: weight 0 is NaN: give a finite number of 0 or more"},
		{func() error { _, err := NewAlias([]float64{inf, 1}); return err }, "ross: alias table: weight 0 is +Inf: give a finite number of 0 or more"},
		{func() error { _, err := NewAlias([]float64{0, 0}); return err }, "ross: alias table: all 2 weights are 0: give one that is above 0"},
		{func() error { _, err := NewDiscrete([]int{1}, nil); return err }, "ross: discrete distribution: 1 values and 0 weights: give each value a weight"},
		{func() error { _, err := NewDiscrete([]int{1}, []float64{0}); return err }, "ross: alias table: all 1 weights are 0: give one that is above 0"},
		{func() error { _, err := NewEmpirical(nil); return err }, "ross: empirical distribution: the sample is empty: give one number or more"},
		{func() error { _, err := NewEmpirical([]float64{1, nan}); return err }, "ross: empirical distribution: number 1 of the sample is NaN: give finite numbers"},
		{func() error { _, err := NewZipf(0, 1); return err }, "ross: Zipf distribution: n is 0: give 1 to 2^52"},
		{func() error { _, err := NewZipf(1<<52+1, 1); return err }, "ross: Zipf distribution: n is 4503599627370497: give 1 to 2^52"},
		{func() error { _, err := NewZipf(5, -1); return err }, "ross: Zipf distribution: the exponent is -1: give a finite number of 0 or more"},
		{func() error { _, err := NewZipf(5, nan); return err }, "ross: Zipf distribution: the exponent is NaN: give a finite number of 0 or more"},
	} {
		require.EqualError(t, c.err(), c.want)
	}
}

func TestEdgesOfTheDistributionsBesideROSSs(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name  string
		draw  func(*Stream) float64
		want  float64
		draws uint64
	}{
		{"erlang k=0", func(s *Stream) float64 { return s.Erlang(0, 1) }, nan, 0},
		{"erlang mean 0", func(s *Stream) float64 { return s.Erlang(3, 0) }, 0, 3},
		{"erlang mean NaN", func(s *Stream) float64 { return s.Erlang(9, nan) }, nan, 9},
		{"triangular NaN", func(s *Stream) float64 { return s.Triangular(0, nan, 1) }, nan, 1},
		{"triangular reversed", func(s *Stream) float64 { return s.Triangular(2, 1, 0) }, nan, 1},
		{"triangular infinite", func(s *Stream) float64 { return s.Triangular(0, 1, inf) }, nan, 1},
		{"triangular, a point", func(s *Stream) float64 { return s.Triangular(0.1, 0.1, 0.1) }, 0.1, 1},
		{"alias zero value", func(s *Stream) float64 { return float64((&Alias{}).Draw(s)) }, 0, 1},
		{"discrete zero value", func(s *Stream) float64 { return (&Discrete[float64]{}).Draw(s) }, 0, 1},
		{"empirical zero value", func(s *Stream) float64 { return (&Empirical{}).Draw(s) }, nan, 1},
		{"empirical, one number", func(s *Stream) float64 { return sampleOf(7).Draw(s) }, 7, 1},
		{"zipf zero value", func(s *Stream) float64 { return float64((&Zipf{}).Draw(s)) }, 1, 1},
		{"choice of none", func(s *Stream) float64 { return Choice[float64](s, nil) }, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := NewSeeder(DefaultSeeds).Stream(0)
			got := c.draw(&s)
			if math.IsNaN(c.want) {
				require.True(t, math.IsNaN(got), "%v", got)
			} else {
				require.Equal(t, c.want, got+0)
			}
			require.Equal(t, c.draws, s.Count())
		})
	}
	e := sampleOf(-math.MaxFloat64, math.MaxFloat64)
	require.Zero(t, e.Quantile(0.5))
	require.True(t, math.IsNaN(e.Quantile(-0.1)))
	require.True(t, math.IsNaN(e.Quantile(nan)))
	for _, end := range []State{beforeZero, beforeOne} {
		high := 0.0
		if end == beforeOne {
			high = 1
		}
		at := func() *Stream { s := streamAt(end); return &s }
		require.Equal(t, -2+high*5, at().Triangular(-2, 1, 3))
		require.Equal(t, -math.MaxFloat64+high*math.MaxFloat64+high*math.MaxFloat64, e.Draw(at()))
		require.Equal(t, 3+high*2, Choice(at(), someItems))
		require.NotEqual(t, 1, someAlias.Draw(at()), "its weight is 0")
		for _, exponent := range []float64{0, 1, 2} {
			z, err := NewZipf(10, exponent)
			require.NoError(t, err)
			require.Equal(t, uint64(10-9*high), z.Draw(at()))
		}
	}
	for _, exponent := range []float64{50, 1e3, 1e300} { // all but k = 1 has hardly a chance
		z, err := NewZipf(1<<52, exponent)
		require.NoError(t, err)
		s := testStream(5)
		for range 1000 {
			require.Equal(t, uint64(1), z.Draw(s))
		}
		require.Equal(t, uint64(1000), s.Count())
	}
}

var (
	floatSink float64
	wordSink  uint32
)

func BenchmarkUnif(b *testing.B) {
	b.Run("impl=fold", func(b *testing.B) {
		g := CLCG4{c: DefaultSeeds}
		for b.Loop() {
			floatSink += g.Unif()
		}
	})
	b.Run("impl=naive", func(b *testing.B) {
		g := textbook{c: DefaultSeeds}
		for b.Loop() {
			floatSink += g.unif()
		}
	})
}

// BenchmarkUnifLatency makes each draw wait for the result of the one before.
func BenchmarkUnifLatency(b *testing.B) {
	b.Run("impl=fold", func(b *testing.B) {
		g := CLCG4{c: DefaultSeeds}
		for b.Loop() {
			waitFor(&g.c, g.Unif())
		}
	})
	b.Run("impl=naive", func(b *testing.B) {
		g := textbook{c: DefaultSeeds}
		for b.Loop() {
			waitFor(&g.c, g.unif())
		}
	})
}

// waitFor changes nothing, since u is never negative, but needs u to do so.
func waitFor(c *[4]uint32, u float64) {
	sign := uint32(math.Float64bits(u) >> 63)
	for j := range c {
		c[j] ^= sign
	}
}

func BenchmarkReverse(b *testing.B) {
	g := CLCG4{c: DefaultSeeds}
	for b.Loop() {
		floatSink += g.Reverse()
	}
}

func BenchmarkSkip(b *testing.B) {
	g := CLCG4{c: DefaultSeeds}
	for b.Loop() {
		g.Skip(-987654321987654321)
	}
}

func BenchmarkSeeder(b *testing.B) {
	b.Run("streams=1e6", func(b *testing.B) {
		seeder := NewSeeder(DefaultSeeds)
		for b.Loop() {
			for id := range uint64(1_000_000) {
				g := seeder.CLCG4(id)
				wordSink += g.c[0]
			}
		}
	})
}

func BenchmarkDistribution(b *testing.B) {
	for _, name := range drawNames() {
		b.Run("dist="+name, func(b *testing.B) {
			s := NewSeeder(DefaultSeeds).Stream(0)
			draw := allDraws[name]
			for b.Loop() {
				floatSink += draw(&s)
			}
		})
	}
}
