// This file owns confidence intervals of means, from independent observations.

package experiment

import (
	"fmt"
	"math"
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

// sums are the number, mean and squared deviations of observations, by the method of Welford.
type sums struct {
	n             int
	mean, squares float64
}

func (s *sums) add(x float64) {
	s.n++
	delta := x - s.mean
	s.mean += delta / float64(s.n)
	s.squares += float64(delta * (x - s.mean))
}

func (s *sums) interval(confidence float64) Interval {
	i := Interval{Mean: s.mean, Half: math.Inf(1), N: s.n, Confidence: confidence}
	if !(confidence > 0 && confidence < 1) {
		i.Half = math.NaN()
	} else if s.n > 1 {
		i.SD = math.Sqrt(s.squares / float64(s.n-1))
		i.Half = upperQuantile((1-confidence)/2, float64(s.n-1)) * i.SD / math.Sqrt(float64(s.n))
	}
	return i
}
