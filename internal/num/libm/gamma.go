// This file owns the gamma function.

package libm

import (
	"math"
	"math/bits"
)

// Gamma returns the gamma function of x from 1 to +Inf, and NaN below. Up to 6.5, and mostly up to 12,
// it is tgamma of glibc 2.28 to 2.42; later ones round correctly. The error is at most 5 ulps, and 10
// beyond 12.
func Gamma(x float64) float64 {
	switch {
	case !(x >= 1):
		return math.NaN()
	case x <= 1.5:
		return Exp(lgamma(x))
	case x < 12:
		n := math.Ceil(x - 1.5)
		product, relative := rising(x-n, int(n))
		return float64(float64(Exp(lgamma(x-n))*product) * (1 + relative))
	default:
		return stirling(x)
	}
}

// rising returns the product of x, x+1, ..., x+n-1 and its relative error, where x is from 0.5 to 1.5
// and the largest factor below 16. Products are rounded to 64 bits, those of x87, as in glibc.
func rising(x float64, n int) (product, relative float64) {
	const one = 53 // the exponent of factors, whose bits are then all in an integer
	factor := uint64(math.Ldexp(x, one))
	shift := bits.LeadingZeros64(factor)
	mantissa, exponent := factor<<shift, -one-shift
	for i := 1; i < n; i++ {
		factor += 1 << one
		shift = bits.LeadingZeros64(factor)
		high, low := bits.Mul64(mantissa, factor<<shift)
		exponent += 64 - one - shift
		if high>>63 == 0 {
			high, low, exponent = high<<1|low>>63, low<<1, exponent-1
		}
		mantissa = high
		if low > 1<<63 || low == 1<<63 && high&1 == 1 {
			if mantissa++; mantissa == 0 {
				mantissa, exponent = 1<<63, exponent+1
			}
		}
	}
	rounded := float64(mantissa)
	rest := int64(mantissa) // less 2^64, if that is what it is rounded to
	if rounded < 1<<64 {
		rest = int64(mantissa - uint64(rounded))
	}
	return math.Ldexp(rounded, exponent), float64(rest) / rounded
}

// stirling is the gamma function from 12 on, by Stirling's series for its logarithm.
func stirling(x float64) float64 {
	// In two halves, since the power is too large before the result is.
	half := Pow(x, x/2-0.25)
	series := horner(1/(x*x), -691./360360, 1./1188, -1./1680, 1./1260, -1./360, 1./12) / x
	result := float64(float64(half*Exp(-x))*half) * (math.Sqrt(2*math.Pi) * Exp(series))
	if math.IsNaN(result) {
		return math.Inf(1) // where one factor is 0 and another infinite
	}
	return result
}

// The polynomials of lgamma, from the highest power to the lowest. Those with the letter t hold about
// the minimum at lgammaLeast, where the value is lgammaValue - lgammaRest; each has a third of the
// coefficients.
var (
	lgammaEven = []float64{2.52144565451257326939e-05, 2.20862790713908385557e-04, 1.19270763183362067845e-03,
		7.38555086081402883957e-03, 6.73523010531292681824e-02, 7.72156649015328655494e-02}
	lgammaOdd = []float64{4.48640949618915160150e-05, 1.08011567247583939954e-04, 5.10069792153511336608e-04,
		2.89051383673415629091e-03, 2.05808084325167332806e-02, 3.22467033424113591611e-01}
	lgammaT0 = []float64{3.15632070903625950361e-04, -1.40346469989232843813e-03, 6.10053870246291332635e-03,
		-3.27885410759859649565e-02, 4.83836122723810047042e-01}
	lgammaT1 = []float64{-3.12754168375120860518e-04, 8.81081882437654011382e-04, -3.68452016781138256760e-03,
		1.79706750811820387126e-02, -1.47587722994593911752e-01}
	lgammaT2 = []float64{3.35529192635519073543e-04, -5.38595305356740546715e-04, 2.25964780900612472250e-03,
		-1.03142241298341437450e-02, 6.46249402391333854778e-02}
	lgammaU = []float64{1.33810918536787660377e-02, 2.28963728064692451092e-01, 9.77717527963372745603e-01,
		1.45492250137234768737e+00, 6.32827064025093366517e-01, -7.72156649015328655494e-02}
	lgammaV = []float64{3.21709242282423911810e-03, 1.04222645593369134254e-01, 7.69285150456672783825e-01,
		2.12848976379893395361e+00, 2.45597793713041134822e+00, 1}
)

const (
	lgammaLeast = 1.46163214496836224576e+00
	lgammaValue = -1.21486290535849611461e-01
	lgammaRest  = -3.63867699703950536541e-18
)

// lgamma is the logarithm of the gamma function from 0.5 to 1.5, as fdlibm has it (Sun, 1993). It is
// known by its upper half on which side of 0.7316, 0.9 and 1.2316 x is.
func lgamma(x float64) float64 {
	upper := uint32(math.Float64bits(x) >> 32)
	switch {
	case x == 1:
		return 0
	case upper >= 0x3ff3b4c4:
		return lgammaMinimum(x - lgammaLeast)
	case upper > 0x3feccccc:
		y := x - 1
		return -0.5*y + float64(y*horner(y, lgammaU...))/horner(y, lgammaV...)
	case upper >= 0x3fe76944:
		y := 1 - x
		z := float64(y * y)
		p := float64(y*horner(z, lgammaEven...)) + float64(z*horner(z, lgammaOdd...))
		return p - 0.5*y - Log(x)
	default:
		return lgammaMinimum(x-(lgammaLeast-1)) - Log(x)
	}
}

// lgammaMinimum is lgamma(lgammaLeast + y).
func lgammaMinimum(y float64) float64 {
	z := float64(y * y)
	w := float64(z * y)
	rest := horner(w, lgammaT1...) + float64(y*horner(w, lgammaT2...))
	p := float64(z*horner(w, lgammaT0...)) - (lgammaRest - float64(w*rest))
	return lgammaValue + p
}

// horner returns the polynomial with coefficients from the highest power to the lowest, rounded after
// each multiplication.
func horner(x float64, coefficients ...float64) float64 {
	p := 0.0
	for _, c := range coefficients {
		p = float64(p*x) + c
	}
	return p
}
