// This file owns the warm-up of a run: finding the observations that the empty system at the start
// biases.

package experiment

import "math"

// mserBatch is the number of observations of a batch of MSER-5.
const mserBatch = 5

// MSER5 returns the number of observations at the beginning of a series that should be left out, by
// MSER-5 (White, Cobb and Spratt, "A comparison of five steady-state truncation heuristics for
// simulation", Winter Simulation Conference 2000). Of the means of each five observations, it leaves
// out those without which the squared standard error of the rest is least. The result is a multiple
// of 5. What does not fill a batch, at the end, has no influence.
//
// ok is false if more than half of the series would have to be left out, or if it has fewer than 10
// observations: the series is then too short to find the warm-up, and warmup is what was found.
func MSER5(series []float64) (warmup int, ok bool) {
	n := len(series) / mserBatch
	if n < 2 {
		return 0, false
	}
	// From the end to the start, so that one pass has the deviations for every cut.
	var rest deviations
	best, least := 0, math.Inf(1)
	for d := n - 1; d >= 0; d-- {
		mean := 0.0
		for _, x := range series[d*mserBatch : (d+1)*mserBatch] {
			mean += x / mserBatch
		}
		rest.add(mean)
		left := float64(rest.n)
		// A handful of batches that happen to be alike would always have the least error.
		if e := rest.squares / (left * left); rest.n >= min(mserBatch, n) && e <= least {
			best, least = d, e
		}
	}
	return best * mserBatch, 2*best <= n
}

// deviations are the number, mean and squared deviations of observations, by the method of Welford.
type deviations struct {
	n             int
	mean, squares float64
}

func (s *deviations) add(x float64) {
	s.n++
	delta := x - s.mean
	s.mean += delta / float64(s.n)
	s.squares += float64(delta * (x - s.mean))
}

// Welch returns the data of Welch's plot, from which the end of the warm-up is read off by eye (Welch,
// "The statistical analysis of simulation results", 1983): the mean over all runs at each index,
// smoothed by a moving average over 2*window+1 indexes, and over 2*i+1 at the indexes i below window.
// The result ends window indexes before the shortest run does. A negative window counts as 0.
func Welch(runs [][]float64, window int) []float64 {
	window = max(window, 0)
	if len(runs) == 0 {
		return nil
	}
	length := len(runs[0])
	for _, run := range runs {
		length = min(length, len(run))
	}
	means := make([]float64, length)
	for i := range means {
		for _, run := range runs {
			means[i] += run[i] / float64(len(runs))
		}
	}
	smooth := make([]float64, max(length-window, 0))
	for i := range smooth {
		w := min(i, window)
		for _, x := range means[i-w : i+w+1] {
			smooth[i] += x
		}
		smooth[i] /= float64(2*w + 1)
	}
	return smooth
}
