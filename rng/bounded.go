// This file owns the distributions over an interval: triangular, beta and PERT, and the truncated normal one.

package rng

import (
	"math"

	"github.com/ross-go/ross/internal/num/libm"
)

// Triangular draws from the triangular distribution on [low, high] with the given mode, in one
// draw. It needs low <= mode <= high, all finite, otherwise it gives NaN. If all three are
// equal, so is the result.
func (s *Stream) Triangular(low, mode, high float64) float64 {
	u := s.Unif()
	if !(low <= mode && mode <= high) || math.IsInf(low, 0) || math.IsInf(high, 0) {
		return math.NaN()
	}
	// In halves, because high-low may overflow.
	rise, fall := mode/2-low/2, high/2-mode/2
	width := rise + fall
	if area := u * width; area < rise {
		return min(mode, low+2*float64(math.Sqrt(area)*math.Sqrt(rise)))
	}
	return max(mode, high-2*float64(math.Sqrt((1-u)*width)*math.Sqrt(fall)))
}

// Beta draws from the beta distribution with shapes a and b, numbers from 0 to 1 with the mean a/(a+b) and the
// variance a*b/((a+b)^2*(a+b+1)). It needs finite shapes above 0 and gives NaN, without a draw, otherwise. It takes
// two draws per try, and on average at most 1.5 tries where both shapes are above 1, and at most 4 otherwise.
//
// The algorithms are BB and BC of Cheng, "Generating beta variates with nonintegral shape parameters", Communications
// of the ACM 21, 1978.
func (s *Stream) Beta(a, b float64) float64 {
	if !(a > 0 && b > 0) || math.IsInf(a, 1) || math.IsInf(b, 1) {
		return math.NaN()
	}
	least, most := min(a, b), max(a, b)
	var odds float64 // of the draw with the shapes least and most
	if least > 1 {
		odds = s.betaLarge(least, most)
	} else {
		odds = s.betaSmall(least, most)
	}
	if a == least {
		return 1 / (1 + 1/odds)
	}
	return 1 / (1 + odds)
}

// betaLarge is algorithm BB, for 1 < a <= b. It returns x/(1-x) for the number x that is drawn. What is a small
// difference of large numbers in the paper is computed with Expm1 and Log1p, and so holds for large shapes.
func (s *Stream) betaLarge(a, b float64) float64 {
	const log4, logFive = 1.3862943611198906, 2.6094379124341003 // logFive is 1 + log 5
	ratio := b / a
	steep := math.Sqrt((1 + (b-2)/a) / (float64(2*b) - 1 - ratio))
	slope := a + 1/steep
	for range maxTries {
		u1, u2 := s.Unif(), s.Unif()
		v := float64(steep * libm.Log(u1/(1-u1)))
		grown := libm.Expm1(v)
		z := float64(float64(u1*u1) * u2)
		r := float64(slope*v) - log4
		if r-float64(a*grown)+logFive >= float64(5*z) || r-float64((a+b)*libm.Log1p(grown/(1+ratio))) >= libm.Log(z) {
			return a / b * libm.Exp(v)
		}
	}
	return a / b
}

// betaSmall is algorithm BC, for a <= 1 and a <= b, as [Stream.betaLarge]. In the paper a is the larger shape.
func (s *Stream) betaSmall(a, b float64) float64 {
	const log4 = 1.3862943611198906
	steep := min(1/a, math.MaxFloat64)
	delta := 1 + b - a
	k1 := float64(delta*(0.0138889+float64(0.0416667*a))) / (b/a - 0.777778)
	k2 := 0.25 + float64((0.5+0.25/delta)*a)
	for range maxTries {
		u1, u2 := s.Unif(), s.Unif()
		log := libm.Log(u1 / (1 - u1))
		v := float64(steep * log)
		y := float64(u1 * u2)
		z := float64(u1 * y)
		if u1 < 0.5 {
			if float64(0.25*u2)+z-y >= k1 {
				continue
			}
		} else if z <= 0.25 {
			return a / b * libm.Exp(-v)
		} else if z >= k2 {
			continue
		}
		// The logarithm of (a+b)/(a+w), with w = b*exp(v), plus v, times a+b.
		var most float64
		if v > -700 {
			most = -float64((a + b) * libm.Log1p(libm.Expm1(-v)/(1+b/a)))
		} else { // Expm1 would overflow
			most = float64((1+b/a)*log) + float64((a+b)*libm.Log(1+b/a))
		}
		if most-log4 >= libm.Log(z) {
			return a / b * libm.Exp(-v)
		}
	}
	return a / b
}

