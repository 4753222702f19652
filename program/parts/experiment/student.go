// This file owns Student's t distribution: its tail and its quantiles. Libraries have them too; these lines keep
// a module of many packages out of programs that use experiments, and have a bound on their error.

package experiment

import "math"

// StudentT returns the quantile p of Student's t distribution: the number that a variable with the
// given degrees of freedom does not exceed with probability p. The degrees must be above 0; +Inf
// means the normal distribution. For p from 1e-9 to 1-1e-9 and at least one degree the error is
// below 1e-9, or 1e-9 of the result if that is more. p = 0 and 1 give -Inf and +Inf; other arguments out of range give
// NaN.
func StudentT(p, degrees float64) float64 {
	switch {
	case !(p >= 0 && p <= 1) || !(degrees > 0):
		return math.NaN()
	case p < 0.5:
		return -upperQuantile(p, degrees)
	case p == 0.5:
		return 0
	}
	return upperQuantile(1-p, degrees)
}

// upperQuantile returns the t that is exceeded with probability q, at most 1/2.
func upperQuantile(q, degrees float64) float64 {
	if q == 0 {
		return math.Inf(1)
	}
	if degrees > manyDegrees {
		return nearlyNormal(q, degrees)
	}
	// Find where the tail falls below q, then halve the bracket or, where that is better, take
	// Newton's step.
	low, high := 0.0, 1.0
	for studentTail(high, degrees) > q && high < math.MaxFloat64/4 {
		low, high = high, 2*high
	}
	t := (low + high) / 2
	for range 200 {
		excess := studentTail(t, degrees) - q
		if excess > 0 {
			low = t
		} else {
			high = t
		}
		next := t + excess/studentDensity(t, degrees)
		if !(next > low && next < high) {
			next = (low + high) / 2
		}
		if math.Abs(next-t) <= 1e-15*next {
			return next
		}
		t = next
	}
	return t
}

// manyDegrees is where the series for many degrees is exact to more digits than the continued
// fraction of the tail.
const manyDegrees = 1e4

// nearlyNormal returns the t that is exceeded with probability q, by a series in 1/degrees (Abramowitz
// and Stegun, 26.7.5).
func nearlyNormal(q, degrees float64) float64 {
	z, r := math.Sqrt2*math.Erfcinv(2*q), 1/degrees
	s := z * z
	return z + z*r*((s+1)/4+r*((3+s*(16+5*s))/96+r*(-15+s*(17+s*(19+3*s)))/384))
}

// studentTail returns the probability that a variable exceeds t, 0 or more. It is half of the
// regularized incomplete beta function I_x(degrees/2, 1/2) at x = degrees/(degrees+t^2).
func studentTail(t, degrees float64) float64 {
	a := degrees / 2
	ratio := t * t / degrees
	if math.IsInf(ratio, 1) {
		// x is 0 to double precision, and its powers come from t alone.
		return math.Exp(degrees*(math.Log(degrees)/2-math.Log(t))) * gammaRatio(a) / (2 * a * math.Sqrt(math.Pi))
	}
	x, y := 1/(1+ratio), ratio/(1+ratio)
	power := math.Exp(-a*math.Log1p(ratio)) * math.Sqrt(y) * gammaRatio(a) / math.Sqrt(math.Pi)
	if x < (a+1)/(a+2.5) {
		return power / a * betaFraction(x, a, 0.5) / 2
	}
	return (1 - power/0.5*betaFraction(y, 0.5, a)) / 2
}

// studentDensity returns the density at t.
func studentDensity(t, degrees float64) float64 {
	return math.Exp(-(degrees+1)/2*math.Log1p(t*t/degrees)) * gammaRatio(degrees/2) / math.Sqrt(degrees*math.Pi)
}

// gammaRatio is Gamma(a+1/2) / Gamma(a). For large a, where the logarithms of both lose digits, it
// is the asymptotic series.
func gammaRatio(a float64) float64 {
	if a > 200 {
		r := 1 / a
		return math.Sqrt(a) * (1 - r/8*(1-r/16*(1+r*5/8*(1-r*21/160))))
	}
	above, _ := math.Lgamma(a + 0.5)
	below, _ := math.Lgamma(a)
	return math.Exp(above - below)
}

// betaFraction is the continued fraction of the incomplete beta function, by the method of Lentz
// (Abramowitz and Stegun, 26.5.8): it converges quickly for x < (a+1)/(a+b+2).
func betaFraction(x, a, b float64) float64 {
	const tiny = 1e-300
	keep := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	c, d := 1.0, 1/keep(1-(a+b)*x/(a+1))
	f := d
	for m := 1.0; m < 10000; m++ {
		step := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		c, d = keep(1+step/c), 1/keep(1+step*d)
		f *= c * d
		step = -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		c, d = keep(1+step/c), 1/keep(1+step*d)
		f *= c * d
		if math.Abs(c*d-1) < 1e-16 {
			break
		}
	}
	return f
}
