// This file owns decimal: exact sums of amounts, as the decimal numbers that stand for them.

package resource

import (
	"math"
	"math/bits"
	"strconv"
	"unsafe"

	"github.com/ross-go/ross/internal/num/interval"
)

// decimal is a number of 0 or more: an integer of 128 bits, below 2^127, times a power of 10. Sums and differences are
// exact as long as they have 38 digits; what does not fit into these is cut off.
type decimal struct {
	high, low uint64
	power     int64 // as wide as the others, so that no byte of a state is without a meaning
}

// decimalOf returns the decimal number with the fewest digits that stands for x, which is finite and not negative.
func decimalOf(x float64) decimal {
	if x < 1<<53 && x == math.Trunc(x) {
		return decimal{low: uint64(x)}
	}
	whole, power, _ := interval.Decimal(x)
	return decimal{low: whole, power: int64(power)}
}

// float returns the float64 next to the number, +Inf if it is too large for one.
func (d decimal) float() float64 {
	if d.high == 0 && d.low < 1<<53 && d.power <= 0 && d.power >= -22 {
		return float64(d.low) / powers[-d.power]
	}
	const part = 1e19 // more than a high below 2^63
	var room [48]byte
	text := room[:0]
	if q, r := bits.Div64(d.high, d.low, part); q > 0 {
		text = strconv.AppendUint(text, q, 10)
		for digits := uint64(part / 10); digits > r && digits > 1; digits /= 10 {
			text = append(text, '0')
		}
		text = strconv.AppendUint(text, r, 10)
	} else {
		text = strconv.AppendUint(text, r, 10)
	}
	text = strconv.AppendInt(append(text, 'e'), d.power, 10)
	x, _ := strconv.ParseFloat(unsafe.String(&text[0], len(text)), 64) // +Inf with its error
	return x
}

// powers are those of 10 that float64 has.
var powers = func() (all [23]float64) {
	all[0] = 1
	for i := range all[1:] {
		all[i+1] = 10 * all[i]
	}
	return all
}()

// isZero reports whether the number is 0, which may have any power.
func (d decimal) isZero() bool { return d.high|d.low == 0 }

// shrink cuts off the last digit.
func (d decimal) shrink() decimal {
	var q decimal
	var rest uint64
	q.high, rest = d.high/10, d.high%10
	q.low, _ = bits.Div64(rest, d.low, 10)
	q.power = d.power + 1
	return q
}

// align gives both numbers the same power, the lower one if there is room for that.
func align(a, b decimal) (decimal, decimal) {
	switch {
	case a.isZero():
		a.power = b.power
	case b.isZero():
		b.power = a.power
	case a.power < b.power:
		b, a = align(b, a)
		return a, b
	}
	for a.power > b.power && a.high < 1<<63/10 {
		high, low := bits.Mul64(a.low, 10)
		a = decimal{10*a.high + high, low, a.power - 1}
	}
	for a.power > b.power {
		if b = b.shrink(); b.isZero() {
			b.power = a.power
		}
	}
	return a, b
}

// plus returns the sum.
func (d decimal) plus(e decimal) decimal {
	d, e = align(d, e)
	var carry uint64
	d.low, carry = bits.Add64(d.low, e.low, 0)
	d.high, _ = bits.Add64(d.high, e.high, carry)
	for d.high >= 1<<63 {
		d = d.shrink()
	}
	return d
}

// minus returns the difference, 0 if that is less.
func (d decimal) minus(e decimal) decimal {
	d, e = align(d, e)
	low, borrow := bits.Sub64(d.low, e.low, 0)
	high, borrow := bits.Sub64(d.high, e.high, borrow)
	if borrow != 0 || high|low == 0 {
		return decimal{}
	}
	return decimal{high, low, d.power}
}
