// This file owns heat maps: grids of cells, and networks, in the colours of a scale of heat.

package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ross-go/ross/internal/num/libm"
	"github.com/ross-go/ross/internal/output/svg"
)

// heat is a heat map.
type heat struct {
	title string
	x, y  axis        // of columns and rows, which are numbered from 0
	key   axis        // of the values; its range is divided into as many classes as there are colours of heat
	cells [][]float64 // by row
	notes []string
}

const (
	keyLeft = plotLeft + plotHigh + 70 // of the scale of colours
	keyWide = 16
	noteTop = keyLeft + 130
)

func (h *heat) svg() []byte {
	rows, columns := len(h.cells), 0
	least, greatest := math.Inf(1), math.Inf(-1)
	for _, row := range h.cells {
		columns = max(columns, len(row))
		for _, v := range row {
			least, greatest = min(least, v), max(greatest, v)
		}
	}
	h.x.lo, h.x.hi, h.y.lo, h.y.hi = 0, float64(columns), 0, float64(rows)
	f := &frame{h.x.fit(0, 0), h.y.fit(0, 0), plotHigh}
	key := h.key.fit(least, greatest)
	p := newPicture(h.title, fmt.Sprintf("%s by %s and %s, from %.4g to %.4g", h.key.label, h.x.label, h.y.label, least, greatest))
	p.cells(h.cells, &key)
	p.axes(f, false)
	p.key(&key)
	for i, note := range h.notes {
		p.Text(noteTop, float64(plotTop+10+i*lineGap), "start", "note", note)
	}
	return p.End()
}

// class returns the colour of a value.
func class(v float64, key *scale) int {
	return max(0, min(svg.Heat-1, int(key.place(v)*float64(svg.Heat))))
}

// cells draws the cells, row 0 at the bottom: for each colour a path of horizontal strokes.
func (p picture) cells(cells [][]float64, key *scale) {
	side := float64(plotHigh) / float64(len(cells))
	fmt.Fprintf(p, "<g transform=\"translate(%d %d) scale(%.4f %.4f)\" fill=\"none\" shape-rendering=\"crispEdges\">\n", plotLeft, plotTop+plotHigh, side, -side)
	for shade := range svg.Heat {
		drawn := false
		for y, row := range cells {
			for x := 0; x < len(row); x++ {
				from := x
				for x < len(row) && class(row[x], key) == shade {
					x++
				}
				if x == from {
					continue
				}
				if !drawn {
					fmt.Fprintf(p, "<path class=\"hs%d\" d=\"", shade)
					drawn = true
				}
				fmt.Fprintf(p, "M%d %d.5h%d", from, y, x-from)
			}
		}
		if drawn {
			p.WriteString("\"/>\n")
		}
	}
	p.WriteString("</g>\n")
}

// key draws the scale of colours.
func (p picture) key(key *scale) { p.keyAt(key, keyLeft) }

// keyAt draws the scale of colours at a place.
func (p picture) keyAt(key *scale, left int) {
	for i := range svg.Heat {
		step := float64(plotHigh) / float64(svg.Heat)
		fmt.Fprintf(p, "<rect class=\"hf%d\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"/>\n", i, left, plotTop+float64(float64(svg.Heat-1-i)*step), keyWide, step)
	}
	fmt.Fprintf(p, "<rect class=\"axis\" fill=\"none\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", left, plotTop, keyWide, plotHigh)
	for _, v := range key.ticks {
		y := plotTop + float64((1-key.place(v))*plotHigh)
		p.Segment("axis", float64(left+keyWide), y, float64(left+keyWide+tick), y)
		p.Text(float64(left+keyWide+tick+4), y+4, "start", "tick", key.text(v))
	}
	p.Text(float64(left), topLine, "start", "name", key.label)
}

// wheels are networks side by side, whose links have the colours of their loads.
type wheels struct {
	title string
	key   axis
	all   []wheel // two
}

// wheel is a network whose routers stand in groups on a circle.
type wheel struct {
	name, note   string
	groups, each int // routers of a group
	links        []link
}

// link joins two routers. Its load is that of the direction with more.
type link struct {
	from, to int
	load     float64
}

const (
	rim         = 128 // radius of the circle of routers
	wheelsWide  = 310 // from the middle of a wheel to that of the next
	firstWheel  = 164
	wheelsHigh  = 203 // of their middles
	keyOfWheels = 656
)

func (w *wheels) svg() []byte {
	key := w.key.fit(0, 1)
	var names []string
	for _, one := range w.all {
		names = append(names, one.name+" "+one.note)
	}
	p := newPicture(w.title, strings.Join(names, "; "))
	for i := range w.all {
		p.wheel(&w.all[i], &key, float64(firstWheel+i*wheelsWide))
	}
	p.keyAt(&key, keyOfWheels)
	return p.End()
}

// wheel draws a network around a middle: links within a group outside of the circle, others inside, those with the
// greatest loads on top. A link without load has the colour of a grid.
func (p picture) wheel(w *wheel, key *scale, middle float64) {
	p.Text(middle, topLine, "middle", "name", w.name)
	p.Text(middle, high-14, "middle", "note", w.note)
	at := func(router, radius float64) (x, y float64) { // routers of a group stand closer, and it starts at the top
		group := math.Floor(router / float64(w.each))
		within := router - float64(group*float64(w.each))
		turn := (group + (within+0.9)/(float64(w.each)+0.8)) / float64(w.groups)
		angle := float64(2*math.Pi*turn) - math.Pi/2
		return middle + float64(radius*libm.Cos(angle)), wheelsHigh + float64(radius*libm.Sin(angle))
	}
	links := slices.Clone(w.links)
	slices.SortStableFunc(links, func(a, b link) int { return cmp.Compare(a.load, b.load) })
	for _, l := range links {
		radius := 0.25 * rim // of the point that bends the line
		if l.from/w.each == l.to/w.each {
			radius = rim + 10*float64(l.to-l.from)
		}
		half := float64(l.from+l.to) / 2
		if l.to-l.from > w.groups*w.each/2 { // the short way is past the top
			half += float64(w.groups*w.each) / 2
		}
		x1, y1 := at(float64(l.from), rim)
		x2, y2 := at(float64(l.to), rim)
		bx, by := at(half, radius)
		colour := fmt.Sprintf("hs%d", class(l.load, key))
		if l.load == 0 {
			colour = "grid"
		}
		fmt.Fprintf(p, "<path class=%q fill=\"none\" stroke-width=\"%.1f\" d=\"M%.1f %.1fQ%.1f %.1f %.1f %.1f\"/>\n",
			colour, 1.2+float64(2.4*l.load), x1, y1, bx, by, x2, y2)
	}
	for router := range w.groups * w.each {
		x, y := at(float64(router), rim)
		fmt.Fprintf(p, "<circle class=\"f0\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.2\"/>\n", x, y)
	}
}
