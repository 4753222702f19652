// This file owns the data of counters, tallies and levels, and their exact sums.

package statistic

import (
	"math"
	"math/bits"
)

// Counter counts.
type Counter struct{ N uint64 }

// Tally summarises numbers without keeping them: with their exact sum and that of their squares.
type Tally struct {
	N               uint64 // numbers
	Least, Greatest float64
	*Exact          // nil without numbers
	_               uint64
}

// Add adds a number.
func (t *Tally) Add(x float64) {
	t.note(x)
	t.Exact.Add(x, x)
}

// note counts a number that is going to be added to the sums, as it is and multiplied by itself.
func (t *Tally) note(x float64) {
	if t.N++; t.N == 1 {
		t.Least, t.Greatest, t.Exact = x, x, new(Exact)
	}
	if x < t.Least {
		t.Least = x
	}
	if x > t.Greatest {
		t.Greatest = x
	}
}

// sums returns the sum of the numbers and that of their squares.
func (t *Tally) sums() *Sums {
	var s Sums
	t.AddTo(&s.One, &s.Two)
	return &s
}

// Mean returns the mean, NaN without numbers.
func (t *Tally) Mean() float64 { return t.sums().One.Over(t.N) }

// Variance returns the sample variance, NaN for less than two numbers.
func (t *Tally) Variance() float64 {
	s := t.sums()
	return Variance(t.N, &s.One, &s.Two)
}

// StdDev returns the sample standard deviation, NaN for less than two numbers.
func (t *Tally) StdDev() float64 {
	s := t.sums()
	return StdDev(t.N, &s.One, &s.Two)
}

// Level is a value that changes at virtual times, such as the length of a queue. Its Exact holds the
// time for which the value was not 0, and the integral, until the last change.
type Level struct {
	Value           float64 // now
	Since           float64 // virtual time of its last change
	Least, Greatest float64 // among values that lasted
	*Exact                  // nil as long as the value is 0
	At              uint64  // 1 + index in Store.Profiles; 0 until the first recording, and unprofiled for none
	_               uint64
}

// move lets virtual time pass until now, apart from the sums. from is the time at which the
// observation begins. It returns since when the value has lasted, and whether time has passed.
func (l *Level) move(now, from float64) (since float64, lasted bool) {
	since = l.Since
	if since < from {
		since = from
	}
	if now > l.Since {
		l.Since = now
	}
	if now <= since {
		return since, false
	}
	v := l.Value
	if v < l.Least || since == from {
		l.Least = v
	}
	if v > l.Greatest || since == from {
		l.Greatest = v
	}
	return since, true
}

// Observed is what a level has come to.
type Observed struct {
	Sums            // the time for which the value was not 0, and the integral
	Least, Greatest float64
}

// Until returns what the level comes to from one virtual time until another, which is not before its
// last change. It is nil if no time has passed.
func (l *Level) Until(until, from float64) *Observed {
	end := *l
	since, lasted := end.move(until, from)
	if end.Since <= from {
		return nil
	}
	o := &Observed{Least: end.Least, Greatest: end.Greatest}
	l.AddTo(&o.One, &o.Two)
	if lasted && l.Value != 0 {
		o.One.Add(until)
		o.One.Add(-since)
		o.Two.AddProduct(l.Value, until)
		o.Two.AddProduct(l.Value, -since)
	}
	return o
}

// Mean returns the average of the value from one virtual time until another, which is not before its
// last change, NaN if no time has passed.
func (l *Level) Mean(until, from float64) float64 {
	o := l.Until(until, from)
	if o == nil || until <= from {
		return math.NaN()
	}
	return o.Two.OverSpan(until, from, 1)
}

// Exact: the exact sums of numbers and of products that the data in a state refer to.
// Most are in a few words; what does not fit there is in a Sum.

