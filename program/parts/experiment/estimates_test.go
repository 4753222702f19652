// This file owns the tests of intervals, batch means and the warm-up, of the number of replications, and of Student's
// t distribution; of responses that some runs lack, and a precision without a name; and of tables.

package experiment

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/rng"
)

func TestIntervalOfAMean(t *testing.T) {
	i := MeanInterval([]float64{4, 8, 6, 5, 7}, 0.95)
	require.Equal(t, 5, i.N)
	require.Equal(t, 6.0, i.Mean)
	require.InDelta(t, math.Sqrt(2.5), i.SD, 1e-15)
	require.InDelta(t, 2.776445*math.Sqrt(2.5/5), i.Half, 1e-6)
	require.Equal(t, 0.95, i.Confidence)
	require.Equal(t, "6 ± 2", i.String())
	require.True(t, i.Contains(6) && i.Contains(i.Low()) && i.Contains(i.High()))
	require.False(t, i.Contains(3.9) || i.Contains(8.1))

	require.Equal(t, Interval{Mean: 3, Half: math.Inf(1), N: 1, Confidence: 0.9}, MeanInterval([]float64{3}, 0.9))
	require.Equal(t, Interval{Half: math.Inf(1), Confidence: 0.9}, MeanInterval(nil, 0.9))
	require.Zero(t, MeanInterval([]float64{3, 3, 3}, 0.9).Half)
	huge := MeanInterval([]float64{math.MaxFloat64, -math.MaxFloat64, 3, 3}, 0.5)
	require.Equal(t, 1.5, huge.Mean)
	require.InEpsilon(t, math.MaxFloat64*math.Sqrt(2.0/3), huge.SD, 1e-15)
	require.Less(t, huge.Half, huge.SD)
	require.Equal(t, math.MaxFloat64, MeanInterval([]float64{math.MaxFloat64, math.MaxFloat64}, 0.9).Mean)
	require.True(t, math.IsNaN(MeanInterval([]float64{math.NaN(), 1}, 0.9).Mean))
	require.True(t, math.IsInf(MeanInterval([]float64{math.Inf(-1), 1}, 0.9).Mean, -1))
	require.True(t, math.IsNaN(MeanInterval([]float64{math.Inf(-1), 1}, 0.9).SD))
	for _, confidence := range []float64{0, 1, -1, math.NaN()} {
		require.True(t, math.IsNaN(MeanInterval([]float64{1, 2}, confidence).Half))
	}
	// Observations far from 0 lose no digits.
	require.InEpsilon(t, i.Half, MeanInterval([]float64{1e9 + 4, 1e9 + 8, 1e9 + 6, 1e9 + 5, 1e9 + 7}, 0.95).Half, 1e-12)
}

func TestMSER5AgainstAComputationByHand(t *testing.T) {
	// The means of the batches, and MSER of what is left from each on:
	//	10: 64.875/64 = 1.0137; 4: 6.857/49 = 0.1399; 1: 1.5/36 = 0.0417; 2: 1.2/25 = 0.0480
	var series []float64
	for _, mean := range []float64{10, 4, 1, 2, 1, 2, 1, 2} {
		series = append(series, mean-2, mean, mean+3, mean, mean-1)
	}
	warmup, ok := MSER5(series)
	require.Equal(t, 10, warmup)
	require.True(t, ok)
	warmup, _ = MSER5(append(series, 1000, 1000, 1000, 1000)) // no whole batch
	require.Equal(t, 10, warmup)

	constant := make([]float64, 50)
	warmup, ok = MSER5(constant)
	require.Zero(t, warmup)
	require.True(t, ok)
	growing := make([]float64, 100) // it never becomes stationary
	for i := range growing {
		growing[i] = float64(i)
	}
	warmup, ok = MSER5(growing)
	require.Equal(t, 75, warmup, "all but five batches")
	require.False(t, ok)
	for n := range 10 {
		warmup, ok = MSER5(constant[:n])
		require.Zero(t, warmup)
		require.False(t, ok)
	}
}

func TestMSER5FindsTheEndOfATransient(t *testing.T) {
	models, _ := rng.RunSeeds(3)
	for id := range uint64(20) {
		s := rng.NewSeeder(models).Stream(id)
		series := make([]float64, 2000)
		for i := range series {
			series[i] = s.Normal01()
			if i < 300 {
				series[i] += 8
			}
		}
		warmup, ok := MSER5(series)
		require.True(t, ok)
		require.InDelta(t, 300, warmup, 60)
		require.GreaterOrEqual(t, warmup, 300)
	}
}

