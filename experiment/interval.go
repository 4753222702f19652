// This file owns confidence intervals of means, from independent observations.

package experiment

import (
	"fmt"
	"math"

	"github.com/ross-go/ross/internal/statistic"
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
