// This file owns estimates: confidence intervals of means, from independent observations; the method of batch means,
// for one long run; and the warm-up of a run: finding the observations that the empty system at the start biases.

package experiment

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/ross-go/ross/internal/num/statistic"
)

// Interval is an estimate of a mean with its confidence interval, from Mean-Half to Mean+Half.
type Interval struct {
	Mean float64
	// Half is half of the width. It is +Inf for fewer than two observations.
	Half float64
	// SD is the standard deviation of the observations (divided by N-1), not of the mean.
	SD float64
	// N is the number of observations.
	N int
	// Confidence is the probability, such as 0.95, with which the interval covers the true mean if
	// the observations are independent and normally distributed. Means over a run are nearly normal
	// if the run is long.
	Confidence float64
}

// MeanInterval returns the mean of independent observations with its interval by Student's t
// distribution. The confidence must be above 0 and below 1; another one gives NaN for Half.
func MeanInterval(observations []float64, confidence float64) Interval {
	var s sums
	for _, x := range observations {
		s.add(x)
	}
	return s.interval(confidence)
}

// Low returns the lower end.
func (i Interval) Low() float64 { return i.Mean - i.Half }

// High returns the upper end.
func (i Interval) High() float64 { return i.Mean + i.Half }

// Contains reports whether the interval covers x.
func (i Interval) Contains(x float64) bool { return i.Low() <= x && x <= i.High() }

// String returns the mean and half of the width, such as "1.25 ± 0.031".
func (i Interval) String() string { return fmt.Sprintf("%.5g ± %.2g", i.Mean, i.Half) }

// Rounded returns the mean and half of the width as text: half with two digits, and the mean down to the same place.
func (i Interval) Rounded() (mean, half string) {
	_, exponent, _ := strings.Cut(strconv.FormatFloat(i.Half, 'e', 1, 64), "e")
	place, err := strconv.Atoi(exponent)
	if err != nil || i.Half == 0 || place < -6 || max(i.Mean, -i.Mean) >= 1e9 {
		return strconv.FormatFloat(i.Mean, 'g', 5, 64), strconv.FormatFloat(i.Half, 'g', 2, 64)
	}
	decimals := max(1-place, 0)
	return strconv.FormatFloat(i.Mean, 'f', decimals, 64), strconv.FormatFloat(i.Half, 'f', decimals, 64)
}

// sums are the number and the exact sums of observations.
type sums struct {
	n        int
	finite   statistic.Tally
	infinite float64 // sum of those that are not finite
}

func (s *sums) add(x float64) {
	if s.n++; x-x == 0 {
		s.finite.Add(x)
	} else {
		s.infinite += x
	}
}

// mean returns the mean, 0 without observations.
func (s *sums) mean() float64 {
	if s.n == 0 || s.infinite != 0 {
		return s.infinite
	}
	return s.finite.Mean()
}

func (s *sums) interval(confidence float64) Interval {
	i := Interval{Mean: s.mean(), Half: math.Inf(1), N: s.n, Confidence: confidence}
	if !(confidence > 0 && confidence < 1) {
		i.Half = math.NaN()
	} else if s.n > 1 {
		if i.SD = s.finite.StdDev(); s.infinite != 0 {
			i.SD = math.NaN()
		}
		i.Half = upperQuantile((1-confidence)/2, float64(s.n-1)) * (i.SD / math.Sqrt(float64(s.n)))
	}
	return i
}

// Batches is the estimate of a mean by batch means.
type Batches struct {
	Interval // N is the number of batches
	// Size is the number of observations in a batch.
	Size int
	// Lag1 is the correlation of neighbouring batch means, -1 to 1.
	Lag1 float64
}

// Correlated reports whether the batch means are more correlated than means of independent batches are
// in 19 of 20 cases. The interval is then too narrow: make the batches longer.
func (b Batches) Correlated() bool { return b.Lag1 > 1.645/math.Sqrt(float64(b.N)) }

// BatchMeans estimates the mean of one long series, whose observations depend on each other, by the
// means of batches of equal length, which hardly do if they are long enough. It divides the series into
// the given number of batches, 2 or more; 10 to 30 are usual. The first observations are left out if the
// series is not a multiple of it. Leave out the warm-up before (see [MSER5]).
func BatchMeans(series []float64, batches int, confidence float64) (Batches, error) {
	size := 0
	if batches > 0 {
		size = len(series) / batches
	}
	switch {
	case batches < 2:
		return Batches{}, fmt.Errorf("ross: batch means: %d batches: give 2 or more", batches)
	case size == 0:
		return Batches{}, fmt.Errorf("ross: batch means: %d observations for %d batches: give a longer series", len(series),
			batches)
	case !(confidence > 0 && confidence < 1):
		return Batches{}, fmt.Errorf("ross: batch means: the confidence is %g: give a number between 0 and 1, such as 0.95",
			confidence)
	}
	series = series[len(series)-batches*size:]
	means := make([]float64, batches)
	for i := range means {
		var s sums
		for _, x := range series[i*size : (i+1)*size] {
			s.add(x)
		}
		means[i] = s.mean()
	}
	b := Batches{Interval: MeanInterval(means, confidence), Size: size}
	products, squares := 0.0, 0.0
	for i, x := range means {
		squares += (x - b.Mean) * (x - b.Mean)
		if i > 0 {
			products += (x - b.Mean) * (means[i-1] - b.Mean)
		}
	}
	if squares > 0 {
		b.Lag1 = products / squares
	}
	return b, nil
}

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
