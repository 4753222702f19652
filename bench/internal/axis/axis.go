// Package axis has the axes of pictures: where a value is, and where the round ticks are.
package axis

import (
	"fmt"
	"math"
	"strconv"
)

// maxTicks is how many ticks fit, with their labels.
const maxTicks = 6

// Axis is a range of values, or of their logarithms to base 2.
type Axis struct {
	lo, hi, step float64
	log          bool
}

// New returns an axis that shows the values from least to greatest.
func New(least, greatest float64) Axis {
	if least >= 1 && greatest >= 4*least {
		a := Axis{lo: math.Log2(least), hi: math.Log2(greatest), step: 1, log: true}
		for math.Floor(a.hi/a.step)-math.Ceil(a.lo/a.step) >= maxTicks {
			a.step *= 2
		}
		return a
	}
	if greatest <= least {
		greatest = least + 1
	}
	return Linear(least, greatest)
}

// Linear returns an axis that starts and ends with a tick, at multiples of 1, 2 or 5 times a power
// of ten.
func Linear(least, greatest float64) Axis {
	power := math.Pow(10, math.Floor(math.Log10((greatest-least)/maxTicks)))
	var a Axis
	for _, round := range []float64{1, 2, 5, 10, 20} {
		a.step = round * power
		a.lo, a.hi = math.Floor(least/a.step+1e-9)*a.step, math.Ceil(greatest/a.step-1e-9)*a.step
		if a.hi-a.lo < (maxTicks-0.5)*a.step {
			break
		}
	}
	return a
}

// Place returns where a value is: 0 at the start of the axis, 1 at its end.
func (a Axis) Place(v float64) float64 {
	if a.log {
		v = math.Log2(v)
	}
	return (v - a.lo) / (a.hi - a.lo)
}

// Ticks returns the values that have a tick.
func (a Axis) Ticks() (values []float64) {
	for i := math.Ceil(a.lo/a.step - 1e-9); i <= a.hi/a.step+1e-9; i++ {
		if a.log {
			values = append(values, math.Exp2(i*a.step))
		} else {
			values = append(values, i*a.step+0) // 0, if it is -0
		}
	}
	return values
}

// Label writes the value of a tick, in Ki and Mi if the axis is logarithmic.
func (a Axis) Label(v float64) string {
	switch {
	case a.log && v >= 1<<20:
		return fmt.Sprintf("%g Mi", v/(1<<20))
	case a.log && v >= 1<<10:
		return fmt.Sprintf("%g Ki", v/(1<<10))
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}
