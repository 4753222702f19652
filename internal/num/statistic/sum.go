// This file owns Sum: exact sums of floating-point numbers, which do not depend on the order
// (Kulisch; Neal, "Fast exact summation using small and large superaccumulators", 2015).

package statistic

import (
	"math"
	"math/big"
	"math/bits"
)

// Sum is the exact sum of finite numbers, and of products of two of them. The zero Sum is 0. It has
// as many digits as the numbers need.
type Sum struct {
	First int     // position of Digit[0]
	Digit []int64 // with base 2^32 and any sign, the least significant first
	adds  int     // since the digits were last reduced
}

const (
	digitBits = 32
	digitMask = 1<<digitBits - 1
	unitBits  = 68 * digitBits // bit 0 counts 2^-unitBits, which is less than the product of the least numbers
	mostAdds  = 1 << 29        // before digits might overflow

	onePosition = unitBits - bias   // of the bit that counts 1 in the integer of a number with exponent 0
	twoPosition = unitBits - 2*bias // of that in a product of numbers with exponents 0
)

// Add adds x, which is finite.
func (s *Sum) Add(x float64) {
	m, e, sign := split(x)
	s.addAt(0, m, e+onePosition, sign)
}

// AddProduct adds x * y, which are finite.
func (s *Sum) AddProduct(x, y float64) {
	mx, ex, sx := split(x)
	my, ey, sy := split(y)
	high, low := bits.Mul64(mx, my)
	s.addAt(high, low, ex+ey+twoPosition, sx^sy)
}

// addTimes adds n * x * y, which are finite.
func (s *Sum) addTimes(n uint64, x, y float64) {
	mx, ex, sx := split(x)
	my, ey, sy := split(y)
	high, low := bits.Mul64(mx, my)
	for i := range 64 {
		if n>>i&1 != 0 {
			s.addAt(high, low, ex+ey+twoPosition+i, sx^sy)
		}
	}
}

// AddUint adds n.
func (s *Sum) AddUint(n uint64) { s.addAt(0, n, unitBits, 0) }

// addAt adds an integer whose bit 0 is at a position, with a sign whose bits are all set, or all clear.
func (s *Sum) addAt(high, low uint64, position int, sign uint64) {
	if high|low == 0 {
		return
	}
	at, by := position/digitBits, uint(position%digitBits)
	size := bits.Len64(low)
	if high != 0 {
		size = 64 + bits.Len64(high)
	}
	end := at + (size+int(by)+digitBits-1)/digitBits
	s.room(at, end)
	v := [...]uint64{low << by, high<<by | low>>(64-by), high >> (64 - by)}
	d := s.Digit[at-s.First : end-s.First]
	for i := range d {
		x := int64(v[i/2] >> (digitBits * uint(i%2)) & digitMask)
		d[i] += (x ^ int64(sign)) - int64(sign)
	}
	if s.adds++; s.adds >= mostAdds {
		s.reduce()
	}
}

