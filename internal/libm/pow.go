// This file owns powers.

package libm

import "math"

// The polynomial for log(1+r) - r within Pow, whose terms have factors of powA0, and the offset of
// powTable, as in log.go.
const (
	powA0 = -0.5
	powA1 = -0x1.555555555556p-1
	powA2 = 0x1.0000000000006p-1
	powA3 = 0x1.999999959554ep-1
	powA4 = -0x1.555555529a47ap-1
	powA5 = -0x1.2495b9b4845e9p0
	powA6 = 0x1.0002b8b263fc3p0

	powOffset = 0x3fe6955500000000
)

// The biased exponents of y that need no care: from 2^-65, below which the result is near 1, to
// 2^63, from which on it is 1 or not a normal number.
const (
	powTiny = 1023 - 65
	powHuge = 1023 + 63
)

// negative is what makes a result negative, see expRest.
const negative = 128 << 11

// Pow returns x to the power of y (pow in C, with the same special cases as [math.Pow]).
func Pow(x, y float64) float64 {
	bits, sign := math.Float64bits(x), uint64(0)
	if exponent := math.Float64bits(y) >> 52 & 0x7ff; bits-minNormal >= infinity-minNormal ||
		exponent-powTiny >= powHuge-powTiny {
		var result float64
		if bits, sign, result = powOther(x, y); bits == 0 {
			return result
		}
	}

	// The logarithm of x, as a sum of two numbers; compare Log.
	offset := bits - powOffset
	interval := &powTable[offset>>(52-7)%128]
	k := float64(int64(offset) >> 52)
	z := math.Float64frombits(bits - offset&(0xfff<<52))
	r := math.FMA(z, interval.invc, -1)
	whole := math.FMA(k, log2High, interval.logc)
	sum := whole + r
	low := math.FMA(k, log2Low, interval.logctail) + (whole - sum + r)
	ar := powA0 * r
	ar2 := float64(r * ar)
	high := sum + ar2
	low = low + math.FMA(ar, r, -ar2) + (sum - high + ar2)
	p := math.FMA(math.FMA(r, powA6, powA5), ar2, math.FMA(r, powA4, powA3))
	p = math.FMA(ar2, p, math.FMA(r, powA2, powA1))
	low = math.FMA(float64(r*ar2), p, low)
	log := high + low
	low = high - log + low

	// The exponential function of its product with y; compare Exp.
	e := float64(y * log)
	eLow := math.FMA(y, low, math.FMA(y, log, -e))
	exponent := math.Float64bits(e) >> 52 & 0x7ff
	if exponent-expTiny >= expLarge-expTiny {
		return powFar(e, eLow, sign)
	}
	shifted := math.FMA(e, expInverse, expShift)
	k = shifted - expShift
	r = math.FMA(k, expLow, math.FMA(k, expHigh, e)) + eLow
	power := &expTable[math.Float64bits(shifted)%128]
	scale := math.Float64frombits(power.scale + (math.Float64bits(shifted)+sign)<<(52-7))
	r2 := r * r
	p = math.FMA(math.FMA(r, expC3, expC2), r2, power.tail+r)
	p = math.FMA(math.FMA(r, expC5, expC4), float64(r2*r2), p)
	return math.FMA(p, scale, scale)
}

// powFar is the rest of Pow where the result is near 1, or may not be a normal number.
func powFar(e, eLow float64, sign uint64) float64 {
	one := 1.0
	if sign != 0 {
		one = -1
	}
	switch exponent := math.Float64bits(e) >> 52 & 0x7ff; {
	case exponent < expTiny:
		return one * (1 + e)
	case exponent >= expHuge:
		return one * beyond(e)
	}
	shifted := math.FMA(e, expInverse, expShift)
	k := shifted - expShift
	r := math.FMA(k, expLow, math.FMA(k, expHigh, e)) + eLow
	return expRest(r, math.Float64bits(shifted), sign)
}

// powOther returns the bits of |x|, if subnormal with an exponent that fits none, and the sign of the
// result; or 0 and the result.
func powOther(x, y float64) (bits, sign uint64, result float64) {
	ax := math.Abs(x)
	switch {
	case x == 1 || y == 0:
		return 0, 0, 1
	case x != x || y != y:
		return 0, 0, math.NaN()
	case math.IsInf(y, 0):
		switch {
		case ax == 1:
			return 0, 0, 1
		case (ax > 1) == (y > 0):
			return 0, 0, math.Inf(1)
		default:
			return 0, 0, 0
		}
	case x == 0 || math.IsInf(x, 0):
		result = ax
		if y < 0 {
			result = 1 / ax
		}
		if math.Signbit(x) && odd(y) {
			result = -result
		}
		return 0, 0, result
	}
	one := 1.0
	if x < 0 {
		switch {
		case y != math.Trunc(y):
			return 0, 0, math.NaN()
		case odd(y):
			sign, one = negative, -1
		}
	}
	switch ay := math.Abs(y); {
	case ax == 1 || ay < 0x1p-65: // the latter rounds to 1, from whatever side
		return 0, 0, one
	case ay >= 0x1p63:
		if (ax > 1) == (y > 0) {
			return 0, 0, math.Inf(int(one))
		}
		return 0, 0, math.Copysign(0, one)
	}
	bits = math.Float64bits(ax)
	if bits < minNormal {
		bits = math.Float64bits(ax*(1<<52)) - 52<<52
	}
	return bits, sign, 0
}

// odd reports whether y is an odd integer.
func odd(y float64) bool {
	return math.Abs(y) < 1<<53 && int64(y)&1 == 1 && y == math.Trunc(y)
}