func TestWelchAveragesOverRunsAndThenOverAWindow(t *testing.T) {
	runs := [][]float64{{1, 2, 3, 4, 5, 6}, {3, 4, 5, 6, 7, 14, 99}}
	require.Equal(t, []float64{2, 3, 4, 5, 6, 10}, Welch(runs, 0))
	require.Equal(t, []float64{2, 3, 4, 5, 7}, Welch(runs, 1))
	require.Equal(t, []float64{2, 3, 4, 5, 6, 10}, Welch(runs, -3))
	require.Equal(t, []float64{2, 3, 4}, Welch(runs, 3))
	require.Empty(t, Welch(runs, 6))
	require.Empty(t, Welch(nil, 2))
}

func TestBatchMeansByHand(t *testing.T) {
	b, err := BatchMeans([]float64{99, 1, 3, 5, 7, 3, 3}, 3, 0.9) // 99 is left out
	require.NoError(t, err)
	require.Equal(t, MeanInterval([]float64{2, 6, 3}, 0.9), b.Interval)
	require.Equal(t, 2, b.Size)
	mean := 11.0 / 3
	products := (2-mean)*(6-mean) + (6-mean)*(3-mean)
	squares := (2-mean)*(2-mean) + (6-mean)*(6-mean) + (3-mean)*(3-mean)
	require.InDelta(t, products/squares, b.Lag1, 1e-15)
	require.False(t, b.Correlated())
	b, err = BatchMeans([]float64{5, 5, 5, 5}, 2, 0.9)
	require.NoError(t, err)
	require.Zero(t, b.Lag1)

	for _, c := range []struct {
		observations, batches int
		confidence            float64
		want                  string
	}{
		{9, 1, 0.9, "ross: batch means: 1 batches: give 2 or more"},
		{9, -1, 0.9, "ross: batch means: -1 batches: give 2 or more"},
		{9, 10, 0.9, "ross: batch means: 9 observations for 10 batches: give a longer series"},
		{9, 3, 1, "ross: batch means: the confidence is 1: give a number between 0 and 1, such as 0.95"},
	} {
		_, err := BatchMeans(make([]float64, c.observations), c.batches, c.confidence)
		require.EqualError(t, err, c.want)
	}
}

// A series in which each observation is 0.9 times the one before and a normal number: its intervals
// cover the mean at the nominal rate if the batches are long, and not if they are short.
func TestBatchMeansOfADependentSeries(t *testing.T) {
	testlevel.Once(t, "what one goroutine computes")
	models, _ := rng.RunSeeds(4)
	const series = 400
	covered, told := map[int]int{}, map[int]int{}
	for id := range uint64(series) {
		s := rng.NewSeeder(models).Stream(id)
		x, all := 0.0, make([]float64, 0, 6000)
		for range 6100 {
			x = 0.9*x + s.Normal01()
			all = append(all, x+5)
		}
		for _, batches := range []int{20, 1000} {
			b, err := BatchMeans(all[100:], batches, 0.95)
			require.NoError(t, err)
			if b.Contains(5) {
				covered[batches]++
			}
			if b.Correlated() {
				told[batches]++
			}
		}
	}
	// Three standard deviations of the binomial distribution are 13.
	require.InDelta(t, 0.95*series, covered[20], 13)
	require.InDelta(t, 0.05*series, told[20], 13)
	require.Less(t, covered[1000], 320)
	require.Equal(t, series, told[1000])
}

// numbers returns how many of the values a point uses, taken in in a given order.
func numbers(t *testing.T, e Experiment, values []float64, order []int) (n int, enough bool) {
	t.Helper()
	e.Name, e.Run = "test", nothing
	set, err := e.withDefaults()
	require.NoError(t, err)
	s := &series{early: map[uint64]Responses{}}
	for _, i := range order {
		s.add(set, uint64(i), Responses{"x": values[i]})
	}
	return len(s.prefix), s.decided && s.met
}

func upTo(n int) (order []int) {
	for i := range n {
		order = append(order, i)
	}
	return order
}

