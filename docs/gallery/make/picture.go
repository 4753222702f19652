// This file owns what charts and heat maps have in common: SVG, title, axes, colours.

package main

import (
	"github.com/ross-go/ross/internal/svg"
)

// drawing is what an entry returns.
type drawing interface{ svg() []byte }

// Sizes in units of the view box.
const (
	wide, high         = 760, 380
	plotLeft, plotTop  = 72, 62
	plotHigh           = 262
	titleLine, topLine = 24, 48 // of the title, and of the label of the vertical axis
	lineGap            = 18     // between the lines of a legend
	tick               = 4
)

// colour is an index of palette.
type colour int

const (
	black colour = iota
	blue
	orange
	green
	purple
)

var palette = [...]string{"#1f2328", "#0072b2", "#d55e00", "#009e73", "#cc79a7"}

// picture is the picture that is being drawn.
type picture struct{ *svg.Picture }

// newPicture begins a picture with its title at the top.
func newPicture(title, description string) picture {
	p := picture{svg.New(wide, high, title, description)}
	p.Text(8, titleLine, "start", "head", title)
	return p
}

// frame is where the plot of a picture is, and its scales.
type frame struct {
	x, y   scale
	across float64 // width of the plot
}

// at returns the place of a point.
func (f *frame) at(q point) (x, y float64) {
	return plotLeft + float64(f.x.place(q.x)*f.across), plotTop + float64((1-f.y.place(q.y))*plotHigh)
}

// axes draws the axes of the plot, with grid lines if there is nothing in the plot that hides them.
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
	p.Segment("axis", plotLeft, plotTop, plotLeft, bottom)
	p.Segment("axis", plotLeft, bottom, plotLeft+f.across, bottom)
	for _, v := range f.x.ticks {
		x, _ := f.at(point{v, f.y.lo})
		p.Segment("axis", x, bottom, x, bottom+tick)
		p.Text(x, bottom+tick+14, "middle", "tick", f.x.text(v))
	}
	p.Text(plotLeft+f.across/2, bottom+42, "middle", "name", f.x.label)
	p.Text(8, topLine, "start", "name", f.y.label)
}
