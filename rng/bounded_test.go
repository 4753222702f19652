// This file owns the tests of integers below n and of the distributions over an interval that reject: beta, PERT and
// the truncated normal one. Their distribution functions are computed in other ways than they are drawn: by a
// continued fraction, and by the error function of package math.

package rng

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testlevel"
)

// betaShare is the distribution function of the beta distribution, by the continued fraction of Press and others,
// "Numerical Recipes", 3rd edition, 6.4.
func betaShare(a, b, x float64) float64 {
	if x <= 0 || x >= 1 {
		return min(max(x, 0), 1)
	}
	if x > (a+1)/(a+b+2) {
		return 1 - betaShare(b, a, 1-x)
	}
	both, _ := math.Lgamma(a + b)
	first, _ := math.Lgamma(a)
	second, _ := math.Lgamma(b)
	front := math.Exp(both - first - second + a*math.Log(x) + b*math.Log1p(-x))
	c, d := 1.0, 1/(1-(a+b)*x/(a+1))
	sum := d
	for m := 1.0; m < 1e5; m++ {
		even := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d, c = 1/(1+even*d), 1+even/c
		sum *= d * c
		odd := -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d, c = 1/(1+odd*d), 1+odd/c
		sum *= d * c
		if math.Abs(d*c-1) < 1e-15 {
			break
		}
	}
	return front * sum / a
}

// normalMass is the probability of a normal number between a and b, which keeps its precision in the tails.
func normalMass(a, b float64) float64 {
	if a > 0 {
		return (math.Erfc(a/math.Sqrt2) - math.Erfc(b/math.Sqrt2)) / 2
	}
	return (math.Erfc(-b/math.Sqrt2) - math.Erfc(-a/math.Sqrt2)) / 2
}

// requireShape compares draws with a distribution function: by Kolmogorov and Smirnov, and by chi-square in cells of
// the same width within [low, high], whose last one has all that is above as well.
func requireShape(t *testing.T, low, high float64, share func(float64) float64, draw func() float64) {
	t.Helper()
	const n, cells = 20_000, 40
	if share(low+(high-low)*1e-15) < 1e-3 && share(high-(high-low)*1e-15) > 1-1e-3 { // not much is rounded to an end
		requireDistribution(t, n, share, draw)
	}
	var probability [cells]float64
	below := 0.0
	for i := range cells {
		upTo := share(low + (high-low)*float64(i+1)/cells)
		if i == cells-1 {
			upTo = 1
		}
		probability[i], below = max(upTo-below, 1e-12), upTo
	}
	requireFrequencies(t, n, probability[:], func() int {
		return min(max(int((draw()-low)/(high-low)*cells), 0), cells-1)
	})
}

func TestBetaAndPERTHaveTheirDistributionFunctions(t *testing.T) {
	testlevel.Once(t, "numbers that no build changes")
	s := testStream(40)
	shapes := []float64{0.02, 0.3, 1, 1.0001, 2, 7, 1000}
	most := [2]float64{} // tries where both shapes are above 1, and elsewhere
	for _, a := range shapes {
		for _, b := range shapes {
			before, calls := s.Count(), 0
			requireShape(t, 0, 1, func(x float64) float64 { return betaShare(a, b, x) }, func() float64 {
				calls++
				return s.Beta(a, b)
			})
			tries, kind := float64(s.Count()-before)/2/float64(calls), 0
			if min(a, b) <= 1 {
				kind = 1
			}
			most[kind] = max(most[kind], tries)
		}
	}
	t.Logf("at most %.3f tries", most)
	require.Less(t, most[0], 1.5)
	require.Less(t, most[1], 4.0)
	for _, p := range [][3]float64{{0, 0.5, 1}, {-3, 1, 2}, {5, 5, 9}, {5, 9, 9}, {10, 11, 1000}} {
		low, mode, high := p[0], p[1], p[2]
		a, b := 1+4*(mode-low)/(high-low), 1+4*(high-mode)/(high-low)
		requireShape(t, low, high, func(x float64) float64 { return betaShare(a, b, (x-low)/(high-low)) },
			func() float64 { return s.PERT(low, mode, high) })
	}
}

