// This file owns axes of numbers: what they cover, where a value is, and their ticks.

package page

import (
	"math"
	"strconv"
	"strings"
)

// axis leads from values to pixels.
type axis struct {
	low, high float64 // what it covers
	from, to  float64 // where low and high are, in pixels
	log       bool    // it is logarithmic, and low is above 0
}

// at returns where a value is. It halves values so that none overflow.
func (a axis) at(v float64) float64 {
	part := (v/2 - a.low/2) / (a.high/2 - a.low/2)
	if a.log {
		part = math.Log(v/a.low) / math.Log(a.high/a.low)
	}
	return a.from + float64(part*(a.to-a.from))
}

// leastSpan is the least part of a number that an axis resolves: what differs by less is drawn as equal.
const leastSpan = 1e-9

// around returns what an axis covers that has to show all values from low to high: a little more, and 0 where it is
// near.
func around(low, high float64) (from, to float64) {
	size := max(math.Abs(low), math.Abs(high))
	half := high/2 - low/2
	if half <= leastSpan*size || half < 1e-290 {
		pad := max(size/10, 1e-280)
		if size == 0 {
			pad = 1
		}
		return bounded(low - pad), bounded(high + pad)
	}
	from, to = bounded(low-half/10), bounded(high+half/10)
	if low >= 0 && low <= half {
		from = 0
	}
	if high <= 0 && high >= -half {
		to = 0
	}
	return from, to
}

func bounded(v float64) float64 { return max(-math.MaxFloat64, min(math.MaxFloat64, v)) }

// tick is a mark of an axis.
type tick struct {
	value float64
	label string // reads as the value
}

// ticks returns marks at multiples of 1, 2 or 5 times a power of ten, at most as many as given, and at whole numbers if
// whole is true.
func (a axis) ticks(most int, whole bool) (all []tick) {
	if a.log {
		return a.powers(most)
	}
	width := a.high/float64(most) - a.low/float64(most)
	exponent := int(math.Floor(math.Log10(width)))
	if whole && exponent < 0 {
		exponent = 0
	}
	for ; ; exponent++ {
		for _, mantissa := range []float64{1, 2, 5} {
			if all = a.multiples(mantissa, exponent, most); all != nil {
				return all
			}
		}
	}
}

// fits reports whether the labels of marks of a horizontal axis do not meet.
func (a axis) fits(all []tick) bool {
	for i := 1; i < len(all); i++ {
		room := a.at(all[i].value) - a.at(all[i-1].value)
		if perRune*float64(len(all[i].label)+len(all[i-1].label))/2+6 > room {
			return false
		}
	}
	return true
}

// apart returns marks of a horizontal axis whose labels do not meet, at most seven.
func (a axis) apart() []tick {
	all := a.ticks(7, false)
	for most := 6; most > 1 && !a.fits(all); most-- {
		all = a.ticks(most, false)
	}
	return all
}

// powers returns marks at powers of ten, or of a power of ten.
func (a axis) powers(most int) (all []tick) {
	first, last := int(math.Ceil(math.Log10(a.low)-1e-9)), int(math.Floor(math.Log10(a.high)+1e-9))
	every := (last-first)/most + 1
	for i := first; i <= last; i += every {
		value := math.Pow10(i)
		all = append(all, tick{value, figure(value)})
	}
	return all
}

// multiples returns the marks at multiples of mantissa*10^exponent, nil if they are more than most.
func (a axis) multiples(mantissa float64, exponent, most int) []tick {
	scaled := func(v float64) float64 { return v / mantissa / math.Pow10(exponent) }
	first, last := math.Ceil(scaled(a.low)-1e-9), math.Floor(scaled(a.high)+1e-9)
	if !(last-first < float64(most)) {
		return nil
	}
	all := []tick{}
	largest := max(math.Abs(a.low), math.Abs(a.high))
	for i := first; i <= last; i++ {
		text := strconv.FormatFloat(i*mantissa, 'f', 0, 64) + "e" + strconv.Itoa(exponent)
		value, err := strconv.ParseFloat(text, 64) // as the decimal is, such as 0.3
		if err != nil {
			continue // beyond the largest float64
		}
		all = append(all, tick{value, tickLabel(value, largest, exponent)})
	}
	return all
}

// tickLabel returns the label of a multiple of a power of ten. All of an axis have as many digits as the largest needs.
func tickLabel(v, largest float64, exponent int) string {
	if v == 0 {
		return "0"
	}
	if largest < 1e7 && exponent >= -6 {
		return strconv.FormatFloat(v, 'f', max(-exponent, 0), 64)
	}
	digits := int(math.Floor(math.Log10(math.Abs(v)))) - exponent
	return tidy(strconv.FormatFloat(v, 'e', min(max(digits, 0), 16), 64))
}

// tidy shortens an exponent: 2.5e+06 becomes 2.5e6.
func tidy(text string) string {
	mantissa, exponent, is := strings.Cut(text, "e")
	if !is {
		return text
	}
	n, _ := strconv.Atoi(exponent)
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	return mantissa + "e" + strconv.Itoa(n)
}
