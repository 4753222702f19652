// This file owns the tests of the distributions that ROSS does not have: Erlang, triangular, alias, empirical, Zipf,
// choice and shuffle; and of arrivals whose rate changes: the numbers in intervals are those of independent Poisson
// distributions, by both methods, and inversion inverts the mean that a naive sum gives.

package rng

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testlevel"
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
	requireFrequencies(t, 20_000, []float64{0.2, 0.2, 0.2, 0.2, 0.2},
		func() int { return Choice(s, []int{0, 1, 2, 3, 4}) })
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
	requireDistribution(t, 20_000, func(x float64) float64 { return x / (1 << 52) },
		func() float64 { return float64(z.Draw(s)) })
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
		{"zipf", harmonic(0.2) / harmonic(1.2), harmonic(-0.8)/harmonic(1.2) - math.Pow(harmonic(0.2)/harmonic(1.2), 2),
			allDraws["Zipf"]},
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
		{func() error { _, err := NewAlias(make([]float64, 1<<24+1)); return err },
			"ross: alias table: 16777217 weights: give 1 to 16777216"},
		{func() error { _, err := NewAlias([]float64{1, -1}); return err },
			"ross: alias table: weight 1 is -1: give a finite number of 0 or more"},
		{func() error { _, err := NewAlias([]float64{nan, 1}); return err },
			"ross: alias table: weight 0 is NaN: give a finite number of 0 or more"},
		{func() error { _, err := NewAlias([]float64{inf, 1}); return err },
			"ross: alias table: weight 0 is +Inf: give a finite number of 0 or more"},
		{func() error { _, err := NewAlias([]float64{0, 0}); return err },
			"ross: alias table: all 2 weights are 0: give one that is above 0"},
		{func() error { _, err := NewDiscrete([]int{1}, nil); return err },
			"ross: discrete distribution: 1 values and 0 weights: give each value a weight"},
		{func() error { _, err := NewDiscrete([]int{1}, []float64{0}); return err },
			"ross: alias table: all 1 weights are 0: give one that is above 0"},
		{func() error { _, err := NewEmpirical(nil); return err },
			"ross: empirical distribution: the sample is empty: give one number or more"},
		{func() error { _, err := NewEmpirical([]float64{1, nan}); return err },
			"ross: empirical distribution: number 1 of the sample is NaN: give finite numbers"},
		{func() error { _, err := NewZipf(0, 1); return err }, "ross: Zipf distribution: n is 0: give 1 to 2^52"},
		{func() error { _, err := NewZipf(1<<52+1, 1); return err },
			"ross: Zipf distribution: n is 4503599627370497: give 1 to 2^52"},
		{func() error { _, err := NewZipf(5, -1); return err },
			"ross: Zipf distribution: the exponent is -1: give a finite number of 0 or more"},
		{func() error { _, err := NewZipf(5, nan); return err },
			"ross: Zipf distribution: the exponent is NaN: give a finite number of 0 or more"},
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

// someRates repeat every 10. One of them is 0.
var (
	someBegins = []float64{0, 1, 4, 4.5, 8}
	someRates  = []float64{2, 0, 9, 1.5, 4}
	someTable  = tableOf(someBegins, someRates, 10)
)

func tableOf(begins, rates []float64, period float64) *RateTable {
	t, err := NewRateTable(begins, rates, period)
	if err != nil {
		panic(err)
	}
	return t
}

// naiveRate looks for the interval from the beginning.
func naiveRate(at float64) float64 {
	for at >= 10 {
		at -= 10
	}
	i := 0
	for i+1 < len(someBegins) && someBegins[i+1] <= at {
		i++
	}
	return someRates[i]
}

// requirePoisson counts the arrivals in intervals of a period of 10 that is repeated, and compares the counts with
// their means and with the variance of a Poisson distribution, which is its mean.
func requirePoisson(t *testing.T, edges []float64, mean func(from, to float64) float64,
	next func(now float64) float64) {
	t.Helper()
	const periods = 4000
	counts := make([][periods]float64, len(edges)-1)
	for now := 0.0; ; {
		now += next(now)
		period := int(now / 10)
		if period >= periods {
			break
		}
		in := now - float64(period)*10
		for i := range counts {
			if in >= edges[i] && in < edges[i+1] {
				counts[i][period]++
			}
		}
	}
	for i := range counts {
		want := mean(edges[i], edges[i+1])
		sum, squares, product := 0.0, 0.0, 0.0
		for k, n := range counts[i] {
			sum += n
			squares += (n - want) * (n - want)
			if i > 0 {
				product += (n - want) * (counts[i-1][k] - mean(edges[i-1], edges[i]))
			}
		}
		if want == 0 {
			require.Zero(t, sum, "interval %d", i)
			continue
		}
		require.InDelta(t, want, sum/periods, 4.5*math.Sqrt(want/periods), "mean of interval %d", i)
		// The variance of (n-want)^2 is want + 2 want^2.
		require.InDelta(t, want, squares/periods, 4.5*math.Sqrt((want+2*want*want)/periods), "variance of interval %d", i)
		if i > 0 {
			before := mean(edges[i-1], edges[i])
			require.InDelta(t, 0, product/periods, 4.5*math.Sqrt(want*before/periods)+1e-9, "covariance of interval %d", i)
		}
	}
}

