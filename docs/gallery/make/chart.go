// This file owns charts: layers of lines, markers, bars and cells, and their legend.

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ross-go/ross/internal/output/svg"
)

// point is a point of a chart, in the values of its axes.
type point struct{ x, y float64 }

// lift, between two points of a line, means that they are not joined.
var lift = point{math.NaN(), math.NaN()}

// mark is how a layer shows its points.
type mark int

const (
	curve   mark = iota // joined, without markers
	markers             // not joined
	joined              // with markers
	bars                // from the bottom, of the layer's width
	cells               // squares with the points as their lower left corners
)

// colour is a colour of a layer, as package svg numbers them. From heat on it is one of the scale of heat.
type colour int

const (
	black colour = iota
	blue
	orange
	green
	purple
	grey
	heat
)

// class returns the class of what has the colour: f if it is filled, s if it is a stroke.
func (c colour) class(kind string) string {
	if c >= heat {
		return fmt.Sprintf("h%s%d", kind, c-heat)
	}
	return fmt.Sprintf("%s%d", kind, c)
}

// chart is what a picture shows: layers, the first at the bottom.
type chart struct {
	title  string
	x, y   axis
	square bool // the plot is
	layers []layer
	notes  []string // lines after the legend
}

// layer is one line of the legend.
type layer struct {
	name   string // may have several lines
	as     mark
	colour colour
	dash   string  // of lines, as in SVG; "" for solid ones
	stroke float64 // width of lines; 0: 2
	width  float64 // of bars, in values of the axis
	shift  float64 // of bars, likewise
	points []point
}

const (
	chartWide = 470
	legendGap = 22
	sample    = 30 // of a line in the legend
)

func (c *chart) svg() []byte {
	c.dropHidden()
	f := c.frame()
	p := picture{svg.New(wide, high, c.title, c.describe())}
	p.Text(8, titleLine, "start", "head", c.title)
	hidden := slices.ContainsFunc(c.layers, func(l layer) bool { return l.as == cells })
	if !hidden {
		p.axes(f, true)
	}
	for i := range c.layers {
		p.layer(f, &c.layers[i])
	}
	if hidden {
		p.axes(f, false)
	}
	c.legend(p, plotLeft+f.across+legendGap)
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
			if q.x == q.x {
				least = point{min(least.x, q.x), min(least.y, q.y)}
				greatest = point{max(greatest.x, q.x), max(greatest.y, q.y)}
			}
		}
	}
	f := &frame{c.x.fit(least.x, greatest.x), c.y.fit(least.y, greatest.y), chartWide}
	if c.square {
		f.across = plotHigh
	}
	return f
}

// layer draws the points of a layer.
func (p picture) layer(f *frame, l *layer) {
	switch l.as {
	case bars:
		fmt.Fprintf(p, "<path class=%q d=\"", l.colour.class("f"))
		for _, q := range l.points {
			middle := q.x + l.shift
			p.box(f, point{middle - l.width/2, f.y.lo}, point{middle + l.width/2, q.y})
		}
		p.WriteString("\"/>\n")
	case cells:
		fmt.Fprintf(p, "<path class=%q shape-rendering=\"crispEdges\" d=\"", l.colour.class("f"))
		for _, q := range l.points {
			p.box(f, q, point{q.x + 1, q.y + 1})
		}
		p.WriteString("\"/>\n")
	case curve, joined:
		fmt.Fprintf(p, "<path class=%q fill=\"none\" stroke-width=\"%g\"%s d=%q/>\n",
			l.colour.class("s"), cmp.Or(l.stroke, 2), l.dashes(), l.path(f))
	}
	if l.as == markers || l.as == joined {
		for _, q := range l.points {
			x, y := f.at(q)
			p.marker(l.colour, x, y)
		}
	}
}

// box writes a rectangle, as the path of SVG has it.
func (p picture) box(f *frame, low, high point) {
	left, bottom := f.at(low)
	right, top := f.at(high)
	fmt.Fprintf(p, "M%.1f %.1fV%.1fH%.1fV%.1fz", left, bottom, top, right, bottom)
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
	letter := 'M'
	for _, q := range l.points {
		if q.x != q.x {
			letter = 'M'
			continue
		}
		x, y := f.at(q)
		fmt.Fprintf(&b, "%c%.1f %.1f", letter, x, y)
		letter = 'L'
	}
	return b.String()
}

// marker draws a circle, square, triangle, diamond or cross, by colour.
func (p picture) marker(c colour, x, y float64) {
	switch fill := c.class("f"); c {
	case blue:
		fmt.Fprintf(p, "<rect class=%q x=\"%.1f\" y=\"%.1f\" width=\"7\" height=\"7\"/>\n", fill, x-3.5, y-3.5)
	case orange:
		fmt.Fprintf(p, "<path class=%q d=\"M%.1f %.1fl4.4 7.6h-8.8z\"/>\n", fill, x, y-5)
	case green:
		fmt.Fprintf(p, "<path class=%q d=\"M%.1f %.1fl4.6 4.6l-4.6 4.6l-4.6-4.6z\"/>\n", fill, x, y-4.6)
	case purple:
		const cross = "<path class=%q fill=\"none\" stroke-width=\"2\" d=\"M%.1f %.1fl7 7m0-7l-7 7\"/>\n"
		fmt.Fprintf(p, cross, c.class("s"), x-3.5, y-3.5)
	default:
		fmt.Fprintf(p, "<circle class=%q cx=\"%.1f\" cy=\"%.1f\" r=\"3.8\"/>\n", fill, x, y)
	}
}

// legend names the layers, and writes the notes.
func (c *chart) legend(p picture, left float64) {
	y := plotTop + 10.0
	for _, l := range c.layers {
		if l.name == "" {
			continue
		}
		middle := y - 4
		switch l.as {
		case bars, cells:
			fmt.Fprintf(p, "<rect class=%q x=\"%g\" y=\"%.1f\" width=\"12\" height=\"12\"/>\n",
				l.colour.class("f"), left+sample/2-6, middle-6)
		case curve, joined:
			fmt.Fprintf(p, "<path class=%q fill=\"none\" stroke-width=\"2\"%s d=\"M%g %.1fh%d\"/>\n",
				l.colour.class("s"), l.dashes(), left, middle, sample)
		}
		if l.as == markers || l.as == joined {
			p.marker(l.colour, left+sample/2, middle)
		}
		for line := range strings.SplitSeq(l.name, "\n") {
			p.Text(left+sample+8, y, "start", "name", line)
			y += lineGap
		}
		y += 6
	}
	for _, note := range c.notes {
		p.Text(left, y, "start", "note", note)
		y += lineGap
	}
}

// heated is points that have a value together.
type heated struct {
	value  float64
	points []point
}

// byHeat returns layers like l, one for each colour of heat, with the points whose values are in its class. Classes
// share the values from 0 to most; the first and the last one have those beyond.
func byHeat(l layer, most float64, write func(float64) string, all []heated) (layers []layer) {
	of := func(class int) float64 { return float64(class) * most / float64(svg.Heat) }
	for class := range svg.Heat {
		l.colour, l.points = heat+colour(class), nil
		if l.name = write(of(class)) + " to " + write(of(class+1)); class == svg.Heat-1 {
			l.name = write(of(class)) + " and more"
		}
		for _, h := range all {
			if (class == 0 || h.value >= of(class)) && (class == svg.Heat-1 || h.value < of(class+1)) {
				l.points = append(l.points, h.points...)
			}
		}
		layers = append(layers, l)
	}
	return layers
}
