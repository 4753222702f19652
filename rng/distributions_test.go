// This file owns the tests of what the distributions return: their shape, the ends of their ranges and invalid
// parameters; and the comparison with the numbers that the original printed: testdata/rng.csv, written by ROSS 8.1.1 on
// x86-64 with glibc. Its draws are those of main stream 5; each distribution starts it anew, and the odd cases of
// integer and ulong continue where the group before them stopped.
//
// The benchmarks of all distributions, of streams and of seeds are here, too. Those with impl=naive measure the
// textbook form in the same run.

package rng

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The bounds are six standard errors wide, and the streams are fixed.
func TestMeansAndVariances(t *testing.T) {
	const n = 40_000
	float := func(x int64) float64 { return float64(x) }
	cases := []struct {
		name           string
		mean, variance float64
		draw           func(*Stream) float64
	}{
		{"unif", 1. / 2, 1. / 12, (*Stream).Unif},
		{"integer", 4.5, 99. / 12, func(s *Stream) float64 { return float(s.Integer(0, 9)) }},
		{"integer of both signs", -1, 8. / 12, func(s *Stream) float64 { return float(s.Integer(-2, 0)) }},
		{"integer, full range", 0, math.Pow(2, 128) / 12,
			func(s *Stream) float64 { return float(s.Integer(math.MinInt64, math.MaxInt64)) }},
		{"ulong", 2.5, 35. / 12, func(s *Stream) float64 { return float64(s.Ulong(0, 5)) }},
		{"ulong, above 2^63", math.Pow(2, 62) * 1.5, math.Pow(2, 124) * 0.75,
			func(s *Stream) float64 { return float64(s.Ulong(0, 3<<62-1)) }},
		{"binomial", 3, 2.1, func(s *Stream) float64 { return float(s.Binomial(10, 0.3)) }},
		{"geometric", 4, 12, func(s *Stream) float64 { return float(s.Geometric(0.25)) }},
		{"geometric, inverted", 1e8, 1e16, func(s *Stream) float64 { return float(s.Geometric(1e-8)) }},
		{"poisson", 3.5, 3.5, func(s *Stream) float64 { return float(s.Poisson(3.5)) }},
		{"poisson, rejection just above the products", 701, 701, func(s *Stream) float64 { return float(s.Poisson(701)) }},
		{"poisson, huge", 1e15, 1e15, func(s *Stream) float64 { return float(s.Poisson(1e15)) }},
		{"exponential", 2, 4, func(s *Stream) float64 { return s.Exponential(2) }},
		{"exponential, negative mean", -2, 4, func(s *Stream) float64 { return s.Exponential(-2) }},
		{"pareto", 2 * 8. / 7, 4 * 8. / (7 * 7 * 6), func(s *Stream) float64 { return s.Pareto(8, 2) }},
		{"gamma, k > 1", 3.75, 5.625, func(s *Stream) float64 { return s.Gamma(2.5, 1.5) }},
		{"gamma, k = 1", 1.5, 2.25, func(s *Stream) float64 { return s.Gamma(1, 1.5) }},
		{"gamma, k < 1", 0.75, 1.125, func(s *Stream) float64 { return s.Gamma(0.5, 1.5) }},
		{"gamma, large k", 1e6, 1e6, func(s *Stream) float64 { return s.Gamma(1e6, 1) }},
		{"weibull", 2, 4 * (math.Gamma(2)/math.Pow(math.Gamma(1.5), 2) - 1),
			func(s *Stream) float64 { return s.Weibull(2, 2) }},
		{"normal01", 0, 1, (*Stream).Normal01},
		{"normal_sd", 10, 4, func(s *Stream) float64 { return s.NormalSD(10, 2) }},
		{"lognormal", math.Exp(0.125), math.Expm1(0.25) * math.Exp(0.25),
			func(s *Stream) float64 { return s.LogNormal(0, 0.5) }},
	}
	seeder := NewSeeder(DefaultSeeds)
	for id, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := seeder.Stream(uint64(id))
			// Welford's way does not cancel where the mean dwarfs the deviation.
			mean, squares, fourths := 0.0, 0.0, 0.0
			for i := range n {
				x := c.draw(&s)
				delta := x - mean
				mean += delta / float64(i+1)
				squares += delta * (x - mean)
				fourths += math.Pow((x-c.mean)/math.Sqrt(c.variance), 4)
			}
			variance := squares / (n - 1)
			require.InDelta(t, 0, (mean-c.mean)/math.Sqrt(c.variance), 6/math.Sqrt(n), "mean %v", mean)
			require.InDelta(t, 1, variance/c.variance, 6*math.Sqrt((fourths/n)/n), "variance %v", variance)
		})
	}
}