func TestReplicationsUntilAnIntervalIsNarrow(t *testing.T) {
	// Half widths of 0, 2, 0, 2, ... at 95 % around 1: 2.484 with three values, then
	// 1.837, 1.360, 1.150, 0.989, 0.894, 0.813, 0.754, 0.701, 0.664. The mean of an even number is 1.
	values := make([]float64, 200)
	for i := range values {
		values[i] = float64(i % 2 * 2)
	}
	absolute := func(half float64) []Precision { return []Precision{{Response: "x", Absolute: half}} }
	for _, c := range []struct {
		e      Experiment
		n      int
		enough bool
	}{
		{Experiment{Replications: 7}, 7, true},
		{Experiment{}, 10, true},
		{Experiment{Until: absolute(1.2), Replications: 3, LookAhead: -1}, 6, true},
		{Experiment{Until: absolute(1.2), Replications: 3}, 11, true},
		{Experiment{Until: absolute(1.2), Replications: 3, LookAhead: 2}, 8, true},
		{Experiment{Until: absolute(1.2), Replications: 8, LookAhead: 2}, 10, true},
		{Experiment{Until: absolute(1.2)}, 15, true},
		{Experiment{Until: absolute(1.2), Replications: 3, MaxReplications: 7}, 7, true},
		{Experiment{Until: absolute(1.2), Replications: 3, MaxReplications: 5}, 5, false},
		{Experiment{Until: []Precision{{Response: "x", Absolute: 2}, {Response: "x", Relative: 0.72}}, Replications: 3,
			LookAhead: -1}, 12, true},
		{Experiment{Until: []Precision{{Response: "x", Absolute: 1.2, Relative: 0.1}}, Replications: 3, LookAhead: -1}, 6,
			true},
		{Experiment{Until: absolute(1e-9), MaxReplications: 150}, 150, false},
		// Reached at 117, where the look-ahead of 4 % is 5.
		{Experiment{Until: absolute(0.1842), LookAhead: 4}, 122, true},
	} {
		n, enough := numbers(t, c.e, values, upTo(len(values)))
		require.Equal(t, c.n, n, "%+v", c.e)
		require.Equal(t, c.enough, enough, "%+v", c.e)
	}
	// A precision reached by chance does not hold in the look-ahead.
	lucky := append([]float64{1, 1.01, 0.99, 1}, values...)
	n, enough := numbers(t, Experiment{Until: absolute(0.5), Replications: 3, LookAhead: 3}, lucky, upTo(100))
	require.True(t, enough)
	require.Greater(t, n, 10)
	n, _ = numbers(t, Experiment{Until: absolute(0.5), Replications: 3, LookAhead: -1}, lucky, upTo(100))
	require.Equal(t, 3, n)
}

func TestTheDecisionDoesNotDependOnTheOrderInWhichReplicationsEnd(t *testing.T) {
	values := make([]float64, 60)
	for i := range values {
		values[i] = float64(i * i % 7)
	}
	e := Experiment{Until: []Precision{{Response: "x", Relative: 0.3}}, Replications: 3}
	want, enough := numbers(t, e, values, upTo(60))
	require.True(t, enough)
	require.Less(t, want, 60)
	order := upTo(60)
	for step := range 60 {
		if step%2 == 1 && step%3 != 0 && step%5 != 0 { // it has no common divisor with 60
			for i := range order {
				order[i] = i * step % 60
			}
			got, enough := numbers(t, e, values, order)
			require.True(t, enough)
			require.Equal(t, want, got)
		}
	}
}

// The rows are those of the table that every textbook has (NIST/SEMATECH e-Handbook, 1.3.6.7.2).
func TestQuantilesAreThoseOfTheTables(t *testing.T) {
	columns := []float64{0.90, 0.95, 0.975, 0.99, 0.995, 0.999}
	for degrees, row := range map[float64][]float64{
		1: {3.078, 6.314, 12.706, 31.821, 63.657, 318.309}, 2: {1.886, 2.920, 4.303, 6.965, 9.925, 22.327},
		3: {1.638, 2.353, 3.182, 4.541, 5.841, 10.215}, 4: {1.533, 2.132, 2.776, 3.747, 4.604, 7.173},
		5: {1.476, 2.015, 2.571, 3.365, 4.032, 5.893}, 9: {1.383, 1.833, 2.262, 2.821, 3.250, 4.297},
		10: {1.372, 1.812, 2.228, 2.764, 3.169, 4.144}, 19: {1.328, 1.729, 2.093, 2.539, 2.861, 3.579},
		30: {1.310, 1.697, 2.042, 2.457, 2.750, 3.385}, 60: {1.296, 1.671, 2.000, 2.390, 2.660, 3.232},
		100: {1.290, 1.660, 1.984, 2.364, 2.626, 3.174}, math.Inf(1): {1.282, 1.645, 1.960, 2.326, 2.576, 3.090},
	} {
		for i, want := range row {
			require.InDelta(t, want, StudentT(columns[i], degrees), 0.00051, "p %g, %g degrees", columns[i], degrees)
			require.InDelta(t, -want, StudentT(1-columns[i], degrees), 0.00051)
		}
	}
}

