// This file owns sine and cosine.

package libm

import "math"

// sinMax is the largest argument of Sin and Cos.
const sinMax = 105414350

// The polynomials of the sine up to 0.126, and of sine and cosine up to 1/256; and what rounds a
// number to a multiple of 1/128 that the lowest bits of the sum hold.
const (
	sinSmall = 0x1.020c49ba5e354p-3

	sinS1 = -0x1.5555555555555p-3
	sinS2 = 0x1.1111111110ecep-7
	sinS3 = -0x1.a01a019db08b8p-13
	sinS4 = 0x1.71de27b9a7ed9p-19
	sinS5 = -0x1.addffc2fcdf59p-26

	sinN3 = -0x1.5555555555515p-3
	sinN5 = 0x1.11110e829872fp-7
	cosN2 = 0.5
	cosN4 = -0x1.5555555555535p-5
	cosN6 = 0x1.6c16bedd9e239p-10

	sinShift = 0x1.8p45
)

// 2/pi, and pi/2 in parts: two whose products with any quadrant are exact, and a third and a
// fourth; and once more as the sum of two numbers.
const (
	quadrants = 0x1.45f306dc9c883p-1

	quadrant1 = 0x1.921fb58p0
	quadrant2 = -0x1.dde973cp-27
	quadrant3 = -0x1.cb3b398p-55
	quadrant4 = -0x1.d747f23e32ed7p-83

	quadrantHigh = 0x1.921fb54442d18p0
	quadrantLow  = 0x1.1a62633145c07p-54
)

// The upper halves of the numbers that separate the cases: 0.855469 and 2.426265, about where the
// table ends and where its end is as far below pi; and 2^-26 and 2^-27, up to which sine and cosine are
// those of 0.
const (
	sinNear  = 0x3feb6000
	sinUpper = 0x400368fd
	sinZero  = 0x3e500000
	cosZero  = 0x3e400000
)

// Sin returns the sine of x (sin in C) from -105414350 to 105414350, and NaN beyond.
func Sin(x float64) float64 {
	switch upper := uint32(math.Float64bits(x)>>32) &^ (1 << 31); {
	case upper < sinZero:
		return x
	case upper < sinNear:
		return sine(x, 0)
	case upper < sinUpper:
		return math.Copysign(cosine(quadrantHigh-math.Abs(x), quadrantLow), x)
	default:
		return sineFrom(x, 0)
	}
}

// Cos returns the cosine of x (cos in C) from -105414350 to 105414350, and NaN beyond.
func Cos(x float64) float64 {
	switch upper := uint32(math.Float64bits(x)>>32) &^ (1 << 31); {
	case upper < cosZero:
		return 1
	case upper < sinNear:
		return cosine(x, 0)
	case upper < sinUpper:
		y := quadrantHigh - math.Abs(x)
		a := y + quadrantLow
		return sine(a, y-a+quadrantLow)
	default:
		return sineFrom(x, 1)
	}
}

// sineFrom is the sine of x plus some quadrants.
func sineFrom(x float64, more uint64) float64 {
	if !(math.Abs(x) <= sinMax) {
		return math.NaN()
	}
	shifted := math.FMA(x, quadrants, expShift)
	n := shifted - expShift
	y := math.FMA(-n, quadrant2, math.FMA(-n, quadrant1, x))
	y3 := math.FMA(-n, quadrant3, y)
	y4 := math.FMA(-n, quadrant4, y3)
	low := math.FMA(-n, quadrant3, y-y3) + math.FMA(-n, quadrant4, y3-y4)
	var result float64
	if more += math.Float64bits(shifted); more&1 == 0 {
		result = sine(y4, low)
	} else {
		result = cosine(y4, low)
	}
	if more&2 != 0 {
		return -result
	}
	return result
}

// sine is the sine of x+low, where |x| is at most 0.86.
func sine(x, low float64) float64 {
	if math.Abs(x) < sinSmall {
		x2 := x * x
		p := math.FMA(math.FMA(math.FMA(math.FMA(x2, sinS5, sinS4), x2, sinS3), x2, sinS2), x2, sinS1)
		return x + math.FMA(x2, math.FMA(p, x, -0.5*low), low)
	}
	if x <= 0 {
		low = -low
	}
	ax := math.Abs(x)
	shifted := ax + sinShift
	at := &sinTable[math.Float64bits(shifted)%128]
	r := ax - (shifted - sinShift)
	r2 := r * r
	s := r + math.FMA(float64(r*r2), math.FMA(r2, sinN5, sinN3), low)
	c := math.FMA(r, low, float64(r2*math.FMA(math.FMA(r2, cosN6, cosN4), r2, cosN2)))
	p := math.FMA(-c, at.sin, math.FMA(s, at.cosLow, at.sinLow))
	return math.Copysign(at.sin+math.FMA(s, at.cos, p), x)
}

// cosine is the cosine of x+low, where |x| is at most 0.86.
func cosine(x, low float64) float64 {
	if x < 0 {
		low = -low
	}
	ax := math.Abs(x)
	shifted := ax + sinShift
	at := &sinTable[math.Float64bits(shifted)%128]
	r := ax - (shifted - sinShift) + low
	r2 := r * r
	s := math.FMA(float64(r*r2), math.FMA(r2, sinN5, sinN3), r)
	c := float64(r2 * math.FMA(math.FMA(r2, cosN6, cosN4), r2, cosN2))
	p := math.FMA(-c, at.cos, math.FMA(-s, at.sinLow, at.cosLow))
	return at.cos + math.FMA(-s, at.sin, p)
}