// addWords adds a two's complement number whose bit 0 is at a position.
func (s *Sum) addWords(words []uint64, position int) {
	sign := uint64(int64(words[len(words)-1]) >> 63)
	carry := sign & 1
	for i, w := range words {
		w, carry = bits.Add64(w^sign, 0, carry)
		s.addAt(0, w, position+64*i, sign)
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

// reduce brings all digits but the last into the range from 0 to the base, and leaves out what both
// ends can do without. A sum has one such form.
func (s *Sum) reduce() {
	s.adds = 0
	carry := int64(0)
	for i := range s.Digit {
		d := s.Digit[i] + carry
		s.Digit[i], carry = d&digitMask, d>>digitBits
	}
	if carry != 0 {
		s.Digit = append(s.Digit, carry)
	}
	for n := len(s.Digit); n > 0 && s.Digit[n-1] == 0; n = len(s.Digit) {
		s.Digit = s.Digit[:n-1]
	}
	for len(s.Digit) > 0 && s.Digit[0] == 0 {
		s.First, s.Digit = s.First+1, s.Digit[1:]
	}
	for n := len(s.Digit); n > 1 && s.Digit[n-1] == -1; n = len(s.Digit) {
		s.Digit = s.Digit[:n-1]
		s.Digit[n-2] -= 1 << digitBits
	}
}

// Merge adds another sum.
func (s *Sum) Merge(o *Sum) {
	s.reduce()
	if len(o.Digit) == 0 {
		return
	}
	s.room(o.First, o.First+len(o.Digit)+1)
	carry := int64(0)
	to := s.Digit[o.First-s.First:]
	for i, d := range o.Digit {
		d += carry
		to[i] += d & digitMask
		carry = d >> digitBits
	}
	to[len(o.Digit)] += carry
	s.reduce()
}

// Int returns an integer and an exponent: the sum is the integer times a power of two.
func (s *Sum) Int() (z *big.Int, exponent int) {
	z = new(big.Int)
	d := new(big.Int)
	for i := len(s.Digit) - 1; i >= 0; i-- {
		z.Add(z.Lsh(z, digitBits), d.SetInt64(s.Digit[i]))
	}
	return z, digitBits*s.First - unitBits
}

// Value returns the sum, rounded once. It is infinite if it is beyond the largest float64.
func (s *Sum) Value() float64 {
	z, exponent := s.Int()
	return quotient(z, exponent, big.NewInt(1))
}

// Over returns the sum divided by n, rounded once; NaN if n is 0.
func (s *Sum) Over(n uint64) float64 {
	if n == 0 {
		return math.NaN()
	}
	z, exponent := s.Int()
	return quotient(z, exponent, new(big.Int).SetUint64(n))
}

// OverSpan returns the sum divided by until - from and by n, rounded once; NaN if that is 0.
func (s *Sum) OverSpan(until, from float64, n uint64) float64 {
	var span Sum
	span.Add(until)
	span.Add(-from)
	by, of := span.Int()
	if by.Sign() == 0 || n == 0 {
		return math.NaN()
	}
	z, exponent := s.Int()
	return quotient(z, exponent-of, by.Mul(by, new(big.Int).SetUint64(n)))
}

// quotient returns z * 2^exponent / by, rounded once.
func quotient(z *big.Int, exponent int, by *big.Int) float64 {
	x, _ := quotientOf(z, exponent, by).Float64()
	return x
}

// quotientOf returns z * 2^exponent / by with enough bits that rounding it to a float64 gives the
// result of rounding the exact quotient: that is a number halfway between two others, or farther
// from it than these bits show.
func quotientOf(z *big.Int, exponent int, by *big.Int) *big.Float {
	precision := uint(z.BitLen() + by.BitLen() + 64)
	x := new(big.Float).SetPrec(precision).SetInt(z)
	x.Quo(x, new(big.Float).SetPrec(precision).SetInt(by))
	return x.SetMantExp(x, exponent)
}

// varianceOf returns the sample variance of n numbers, 2 or more, with their sum and that of their
// squares.
func varianceOf(n uint64, sum, squares *Sum) *big.Float {
	s, es := sum.Int()
	q, eq := squares.Int()
	count := new(big.Int).SetUint64(n)
	q.Mul(q, count)
	s.Mul(s, s)
	if es *= 2; es < eq {
		q.Lsh(q, uint(eq-es))
	} else {
		s.Lsh(s, uint(es-eq))
	}
	q.Sub(q, s)
	one := new(big.Int).SetUint64(n - 1)
	return quotientOf(q, min(es, eq), one.Mul(one, count))
}

// Variance returns the sample variance of n numbers with their sum and that of their squares, rounded
// once; NaN for less than two numbers. It is infinite if it is beyond the largest float64.
func Variance(n uint64, sum, squares *Sum) float64 {
	if n < 2 {
		return math.NaN()
	}
	v, _ := varianceOf(n, sum, squares).Float64()
	return v
}

// StdDev returns the sample standard deviation of n numbers with their sum and that of their squares;
// NaN for less than two numbers.
func StdDev(n uint64, sum, squares *Sum) float64 {
	if n < 2 {
		return math.NaN()
	}
	v := varianceOf(n, sum, squares)
	d, _ := v.Sqrt(v).Float64()
	return d
}
