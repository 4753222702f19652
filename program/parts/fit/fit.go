// This file owns Fit, a distribution with the parameters that fit data best, and how these are found.

package fit

import (
	"fmt"
	"math"

	"github.com/ross-go/ross/internal/num/libm"
	"github.com/ross-go/ross/rng"
)

// Fit is a distribution that was fitted to data.
type Fit struct {
	Name string // exponential, gamma, lognormal, weibull, normal or uniform
	// Params are the parameters, those of the function of rng.Stream: exponential mean; gamma shape and scale;
	// lognormal mean and sd, of the logarithms; weibull mean and shape; normal mean and sd; uniform low and high.
	Params []Param
	// LogLikelihood is the natural logarithm of the probability density of the data.
	LogLikelihood float64
	// Distance is that of Kolmogorov and Smirnov between the data and the distribution, 0 to 1.
	Distance float64
	// Err says why there are no parameters, for example because the data have negative numbers. Then all other fields but
	// Name are zero, and Draw draws NaN.
	Err error

	draw  func(s *rng.Stream) float64
	share func(x float64) float64
}

// Param is a parameter of a distribution.
type Param struct {
	Name  string
	Value float64
}

// Draw draws a number from a stream. What it draws is undone like every draw. The function of rng.Stream says how many
// draws it makes; a uniform distribution takes one. All LPs may share a Fit.
func (f *Fit) Draw(s *rng.Stream) float64 {
	if f.draw == nil {
		return math.NaN()
	}
	return f.draw(s)
}

// Share returns the part of the distribution that is at or below x, 0 to 1: the distribution function.
func (f *Fit) Share(x float64) float64 {
	if f.share == nil {
		return math.NaN()
	}
	return f.share(x)
}

// sample is what distributions are fitted to.
type sample struct {
	sorted          []float64
	n               float64
	mean, deviation float64 // divided by n, not n-1
	logs            []float64
	logMean, logDev float64 // of the logarithms, if all numbers are above 0
}

func newSample(sorted []float64) *sample {
	s := &sample{sorted: sorted, n: float64(len(sorted))}
	s.mean, s.deviation = moments(sorted)
	if sorted[0] > 0 {
		s.logs = make([]float64, len(sorted))
		for i, x := range sorted {
			s.logs[i] = libm.Log(x)
		}
		s.logMean, s.logDev = moments(s.logs)
	}
	return s
}

// moments returns the mean and the deviation of numbers, in two passes and without overflow.
func moments(all []float64) (mean, deviation float64) {
	n := float64(len(all))
	unit := max(math.Abs(all[0]), math.Abs(all[len(all)-1]))
	if unit == 0 {
		return 0, 0
	}
	for _, x := range all {
		mean += x / unit / n
	}
	squares := 0.0
	for _, x := range all {
		d := x/unit - mean
		squares += float64(d*d) / n
	}
	return float64(mean * unit), float64(math.Sqrt(squares) * unit)
}

// refuse returns a Fit without parameters.
func refuse(name, why string) Fit {
	return Fit{Name: name, Err: fmt.Errorf("ross: fit: %s: %s: choose another distribution", name, why)}
}

func (s *sample) exponential() Fit {
	if s.sorted[0] < 0 {
		return refuse("exponential", "the data have numbers below 0")
	}
	mean := s.mean
	return Fit{Name: "exponential", Params: []Param{{"mean", mean}}, LogLikelihood: -float64(s.n * (libm.Log(mean) + 1)),
		draw:  func(r *rng.Stream) float64 { return r.Exponential(mean) },
		share: func(x float64) float64 { return -math.Expm1(-max(x, 0) / mean) }}
}

func (s *sample) normal() Fit {
	mean, sd := s.mean, s.deviation
	return Fit{Name: "normal", Params: []Param{{"mean", mean}, {"sd", sd}}, LogLikelihood: normalLikelihood(s.n, sd),
		draw:  func(r *rng.Stream) float64 { return r.NormalSD(mean, sd) },
		share: func(x float64) float64 { return normalShare((x - mean) / sd) }}
}

// normalLikelihood is that of n numbers with the deviation that they have.
func normalLikelihood(n, sd float64) float64 {
	return -float64(n * (libm.Log(sd) + float64(0.5*libm.Log(2*math.Pi)) + 0.5))
}

