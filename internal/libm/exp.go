// This file owns the exponential function.

package libm

import "math"

// What Exp and Pow have beside expTable: 128/ln 2; its reciprocal, negative and in two parts, of
// which the first times any k is exact; the polynomial for exp(r) - 1 - r; and what rounds a
// number to an integer that the lowest bits of the sum hold.
const (
	expInverse = 0x1.71547652b82fep+7
	expHigh    = -0x1.62e42fefap-8
	expLow     = -0x1.cf79abc9e3b3ap-47

	expC2 = 0x1.ffffffffffdbdp-2
	expC3 = 0x1.555555555543cp-3
	expC4 = 0x1.55555cf172b91p-5
	expC5 = 0x1.1111167a4d017p-7

	expShift = 0x1.8p52
)

// The biased exponents of the arguments that need no care: from 2^-54, below which the result is
// 1, to 512, above which it may not be a normal number.
const (
	expTiny  = 1023 - 54
	expLarge = 1023 + 9
	expHuge  = 1023 + 10
)

// Exp returns e to the power of x (exp in C): +Inf where that is too large, 0 where it is too small.
func Exp(x float64) float64 {
	if exponent := uint32(math.Float64bits(x)>>52) & 0x7ff; exponent-expTiny >= expLarge-expTiny {
		switch {
		case exponent < expTiny:
			return 1 + x
		case exponent >= expHuge:
			return beyond(x)
		}
		return expFar(x)
	}
	shifted := math.FMA(x, expInverse, expShift)
	k := shifted - expShift
	bits := math.Float64bits(shifted)
	r := math.FMA(k, expLow, math.FMA(k, expHigh, x))
	power := &expTable[bits%128]
	scale := math.Float64frombits(power.scale + bits<<(52-7))
	r2 := r * r
	p := math.FMA(math.FMA(expC3, r, expC2), r2, power.tail+r)
	p = math.FMA(float64(r2*r2), math.FMA(r, expC5, expC4), p)
	return math.FMA(scale, p, scale)
}

// beyond is Exp where it is neither normal nor subnormal, or x is NaN.
func beyond(x float64) float64 {
	switch {
	case x > 0:
		return math.Inf(1)
	case x < 0:
		return 0
	default:
		return x
	}
}

// expFar is Exp from 512 to 1024, and from -1024 to -512.
func expFar(x float64) float64 {
	shifted := math.FMA(x, expInverse, expShift)
	k := shifted - expShift
	r := math.FMA(k, expLow, math.FMA(k, expHigh, x))
	return expRest(r, math.Float64bits(shifted), 0)
}

// expRest is exp(r) 2^(k/128), where k is in the lower bits of shifted and the result may be too
// large or subnormal. sign is 0, or 128<<11 for a negative result.
func expRest(r float64, shifted, sign uint64) float64 {
	power := &expTable[shifted%128]
	bits := power.scale + (shifted+sign)<<(52-7)
	r2 := r * r
	p := math.FMA(math.FMA(expC3, r, expC2), r2, power.tail+r)
	p = math.FMA(float64(r2*r2), math.FMA(r, expC5, expC4), p)
	if shifted&(1<<31) == 0 { // k > 0
		scale := math.Float64frombits(bits - 1009<<52)
		return 0x1p1009 * math.FMA(scale, p, scale)
	}
	scale := math.Float64frombits(bits + 1022<<52)
	product := float64(scale * p)
	y := scale + product
	if math.Abs(y) < 1 {
		// The result is subnormal: round once, to its last bit, and not before.
		one := math.Copysign(1, y)
		low := scale - y + product
		high := one + y
		low = one - high + y + low
		if y = low + high - one; y == 0 {
			y = math.Copysign(0, scale)
		}
	}
	return 0x1p-1022 * y
}
