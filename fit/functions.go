// This file owns the functions that distributions need and the standard library lacks, or has with other bits on other
// processors.

package fit

import (
	"math"

	"github.com/ross-go/ross/internal/libm"
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
	series := float64(y*(1.0/12)) - float64(float64(y*y)*(1.0/120)) + float64(float64(y*y)*float64(y*(1.0/252))) - float64(float64(y*y)*float64(float64(y*y)*(1.0/240)))
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
	series := (1.0/12 - float64(y*(1.0/360)) + float64(float64(y*y)*(1.0/1260)) - float64(float64(y*y)*float64(y*(1.0/1680)))) / x
	return float64((x-0.5)*libm.Log(x)) - x + float64(0.5*libm.Log(2*math.Pi)) + series - libm.Log(product)
}

// gammaShare returns the part of a gamma distribution with shape a and scale 1 that is at or below x: the regularized
// incomplete gamma function P(a, x), by its series below the mean and by the continued fraction of Legendre above it.
func gammaShare(a, x float64) float64 {
	if !(x > 0) {
		return 0
	}
	if math.IsInf(x, 1) {
		return 1
	}
	front := math.Exp(a*math.Log(x) - x - logGamma(a))
	const most = 1 << 20
	if x < a+1 {
		term := 1 / a
		sum := term
		for n := 1; n < most && term > sum*1e-17; n++ {
			term *= x / (a + float64(n))
			sum += term
		}
		return min(front*sum, 1)
	}
	// By the recurrence of Lentz, as modified by Thompson and Barnett.
	const tiny = 1e-300
	b := x + 1 - a
	c, d := 1/tiny, 1/b
	fraction := d
	for n := 1; n < most; n++ {
		k := float64(n) * (a - float64(n))
		b += 2
		if d = k*d + b; math.Abs(d) < tiny {
			d = tiny
		}
		if c = b + k/c; math.Abs(c) < tiny {
			c = tiny
		}
		d = 1 / d
		fraction *= c * d
		if math.Abs(c*d-1) < 1e-16 {
			break
		}
	}
	return max(1-front*fraction, 0)
}

// normalShare returns the part of the normal distribution with mean 0 and deviation 1 that is at or below x.
func normalShare(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }
