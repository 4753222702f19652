// This file owns the functions that distributions need and the standard library lacks, or has with other bits on other
// processors.

package fit

import (
	"math"

	"github.com/ross-go/ross/internal/num/libm"
)

// asymptotic is from where on asymptotic series have all digits.
const asymptotic = 12

// digamma returns the derivative of ln Gamma(x), for x above 0, and trigamma its second one.
func digamma(x float64) float64 {
	sum := 0.0
	for ; x < asymptotic; x++ {
		sum -= 1 / x
	}
	y := 1 / (x * x)
	series := float64(y*(1.0/12)) - float64(float64(y*y)*(1.0/120)) + float64(float64(y*y)*float64(y*(1.0/252))) - float64(
		float64(y*y)*float64(float64(y*y)*(1.0/240)))
	return sum + libm.Log(x) - 0.5/x - series
}

func trigamma(x float64) float64 {
	sum := 0.0
	for ; x < asymptotic; x++ {
		sum += 1 / (x * x)
	}
	y := 1 / (x * x)
	series := 1.0/6 - float64(y*(1.0/30)) + float64(float64(y*y)*(1.0/42)) - float64(float64(y*y)*float64(y*(1.0/30)))
	return sum + 1/x + float64(0.5*y) + float64(y/x)*series
}

// logGamma returns ln Gamma(x) for x above 0.
func logGamma(x float64) float64 {
	product := 1.0
	for ; x < asymptotic; x++ {
		product *= x
	}
	y := 1 / (x * x)
	series := (1.0/12 - float64(y*(1.0/360)) + float64(float64(y*y)*(1.0/1260)) - float64(
		float64(y*y)*float64(y*(1.0/1680)))) / x
	return float64((x-0.5)*libm.Log(x)) - x + float64(0.5*libm.Log(2*math.Pi)) + series - libm.Log(product)
}

// gammaShare returns the part of a gamma distribution with shape a and scale 1 that is at or below x: the regularized
// incomplete gamma function P(a, x).
func gammaShare(a, x float64) float64 {
	share, _ := gammaSteps(a, x)
	return share
}

// From a shape of many on, and as far from the mean as near, relatively, there is a fixed number of terms.
const (
	many = 100
	near = 0.45
	most = 1000 // steps
)

// gammaSteps is gammaShare that also returns the number of its steps: some sqrt(a) below many, and a few dozen beyond.
func gammaSteps(a, x float64) (share float64, steps int) {
	switch {
	case !(x > 0):
		return 0, 0
	case math.IsInf(x, 1):
		return 1, 0
	}
	d := (x - a) / a
	if a >= many && math.Abs(d) <= near {
		return temme(a, d), temmePowers * temmeTerms
	}
	front := math.Exp(a*math.Log(x) - x - logGamma(a))
	switch {
	case front == 0 && x < a:
		return 0, 0
	case front == 0:
		return 1, 0
	case x < a+1: // by the series
		term := 1 / a
		sum := term
		for steps = 1; steps < most && term > sum*1e-17; steps++ {
			term *= x / (a + float64(steps))
			sum += term
		}
		return min(front*sum, 1), steps
	}
	// By the continued fraction of Legendre, and the recurrence of Lentz, as modified by Thompson and Barnett.
	const tiny = 1e-300
	b := x + 1 - a
	c, e := 1/tiny, 1/b
	fraction := e
	for steps = 1; steps < most; steps++ {
		k := float64(steps) * (a - float64(steps))
		b += 2
		if e = k*e + b; math.Abs(e) < tiny {
			e = tiny
		}
		if c = b + k/c; math.Abs(c) < tiny {
			c = tiny
		}
		e = 1 / e
		fraction *= c * e
		if math.Abs(c*e-1) < 1e-16 {
			break
		}
	}
	return max(1-front*fraction, 0), steps
}

// temme returns P(a, x) for a large shape and x = a * (1 + d), by the uniform asymptotic expansion of Temme ("The
// asymptotic expansion of the incomplete gamma functions", SIAM Journal on Mathematical Analysis 10, 1979; NIST Digital
// Library of Mathematical Functions, 8.12).
func temme(a, d float64) float64 {
	// Half of the square of eta is d - ln(1+d), here by the series of ln((1+r)/(1-r)), which loses no digits near 0.
	r := d / (2 + d)
	power, sum := 1.0, 0.0
	for n := 3; n < 40; n += 2 {
		sum += power / float64(n)
		power *= r * r
	}
	half := 2 * r * r * (1/(1-r) - r*sum)
	eta := math.Copysign(math.Sqrt(2*half), d)
	sum = 0
	for k := temmePowers - 1; k >= 0; k-- {
		of := 0.0
		for n := temmeTerms - 1; n >= 0; n-- {
			of = of*eta + temmeFactors[k][n]
		}
		sum = sum/a + of
	}
	rest := math.Exp(-a*half) / math.Sqrt(2*math.Pi*a) * sum
	return min(max(0.5*math.Erfc(-eta*math.Sqrt(a/2))-rest, 0), 1)
}

// The expansion has powers of 1/a, with factors that are power series of eta.
const (
	temmePowers = 8
	temmeTerms  = 24
)

// temmeFactors are the coefficients of the factors: those of the first one are from the power series of x/a by eta, and
// those of each other one from the one before and from the coefficients of Stirling's series.
var temmeFactors = func() (all [temmePowers][temmeTerms]float64) {
	const n = temmeTerms + 2*temmePowers
	var alpha [n + 3]float64 // of x/a - 1
	alpha[1] = 1
	for i := 2; i < len(alpha); i++ {
		alpha[i] = alpha[i-1] / float64(i+1)
		for k := 2; k < i; k++ {
			alpha[i] -= 0.5 * alpha[k] * alpha[i+1-k]
		}
	}
	var first, of [n]float64
	first[0] = -1.0 / 3
	for i := 1; i < n; i++ {
		first[i] = float64(i+2) * alpha[i+2]
	}
	stirling := [temmePowers]float64{1, 1.0 / 12, 1.0 / 288, -139.0 / 51840, -571.0 / 2488320, 163879.0 / 209018880,
		5246819.0 / 75246796800,
		-534703531.0 / 902961561600}
	of = first
	sign := -1.0
	for k := range all {
		copy(all[k][:], of[:])
		if k+1 == temmePowers {
			break
		}
		for i := 0; i+2 < n; i++ { // each entry is read before it is overwritten
			of[i] = float64(i+2)*of[i+2] + sign*stirling[k+1]*first[i]
		}
		sign = -sign
	}
	return all
}()

// normalShare returns the part of the normal distribution with mean 0 and deviation 1 that is at or below x.
func normalShare(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }
