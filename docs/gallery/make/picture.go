// This file owns what charts and heat maps have in common: SVG, title, axes, colours.

package main

import (
	"bytes"
	"fmt"
	"html"
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

// picture is an SVG that is being drawn.
type picture struct{ bytes.Buffer }

// newPicture begins a picture. The description is for readers who cannot see it.
func newPicture(title, description string) *picture {
	p := &picture{}
	fmt.Fprintf(p, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-labelledby="t d">`+"\n", wide, high, wide, high)
	fmt.Fprintf(p, "<title id=\"t\">%s</title>\n<desc id=\"d\">%s</desc>\n", html.EscapeString(title), html.EscapeString(description))
	p.WriteString(`<style>
text { font: 12px system-ui, sans-serif; fill: #1f2328 }
.head { font-size: 15px; font-weight: 600 }
.name { font-weight: 600 }
.grid { stroke: #d1d9e0 }
.axis { stroke: #59636e }
</style>
`)
	fmt.Fprintf(p, "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", wide, high)
	p.text(8, titleLine, "start", "head", title)
	return p
}

// end returns the SVG.
func (p *picture) end() []byte {
	p.WriteString("</svg>\n")
	return p.Bytes()
}

// text writes a label; anchor is start, middle or end.
func (p *picture) text(x, y float64, anchor, class, label string) {
	fmt.Fprintf(p, "<text class=%q x=\"%.1f\" y=\"%.1f\" text-anchor=%q>%s</text>\n", class, x, y, anchor, html.EscapeString(label))
}

func (p *picture) segment(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(p, "<line class=%q x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", class, x1, y1, x2, y2)
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
func (p *picture) axes(f *frame, grid bool) {
	const bottom = plotTop + plotHigh
	for _, v := range f.y.ticks {
		_, y := f.at(point{f.x.lo, v})
		if grid {
			p.segment("grid", plotLeft, y, plotLeft+f.across, y)
		}
		p.segment("axis", plotLeft-tick, y, plotLeft, y)
		p.text(plotLeft-tick-4, y+4, "end", "tick", f.y.text(v))
	}
	p.segment("axis", plotLeft, plotTop, plotLeft, bottom)
	p.segment("axis", plotLeft, bottom, plotLeft+f.across, bottom)
	for _, v := range f.x.ticks {
		x, _ := f.at(point{v, f.y.lo})
		p.segment("axis", x, bottom, x, bottom+tick)
		p.text(x, bottom+tick+14, "middle", "tick", f.x.text(v))
	}
	p.text(plotLeft+f.across/2, bottom+42, "middle", "name", f.x.label)
	p.text(8, topLine, "start", "name", f.y.label)
}
