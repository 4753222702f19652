// This file owns the distributions over the real numbers, except the normal ones.

package rng

import (
	"math"

	"github.com/ross-go/ross/internal/libm"
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
