// This file owns Length: where the multiples of an interval are, in floating-point numbers.

// Package interval divides virtual time into intervals of one length, and finds the multiples of an interval: the
// next one, and how many are in between.
//
// Interval n is from n times the length on, and before n+1 times the length. A length such as 0.1 is no float64, and
// neither are most of its multiples, so that it depends on how a time was computed which float64 stands for it: 3/10
// is 0.3, and 3*0.1 is 0.30000000000000004. Multiple n is therefore the lesser of two numbers: n times the length as
// a decimal number, rounded once, and n times the float64, rounded once. So neither is before its interval, and what
// is printed is 0.3. What is not computed from whole numbers, such as a sum of many 0.1, may be before it.
package interval

import (
	"math"
	"strconv"
)

// far is the number of an interval from which on multiples are closer together than floats: each float is one.
const far = 1 << 53

// Length is the length of intervals: every, which as a decimal number is whole/parts. parts is a power of 10.
type Length struct{ every, whole, parts float64 }

// mostDigits is the number of digits that a float64 holds. Lengths with more of them were computed, not written.
const (
	mostDigits = 15
	mostPower  = 22 // powers of 10 up to that have a float64
)

// Of returns the intervals of a length, which is finite and above 0. It counts as a decimal number if it has at most
// 15 digits, none of them more than 22 places behind the point.
func Of(every float64) Length {
	whole, power, digits := Decimal(every)
	if digits > mostDigits || power >= 0 || power < -mostPower {
		return Length{every, every, 1}
	}
	parts := 1.0
	for ; power < 0; power++ {
		parts *= 10
	}
	return Length{every, float64(whole), parts}
}

// Decimal returns the decimal number with the fewest digits that stands for x, which is finite and not negative: it is
// whole * 10^power, and whole has that many digits.
func Decimal(x float64) (whole uint64, power, digits int) {
	var room [32]byte
	text := strconv.AppendFloat(room[:0], x, 'e', -1, 64) // d.ddde-dd
	at := 0
	for ; text[at] != 'e'; at++ {
		if text[at] != '.' {
			digits, whole = digits+1, 10*whole+uint64(text[at]-'0')
		}
	}
	for _, c := range text[at+2:] {
		power = 10*power + int(c-'0')
	}
	if text[at+1] == '-' {
		power = -power
	}
	return whole, power - (digits - 1), digits
}

// Times returns the intervals that are k times as long, for a power of 2. Each begins where one of these does.
func (l Length) Times(k float64) Length { return Length{k * l.every, k * l.whole, l.parts} }

// Every returns the length.
func (l Length) Every() float64 { return l.every }

// Begin returns where interval n begins, for a whole number of 0 or more: n times the length. It is +Inf if no float is
// that large.
func (l Length) Begin(n float64) float64 {
	at, up := n*l.every, n*l.whole
	switch {
	case l.parts == 1 || up > math.MaxFloat64:
		return at
	case up < 1<<53: // exactly
		return min(at, up/l.parts)
	}
	q, rest := l.multiple(n)
	return min(at, q+rest)
}

// multiple returns n times the length as a decimal number, and what rounding has taken from it.
func (l Length) multiple(n float64) (q, rest float64) {
	up := n * l.whole
	q = up / l.parts
	return q, (math.FMA(-q, l.parts, up) + math.FMA(n, l.whole, -up)) / l.parts
}

// Within returns where a part of interval n begins, which is at a distance from the beginning of each interval: like
// Begin, the lesser of the sum as a decimal number and that of floats. The distance is less than the length.
func (l Length) Within(n float64, distance Length) float64 {
	at := l.Begin(n) + distance.every
	if n == 0 || n >= far || n*l.whole > math.MaxFloat64 {
		return at
	}
	a, more := l.multiple(n)
	b, rest := distance.multiple(1)
	sum := a + b
	return min(at, sum+(b-(sum-a)+more+rest))
}

// Around returns the interval that a time is in: its number, where it begins, and where the next one does. The time
// is finite and not negative. From 2^53 on, what is returned is a float and the next one.
func (l Length) Around(now float64) (n, begin, end float64) {
	n = math.Floor(now / l.every)
	if n >= far {
		return n, now, math.Nextafter(now, math.Inf(1))
	}
	// The quotient and the products are rounded: n may be off by one, and by some if multiples are hardly farther apart
	// than floats.
	for begin = l.Begin(n); begin > now; begin = l.Begin(n) {
		n--
	}
	for end = l.Begin(n + 1); end <= now; end = l.Begin(n + 1) {
		n, begin = n+1, end
	}
	return n, begin, end
}

// After returns the least multiple of an interval after a time. It is +Inf if no float is that large. now is finite
// and not negative, every is finite and above 0.
func After(now, every float64) float64 {
	_, _, next := Of(every).Around(now)
	return next
}

// UpTo returns how many multiples of an interval follow one of them, up to a time.
func UpTo(now, after, every float64) float64 {
	if now <= after {
		return 0
	}
	l := Of(every)
	n, _, _ := l.Around(now)
	if n >= far {
		return math.Floor((now - after) / every)
	}
	first, _, _ := l.Around(after)
	return n - first
}