func TestTruncatedNormalHasItsDistributionFunction(t *testing.T) {
	testlevel.Once(t, "numbers that no build changes")
	s := testStream(41)
	inf := math.Inf(1)
	most := 0.0
	for _, bound := range [][2]float64{
		{-inf, inf}, {-1, inf}, {-1e-9, inf}, {0, inf}, {1e-9, inf}, {0.3, inf}, {1, inf}, {3, inf}, {8, inf}, {30, inf},
		{-1, 1}, {-3, 3}, {-0.79, 0.8}, {-0.8, 0.81}, {-0.01, 1.61}, {-0.01, 1.58}, {-0.001, 0.001}, {-0.1, 6},
		{0, 0.5}, {0, 0.99}, {0, 1.01}, {0, 4}, {0.5, 0.6}, {0.5, 1.27}, {0.5, 1.3}, {2, 2.4}, {2, 2.5}, {2, 5}, {6, 6.1},
	} {
		for _, sign := range []float64{1, -1} {
			a, b := bound[0], bound[1]
			if sign < 0 {
				a, b = -b, -a
			}
			const mu, sd = 12.5, 4
			low, high := mu+a*sd, mu+b*sd
			all := normalMass(a, b)
			share := func(x float64) float64 {
				if x = (x - mu) / sd; a > 0 {
					return normalMass(a, x) / all
				}
				return 1 - normalMass(x, b)/all
			}
			// Where there is no bound, cells end at the last number that comes among some thousands.
			first, last := low, high
			if math.IsInf(last, 1) {
				last = mu + sd*max(a+5/max(a, 1), 4)
			}
			if math.IsInf(first, -1) {
				first = mu + sd*min(b-5/max(-b, 1), -4)
			}
			before := s.Count()
			requireShape(t, first, last, share, func() float64 {
				x := s.TruncatedNormal(mu, sd, low, high)
				require.True(t, low <= x && x <= high, "%v from %v to %v", x, low, high)
				return x
			})
			most = max(most, float64(s.Count()-before)/80_000)
		}
	}
	t.Logf("at most %.3f tries", most)
	require.Less(t, most, 1.6)
}

func TestIntegersBelowNAreEquallyLikely(t *testing.T) {
	s := testStream(42)
	for _, n := range []int{1, 2, 7, 100} {
		probability := make([]float64, n)
		for i := range probability {
			probability[i] = 1 / float64(n)
		}
		requireFrequencies(t, 20_000, probability, func() int { return s.Intn(n) })
	}
	for _, n := range []int{1, 2, 1000, math.MaxInt} {
		low, high := streamAt(beforeZero), streamAt(beforeOne)
		require.Equal(t, 0, low.Intn(n))
		require.Equal(t, n-1, high.Intn(n))
	}
}