// Exact is the exact sum of numbers, and that of their products with other numbers. All are finite.
//
// Each sum is a two's complement number with a fixed unit, a window of the exponents that a float64
// can have. The first number decides where the window is. It moves when a larger number comes; its
// contents then go to the Sums, and numbers below it as well.
type Exact struct {
	one      [2]uint64 // sum of numbers
	two      [4]uint64 // sum of products
	oneLimit int32     // one more than the largest exponent that fits; 0: there is no number yet
	twoLimit int32     // the same for the sum of the exponents of two factors
	more     *Sums     // nil if all is in the words
}

// Sums are what is not in the words of an Exact.
type Sums struct{ One, Two Sum }

// A window has exponents from limit-1-span to limit-1, and as many of them below that of its first
// number. Words have room for many numbers of the greatest exponent.
const (
	oneSpan, twoSpan   = 72, 144
	oneBelow, twoBelow = 40, 80
)

// A number is an integer of 53 bits and a power of 2 whose exponent is biased: m * 2^(e-bias)
// with e >= 1.
const (
	exponents = 0x7ff
	implied   = 1 << 52
	bias      = 1075
)

// split returns the integer, the exponent and the sign, whose bits are all set for a number below 0.
func split(x float64) (m uint64, e int, sign uint64) {
	word := math.Float64bits(x)
	m, e, sign = word&(implied-1), int(word>>52&exponents), uint64(int64(word)>>63)
	if e == 0 {
		return m, 1, sign
	}
	return m | implied, e, sign
}

// Add adds x to the sum of numbers, and x * y to that of products.
func (a *Exact) Add(x, y float64) {
	wx, wy := math.Float64bits(x), math.Float64bits(y)
	ex, ey := uint(wx>>52&exponents), uint(wy>>52&exponents)
	one, two := uint(a.oneLimit)-1-ex, uint(a.twoLimit)-1-(ex+ey)
	if one > oneSpan || two > twoSpan || ey == 0 { // in no window is ex 0
		a.addFar(x, y)
		return
	}
	mx := wx&(implied-1) | implied
	high, low := bits.Mul64(mx, wy&(implied-1)|implied)
	two = twoSpan - two
	if sign := uint64(int64(wx^wy) >> 63); two>>6 == 1 { // as putProduct, which is not inlined
		w, r := &a.two, two&63
		var carry, top uint64
		w[1], carry = bits.Add64(w[1], low<<r^sign, sign&1)
		w[2], carry = bits.Add64(w[2], (high<<r|low>>1>>(63-r))^sign, carry)
		top, _ = bits.Add64(w[3], high>>1>>(63-r)^sign, carry)
		if w[3] = top; (top^top<<1)>>63 != 0 {
			a.emptyProducts()
		}
	} else {
		a.putProduct(high, low, two, sign)
	}
	a.put(mx, oneSpan-one, uint64(int64(wx)>>63))
}

// put adds m * 2^s to the words of the sum of numbers.
func (a *Exact) put(m uint64, s uint, sign uint64) {
	v0, v1 := m<<s, m<<(s-64)|m>>(64-s) // shifts by 64 or more, also those below 0, leave nothing
	low, carry := bits.Add64(a.one[0], v0^sign, sign&1)
	high, _ := bits.Add64(a.one[1], v1^sign, carry)
	a.one[0], a.one[1] = low, high
	if (high^high<<1)>>63 != 0 {
		a.empty()
	}
}

// putProduct adds a number of 106 bits, times 2^s, to the words of the sum of products.
func (a *Exact) putProduct(high, low uint64, s uint, sign uint64) {
	r := s & 63
	v0, v1, v2 := low<<r, high<<r|low>>1>>(63-r), high>>1>>(63-r)
	w := &a.two
	var carry, top uint64
	switch {
	case s >= 128: // v2 is 0
		w[2], carry = bits.Add64(w[2], v0^sign, sign&1)
		top, _ = bits.Add64(w[3], v1^sign, carry)
	case s >= 64:
		w[1], carry = bits.Add64(w[1], v0^sign, sign&1)
		w[2], carry = bits.Add64(w[2], v1^sign, carry)
		top, _ = bits.Add64(w[3], v2^sign, carry)
	default:
		w[0], carry = bits.Add64(w[0], v0^sign, sign&1)
		w[1], carry = bits.Add64(w[1], v1^sign, carry)
		w[2], carry = bits.Add64(w[2], v2^sign, carry)
		top, _ = bits.Add64(w[3], sign, carry)
	}
	if w[3] = top; (top^top<<1)>>63 != 0 {
		a.emptyProducts()
	}
}