func TestLargePoissonFollowsTheDistributionFunction(t *testing.T) {
	const n, lambda = 100_000, 800
	s := NewSeeder(DefaultSeeds).Stream(99)
	var counts [2 * lambda]int
	for range n {
		counts[s.Poisson(lambda)]++
	}
	seen, expected, worst := 0.0, 0.0, 0.0
	for k := 1; k < len(counts); k++ {
		seen += float64(counts[k]) / n
		lgamma, _ := math.Lgamma(float64(k + 1))
		expected += math.Exp(float64(k)*math.Log(lambda) - lambda - lgamma)
		worst = max(worst, math.Abs(seen-expected))
	}
	// Kolmogorov and Smirnov: 1.95/sqrt(n) is exceeded once in a thousand.
	require.Less(t, worst, 1.95/math.Sqrt(n))
	require.InDelta(t, 1, expected, 1e-9)
}

func TestLogPoissonIsTheLogarithmOfTheProbability(t *testing.T) {
	for _, lambda := range []float64{701, 1000, 12345} {
		for _, offset := range []float64{-10, -3, 0, 0.5, 7, 10} {
			k := math.Floor(lambda + offset*math.Sqrt(lambda))
			lgamma, _ := math.Lgamma(k + 1)
			require.InDelta(t, k*math.Log(lambda)-lambda-lgamma, logPoisson(k, lambda), 1e-9, "%v of %v", k, lambda)
		}
	}
}

func TestIntegersCoverTheirRangeAndNoMore(t *testing.T) {
	s := NewSeeder(DefaultSeeds).Stream(3)
	for _, c := range []struct{ lo, hi int64 }{
		{0, 0}, {-1, 1}, {5, 9}, {math.MaxInt64, math.MaxInt64}, {math.MaxInt64 - 2, math.MaxInt64},
		{math.MinInt64, math.MinInt64 + 2},
	} {
		seen := map[int64]bool{}
		for range 200 {
			v := s.Integer(c.lo, c.hi)
			require.True(t, c.lo <= v && v <= c.hi, "%d in [%d, %d]", v, c.lo, c.hi)
			seen[v] = true
		}
		require.Len(t, seen, int(c.hi-c.lo+1), "[%d, %d]", c.lo, c.hi)
	}
}

func TestTheEndsOfTheUniformNumbersStayInRange(t *testing.T) {
	for _, c := range []struct {
		lo, hi int64
	}{{0, 9}, {-10, -1}, {0, math.MaxInt64}, {math.MinInt64, math.MaxInt64}, {math.MinInt64, 0}} {
		low, high := streamAt(beforeZero), streamAt(beforeOne)
		require.Equal(t, c.lo, low.Integer(c.lo, c.hi))
		require.Equal(t, c.hi, high.Integer(c.lo, c.hi))
	}
	for _, c := range []struct{ lo, hi uint64 }{{1, 6}, {0, math.MaxUint64}, {7, math.MaxUint64 - 1}} {
		low, high := streamAt(beforeZero), streamAt(beforeOne)
		require.Equal(t, c.lo, low.Ulong(c.lo, c.hi))
		require.Equal(t, c.hi, high.Ulong(c.lo, c.hi))
	}
	low, high := streamAt(beforeZero), streamAt(beforeOne)
	require.Equal(t, math.Inf(1), low.Exponential(1))
	require.Zero(t, high.Exponential(1))
	require.Equal(t, int64(math.MaxInt64), geometricInverse(0, 1e-9))
	require.Equal(t, int64(1), geometricInverse(1, 1e-9))
}

// The largest u below 1 is 1 - 2^-53.
func TestScaleNeverReachesTheSize(t *testing.T) {
	u := math.Nextafter(1, 0)
	r := newRand(t)
	for range 100_000 {
		n := r.Uint64() >> r.IntN(64)
		if n == 0 {
			continue
		}
		require.Less(t, scale(u, n), n)
		require.Equal(t, n-1, scale(1, n))
	}
	require.Equal(t, uint64(math.MaxUint64-2047), scale(u, 0))
}