func TestMomentsOfTheDistributionsOverAnInterval(t *testing.T) {
	const n = 40_000
	inf := math.Inf(1)
	density := func(x float64) float64 { return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) }
	beta := func(a, b float64) [2]float64 {
		return [2]float64{a / (a + b), a * b / ((a + b) * (a + b) * (a + b + 1))}
	}
	pert := func(low, mode, high float64) [2]float64 {
		mean := (low + 4*mode + high) / 6
		return [2]float64{mean, (mean - low) * (high - mean) / 7}
	}
	truncated := func(a, b float64) [2]float64 { // mu 0, sd 1: Johnson, Kotz and Balakrishnan 1994, 13.10
		first, last, mass := 0.0, 0.0, normalMass(a, b)
		if !math.IsInf(a, 0) {
			first = a * density(a)
		}
		if !math.IsInf(b, 0) {
			last = b * density(b)
		}
		mean := (density(a) - density(b)) / mass
		return [2]float64{mean, 1 + (first-last)/mass - mean*mean}
	}
	for id, c := range []struct {
		name    string
		moments [2]float64
		draw    func(*Stream) float64
	}{
		{"intn", [2]float64{3, 4}, allDraws["Intn"]},
		{"beta, both shapes above 1", beta(3, 1.5), allDraws["BetaLarge"]},
		{"beta, a shape below 1", beta(0.5, 2), allDraws["BetaSmall"]},
		{"beta, tiny shapes", beta(1e-3, 3e-3), func(s *Stream) float64 { return s.Beta(1e-3, 3e-3) }},
		{"beta, shapes that are nearly 0", [2]float64{0.25, 3. / 16},
			func(s *Stream) float64 { return s.Beta(1e-308, 3e-308) }},
		{"beta, a tiny shape and a large one", beta(0.5, 1e9), func(s *Stream) float64 { return s.Beta(0.5, 1e9) }},
		{"beta, a large shape and a tiny one", beta(1e6, 0.5), func(s *Stream) float64 { return s.Beta(1e6, 0.5) }},
		{"beta, large shapes", beta(1e12, 3e12), func(s *Stream) float64 { return s.Beta(1e12, 3e12) }},
		{"pert", pert(1, 2, 4), allDraws["PERT"]},
		{"pert, mode at an end", pert(2, 2, 10), func(s *Stream) float64 { return s.PERT(2, 2, 10) }},
		{"pert, as far as numbers go", [2]float64{0, 1. / 7}, // in units of the greatest number
			func(s *Stream) float64 { return s.PERT(-math.MaxFloat64, 0, math.MaxFloat64) / math.MaxFloat64 }},
		{"truncated normal, from below", truncated(-0.5, inf),
			func(s *Stream) float64 { return s.TruncatedNormal(0, 1, -0.5, inf) }},
		{"truncated normal, an interval", truncated(-0.5, 1),
			func(s *Stream) float64 { return s.TruncatedNormal(0, 1, -0.5, 1) }},
		{"truncated normal, a tail", truncated(2, 4.5), func(s *Stream) float64 { return s.TruncatedNormal(0, 1, 2, 4.5) }},
		{"truncated normal, the other tail", truncated(-inf, -3),
			func(s *Stream) float64 { return s.TruncatedNormal(0, 1, -inf, -3) }},
		{"truncated normal, far from its mean", [2]float64{1, 1},
			func(s *Stream) float64 { return s.TruncatedNormal(-1e9, 1, 0, inf) * 1e9 }},
		{"truncated normal, mirrored far from its mean", [2]float64{-1, 1},
			func(s *Stream) float64 { return s.TruncatedNormal(1e9, 1, -inf, 0) * 1e9 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := testStream(200 + uint64(id))
			mean, variance := c.moments[0], c.moments[1]
			sum, squares, fourths := 0.0, 0.0, 0.0
			for range n {
				x := (c.draw(s) - mean) / math.Sqrt(variance)
				sum, squares, fourths = sum+x, squares+x*x, fourths+x*x*x*x
			}
			require.InDelta(t, 0, sum/n, 5/math.Sqrt(n), "mean")
			require.InDelta(t, 1, squares/n, 5*math.Sqrt(fourths/n/n), "variance")
		})
	}
}

