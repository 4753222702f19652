// This file owns distributions over the real numbers: those that are drawn by inversion, gamma and Erlang, the normal
// distribution and those built on it, and that of a sample.

package rng

import (
	"fmt"
	"math"
	"slices"

	"github.com/ross-go/ross/internal/num/libm"
)

// Exponential draws from the exponential distribution with the given mean
// (tw_rand_exponential), in one draw. A negative mean gives the mirrored
// distribution, values <= 0; NaN gives NaN. A uniform draw of 0, probability about
// 2^-54, gives +Inf.
func (s *Stream) Exponential(mean float64) float64 {
	return float64(-mean * libm.Log(s.Unif()))
}

// Pareto draws from the Pareto distribution (tw_rand_pareto) in one draw: values are
// at least scale, and exceed x with probability (scale/x)^shape. It needs shape > 0,
// otherwise it gives NaN. ROSS's header has the names of the parameters the other
// way round; the order here is that of its code.
func (s *Stream) Pareto(shape, scale float64) float64 {
	u := s.Unif()
	if !(shape > 0) {
		return math.NaN()
	}
	return scale / libm.Pow(u, 1/shape)
}

// Weibull draws from the Weibull distribution with the given mean and shape
// (tw_rand_weibull), in one draw. It needs shape > 0, otherwise it gives NaN.
func (s *Stream) Weibull(mean, shape float64) float64 {
	u := s.Unif()
	if !(shape > 0) {
		return math.NaN()
	}
	scale := mean / libm.Gamma(1+1/shape)
	return float64(scale * libm.Pow(-libm.Log(u), 1/shape))
}

// Gamma draws from the gamma distribution with shape k and the given scale, mean
// k*scale (tw_rand_gamma). It needs a finite k > 0 and gives NaN, without a draw,
// otherwise. k = 1 takes one draw; any other k takes two draws per try, and at most
// 1.5 tries on average.
func (s *Stream) Gamma(k, scale float64) float64 {
	switch {
	case !(k > 0) || math.IsInf(k, 1):
		return math.NaN()
	case k > 1:
		return float64(scale * s.gammaLarge(k))
	case k < 1:
		return float64(scale * s.gammaSmall(k))
	default:
		return s.Exponential(scale)
	}
}

// gammaLarge is algorithm GB of Cheng, "The generation of gamma variables with
// non-integral shape parameter", Applied Statistics 26, 1977, for k > 1.
func (s *Stream) gammaLarge(k float64) float64 {
	const phi = 4.5
	a := 1 / math.Sqrt(2*k-1)
	b := k - libm.Log(4)
	q := k + 1/a
	d := 1 + libm.Log(phi)
	for range maxTries {
		u1, u2 := s.Unif(), s.Unif()
		v := float64(a * libm.Log(u1/(1-u1)))
		y := float64(k * libm.Exp(v))
		z := float64(float64(u1*u1) * u2)
		w := b + float64(q*v) - y
		if w+d-float64(phi*z) >= 0 || w >= libm.Log(z) {
			return y
		}
	}
	return k
}

// gammaSmall is algorithm GS of Ahrens and Dieter, "Computer methods for sampling
// from gamma, beta, Poisson and binomial distributions", Computing 12, 1974, for
// 0 < k < 1.
func (s *Stream) gammaSmall(k float64) float64 {
	b := (math.E + k) / math.E
	for range maxTries {
		p, u2 := float64(b*s.Unif()), s.Unif()
		if p <= 1 {
			if y := libm.Pow(p, 1/k); u2 <= libm.Exp(-y) {
				return y
			}
		} else if y := -libm.Log((b - p) / k); u2 <= libm.Pow(y, k-1) {
			return y
		}
	}
	return k
}

// erlangBlock is the number of uniform draws that are multiplied before a logarithm is taken.
// No draw but 0 is below 2^-100, so a block's product is a normal number.
const erlangBlock = 8

