// Package svg writes the pictures of the documents, as SVG: text, lines, and the look that all pictures
// share. What a picture shows is written by its program with fmt.Fprintf.
//
// A picture has a title for readers who cannot see it, and may have a description. Its background is
// white, in light and in dark pages. Coordinates are written with one decimal, so that a picture is the same
// on all machines. Labels have one of the classes head, name, tick and note, and lines one of grid and axis.
package svg

import (
	"bytes"
	"fmt"
	"html"
)

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
	fmt.Fprintf(p, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-labelledby="%s">`+"\n", wide, high, wide, high, labels)
	fmt.Fprintf(p, "<title id=\"t\">%s</title>\n", html.EscapeString(title))
	if description != "" {
		fmt.Fprintf(p, "<desc id=\"d\">%s</desc>\n", html.EscapeString(description))
	}
	p.WriteString(`<style>
text { font: 12px system-ui, sans-serif; fill: #1f2328 }
.head { font-size: 15px; font-weight: 600 }
.name { font-weight: 600 }
.grid { stroke: #d1d9e0 }
.axis { stroke: #59636e }
</style>
`)
	fmt.Fprintf(p, "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", wide, high)
	return p
}

// End returns the whole picture.
func (p *Picture) End() []byte {
	p.WriteString("</svg>\n")
	return p.Bytes()
}

// Text writes a label; anchor is start, middle or end.
func (p *Picture) Text(x, y float64, anchor, class, label string) {
	fmt.Fprintf(p, "<text class=%q x=\"%.1f\" y=\"%.1f\" text-anchor=%q>%s</text>\n", class, x, y, anchor, html.EscapeString(label))
}

// Segment draws a line between two points.
func (p *Picture) Segment(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(p, "<line class=%q x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", class, x1, y1, x2, y2)
}