func TestEdgesOfTheDistributionsOverAnInterval(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	beta := func(a, b float64) func(*Stream) float64 { return func(s *Stream) float64 { return s.Beta(a, b) } }
	pert := func(low, mode, high float64) func(*Stream) float64 {
		return func(s *Stream) float64 { return s.PERT(low, mode, high) }
	}
	truncated := func(mu, sd, low, high float64) func(*Stream) float64 {
		return func(s *Stream) float64 { return s.TruncatedNormal(mu, sd, low, high) }
	}
	for _, c := range []struct {
		name  string
		draw  func(*Stream) float64
		want  float64
		draws uint64
	}{
		{"intn 0", func(s *Stream) float64 { return float64(s.Intn(0)) }, 0, 1},
		{"intn <0", func(s *Stream) float64 { return float64(s.Intn(math.MinInt)) }, 0, 1},
		{"beta a=0", beta(0, 1), nan, 0},
		{"beta b<0", beta(1, -1), nan, 0},
		{"beta NaN", beta(nan, 1), nan, 0},
		{"beta b NaN", beta(1, nan), nan, 0},
		{"beta Inf", beta(inf, 1), nan, 0},
		{"beta b Inf", beta(1, inf), nan, 0},
		{"beta, shapes at the limit", beta(math.MaxFloat64, math.MaxFloat64), 0.5, 2 * maxTries},
		{"pert reversed", pert(2, 1, 0), nan, 0},
		{"pert, mode outside", pert(0, 3, 2), nan, 0},
		{"pert NaN", pert(0, nan, 1), nan, 0},
		{"pert infinite", pert(0, 1, inf), nan, 0},
		{"pert infinite below", pert(-inf, 1, 2), nan, 0},
		{"pert, a point", pert(0.1, 0.1, 0.1), 0.1, 0},
		{"truncated sd=0", truncated(0, 0, -1, 1), nan, 0},
		{"truncated sd<0", truncated(0, -1, -1, 1), nan, 0},
		{"truncated sd Inf", truncated(0, inf, -1, 1), nan, 0},
		{"truncated sd NaN", truncated(0, nan, -1, 1), nan, 0},
		{"truncated mu Inf", truncated(inf, 1, -1, 1), nan, 0},
		{"truncated mu NaN", truncated(nan, 1, -1, 1), nan, 0},
		{"truncated reversed", truncated(0, 1, 1, -1), nan, 0},
		{"truncated NaN", truncated(0, 1, nan, 1), nan, 0},
		{"truncated above all", truncated(0, 1, inf, inf), nan, 0},
		{"truncated below all", truncated(0, 1, -inf, -inf), nan, 0},
		{"truncated, a point", truncated(0, 1, 3, 3), 3, 0},
		{"truncated beyond what its density can be computed for", truncated(0, 1e-300, 5, 9), 5, 2},
		{"truncated likewise, below", truncated(0, 1e-300, -9, -5), -5, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := NewSeeder(DefaultSeeds).Stream(0)
			got := c.draw(&s)
			if math.IsNaN(c.want) {
				require.True(t, math.IsNaN(got), "%v", got)
			} else {
				require.Equal(t, c.want, got)
			}
			require.Equal(t, c.draws, s.Count())
		})
	}
	// Whatever the parameters are, results are in their interval, and no draw takes for ever.
	r := newRand(t)
	extremes := []float64{5e-324, 1e-300, 1e-9, 0.3, 1, 1.5, 40, 1e9, 1e154, 1e200, 1e300, math.MaxFloat64}
	any := func() float64 { return extremes[r.IntN(len(extremes))] * (1 - 2*float64(r.IntN(2))) }
	for range 3000 {
		s := streamAt(randomState(r))
		before := s.Count()
		x := s.Beta(math.Abs(any()), math.Abs(any()))
		require.True(t, x >= 0 && x <= 1, "%v", x)
		low, mode, high := any(), any(), any()
		low, high = min(low, mode, high), max(low, mode, high)
		mode = min(max(mode, low), high)
		x = s.PERT(low, mode, high)
		require.True(t, x >= low && x <= high, "PERT %v from %v, %v, %v", x, low, mode, high)
		sd := math.Abs(any())
		x = s.TruncatedNormal(any(), sd, low, high)
		require.True(t, x >= low && x <= high, "truncated normal %v from %v, %v, %v", x, sd, low, high)
		require.LessOrEqual(t, s.Count()-before, uint64(6*maxTries))
	}
}