func TestEmptyRanges(t *testing.T) {
	for _, c := range []struct {
		name  string
		draw  func(*Stream) uint64
		want  uint64
		draws uint64
	}{
		{"integer, empty", integer(5, 4), 0, 0},
		{"integer, reversed", integer(9, 2), 0, 0},
		{"integer, reversed at the ends", integer(math.MaxInt64, math.MinInt64), 0, 0},
		{"ulong, empty", ulong(5, 4), 5, 1},
		{"ulong, reversed", ulong(6, 4), 0, 0},
		{"ulong, reversed at the ends", ulong(math.MaxUint64, 0), 0, 0},
		{"ulong, empty at the end", ulong(math.MaxUint64, math.MaxUint64-1), math.MaxUint64, 1},
		{"ulong, one value", ulong(math.MaxUint64, math.MaxUint64), math.MaxUint64, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := NewSeeder(DefaultSeeds).Stream(0)
			require.Equal(t, c.want, c.draw(&s))
			require.Equal(t, c.draws, s.Count())
		})
	}
}

func TestInvalidAndExtremeParameters(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	whole := func(x int64) float64 { return float64(x) }
	const most = float64(math.MaxInt64)
	for _, c := range []struct {
		name  string
		draw  func(*Stream) float64
		want  float64
		draws uint64
	}{
		{"binomial p<0", func(s *Stream) float64 { return whole(s.Binomial(7, -1)) }, 0, 7},
		{"binomial p>1", func(s *Stream) float64 { return whole(s.Binomial(7, 2)) }, 7, 7},
		{"binomial NaN", func(s *Stream) float64 { return whole(s.Binomial(7, nan)) }, 0, 7},
		{"binomial n=0", func(s *Stream) float64 { return whole(s.Binomial(0, 0.5)) }, 0, 0},
		{"geometric p=0", func(s *Stream) float64 { return whole(s.Geometric(0)) }, most, 1},
		{"geometric p<0", func(s *Stream) float64 { return whole(s.Geometric(-1)) }, most, 1},
		{"geometric p>1", func(s *Stream) float64 { return whole(s.Geometric(2)) }, 1, 1},
		{"geometric NaN", func(s *Stream) float64 { return whole(s.Geometric(nan)) }, 1, 1},
		{"geometric tiny", func(s *Stream) float64 { return whole(s.Geometric(1e-300)) }, most, 1},
		{"poisson 0", func(s *Stream) float64 { return whole(s.Poisson(0)) }, 0, 1},
		{"poisson <0", func(s *Stream) float64 { return whole(s.Poisson(-inf)) }, 0, 1},
		{"poisson NaN", func(s *Stream) float64 { return whole(s.Poisson(nan)) }, 0, 1},
		{"poisson 1e300", func(s *Stream) float64 { return whole(s.Poisson(1e300)) }, most, 2},
		{"poisson Inf", func(s *Stream) float64 { return whole(s.Poisson(inf)) }, most, 2},
		{"exponential 0", func(s *Stream) float64 { return s.Exponential(0) }, 0, 1},
		{"exponential NaN", func(s *Stream) float64 { return s.Exponential(nan) }, nan, 1},
		{"exponential Inf", func(s *Stream) float64 { return s.Exponential(inf) }, inf, 1},
		{"pareto shape=0", func(s *Stream) float64 { return s.Pareto(0, 1) }, nan, 1},
		{"pareto NaN", func(s *Stream) float64 { return s.Pareto(nan, 1) }, nan, 1},
		{"weibull shape<0", func(s *Stream) float64 { return s.Weibull(1, -1) }, nan, 1},
		{"weibull NaN", func(s *Stream) float64 { return s.Weibull(1, nan) }, nan, 1},
		{"gamma k=0", func(s *Stream) float64 { return s.Gamma(0, 1) }, nan, 0},
		{"gamma NaN", func(s *Stream) float64 { return s.Gamma(nan, 1) }, nan, 0},
		{"gamma Inf", func(s *Stream) float64 { return s.Gamma(inf, 1) }, nan, 0},
		{"gamma k tiny", func(s *Stream) float64 { return s.Gamma(1e-300, 1) }, 0, 2},
		{"gamma at the limit", func(s *Stream) float64 { return s.Gamma(1e308, 1) }, 1e308, 2 * maxTries},
		{"gamma scale NaN", func(s *Stream) float64 { return s.Gamma(1, nan) }, nan, 1},
		{"normal sd NaN", func(s *Stream) float64 { return s.NormalSD(0, nan) }, nan, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := NewSeeder(DefaultSeeds).Stream(0)
			got := c.draw(&s)
			if math.IsNaN(c.want) {
				require.True(t, math.IsNaN(got), "%v", got)
			} else {
				require.Equal(t, c.want, got+0) // -0 becomes 0
			}
			require.Equal(t, c.draws, s.Count())
		})
	}
}