// PERT draws from the PERT distribution on [low, high] with the given mode, which is for times where an expert knows
// the least, the most likely and the greatest. It is a beta distribution with the mean (low+4*mode+high)/6, by one call
// of [Stream.Beta] with the shapes 1+4*(mode-low)/(high-low) and 1+4*(high-mode)/(high-low). It needs
// low <= mode <= high, all finite, and gives NaN, without a draw, otherwise. If all three are equal, so is the result,
// without a draw.
//
// Source: Malcolm, Roseboom, Clark and Fazar, "Application of a technique for research and development program
// evaluation", Operations Research 7, 1959; with these shapes, Vose, "Risk Analysis", 3rd edition, 2008.
func (s *Stream) PERT(low, mode, high float64) float64 {
	if !(low <= mode && mode <= high) || math.IsInf(low, 0) || math.IsInf(high, 0) {
		return math.NaN()
	}
	if low == high {
		return mode
	}
	// In halves, because high-low may overflow.
	rise, fall := mode/2-low/2, high/2-mode/2
	width := rise + fall
	if width == 0 { // the halves of the two least numbers are equal
		return mode
	}
	x := s.Beta(1+4*(rise/width), 1+4*(fall/width))
	return min(max(float64(low*(1-x))+float64(high*x), low), high)
}

// TruncatedNormal draws from the normal distribution with mean mu and standard deviation sd, cut to the numbers in
// [low, high]. Their mean is not mu, unless the bounds are equally far from it. The bounds may be infinite.
// It needs a finite mu, a finite sd > 0, and low <= high that leave some numbers, and gives NaN, without a draw,
// otherwise. If low = high, that is the result, without a draw. It takes two draws per try, and at most 1.6 tries on
// average. Unlike [Stream.Normal01] it keeps no value for the next call.
//
// Source: Robert, "Simulation of truncated normal variables", Statistics and Computing 5, 1995, which rejects from the
// uniform, exponential or normal distribution, whichever is closest. Here the exponential distribution ends at the
// bound, too.
func (s *Stream) TruncatedNormal(mu, sd, low, high float64) float64 {
	switch {
	case !(low <= high && sd > 0 && mu-mu == 0) || math.IsInf(sd, 1) || math.IsInf(low, 1) || math.IsInf(high, -1):
		return math.NaN()
	case low == high:
		return low
	}
	// In halves, because differences may overflow.
	a, b := (low/2-mu/2)/sd*2, (high/2-mu/2)/sd*2
	width := (high/2 - low/2) / sd * 2
	var x float64
	switch {
	case a >= 0:
		x = low + float64(s.normalTail(a, width)*sd)
	case b <= 0:
		x = high - float64(s.normalTail(-b, width)*sd)
	default:
		x = mu + float64(s.normalAround(a, b)*sd)
	}
	return min(max(x, low), high)
}

// normalAround draws a normal number between a and b, a < 0 < b.
func (s *Stream) normalAround(a, b float64) float64 {
	// Where the interval has this width and begins at 0, both ways accept about equally often.
	narrow := b-a < 1.6
	for range maxTries {
		u1, u2 := s.Unif(), s.Unif()
		if narrow {
			if x := a + float64(u1*(b-a)); u2 < libm.Exp(-x*x/2) {
				return x
			}
			continue
		}
		// Both numbers that Box and Muller make of a pair are tried.
		radius, angle := math.Sqrt(-2*libm.Log(u1)), float64(2*math.Pi*u2)
		if x := float64(radius * libm.Sin(angle)); a <= x && x <= b {
			return x
		}
		if x := float64(radius * libm.Cos(angle)); a <= x && x <= b {
			return x
		}
	}
	return 0
}

// normalTail draws how far above a >= 0 a normal number is that lies between a and a+width.
func (s *Stream) normalTail(a, width float64) float64 {
	// The rate that accepts most often is (a+sqrt(a^2+4))/2, which is a+more.
	more := 2 / (a + math.Sqrt(float64(a*a)+4))
	rate := a + more
	share := libm.Expm1(-rate * width) // that of the exponential distribution, negative
	for range maxTries {
		u1, u2 := s.Unif(), s.Unif()
		if width <= more {
			if t := float64(u1 * width); u2 < libm.Exp(-t*(a+t/2)) {
				return t
			}
			continue
		}
		t := -libm.Log1p(float64(u1*share)) / rate
		if d := t - more; u2 < libm.Exp(-d*d/2) {
			return t
		}
	}
	return 0
}