// With 1, 2 and 4 degrees the quantile has a closed form.
func TestQuantilesAreExactWhereAFormulaExists(t *testing.T) {
	for _, p := range []float64{0.50001, 0.6, 0.75, 0.9, 0.975, 0.999, 1 - 1e-6, 1 - 1e-9} {
		q := 1 - p // as the code has it, rounded
		require.InEpsilon(t, 1/math.Tan(math.Pi*q), StudentT(p, 1), 1e-10, "%g", p)
		require.InEpsilon(t, (1-2*q)*math.Sqrt(2/(4*q*(1-q))), StudentT(p, 2), 1e-10, "%g", p)
		root := math.Sqrt(4 * q * (1 - q))
		require.InEpsilon(t, 2*math.Sqrt(math.Cos(math.Acos(root)/3)/root-1), StudentT(p, 4), 1e-7, "%g", p)
	}
	require.InEpsilon(t, -3.18309886183791e11, StudentT(1e-12, 1), 1e-12)
	require.InDelta(t, math.Pi*1e-9, StudentT(0.5+1e-9, 1), 1e-9)
}

// The tail is the integral of the density, computed here by Simpson's rule, and the quantile is its
// inverse.
func TestTheTailIsTheIntegralOfTheDensity(t *testing.T) {
	testlevel.Once(t, "what one goroutine computes")
	for _, degrees := range []float64{1, 1.5, 2, 3, 7, 30, 399, 401, 1000, 9999} {
		for _, x := range []float64{0.001, 0.3, 1, 1.96, 4} {
			const steps = 4000
			sum := studentDensity(0, degrees) + studentDensity(x, degrees)
			for i := 1; i < steps; i++ {
				sum += float64(2+2*(i%2)) * studentDensity(x*float64(i)/steps, degrees)
			}
			tail := studentTail(x, degrees)
			require.InDelta(t, 0.5-sum*x/steps/3, tail, 1e-11, "t %g, %g degrees", x, degrees)
			require.InDelta(t, x, StudentT(1-tail, degrees), 1e-9, "t %g, %g degrees", x, degrees)
		}
	}
	for p := 0.55; p < 1; p += 0.05 { // towards the normal distribution
		require.InDelta(t, StudentT(p, math.Inf(1)), StudentT(p, 1e13), 1e-9)
		require.InDelta(t, StudentT(p, manyDegrees), StudentT(p, manyDegrees+1e-6), 1e-10,
			"the series continues the fraction")
	}
}

func TestArgumentsOfQuantilesOutOfRange(t *testing.T) {
	require.Zero(t, StudentT(0.5, 3))
	require.Equal(t, math.Inf(1), StudentT(1, 3))
	require.Equal(t, math.Inf(-1), StudentT(0, 3))
	for _, c := range [][2]float64{{-0.1, 3}, {1.1, 3}, {math.NaN(), 3}, {0.9, 0}, {0.9, -1}, {0.9, math.NaN()}} {
		require.True(t, math.IsNaN(StudentT(c[0], c[1])))
	}
	for _, degrees := range []float64{1e-3, 0.1, 1e300} { // they end
		require.Positive(t, StudentT(0.975, degrees))
	}
}

func TestAResponseThatSomeRunsLackIsThatOfTheOthers(t *testing.T) {
	r, err := design().Do(context.Background())
	require.NoError(t, err)
	require.Equal(t, []string{"sometimes", "x"}, r.Responses)
	var have, other []float64
	for _, i := range []uint64{0, 2, 3, 5, 6} {
		have = append(have, float64(i*2654435761+40503-(i*2654435761+40503)/1000*1000)/7)
		other = append(other, float64(i*2654435761+3*40503-(i*2654435761+3*40503)/1000*1000)/7)
	}
	got, err := r.Interval("sometimes", 0)
	require.NoError(t, err)
	require.Equal(t, MeanInterval(have, 0.95), got)
	for i := range have {
		other[i] -= have[i]
	}
	got, err = r.Difference("sometimes", 0, 2)
	require.NoError(t, err)
	require.Equal(t, MeanInterval(other, 0.95), got)
	require.Contains(t, texts(t, r), "1,1,NaN,")

	e := design()
	e.Partial = false
	_, err = e.Do(context.Background())
	require.ErrorContains(t, err, "return the same in all runs")
}

