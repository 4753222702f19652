// This file owns the comparison with results of many digits, which package math/big computes.

package libm

import (
	"math"
	"math/big"
	"testing"

	"github.com/ross-go/ross/internal/testlevel"
)

// digits is the precision of the references, in bits.
const digits = 160

func number(x float64) *big.Float           { return new(big.Float).SetPrec(digits).SetFloat64(x) }
func times(a, b *big.Float) *big.Float      { return new(big.Float).SetPrec(digits).Mul(a, b) }
func quotient(a, b *big.Float) *big.Float   { return new(big.Float).SetPrec(digits).Quo(a, b) }
func plus(a, b *big.Float) *big.Float       { return new(big.Float).SetPrec(digits).Add(a, b) }
func minus(a, b *big.Float) *big.Float      { return new(big.Float).SetPrec(digits).Sub(a, b) }
func power2(x *big.Float, n int) *big.Float { return new(big.Float).SetMantExp(x, n) }

// series adds terms until they are too small to matter, where next makes the n-th of the one before.
func series(first *big.Float, next func(term *big.Float, n int) *big.Float) *big.Float {
	sum := new(big.Float).SetPrec(digits).Set(first)
	for n, term := 1, first; term.Sign() != 0 && sum.MantExp(nil)-term.MantExp(nil) < digits; n++ {
		term = next(term, n)
		sum = plus(sum, term)
	}
	return sum
}

// bigLog is the logarithm: m 2^e, where m is near 1, and the series of the inverse hyperbolic tangent.
func bigLog(x *big.Float) *big.Float {
	m := new(big.Float)
	e := x.MantExp(m)
	if f, _ := m.Float64(); f < math.Sqrt2/2 {
		m, e = power2(m, 1), e-1
	}
	return plus(bigAtanh(m), times(number(float64(e)), ln2))
}

func bigAtanh(m *big.Float) *big.Float {
	z := quotient(minus(m, number(1)), plus(m, number(1)))
	square, odd := times(z, z), z
	sum := number(0)
	for n := 1; odd.Sign() != 0 && (n < 3 || sum.MantExp(nil)-odd.MantExp(nil) < digits); n += 2 {
		sum = plus(sum, quotient(odd, number(float64(n))))
		odd = times(odd, square)
	}
	return power2(sum, 1)
}

var ln2 = bigAtanh(number(2))

// bigExp is the exponential function: the series of x less a multiple of ln 2, divided by 2^8.
func bigExp(x *big.Float) *big.Float {
	f, _ := quotient(x, ln2).Float64()
	n := math.Round(f)
	r := power2(minus(x, times(number(n), ln2)), -8)
	sum := series(number(1), func(term *big.Float, n int) *big.Float { return quotient(times(term, r), number(float64(n))) })
	for range 8 {
		sum = times(sum, sum)
	}
	return power2(sum, int(n))
}

// bigSin is the sine of x up to about 7: the series, with precision to spare.
func bigSin(x *big.Float) *big.Float {
	square := times(x, x)
	return series(x, func(term *big.Float, n int) *big.Float {
		return quotient(times(term, square), number(float64(-2*n*(2*n+1))))
	})
}

func bigCos(x *big.Float) *big.Float {
	square := times(x, x)
	return series(number(1), func(term *big.Float, n int) *big.Float {
		return quotient(times(term, square), number(float64(-2*n*(2*n-1))))
	})
}

// bigGamma is the gamma function: Stirling's series at x+60, divided by the factors in between.
func bigGamma(x *big.Float) *big.Float {
	product := number(1)
	for range 60 {
		product, x = times(product, x), plus(x, number(1))
	}
	log := minus(times(minus(x, number(0.5)), bigLog(x)), x)
	log = plus(log, power2(bigLog(times(number(2), bigPi)), -1))
	term := quotient(number(1), x)
	for _, b := range [][2]float64{ // Bernoulli's numbers, by the product with which they stand in the series
		{1, 12}, {-1, 360}, {1, 1260}, {-1, 1680}, {1, 1188}, {-691, 360360}, {1, 156}, {-3617, 122400},
		{43867, 244188}, {-174611, 125400}, {77683, 5796}, {-236364091, 1506960},
	} {
		log = plus(log, quotient(times(term, number(b[0])), number(b[1])))
		term = quotient(term, times(x, x))
	}
	return quotient(bigExp(log), product)
}

