// This file owns the Zipf distribution.

package rng

import (
	"fmt"
	"math"

	"github.com/ross-go/ross/internal/num/libm"
)

// Zipf draws the integers 1 to n with probabilities proportional to k^-exponent, in constant time
// for any n, by rejection-inversion (Hoermann and Derflinger, "Rejection-inversion to generate
// variates from monotone discrete distributions", ACM Transactions on Modeling and Computer
// Simulation 6, 1996). Make it with [NewZipf]; the zero value draws 1.
//
// Drawing does not change a Zipf. All LPs may share one.
type Zipf struct {
	n        float64
	exponent float64
	// The density x^-exponent covers the mass of each k with its area from k-1/2 to k+1/2. Draws
	// are uniform over the area from first to last, in which the part of k = 1 is cut to its mass.
	first, last float64
	near        float64 // at most this far below k, a draw is accepted without a further look
}

// maxZipf bounds n: up to 2^53 float64 has all integers, with their halves up to 2^52.
const maxZipf = 1 << 52

// NewZipf returns the distribution over 1 to n, where n is 1 to 2^52. The exponent must be 0 or more
// and finite: 0 makes all numbers equally likely.
func NewZipf(n uint64, exponent float64) (*Zipf, error) {
	if n < 1 || n > maxZipf {
		return nil, fmt.Errorf("ross: Zipf distribution: n is %d: give 1 to 2^52", n)
	}
	if !(exponent >= 0) || math.IsInf(exponent, 1) {
		return nil, fmt.Errorf("ross: Zipf distribution: the exponent is %g: give a finite number of 0 or more", exponent)
	}
	z := &Zipf{n: float64(n), exponent: exponent}
	z.first = z.area(1.5) - 1
	z.last = z.area(z.n + 0.5)
	z.near = 2 - z.place(z.area(2.5)-z.density(2))
	return z, nil
}

// Draw draws a number from 1 to n from a stream. It takes one draw per try, and at most 1.1 tries on
// average.
func (z *Zipf) Draw(s *Stream) uint64 {
	if z.n == 0 {
		s.Unif()
		return 1
	}
	for range maxTries {
		area := z.last + float64(s.Unif()*(z.first-z.last))
		x := z.place(area)
		k := min(max(math.Floor(x+0.5), 1), z.n)
		if k-x <= z.near || area >= z.area(k+0.5)-z.density(k) {
			return uint64(k)
		}
	}
	return 1
}

// density is x^-exponent.
func (z *Zipf) density(x float64) float64 { return libm.Exp(-z.exponent * libm.Log(x)) }

// area is the integral of the density from 1 to x: (x^(1-exponent) - 1) / (1-exponent), or the
// logarithm of x if the exponent is 1.
func (z *Zipf) area(x float64) float64 {
	log := libm.Log(x)
	return float64(log * relative((1-z.exponent)*log))
}

// place is the inverse of area.
func (z *Zipf) place(area float64) float64 {
	t := max((1-z.exponent)*area, -1) // below -1 by rounding only
	ratio := 1 - t/2                  // log(1+t)/t near 0
	if math.Abs(t) > 1e-8 {
		ratio = libm.Log1p(t) / t
	}
	return libm.Exp(area * ratio)
}

// relative is (e^x - 1) / x.
func relative(x float64) float64 {
	if math.Abs(x) > 1e-8 {
		return libm.Expm1(x) / x
	}
	return 1 + x/2
}