// TestDrawsOverAnIntervalAreTheSameForEver pins what the rejections return, and how many draws they take: results of
// models depend on it.
func TestDrawsOverAnIntervalAreTheSameForEver(t *testing.T) {
	for _, c := range []struct {
		name  string
		draw  func(*Stream) float64
		first [2]float64
		sum   float64 // of 2,000 draws
		count uint64  // of uniform draws
	}{
		{"beta large", allDraws["BetaLarge"], [2]float64{0.24191215466345026, 0.40317444088861326}, 1322.7651434165782, 4512},
		{"beta small", allDraws["BetaSmall"],
			[2]float64{0.001812717785942789, 0.013403629130071268}, 388.78036710377677, 6840},
		{"pert", allDraws["PERT"], [2]float64{3.2081047155388025, 2.8117038062813675}, 4392.542221833753, 4410},
		{"truncated normal", allDraws["TruncNormal"],
			[2]float64{4.376031254011356, 5.699283721014513}, 11889.151809169962, 4406},
		{"truncated normal, narrow", allDraws["TruncNarrow"],
			[2]float64{6.764392663729328, 6.432861822222193}, 10894.818696498636, 4504},
		{"truncated normal, tail", allDraws["TruncTail"],
			[2]float64{11.30062298926143, 11.084753130433063}, 19568.107719313066, 4284},
	} {
		s := NewSeeder(DefaultSeeds).Stream(5)
		var first [2]float64
		sum := 0.0
		for i := range 2000 {
			x := c.draw(&s)
			if sum += x; i < len(first) {
				first[i] = x
			}
		}
		require.Equal(t, c.first, first, c.name)
		require.Equal(t, c.sum, sum, c.name)
		require.Equal(t, c.count, s.Count(), c.name)
	}
}

// The time of a repair: a mechanic knows the least, the most likely and the greatest.
func ExampleStream_PERT() {
	s := NewSeeder(DefaultSeeds).Stream(1)
	sum, late := 0.0, 0
	const n = 10_000
	for range n {
		hours := s.PERT(1, 2, 9)
		sum += hours
		if hours > 6 {
			late++
		}
	}
	fmt.Printf("mean %.2f h, longer than 6 h: %.1f %%\n", sum/n, 100*float64(late)/n)
	// Output: mean 3.00 h, longer than 6 h: 2.5 %
}

// The share of a batch that is good.
func ExampleStream_Beta() {
	s := NewSeeder(DefaultSeeds).Stream(1)
	sum := 0.0
	const n = 10_000
	for range n {
		sum += s.Beta(18, 2)
	}
	fmt.Printf("mean %.2f\n", sum/n)
	// Output: mean 0.90
}

// A normal time of service that cannot be negative, and is never longer than a shift.
func ExampleStream_TruncatedNormal() {
	s := NewSeeder(DefaultSeeds).Stream(1)
	least, most := math.Inf(1), 0.0
	for range 10_000 {
		hours := s.TruncatedNormal(3, 2, 0, 8)
		least, most = min(least, hours), max(most, hours)
	}
	fmt.Printf("%.1f to %.1f h\n", least, most)
	// Output: 0.0 to 8.0 h
}

// One of five neighbours.
func ExampleStream_Intn() {
	s := NewSeeder(DefaultSeeds).Stream(1)
	for range 8 {
		fmt.Print(s.Intn(5), " ")
	}
	// Output: 4 2 1 1 2 0 3 2
}

// Times like those that were measured: Draw interpolates between them.
func ExampleEmpirical() {
	measured, err := NewEmpirical([]float64{2.1, 3.4, 3.9, 4.4, 9.6}) // before the run
	if err != nil {
		panic(err)
	}
	s := NewSeeder(DefaultSeeds).Stream(1)
	for range 3 {
		fmt.Printf("%.2f ", measured.Draw(&s))
	}
	fmt.Printf("median %.1f\n", measured.Quantile(0.5))
	// Output: 6.91 3.82 3.51 median 3.9
}

// Times between a least and a greatest one. Nothing more is known of them than the most likely one.
func ExampleStream_Triangular() {
	s := NewSeeder(DefaultSeeds).Stream(1)
	sum := 0.0
	const n = 10_000
	for range n {
		sum += s.Triangular(1, 2, 9)
	}
	fmt.Printf("mean %.2f\n", sum/n)
	// Output: mean 4.00
}