var bigPi, _, _ = big.ParseFloat("3.14159265358979323846264338327950288419716939937510582097494459", 10, digits, big.ToNearestEven)

// error in units of the last place of the reference.
func ulps(got float64, want *big.Float) float64 {
	nearest, _ := want.Float64()
	_, e := math.Frexp(nearest)
	diff, _ := power2(minus(number(got), want), 53-max(e, -1021)).Float64()
	return math.Abs(diff)
}

func TestErrorsInTheLastPlace(t *testing.T) {
	r := random(t)
	n := testlevel.Pick([]int{2000}, []int{500}, []int{100})[0]
	wide := func(e int) func() float64 {
		return func() float64 { return math.Ldexp(1+r.Float64(), r.IntN(2*e)-e) }
	}
	sign := func(x float64) float64 { return math.Copysign(x, r.Float64()-0.5) }
	one := number(1)
	for _, c := range []struct {
		name  string
		limit float64
		draw  func() float64
		want  func(*big.Float) *big.Float
	}{
		{"log", 0.52, r.Float64, bigLog},
		{"log", 0.52, wide(1020), bigLog},
		{"log", 0.52, func() float64 { return 0.9375 + r.Float64()/8 }, bigLog},
		{"exp", 0.52, func() float64 { return sign(wide(9)()) }, bigExp},
		{"exp", 0.52, func() float64 { return 1400 * (r.Float64() - 0.5) }, bigExp},
		{"exp", 0.52, func() float64 { return -708 - 37*r.Float64() }, bigExp},
		{"sin", 0.56, func() float64 { return 6.28318530718 * r.Float64() }, bigSin},
		{"sin", 0.56, func() float64 { return sign(math.Ldexp(1+r.Float64(), -r.IntN(30))) }, bigSin},
		{"cos", 0.56, func() float64 { return 6.28318530718 * r.Float64() }, bigCos},
		{"tgamma", 5, func() float64 { return 1 + 5.5*r.Float64() }, bigGamma},
		{"tgamma", 10, func() float64 { return 6.5 + 165*r.Float64() }, bigGamma},
		{"log1p", 2, func() float64 { return sign(math.Ldexp(r.Float64(), -r.IntN(60))) }, func(x *big.Float) *big.Float { return bigLog(plus(one, x)) }},
		{"log1p", 2, wide(60), func(x *big.Float) *big.Float { return bigLog(plus(one, x)) }},
		{"expm1", 3, func() float64 { return sign(math.Ldexp(r.Float64(), 5-r.IntN(60))) }, func(x *big.Float) *big.Float { return minus(bigExp(x), one) }},
	} {
		worst, at := 0.0, 0.0
		for range n {
			x := c.draw()
			if e := ulps(unary[c.name](x), c.want(number(x))); !(e <= worst) {
				worst, at = e, x
			}
		}
		if t.Logf("%s: %.4f at %v", c.name, worst, at); !(worst <= c.limit) {
			t.Errorf("%s(%v = %x) is off by %v units in the last place", c.name, at, at, worst)
		}
	}
	for range n {
		x := wide(8)()
		y := sign(700*r.Float64()) / math.Abs(math.Log(x))
		if e := ulps(Pow(x, y), bigExp(times(number(y), bigLog(number(x))))); !(e <= 0.53) {
			t.Errorf("pow(%v, %v) is off by %v units in the last place", x, y, e)
		}
	}
}
