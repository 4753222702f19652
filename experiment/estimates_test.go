// This file owns the tests of intervals, batch means and the warm-up.

package experiment

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testlevel"
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
