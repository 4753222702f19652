// This file owns log(1+x) and exp(x)-1.

package libm

import "math"

// Log1p returns the logarithm of 1+x, which is precise where x is small. It is within 2 ulps, and not
// C's log1p to the last bit, of which glibc has several.
func Log1p(x float64) float64 {
	sum := 1 + x
	if !(x > -1 && x < 0x1p52) {
		return Log(sum) // also NaN, -Inf and +Inf
	}
	if sum == 1 {
		return x
	}
	// What was lost of x in the sum is small, and the derivative of the logarithm is 1/sum.
	lost := x - (sum - 1)
	if x > 1 {
		lost = 1 - (sum - x)
	}
	return Log(sum) + lost/sum
}

// Expm1 returns exp(x)-1, which is precise where x is small. It is within 3 ulps, and not C's expm1 to
// the last bit, of which glibc has several.
func Expm1(x float64) float64 {
	power := Exp(x)
	if !(math.Abs(x) < 1) {
		return power - 1
	}
	// power has an error, but is exactly the exponential function of its logarithm, which is near x: the
	// quotient of power-1 and the logarithm hardly changes between the two (Kahan).
	if power == 1 {
		return x
	}
	return float64((power-1)*x) / Log(power)
}
