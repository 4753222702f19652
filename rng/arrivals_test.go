// This file owns the tests of arrivals whose rate changes: the numbers in intervals are those of independent Poisson
// distributions, by both methods, and inversion inverts the mean that a naive sum gives.

package rng

import (
	"fmt"
	"math"
	"testing"

	"github.com/ross-go/ross/internal/testlevel"
	"github.com/stretchr/testify/require"
)

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

// requirePoisson counts the arrivals in intervals of a period of 10 that is repeated, and compares the counts with their
// means and with the variance of a Poisson distribution, which is its mean.
func requirePoisson(t *testing.T, edges []float64, mean func(from, to float64) float64, next func(now float64) float64) {
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

func BenchmarkArrivals(b *testing.B) {
	s := testStream(36)
	thin := Thinning{Rate: someTable.Rate, Most: 9}
	b.Run("impl=table", func(b *testing.B) {
		now := 0.0
		for b.Loop() {
			now += someTable.Next(s, now)
		}
	})
	b.Run("impl=thinning", func(b *testing.B) {
		now := 0.0
		for b.Loop() {
			now += thin.Next(s, now, math.Inf(1))
		}
	})
}
