// This file owns Sum: exact sums of floating-point numbers, which do not depend on the order
// (Kulisch; Neal, "Fast exact summation using small and large superaccumulators", 2015).

package statistic

import (
	"math"
	"math/big"
)

// Sum is the exact sum of finite numbers. The zero Sum is 0. It has as many digits as the
// numbers need.
type Sum struct {
	First int     // position of Digit[0]
	Digit []int64 // with base 2^32 and any sign, the least significant first
	adds  int     // since the digits were last reduced
}

const (
	digitBits = 32
	digitMask = 1<<digitBits - 1
	unitBits  = 1074    // the last bit of a float64 counts 2^-1074
	mostAdds  = 1 << 29 // before digits might overflow
)

// Add adds x, which is finite.
func (s *Sum) Add(x float64) {
	if x == 0 {
		return
	}
	word := math.Float64bits(x)
	shift := uint(word >> 52 & 0x7ff)
	m := word & (1<<52 - 1)
	if shift > 0 {
		m |= 1 << 52
		shift--
	}
	at, by := int(shift/digitBits), shift%digitBits
	low, high := m<<by, m>>(64-by)
	s.room(at, at+3)
	d := s.Digit[at-s.First : at-s.First+3]
	if x > 0 {
		d[0], d[1], d[2] = d[0]+int64(low&digitMask), d[1]+int64(low>>digitBits), d[2]+int64(high)
	} else {
		d[0], d[1], d[2] = d[0]-int64(low&digitMask), d[1]-int64(low>>digitBits), d[2]-int64(high)
	}
	if s.adds++; s.adds >= mostAdds {
		s.reduce()
	}
}

// AddProduct adds n * x. Both factors and their product are finite.
func (s *Sum) AddProduct(n, x float64) {
	p := n * x
	s.Add(p)
	s.Add(math.FMA(n, x, -p))
}

// addSquares adds the squared distances of the numbers of a Tally from the mean of all (Chan,
// Golub, LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances",
// COMPSTAT 1982).
func (s *Sum) addSquares(t *Tally, mean float64) {
	if t.N > 0 {
		d := t.Mean - mean
		s.Add(t.M2)
		s.AddProduct(float64(t.N), float64(d*d))
	}
}

// room makes digits for the positions from from to end - 1.
func (s *Sum) room(from, end int) {
	if len(s.Digit) == 0 {
		s.First, s.Digit = from, make([]int64, end-from)
		return
	}
	if from < s.First {
		s.Digit = append(make([]int64, s.First-from), s.Digit...)
		s.First = from
	}
	if n := end - s.First - len(s.Digit); n > 0 {
		s.Digit = append(s.Digit, make([]int64, n)...)
	}
}

// reduce brings all digits but the last into the range from 0 to the base.
func (s *Sum) reduce() {
	s.adds = 0
	if len(s.Digit) == 0 {
		return
	}
	carry := int64(0)
	for i := range s.Digit {
		d := s.Digit[i] + carry
		s.Digit[i], carry = d&digitMask, d>>digitBits
	}
	if carry != 0 {
		s.Digit = append(s.Digit, carry)
	}
}

// Merge adds another sum.
func (s *Sum) Merge(o *Sum) {
	o.reduce()
	s.reduce()
	if len(o.Digit) == 0 {
		return
	}
	s.room(o.First, o.First+len(o.Digit))
	for i, d := range o.Digit {
		s.Digit[o.First-s.First+i] += d
	}
	s.reduce()
}

// big returns the sum as a number that holds it exactly.
func (s *Sum) big() *big.Float {
	z := new(big.Int)
	for i := len(s.Digit) - 1; i >= 0; i-- {
		z.Add(z.Lsh(z, digitBits), big.NewInt(s.Digit[i]))
	}
	f := new(big.Float).SetPrec(uint(max(z.BitLen(), 64))).SetInt(z)
	return f.SetMantExp(f, digitBits*s.First-unitBits)
}

// Value returns the sum, rounded once.
func (s *Sum) Value() float64 { return s.Over(1) }

// Over returns the sum divided by n, rounded once; NaN if n is 0.
func (s *Sum) Over(n float64) float64 {
	if n == 0 || math.IsNaN(n) {
		return math.NaN()
	}
	x := s.big()
	if n != 1 {
		d := new(big.Float).SetFloat64(n)
		x = new(big.Float).SetPrec(x.Prec()+128).Quo(x, d)
	}
	v, _ := x.Float64()
	return v
}