func TestAGeneratorThatWasNeverSeededEndsEveryDraw(t *testing.T) {
	for _, draw := range allDraws {
		var s Stream
		draw(&s)
		require.LessOrEqual(t, s.Count(), uint64(2*maxTries))
	}
}

// TestLargePoissonDrawsAreTheSameForEver pins what the rejection above a mean of 700 returns, and how
// many draws it takes: results of models depend on it.
func TestLargePoissonDrawsAreTheSameForEver(t *testing.T) {
	s := NewSeeder(DefaultSeeds).Stream(5)
	least := s.Poisson(700)
	require.EqualValues(t, least+1, s.Count(), "products up to 700")
	s = NewSeeder(DefaultSeeds).Stream(5)
	for _, c := range []struct {
		lambda float64
		first  []int64
		sum    uint64 // of 20,000 draws, each multiplied by its number
		count  uint64 // of uniform draws so far
	}{
		{700.5, []int64{754, 747, 727, 694}, 140068504692, 45564},
		{12345.678, []int64{12328, 12396, 12303, 12306}, 2469505383312, 90806},
		{1e9, []int64{999975524, 1000014860, 999990539, 999949590}, 200010057454612963, 135850},
		{1e15, []int64{999999996570494, 999999998226759, 1000000041440730, 999999984074411}, 10400765679877916906, 180894},
	} {
		var first []int64
		sum := uint64(0)
		for i := range uint64(20000) {
			k := s.Poisson(c.lambda)
			if sum += (i + 1) * uint64(k); i < 4 {
				first = append(first, k)
			}
		}
		require.Equal(t, c.first, first, "%g", c.lambda)
		require.Equal(t, c.sum, sum, "%g", c.lambda)
		require.Equal(t, c.count, s.Count(), "%g", c.lambda)
	}
}

// oracleDraw is a draw of the file: the value as a float64 or the integer as its bits. Both are compared exactly.
type oracleDraw struct {
	real  func(*Stream) float64
	whole func(*Stream) uint64
	keep  bool // continues the stream of the group before
}

var oracleDraws = map[string]oracleDraw{
	"unif":                    {real: (*Stream).Unif},
	"unifrev":                 {real: (*Stream).Reverse, keep: true},
	"integer(0;9)":            {whole: integer(0, 9)},
	"integer(5;4)":            {whole: integer(5, 4), keep: true},
	"integer(5;5)":            {whole: integer(5, 5), keep: true},
	"integer(9;2)":            {whole: integer(9, 2), keep: true},
	"integer(-10;-1)":         {whole: integer(-10, -1), keep: true},
	"integer(0;LONG_MAX)":     {whole: integer(0, math.MaxInt64), keep: true},
	"ulong(0;ULONG_MAX)":      {whole: ulong(0, math.MaxUint64), keep: true},
	"ulong(1;1000)":           {whole: ulong(1, 1000), keep: true},
	"ulong(5;4)":              {whole: ulong(5, 4), keep: true},
	"binomial(10;0.3)":        {whole: func(s *Stream) uint64 { return uint64(s.Binomial(10, 0.3)) }},
	"geometric(0.3)":          {whole: func(s *Stream) uint64 { return uint64(s.Geometric(0.3)) }},
	"poisson(3.5)":            {whole: func(s *Stream) uint64 { return uint64(s.Poisson(3.5)) }},
	"exponential(2.5)":        {real: func(s *Stream) float64 { return s.Exponential(2.5) }},
	"pareto(shape=3;scale=2)": {real: func(s *Stream) float64 { return s.Pareto(3, 2) }},
	"gamma(2.5;1.5)":          {real: func(s *Stream) float64 { return s.Gamma(2.5, 1.5) }},
	"gamma(1;1.5)":            {real: func(s *Stream) float64 { return s.Gamma(1, 1.5) }},
	"gamma(0.5;1.5)":          {real: func(s *Stream) float64 { return s.Gamma(0.5, 1.5) }},
	"weibull(2;1.5)":          {real: func(s *Stream) float64 { return s.Weibull(2, 1.5) }},
	"normal01":                {real: (*Stream).Normal01},
	"normal_sd(10;2)":         {real: func(s *Stream) float64 { return s.NormalSD(10, 2) }},
	"lognormal(0.5;0.25)":     {real: func(s *Stream) float64 { return s.LogNormal(0.5, 0.25) }},
}

