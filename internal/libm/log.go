// This file owns the natural logarithm.

package libm

import "math"

// What Log has beside its table: ln 2 in two parts, of which the first times any exponent is
// exact, and the polynomials for log(1+r) - r, of which the first holds within an interval of the
// table and the second within 1/16 of 1.
const (
	log2High = 0x1.62e42fefa38p-1
	log2Low  = 0x1.ef35793c7673p-45

	logA0 = -0x1.0000000000001p-1
	logA1 = 0x1.555555551305bp-2
	logA2 = -0x1.fffffffeb459p-3
	logA3 = 0x1.999b324f10111p-3
	logA4 = -0x1.55575e506c89fp-3

	logB0  = -0.5
	logB1  = 0x1.5555555555577p-2
	logB2  = -0x1.ffffffffffdcbp-3
	logB3  = 0x1.999999995dd0cp-3
	logB4  = -0x1.55555556745a7p-3
	logB5  = 0x1.24924a344de3p-3
	logB6  = -0x1.fffffa4423d65p-4
	logB7  = 0x1.c7184282ad6cap-4
	logB8  = -0x1.999eb43b068ffp-4
	logB9  = 0x1.78182f7afd085p-4
	logB10 = -0x1.5521375d145cdp-4
)

// The intervals of logTable divide the octave from logOffset, about 0.69, so that 1 is within one
// and a number near 1 has the exponent 0. From nearLow to nearHigh, where the logarithm is small,
// logNear is needed.
const (
	logOffset = 0x3fe6000000000000
	nearLow   = 0x3fee000000000000 // 1 - 1/16
	nearHigh  = 0x3ff1090000000000 // 1 + 1/16 + 9/4096
)

// Log returns the natural logarithm of x (log in C): -Inf for 0, NaN if x is negative.
func Log(x float64) float64 {
	bits := math.Float64bits(x)
	if bits-nearLow < nearHigh-nearLow {
		return logNear(x)
	}
	if bits-minNormal >= infinity-minNormal {
		if bits, x = logOther(x); bits == 0 {
			return x
		}
	}
	// x = 2^k z, and z invc = 1+r, where |r| < 1/128: log x = k ln 2 - log invc + log(1+r).
	offset := bits - logOffset
	interval := &logTable[offset>>(52-7)%128]
	k := float64(int64(offset) >> 52)
	z := math.Float64frombits(bits - offset&(0xfff<<52))
	r := math.FMA(z, interval.invc, -1)
	whole := math.FMA(k, log2High, interval.logc)
	high := whole + r
	low := math.FMA(k, log2Low, whole-high+r)
	r2 := r * r
	p := math.FMA(math.FMA(r, logA4, logA3), r2, math.FMA(r, logA2, logA1))
	return math.FMA(float64(r*r2), p, math.FMA(r2, logA0, low)) + high
}

// logNear is Log near 1, where r = x-1 is exact. The square of r is taken of its upper half, whose
// square is exact.
func logNear(x float64) float64 {
	r := x - 1
	r2 := r * r
	r3 := float64(r * r2)
	p := math.FMA(r2, logB9, math.FMA(r, logB8, logB7))
	p = math.FMA(r3, logB10, p)
	p = math.FMA(p, r3, math.FMA(r2, logB6, math.FMA(r, logB5, logB4)))
	p = math.FMA(p, r3, math.FMA(r2, logB3, math.FMA(r, logB2, logB1)))
	upper := math.FMA(-(1 << 27), r, math.FMA(1<<27, r, r))
	square := float64(upper * upper)
	high := math.FMA(square, logB0, r)
	low := math.FMA(square, logB0, r-high)
	low = math.FMA(logB0*(r-upper), r+upper, low)
	return math.FMA(p, r3, low) + high
}

// logOther returns the bits of a subnormal x with an exponent that fits none, or 0 and the result.
func logOther(x float64) (uint64, float64) {
	switch {
	case x == 0:
		return 0, math.Inf(-1)
	case !(x > 0):
		return 0, math.NaN()
	case math.IsInf(x, 1):
		return 0, x
	default:
		return math.Float64bits(x*(1<<52)) - 52<<52, x
	}
}