func TestAPrecisionWithoutANameIsThatOfAllResponses(t *testing.T) {
	e := design()
	e.LookAhead, e.MaxReplications = -1, 500
	e.Until = []Precision{{Relative: 0.2}}
	r, err := e.Do(context.Background())
	require.NoError(t, err)
	for i := range r.Points {
		n, p := r.Points[i].Replications, &r.Points[i]
		require.True(t, p.Enough)
		reached := func(n int) bool {
			var have []float64
			for _, responses := range p.responses[:n] {
				if v, has := responses["sometimes"]; has {
					have = append(have, v)
				}
			}
			x, some := MeanInterval(p.Values("x")[:n], 0.95), MeanInterval(have, 0.95)
			return x.Half <= 0.2*x.Mean && some.Half <= 0.2*some.Mean
		}
		require.True(t, reached(n))
		for least := 7; least < n; least++ {
			require.False(t, reached(least), "%d of %d", least, n)
		}
	}
	require.Equal(t, whole(t, e), texts(t, r))
}

func TestTableAsCSV(t *testing.T) {
	var out strings.Builder
	require.NoError(t, someTable().WriteCSV(&out))
	require.Equal(t, ""+
		"load,n,policy,mixed,fast,level\n"+
		"0.5,1,fifo,1,true,2\n"+
		"0.3333333333333333,20,\"a \"\"b\"\", c\",two,false,2.5\n"+
		"Inf,-3,\u00e9,true,true,3\n", out.String())
	require.ErrorIs(t, someTable().WriteCSV(full{}), errFull)
	require.ErrorIs(t, someTable().WriteText(full{}), errFull)
}

func TestTablesOfResults(t *testing.T) {
	e := Experiment{Name: "test", Points: Grid(Over("scale", 1.0, 2.0), Over("mean", 7)), Replications: 2,
		Run: func(_ context.Context, t *Trial) (Responses, error) {
			return Responses{"x": t.Float("scale") * (1 + float64(t.Replication)), "b": 5}, nil
		}}
	r, err := e.Do(context.Background())
	require.NoError(t, err)
	half := StudentT(0.975, 1) / 2
	require.Equal(t, []string{"scale", "parameter mean", "response", "replications", "mean", "half", "low", "high", "sd",
		"enough"}, r.Summary().Columns)
	rows := r.Summary().Rows
	require.Len(t, rows, 4)
	require.Equal(t, []any{1.0, 7, "b", 2, 5.0, 0.0, 5.0, 5.0, 0.0, true}, rows[0])
	require.Equal(t, []any{1.0, 7, "x", 2, 1.5}, rows[1][:5])
	require.InDelta(t, half, rows[1][5], 1e-12)
	require.InDelta(t, 3-2*half, rows[3][6], 1e-12)
	require.InDelta(t, 3+2*half, rows[3][7], 1e-12)

	d, err := r.Differences(1)
	require.NoError(t, err)
	require.Equal(t, []string{"scale", "mean", "response", "replications", "difference", "half", "low", "high",
		"different"}, d.Columns)
	require.Equal(t, []any{1.0, 7, "b", 2, 0.0, 0.0, 0.0, 0.0, false}, d.Rows[0])
	require.Equal(t, []any{1.0, 7, "x", 2, -1.5}, d.Rows[1][:5])
	require.Len(t, d.Rows, 2)

	require.Equal(t, &Table{
		Columns: []string{"scale", "mean", "replication", "b", "x"},
		Rows:    [][]any{{1.0, 7, 0, 5.0, 1.0}, {1.0, 7, 1, 5.0, 2.0}, {2.0, 7, 0, 5.0, 2.0}, {2.0, 7, 1, 5.0, 4.0}},
	}, r.Replications())
}

func someTable() *Table {
	return &Table{
		Columns: []string{"load", "n", "policy", "mixed", "fast", "level"},
		Rows: [][]any{
			{0.5, 1, "fifo", 1, true, 2},
			{1. / 3, 20, `a "b", c`, "two", false, 2.5},
			{math.Inf(1), -3, "\u00e9", true, true, 3},
		},
	}
}