func (s *sample) lognormal() Fit {
	if s.logs == nil {
		return refuse("lognormal", "the data have numbers of 0 or less")
	}
	if !(s.logDev > 0) {
		return refuse("lognormal", "the data are nearly all the same")
	}
	mean, sd := s.logMean, s.logDev
	return Fit{Name: "lognormal", Params: []Param{{"mean", mean}, {"sd", sd}},
		LogLikelihood: normalLikelihood(s.n, sd) - float64(s.n*mean),
		draw:          func(r *rng.Stream) float64 { return r.LogNormal(mean, sd) },
		share: func(x float64) float64 {
			if !(x > 0) {
				return 0
			}
			return normalShare((math.Log(x) - mean) / sd)
		}}
}

func (s *sample) uniform() Fit {
	low, high := s.sorted[0], s.sorted[len(s.sorted)-1]
	width := high - low
	if math.IsInf(width, 1) {
		return refuse("uniform", "the data are too far apart")
	}
	return Fit{Name: "uniform", Params: []Param{{"low", low}, {"high", high}},
		LogLikelihood: -float64(s.n * libm.Log(width)),
		draw:          func(r *rng.Stream) float64 { return low + float64(width*r.Unif()) },
		share:         func(x float64) float64 { return min(max((x-low)/width, 0), 1) }}
}

// gamma solves ln k - digamma(k) = ln(mean) - mean of the logarithms, by Newton's method for 1/k, which takes few steps
// from anywhere (Minka, "Estimating a gamma distribution", 2002).
func (s *sample) gamma() Fit {
	if s.logs == nil {
		return refuse("gamma", "the data have numbers of 0 or less")
	}
	gap := libm.Log(s.mean) - s.logMean
	if !(gap > 1e-12) {
		return refuse("gamma", "the data are nearly all the same")
	}
	k := (3 - gap + math.Sqrt(float64((gap-3)*(gap-3))+24*gap)) / (12 * gap)
	for range 100 {
		next := 1 / (1/k + (libm.Log(k)-digamma(k)-gap)/(k-float64(float64(k*k)*trigamma(k))))
		done := math.Abs(next-k) <= 1e-14*k
		if k = next; done {
			break
		}
	}
	scale := s.mean / k
	if !(k > 0 && scale > 0) || math.IsInf(k, 1) || math.IsInf(scale, 1) {
		return refuse("gamma", "the data are too far apart")
	}
	return Fit{Name: "gamma", Params: []Param{{"shape", k}, {"scale", scale}},
		LogLikelihood: float64(s.n * (float64((k-1)*s.logMean) - k - float64(k*libm.Log(scale)) - logGamma(k))),
		draw:          func(r *rng.Stream) float64 { return r.Gamma(k, scale) },
		share:         func(x float64) float64 { return gammaShare(k, x/scale) }}
}

// weibull solves for the shape k: the mean of the logarithms, weighted by x^k, less their mean is 1/k. The difference
// rises with k. Numbers are divided by the greatest, so that no power is too large.
func (s *sample) weibull() Fit {
	if s.logs == nil {
		return refuse("weibull", "the data have numbers of 0 or less")
	}
	top := s.logs[len(s.logs)-1]
	sums := func(k float64) (zero, one, two float64) {
		for _, l := range s.logs {
			l -= top
			w := libm.Exp(float64(k * l))
			zero, one, two = zero+w, one+float64(w*l), two+float64(float64(w*l)*l)
		}
		return zero, one, two
	}
	low, high := 0.0, math.Inf(1)
	k := math.Pi / math.Sqrt(6) / s.logDev
	for range 200 {
		zero, one, two := sums(k)
		weighted := one / zero
		value := weighted - 1/k - (s.logMean - top)
		slope := two/zero - float64(weighted*weighted) + 1/float64(k*k)
		if value < 0 {
			low = k
		} else {
			high = k
		}
		next := k - value/slope
		if !(next > low && next < high) {
			if next = (low + high) / 2; math.IsInf(high, 1) {
				next = 2 * k
			}
		}
		done := math.Abs(next-k) <= 1e-14*k
		if k = next; done {
			break
		}
	}
	zero, _, _ := sums(k)
	logScale := top + libm.Log(zero/s.n)/k
	scale := libm.Exp(logScale)
	mean := float64(scale * libm.Gamma(1+1/k))
	if !(k > 0 && mean > 0) || math.IsInf(k, 1) || math.IsInf(mean, 1) {
		return refuse("weibull", "the data are too far apart or nearly all the same")
	}
	return Fit{Name: "weibull", Params: []Param{{"mean", mean}, {"shape", k}},
		LogLikelihood: float64(s.n * (libm.Log(k) - float64(k*logScale) + float64((k-1)*s.logMean) - 1)),
		draw:          func(r *rng.Stream) float64 { return r.Weibull(mean, k) },
		share: func(x float64) float64 {
			return -math.Expm1(-math.Pow(max(x, 0)/scale, k))
		}}
}
