// This file owns charts: layers of lines, markers, bars and strokes, and their legend.

package main

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
)

// point is a point of a chart, in the values of its axes.
type point struct{ x, y float64 }

// mark is how a layer shows its points.
type mark int

const (
	curve   mark = iota // joined, without markers: a formula
	markers             // not joined
	joined              // with markers
	bars                // from the bottom, of the layer's width
	strokes             // a line between the first and second point, the third and fourth, ...
)

// chart is a picture of layers, the first at the bottom.
type chart struct {
	title  string
	x, y   axis
	layers []layer
	notes  []string // lines after the legend
}

// layer is one line of the legend.
type layer struct {
	name   string // may have several lines
	as     mark
	colour colour
	dash   string  // of lines, as in SVG; "" for solid ones
	width  float64 // of bars, in values of the axis
	shift  float64 // of bars, likewise
	points []point
}

const (
	chartWide  = 470
	legendLeft = plotLeft + chartWide + 22
	sample     = 30 // of a line in the legend
)

func (c *chart) svg() []byte {
	c.dropHidden()
	f := c.frame()
	p := newPicture(c.title, c.describe())
	p.axes(f, true)
	for _, l := range c.layers {
		p.layer(f, &l)
	}
	c.legend(p)
	return p.End()
}

// describe returns in words what the chart has.
func (c *chart) describe() string {
	var names []string
	for _, l := range c.layers {
		names = append(names, strings.ReplaceAll(l.name, "\n", " "))
	}
	return fmt.Sprintf("%s against %s: %s", c.y.label, c.x.label, strings.Join(names, "; "))
}

// dropHidden removes points that a logarithmic axis cannot show.
func (c *chart) dropHidden() {
	for i := range c.layers {
		l := &c.layers[i]
		l.points = slices.DeleteFunc(l.points, func(q point) bool { return c.x.log && q.x <= 0 || c.y.log && q.y <= 0 })
	}
}

// frame fits the axes to the points.
func (c *chart) frame() *frame {
	least, greatest := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, l := range c.layers {
		for _, q := range l.points {
			least = point{min(least.x, q.x), min(least.y, q.y)}
			greatest = point{max(greatest.x, q.x), max(greatest.y, q.y)}
		}
	}
	return &frame{c.x.fit(least.x, greatest.x), c.y.fit(least.y, greatest.y), chartWide}
}

// layer draws the points of a layer.
func (p picture) layer(f *frame, l *layer) {
	switch l.as {
	case bars:
		p.bars(f, l)
	case markers:
	default:
		path := l.path(f)
		stroke := 2.0
		if l.as == strokes {
			stroke = 1.4
		}
		fmt.Fprintf(p, "<path class=\"s%d\" fill=\"none\" stroke-width=\"%g\"%s d=%q/>\n", l.colour, stroke, l.dashes(), path)
	}
	if l.as == markers || l.as == joined {
		for _, q := range l.points {
			x, y := f.at(q)
			p.marker(l.colour, x, y)
		}
	}
}

func (l *layer) dashes() string {
	if l.dash == "" {
		return ""
	}
	return fmt.Sprintf(" stroke-dasharray=%q", l.dash)
}

// path returns the line of a layer, as SVG has it.
func (l *layer) path(f *frame) string {
	var b bytes.Buffer
	for i, q := range l.points {
		x, y := f.at(q)
		switch {
		case i == 0 || l.as == strokes && i%2 == 0:
			fmt.Fprintf(&b, "M%.1f %.1f", x, y)
		default:
			fmt.Fprintf(&b, "L%.1f %.1f", x, y)
		}
	}
	return b.String()
}

// bars draws a bar for each point, around it.
func (p picture) bars(f *frame, l *layer) {
	fmt.Fprintf(p, "<path class=\"f%d\" d=\"", l.colour)
	for _, q := range l.points {
		left, top := f.at(point{q.x + l.shift - l.width/2, q.y})
		right, bottom := f.at(point{q.x + l.shift + l.width/2, f.y.lo})
		fmt.Fprintf(p, "M%.1f %.1fV%.1fH%.1fV%.1fz", left, bottom, top, right, bottom)
	}
	p.WriteString("\"/>\n")
}

// marker draws a circle, square, triangle, diamond or cross, by colour.
func (p picture) marker(c colour, x, y float64) {
	switch c {
	case blue:
		fmt.Fprintf(p, "<rect class=\"f%d\" x=\"%.1f\" y=\"%.1f\" width=\"7\" height=\"7\"/>\n", c, x-3.5, y-3.5)
	case orange:
		fmt.Fprintf(p, "<path class=\"f%d\" d=\"M%.1f %.1fl4.4 7.6h-8.8z\"/>\n", c, x, y-5)
	case green:
		fmt.Fprintf(p, "<path class=\"f%d\" d=\"M%.1f %.1fl4.6 4.6l-4.6 4.6l-4.6-4.6z\"/>\n", c, x, y-4.6)
	case purple:
		fmt.Fprintf(p, "<path class=\"s%d\" fill=\"none\" stroke-width=\"2\" d=\"M%.1f %.1fl7 7m0-7l-7 7\"/>\n", c, x-3.5, y-3.5)
	default:
		fmt.Fprintf(p, "<circle class=\"f%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.8\"/>\n", c, x, y)
	}
}

// legend names the layers, and writes the notes.
func (c *chart) legend(p picture) {
	y := plotTop + 10.0
	for _, l := range c.layers {
		if l.name == "" {
			continue
		}
		middle := y - 4
		switch l.as {
		case bars:
			fmt.Fprintf(p, "<rect class=\"f%d\" x=\"%d\" y=\"%.1f\" width=\"12\" height=\"12\"/>\n", l.colour, legendLeft+sample/2-6, middle-6)
		case markers:
			p.marker(l.colour, legendLeft+sample/2, middle)
		default:
			fmt.Fprintf(p, "<path class=\"s%d\" fill=\"none\" stroke-width=\"2\"%s d=\"M%d %.1fh%d\"/>\n", l.colour, l.dashes(), legendLeft, middle, sample)
			if l.as == joined {
				p.marker(l.colour, legendLeft+sample/2, middle)
			}
		}
		for line := range strings.SplitSeq(l.name, "\n") {
			p.Text(legendLeft+sample+8, y, "start", "name", line)
			y += lineGap
		}
		y += 6
	}
	for _, note := range c.notes {
		p.Text(legendLeft, y, "start", "note", note)
		y += lineGap
	}
}