// Erlang draws the sum of k exponential times, each with mean mean/k, so that the sum has the
// given mean and the variance mean^2/k. It makes k draws. A negative mean gives the mirrored
// distribution, as in [Stream.Exponential]; NaN gives NaN. k = 0 gives NaN without a draw.
func (s *Stream) Erlang(k uint32, mean float64) float64 {
	if k == 0 {
		return math.NaN()
	}
	sum := 0.0
	for left := k; left > 0; {
		product := 1.0
		block := min(left, erlangBlock)
		for range block {
			product *= s.Unif()
		}
		sum -= libm.Log(product)
		left -= block
	}
	return float64(mean / float64(k) * sum)
}

// twoPi has the digits that ROSS has; they are not those of 2*math.Pi.
const twoPi = 6.28318530718

// Normal01 draws from the normal distribution with mean 0 and standard deviation 1
// (tw_rand_normal01) by the method of Box and Muller (1958). Every other call makes
// two uniform draws and keeps a second value, which the next call returns without
// drawing. Count returns how many draws were made; the package documentation says
// what this means for undoing.
func (s *Stream) Normal01() float64 {
	if s.more&hasSpare != 0 {
		value := s.spare
		s.dropSpare()
		return value
	}
	radius := math.Sqrt(-2 * libm.Log(s.Unif()))
	angle := twoPi * s.Unif()
	s.spare, s.spareAt = float64(radius*libm.Cos(angle)), s.count
	s.more |= hasSpare
	return float64(radius * libm.Sin(angle))
}

// NormalSD draws from the normal distribution with mean mu and standard deviation sd
// (tw_rand_normal_sd) by one call of [Stream.Normal01].
func (s *Stream) NormalSD(mu, sd float64) float64 {
	return mu + float64(s.Normal01()*sd)
}

// LogNormal draws a number whose logarithm is normal with mean mean and standard
// deviation sd (tw_rand_lognormal) by one call of [Stream.Normal01].
func (s *Stream) LogNormal(mean, sd float64) float64 {
	return libm.Exp(mean + float64(s.Normal01()*sd))
}

// Empirical draws real numbers that are distributed as a sample: the distribution function is 0 at
// the least and 1 at the greatest number of the sample, and rises linearly by 1/(n-1) from each
// number to the next (Law, "Simulation Modeling and Analysis", the continuous empirical
// distribution). Make it with [NewEmpirical]; the zero value draws NaN. Resample draws the numbers of the
// sample themselves. Package fit reads samples from files, and fits distributions with parameters to them.
//
// Drawing does not change an Empirical. All LPs may share one.
type Empirical struct{ sorted []float64 }

// NewEmpirical returns the distribution of a sample of finite numbers, at least one. It copies them.
func NewEmpirical(sample []float64) (*Empirical, error) {
	if len(sample) == 0 {
		return nil, fmt.Errorf("ross: empirical distribution: the sample is empty: give one number or more")
	}
	for i, x := range sample {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("ross: empirical distribution: number %d of the sample is %g: give finite numbers", i, x)
		}
	}
	sorted := slices.Clone(sample)
	slices.Sort(sorted)
	return &Empirical{sorted}, nil
}

// Draw draws a number from a stream, in one draw.
func (e *Empirical) Draw(s *Stream) float64 {
	return e.Quantile(s.Unif())
}

// Resample draws one of the numbers of the sample, all with the same probability, in one draw. Where the sample has a
// number several times, it is drawn as much more often.
func (e *Empirical) Resample(s *Stream) float64 {
	if len(e.sorted) == 0 {
		s.Unif()
		return math.NaN()
	}
	return Choice(s, e.sorted)
}

// Quantile returns the number that the given share of the distribution does not exceed. A share
// outside 0 to 1 gives NaN.
func (e *Empirical) Quantile(share float64) float64 {
	if !(share >= 0 && share <= 1) || len(e.sorted) == 0 {
		return math.NaN()
	}
	place := share * float64(len(e.sorted)-1)
	i := int(place)
	low := e.sorted[i]
	if i == len(e.sorted)-1 {
		return low
	}
	// Two products, because the difference of the ends may overflow.
	part := place - float64(i)
	return float64(low*(1-part)) + float64(e.sorted[i+1]*part)
}
