// This file owns axes: where a value is, where the round ticks are, and how both are drawn.

package main

import (
	"math"
	"strconv"

	"github.com/ross-go/ross/internal/num/libm"
	"github.com/ross-go/ross/internal/output/svg"
)

// Sizes in units of the view box.
const (
	wide, high         = 760, 380
	plotLeft, plotTop  = 72, 62
	plotHigh           = 262
	titleLine, topLine = 24, 48 // of the title, and of the label of the vertical axis
	lineGap            = 18     // between the lines of a legend
	tick               = 4
)

// picture is the picture that is being drawn.
type picture struct{ *svg.Picture }

// frame is where the plot of a picture is, and its scales.
type frame struct {
	x, y   scale
	across float64 // width of the plot
}

// at returns the place of a point.
func (f *frame) at(q point) (x, y float64) {
	return plotLeft + float64(f.x.place(q.x)*f.across), plotTop + float64((1-f.y.place(q.y))*plotHigh)
}

// axes draws the axes of the plot, with grid lines unless cells hide them.
func (p picture) axes(f *frame, grid bool) {
	const bottom = plotTop + plotHigh
	for _, v := range f.y.ticks {
		_, y := f.at(point{f.x.lo, v})
		if grid {
			p.Segment("grid", plotLeft, y, plotLeft+f.across, y)
		}
		p.Segment("axis", plotLeft-tick, y, plotLeft, y)
		p.Text(plotLeft-tick-4, y+4, "end", "tick", f.y.text(v))
	}
	if !f.y.bare {
		p.Segment("axis", plotLeft, plotTop, plotLeft, bottom)
	}
	p.Segment("axis", plotLeft, bottom, plotLeft+f.across, bottom)
	for _, v := range f.x.ticks {
		x, _ := f.at(point{v, f.y.lo})
		p.Segment("axis", x, bottom, x, bottom+tick)
		p.Text(x, bottom+tick+14, "middle", "tick", f.x.text(v))
	}
	p.Text(plotLeft+f.across/2, bottom+42, "middle", "name", f.x.label)
	if !f.y.bare {
		p.Text(8, topLine, "start", "name", f.y.label)
	}
}

// maxTicks is how many ticks an axis has at most, about.
const maxTicks = 7

// axis is what an axis shows. If hi is not above lo, the values decide where it begins and ends; a
// linear axis then begins at 0.
type axis struct {
	label  string // with the unit
	lo, hi float64
	log    bool                 // decimal logarithms; all values must be above 0
	bare   bool                 // a place without a meaning: neither a line nor ticks
	names  []string             // of the values 0, 1, 2, ...: written instead of ticks
	write  func(float64) string // a tick's value; nil: plainly
}

// scale is an axis with its ticks.
type scale struct {
	axis
	ticks []float64
}

// log10 returns the decimal logarithm, with the same bits on all machines.
func log10(v float64) float64 { return libm.Log(v) / math.Ln10 }

// fit returns the axis as a scale for values from least to greatest.
func (a axis) fit(least, greatest float64) scale {
	if least > greatest { // there are none
		least, greatest = 1, 10
	}
	switch {
	case a.bare:
		return scale{axis: a}
	case a.names != nil:
		a.lo, a.hi = -0.5, float64(len(a.names))-0.5
		s := scale{axis: a}
		for i := range a.names {
			s.ticks = append(s.ticks, float64(i))
		}
		return s
	case a.log:
		return a.logarithmic(least, greatest)
	}
	return a.linear(min(least, 0), greatest)
}

// linear has ticks at multiples of 1, 2 or 5 times a power of ten, and begins and ends with one,
// unless it has given ends.
func (a axis) linear(least, greatest float64) scale {
	given := a.hi > a.lo
	if given {
		least, greatest = a.lo, a.hi
	} else if greatest <= least {
		greatest = least + 1
	}
	power := 1.0
	for float64(power*maxTicks) > greatest-least {
		power /= 10
	}
	for float64(power*10*maxTicks) <= greatest-least {
		power *= 10
	}
	step := power
	for _, round := range []float64{1, 2, 5, 10} {
		if step = round * power; (greatest-least)/step <= maxTicks {
			break
		}
	}
	first, last := math.Floor(least/step+1e-9), math.Ceil(greatest/step-1e-9)
	if given {
		first, last = math.Ceil(least/step-1e-9), math.Floor(greatest/step+1e-9)
	} else {
		a.lo, a.hi = first*step, last*step
	}
	s := scale{axis: a}
	for i := first; i <= last; i++ {
		s.ticks = append(s.ticks, i*step+0) // 0, if it is -0
	}
	return s
}

// logarithmic has ticks at powers of ten, and at 2 and 5 times these if there is room. It begins and
// ends with one.
func (a axis) logarithmic(least, greatest float64) scale {
	if a.hi > a.lo {
		least, greatest = a.lo, a.hi
	} else if greatest <= least {
		greatest = 10 * least
	}
	var ticks, decades []float64
	for e := math.Floor(log10(least) - 1e-9); e <= math.Ceil(log10(greatest)+1e-9); e++ {
		for _, round := range []string{"1", "2", "5"} {
			v, _ := strconv.ParseFloat(round+"e"+strconv.Itoa(int(e)), 64)
			switch {
			case v <= least: // the last of these is the first tick
				ticks, decades = ticks[:0], decades[:0]
			case ticks[len(ticks)-1] >= greatest:
				continue
			}
			ticks = append(ticks, v)
			if round == "1" {
				decades = append(decades, v)
			}
		}
	}
	a.lo, a.hi = ticks[0], ticks[len(ticks)-1]
	if len(ticks) > maxTicks {
		ticks = decades
	}
	return scale{a, ticks}
}

// place returns where a value is: 0 at the start of the axis, 1 at its end.
func (s *scale) place(v float64) float64 {
	if s.log {
		return (log10(v) - log10(s.lo)) / (log10(s.hi) - log10(s.lo))
	}
	return (v - s.lo) / (s.hi - s.lo)
}

// text writes the value of a tick.
func (s *scale) text(v float64) string {
	switch {
	case s.names != nil:
		return s.names[int(v)]
	case s.write != nil:
		return s.write(v)
	}
	return plain(v)
}

// plain writes a number with commas between thousands.
func plain(v float64) string {
	if math.Abs(v) < 1000 {
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	digits := strconv.FormatFloat(math.Abs(v), 'f', 0, 64)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if v < 0 {
		digits = "-" + digits
	}
	return digits
}

// percent writes a share.
func percent(v float64) string { return strconv.FormatFloat(v*100, 'g', 6, 64) + " %" }
