// This file owns heat maps: a grid of cells, darker for greater values.

package main

import (
	"fmt"
	"math"
)

// shades are the colours of the classes of values, from the least to the greatest.
var shades = [...]string{"#ffffd9", "#edf8b1", "#c7e9b4", "#7fcdbb", "#41b6c4", "#1d91c0", "#225ea8", "#253494", "#081d58"}

// heat is a heat map.
type heat struct {
	title string
	x, y  axis        // of columns and rows, which are numbered from 0
	key   axis        // of the values; its range is divided into as many classes as there are shades
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

// class returns the shade of a value.
func class(v float64, key *scale) int {
	return max(0, min(len(shades)-1, int(key.place(v)*float64(len(shades)))))
}

// cells draws the cells, row 0 at the bottom: for each shade a path of horizontal strokes.
func (p picture) cells(cells [][]float64, key *scale) {
	side := float64(plotHigh) / float64(len(cells))
	fmt.Fprintf(p, "<g transform=\"translate(%d %d) scale(%.4f %.4f)\" fill=\"none\" shape-rendering=\"crispEdges\">\n", plotLeft, plotTop+plotHigh, side, -side)
	for shade, fill := range shades {
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
					fmt.Fprintf(p, "<path stroke=%q d=\"", fill)
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
func (p picture) key(key *scale) {
	for i, fill := range shades {
		step := float64(plotHigh) / float64(len(shades))
		fmt.Fprintf(p, "<rect fill=%q x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"/>\n", fill, keyLeft, plotTop+float64(float64(len(shades)-1-i)*step), keyWide, step)
	}
	fmt.Fprintf(p, "<rect fill=\"none\" stroke=\"#59636e\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", keyLeft, plotTop, keyWide, plotHigh)
	for _, v := range key.ticks {
		y := plotTop + float64((1-key.place(v))*plotHigh)
		p.Segment("axis", keyLeft+keyWide, y, keyLeft+keyWide+tick, y)
		p.Text(keyLeft+keyWide+tick+4, y+4, "start", "tick", key.text(v))
	}
	p.Text(keyLeft, topLine, "start", "name", key.label)
}
