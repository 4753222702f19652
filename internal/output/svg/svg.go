// Package svg writes the pictures of the documents, as SVG: text, lines, and the look that all pictures
// share. What a picture shows is written by its program with fmt.Fprintf.
//
// A picture has a title for readers who cannot see it, and may have a description. It is light or dark, as its reader
// prefers, so its colours are classes: f0 to f5 of what is filled and s0 to s5 of strokes (black, blue, orange, green,
// purple, grey), likewise hf0 to hf8 and hs0 to hs8 of a scale of heat, from the least to the greatest. Lines are those
// of Okabe and Ito, "Color Universal Design" (2008), heat is YlGnBu of Harrower and Brewer, "ColorBrewer.org" (2003);
// in a dark picture lines are lighter, and the scale is turned round. Labels have one of the classes head, name, tick
// and note, and lines one of grid and axis. Coordinates are written with one decimal, so that a picture is the same on
// all machines.
package svg

import (
	"bytes"
	"fmt"
	"html"
	"slices"
	"strings"
)

// Heat is the number of colours of a scale of heat.
const Heat = len(heat)

var (
	heat  = [...]string{"#ffffd9", "#edf8b1", "#c7e9b4", "#7fcdbb", "#41b6c4", "#1d91c0", "#225ea8", "#253494", "#081d58"}
	light = []string{"#1f2328", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8c959f"}
	dark  = []string{"#f0f6fc", "#56b4e9", "#f0883e", "#3fc79a", "#e3a3c6", "#7d8590"}
)

// rules returns the classes of colours.
func rules(lines, heat []string) string {
	var b strings.Builder
	for _, set := range []struct {
		prefix  string
		colours []string
	}{{"", lines}, {"h", heat}} {
		for i, c := range set.colours {
			fmt.Fprintf(&b, ".%sf%d { fill: %s } .%ss%d { stroke: %s }\n", set.prefix, i, c, set.prefix, i, c)
		}
	}
	return b.String()
}

// style is the style sheet of all pictures.
func style() string {
	turned := slices.Clone(heat[:])
	slices.Reverse(turned)
	return `text { font: 12px system-ui, sans-serif; fill: #1f2328 }
.head { font-size: 15px; font-weight: 600 }
.name { font-weight: 600 }
.ground { fill: #ffffff }
.grid { stroke: #d1d9e0 }
.axis { stroke: #59636e }
` + rules(light, heat[:]) + `@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc }
.ground { fill: #0d1117 }
.grid { stroke: #30363d }
.axis { stroke: #9198a1 }
` + rules(dark, turned) + "}\n"
}

// Picture is an SVG that is being written.
type Picture struct{ bytes.Buffer }

// New begins a picture of the given size, in units of its coordinates. It has no description if that is
// empty.
func New(wide, high int, title, description string) *Picture {
	p := &Picture{}
	labels := "t"
	if description != "" {
		labels = "t d"
	}
	fmt.Fprintf(p,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-labelledby="%s">`+
			"\n", wide, high, wide, high, labels)
	fmt.Fprintf(p, "<title id=\"t\">%s</title>\n", html.EscapeString(title))
	if description != "" {
		fmt.Fprintf(p, "<desc id=\"d\">%s</desc>\n", html.EscapeString(description))
	}
	p.WriteString("<style>\n" + style() + "</style>\n")
	fmt.Fprintf(p, "<rect class=\"ground\" width=\"%d\" height=\"%d\"/>\n", wide, high)
	return p
}

// End returns the whole picture.
func (p *Picture) End() []byte {
	p.WriteString("</svg>\n")
	return p.Bytes()
}

// Text writes a label; anchor is start, middle or end.
func (p *Picture) Text(x, y float64, anchor, class, label string) {
	fmt.Fprintf(p, "<text class=%q x=\"%.1f\" y=\"%.1f\" text-anchor=%q>%s</text>\n", class, x, y, anchor,
		html.EscapeString(label))
}

// Segment draws a line between two points.
func (p *Picture) Segment(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(p, "<line class=%q x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", class, x1, y1, x2, y2)
}