func TestArrivalsOfATableAreThoseOfAPoissonProcess(t *testing.T) {
	testlevel.Once(t, "numbers that no build changes")
	edges := []float64{0, 0.5, 1, 2, 4, 4.25, 6, 8, 9, 10}
	s := testStream(31)
	requirePoisson(t, edges, someTable.Mean, func(now float64) float64 { return someTable.Next(s, now) })
	thin := Thinning{Rate: someTable.Rate, Most: 9}
	requirePoisson(t, edges, someTable.Mean, func(now float64) float64 { return thin.Next(s, now, math.Inf(1)) })
}

func TestArrivalsByThinningFollowTheRate(t *testing.T) {
	testlevel.Once(t, "numbers that no build changes")
	s := testStream(32)
	const swing = 2 * math.Pi / 10
	thin := Thinning{Rate: func(t float64) float64 { return 3 - 2*math.Cos(swing*t) }, Most: 5.5}
	requirePoisson(t, []float64{0, 1, 2.5, 5, 7, 9.5, 10}, func(from, to float64) float64 {
		return 3*(to-from) - 2*(math.Sin(swing*to)-math.Sin(swing*from))/swing
	}, func(now float64) float64 { return thin.Next(s, now, math.Inf(1)) })
}

func TestATableInvertsTheMeanNumberOfArrivals(t *testing.T) {
	r := newRand(t)
	for range 2000 {
		s := testStream(r.Uint64N(1 << 30))
		now := r.Float64() * 40
		u := s.Unif()
		s.Reverse()
		count := s.Count()
		delay := someTable.Next(s, now)
		require.Equal(t, count+1, s.Count())
		require.InDelta(t, -math.Log(u), someTable.Mean(now, now+delay), 1e-11)
		require.Positive(t, naiveRate(now+delay), "nothing comes where the rate is 0")
		require.Equal(t, naiveRate(now), someTable.Rate(now))
	}
}

func TestMeansOfATableAreThoseOfANaiveSum(t *testing.T) {
	r := newRand(t)
	for range 200 {
		from := r.Float64() * 30
		to := from + r.Float64()*30
		const n = 20000
		sum := 0.0
		for i := range n {
			sum += naiveRate(from+(to-from)*(float64(i)+0.5)/n) * (to - from) / n
		}
		require.InDelta(t, sum, someTable.Mean(from, to), 0.1)
	}
	require.Equal(t, 0.0, someTable.Mean(5, 5))
	require.True(t, math.IsInf(someTable.Mean(0, math.Inf(1)), 1))
}

// TestRatesBeginOnTime has times that are computed in other ways than the table does.
func TestRatesBeginOnTime(t *testing.T) {
	for _, c := range []struct{ parts, in float64 }{{10, 2}, {10, 3}, {100, 7}, {1e9, 3}, {3, 2}, {1, 24}, {2, 5}} {
		var begins, rates []float64
		for i := range int(c.in) {
			begins, rates = append(begins, float64(i)/c.parts), append(rates, float64(i+1))
		}
		table := tableOf(begins, rates, c.in/c.parts)
		for k := range 5000 {
			at, want := float64(k)/c.parts, float64(k%int(c.in))+1
			require.Equal(t, want, table.Rate(at), "at %v, with a period of %v/%v", at, c.in, c.parts)
			require.Equal(t, want, table.Rate((float64(k)+1)/c.parts*(1-1e-12)), "before %v", (float64(k)+1)/c.parts)
			require.InDelta(t, want/c.parts, table.Mean(at, (float64(k)+1)/c.parts), 1e-9)
		}
	}
	for _, at := range []float64{1e9, 1e15} {
		require.Equal(t, 1.0, tableOf([]float64{0, 0.1}, []float64{1, 2}, 0.2).Rate(at))
	}
}