// addFar is Add for numbers outside of the windows, and for the first one.
func (a *Exact) addFar(x, y float64) {
	if x == 0 {
		return
	}
	mx, ex, sx := split(x)
	a.addFarOne(mx, ex, sx)
	if y != 0 {
		my, ey, sy := split(y)
		a.addFarTwo(mx, my, ex+ey, sx^sy)
	}
}

// addFarOne adds m * 2^(e-bias) to the sum of numbers.
func (a *Exact) addFarOne(m uint64, e int, sign uint64) {
	if limit := int(a.oneLimit); e >= limit {
		if limit > 0 {
			a.empty()
		}
		a.oneLimit = int32(max(e-oneBelow, 1) + oneSpan + 1)
	}
	first := int(a.oneLimit) - 1 - oneSpan
	if by := first - e; by > 0 && bits.TrailingZeros64(m) >= by {
		m, e = m>>by, first
	}
	if e < first {
		a.others().One.addAt(0, m, e+onePosition, sign)
		return
	}
	a.put(m, uint(e-first), sign)
}

// addFarTwo adds mx * my * 2^(e-2*bias) to the sum of products.
func (a *Exact) addFarTwo(mx, my uint64, e int, sign uint64) {
	if limit := int(a.twoLimit); e >= limit {
		if limit > 0 {
			a.emptyProducts()
		}
		a.twoLimit = int32(max(e-twoBelow, 1) + twoSpan + 1)
	}
	first := int(a.twoLimit) - 1 - twoSpan
	if by := first - e; by > 0 {
		if zx, zy := bits.TrailingZeros64(mx), bits.TrailingZeros64(my); zx+zy >= by {
			zx = min(zx, by)
			mx, my, e = mx>>zx, my>>(by-zx), first
		}
	}
	high, low := bits.Mul64(mx, my)
	if e < first {
		a.others().Two.addAt(high, low, e+twoPosition, sign)
		return
	}
	a.putProduct(high, low, uint(e-first), sign)
}

// others returns the Sums, which it makes if necessary.
func (a *Exact) others() *Sums {
	if a.more == nil {
		a.more = new(Sums)
	}
	return a.more
}

// empty brings the words of the sum of numbers to the Sums.
func (a *Exact) empty() {
	a.others().One.addWords(a.one[:], int(a.oneLimit)-1-oneSpan+onePosition)
	a.one = [2]uint64{}
}

// emptyProducts brings the words of the sum of products to the Sums.
func (a *Exact) emptyProducts() {
	a.others().Two.addWords(a.two[:], int(a.twoLimit)-1-twoSpan+twoPosition)
	a.two = [4]uint64{}
}

// AddTo adds both sums to others. Those of nil are 0.
func (a *Exact) AddTo(one, two *Sum) {
	if a == nil {
		return
	}
	one.addWords(a.one[:], int(a.oneLimit)-1-oneSpan+onePosition)
	two.addWords(a.two[:], int(a.twoLimit)-1-twoSpan+twoPosition)
	if a.more != nil {
		one.Merge(&a.more.One)
		two.Merge(&a.more.Two)
	}
}

// valid reports whether the words are ones that additions can have left.
func (a *Exact) valid() bool {
	for _, high := range [...]uint64{a.one[1], a.two[3]} {
		if (high^high<<1)>>63 != 0 {
			return false
		}
	}
	limits := [...]struct{ limit, span, most int32 }{{a.oneLimit, oneSpan, exponents},
		{a.twoLimit, twoSpan, 2 * exponents}}
	empty := [...]bool{a.one == [2]uint64{}, a.two == [4]uint64{}}
	for i, l := range limits {
		if l.limit == 0 && !empty[i] || l.limit != 0 && (l.limit < l.span+2 || l.limit > l.span+1+l.most) {
			return false
		}
	}
	return true
}