func integer(lo, hi int64) func(*Stream) uint64 {
	return func(s *Stream) uint64 { return uint64(s.Integer(lo, hi)) }
}

func ulong(lo, hi uint64) func(*Stream) uint64 {
	return func(s *Stream) uint64 { return s.Ulong(lo, hi) }
}

func TestEveryNumberOfTheOriginal(t *testing.T) {
	file, err := os.Open("testdata/rng.csv")
	require.NoError(t, err)
	defer file.Close()
	reader := csv.NewReader(file)
	reader.FieldsPerRecord = -1
	rows, err := reader.ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 354)

	var group string
	var stream Stream
	for i, row := range rows {
		switch kind := row[0]; kind {
		case "const":
			checkConstants(t, row)
		case "seed":
			checkSeed(t, row)
		case "state":
			checkState(t, row, &stream)
		default:
			draw, known := oracleDraws[kind]
			require.True(t, known, "row %d: %s", i+1, kind)
			if kind != group && !draw.keep {
				stream = NewSeeder(DefaultSeeds).Stream(5)
			}
			group = kind
			before := stream.Count()
			checkDraw(t, row, draw, &stream)
			checkCounts(t, row, before, stream.Count())
		}
	}
}

func checkDraw(t *testing.T, row []string, draw oracleDraw, s *Stream) {
	t.Helper()
	if draw.whole != nil {
		got := draw.whole(s)
		if strings.HasPrefix(row[2], "-") {
			require.Equal(t, row[2], strconv.FormatInt(int64(got), 10), "%v", row)
		} else {
			require.Equal(t, row[2], strconv.FormatUint(got, 10), "%v", row)
		}
		return
	}
	want, err := strconv.ParseFloat(row[2], 64)
	require.NoError(t, err)
	if got := draw.real(s); got != want {
		t.Errorf("%v: got %.17g, %d ulps off", row, got, ulps(got, want))
	}
}

// checkCounts compares the last field, draws=n for one call or count=n for all.
func checkCounts(t *testing.T, row []string, before, after uint64) {
	t.Helper()
	name, value, found := strings.Cut(row[len(row)-1], "=")
	if !found {
		return
	}
	want := parse(t, value)
	if name == "draws" {
		require.Equal(t, want, after-before, "%v", row)
	} else {
		require.Equal(t, want, after, "%v", row)
	}
}

func checkConstants(t *testing.T, row []string) {
	t.Helper()
	j := parse(t, row[1])
	p := components[j]
	for _, field := range row[2:] {
		name, value, _ := strings.Cut(field, "=")
		got, known := map[string]uint64{
			"m": p.m, "a": p.a, "avw": p.avw, "b": p.b,
			"aw":   powMod(p.a, 1<<41, p.m),
			"seed": uint64(DefaultSeeds[j]), "coreseed": uint64(DefaultCoreSeeds[j]),
		}[name]
		require.True(t, known, field)
		require.Equal(t, parse(t, value), got, "component %d: %s", j, field)
	}
}

func checkSeed(t *testing.T, row []string) {
	t.Helper()
	seeds := DefaultSeeds
	if row[1] == "core" {
		seeds = DefaultCoreSeeds
	}
	g := NewSeeder(seeds).CLCG4(parse(t, row[2]))
	require.Equal(t, components32(t, row[3:]), g.State().C, "%v", row)
}

func checkState(t *testing.T, row []string, s *Stream) {
	t.Helper()
	count := parse(t, strings.TrimPrefix(row[6], "count="))
	require.Equal(t, State{C: components32(t, row[2:6]), Count: count}, s.State().State, "%v", row)
}

func components32(t *testing.T, fields []string) (c [4]uint32) {
	t.Helper()
	for j := range c {
		c[j] = uint32(parse(t, fields[j]))
	}
	return c
}

func parse(t *testing.T, field string) uint64 {
	t.Helper()
	value, err := strconv.ParseUint(field, 10, 64)
	require.NoError(t, err)
	return value
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

var (
	floatSink float64
	wordSink  uint32
)