func TestArrivalsEndWhereNoneCome(t *testing.T) {
	s := testStream(33)
	last := tableOf([]float64{0, 5}, []float64{1, 0}, math.Inf(1))
	now, n := 0.0, 0
	for {
		delay := last.Next(s, now)
		if math.IsInf(delay, 1) {
			break
		}
		now += delay
		require.Less(t, now, 5.0)
		n++
	}
	require.Less(t, n, 30)
	require.Equal(t, 5.0, last.Mean(0, math.Inf(1)))
	goesOn := tableOf([]float64{0, 5}, []float64{0, 1}, math.Inf(1))
	require.Greater(t, goesOn.Next(s, 0), 5.0)
	require.True(t, math.IsInf(tableOf([]float64{0}, []float64{0}, 7).Next(s, 3), 1))
	require.True(t, math.IsInf(new(RateTable).Next(s, 3), 1))
	require.True(t, math.IsInf(Thinning{func(float64) float64 { return 0 }, 1}.Next(s, 3, 50), 1))
	for _, bad := range []Thinning{{func(float64) float64 { return 2 }, 1}, {func(float64) float64 { return -1 }, 1},
		{func(float64) float64 { return math.NaN() }, 1}, {func(float64) float64 { return 1 }, 0}, {nil, 1}} {
		require.True(t, math.IsNaN(bad.Next(s, 0, math.Inf(1))))
	}
}

func TestArrivalsAreUndoneLikeDraws(t *testing.T) {
	s := testStream(34)
	thin := Thinning{Rate: someTable.Rate, Most: 9}
	before := s.State()
	count := s.Count()
	first := [2]float64{someTable.Next(s, 3), thin.Next(s, 3, 100)}
	s.Rewind(uint32(count))
	require.Equal(t, before, s.State())
	require.Equal(t, first, [2]float64{someTable.Next(s, 3), thin.Next(s, 3, 100)})
}

func TestTablesOfRatesThatCannotBeUsed(t *testing.T) {
	inf := math.Inf(1)
	for want, bad := range map[string]struct {
		begins, rates []float64
		period        float64
	}{
		"0 beginnings and 0 rates":             {nil, nil, 1},
		"2 beginnings and 1 rates":             {[]float64{0, 1}, []float64{1}, 3},
		"the first interval begins at 1":       {[]float64{1}, []float64{1}, 3},
		"the period is 2":                      {[]float64{0, 2}, []float64{1, 1}, 2},
		"interval 1 begins at 3, and the next": {[]float64{0, 3, 2}, []float64{1, 1, 1}, 9},
		"rate 1 is -1":                         {[]float64{0, 3}, []float64{1, -1}, 9},
		"rate 0 is +Inf":                       {[]float64{0, 3}, []float64{inf, 1}, 9},
		"more arrivals in a period":            {[]float64{0, 1}, []float64{math.MaxFloat64, 1e308}, 1e10},
		"the period is NaN":                    {[]float64{0}, []float64{1}, math.NaN()},
	} {
		_, err := NewRateTable(bad.begins, bad.rates, bad.period)
		require.ErrorContains(t, err, want)
	}
}

func TestResamplingDrawsTheNumbersOfTheSample(t *testing.T) {
	testlevel.Once(t, "numbers that no build changes")
	s := testStream(35)
	sample := []float64{4, 1, 1, 9}
	e := sampleOf(sample...)
	index := map[float64]int{1: 0, 4: 1, 9: 2}
	requireFrequencies(t, 20_000, []float64{0.5, 0.25, 0.25}, func() int {
		i, ok := index[e.Resample(s)]
		require.True(t, ok)
		return i
	})
	require.True(t, math.IsNaN(new(Empirical).Resample(s)))
}

// Arrivals at a desk, more in the daytime than at night. Times are in hours.
func ExampleRateTable() {
	day, err := NewRateTable([]float64{0, 7, 19}, []float64{2, 12, 5}, 24)
	if err != nil {
		panic(err)
	}
	s := NewSeeder(DefaultSeeds).Stream(1)
	byHour := [24]int{}
	for now := day.Next(&s, 0); now < 24*1000; now += day.Next(&s, now) {
		byHour[int(math.Mod(now, 24))]++
	}
	for _, hour := range []int{3, 12, 21} {
		fmt.Printf("%2d h: rate %g, %.1f arrivals\n", hour, day.Rate(float64(hour)), float64(byHour[hour])/1000)
	}
	// Output:
	//  3 h: rate 2, 2.0 arrivals
	// 12 h: rate 12, 12.0 arrivals
	// 21 h: rate 5, 5.0 arrivals
}
