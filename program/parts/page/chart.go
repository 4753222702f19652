// This file owns charts: the picture of a result against the options, as SVG.

package page

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"strconv"
	"strings"

	"github.com/ross-go/ross/program/parts/experiment"
)

// MostDots is about how many replications a chart has as dots: the first ones of each point. If there are very many
// results, their charts have fewer.
const MostDots = 3000

// dotsOfAll is about how many dots a page has.
const dotsOfAll = 60_000

// Sizes in pixels of a chart. On a phone it is drawn smaller and its text larger, so that there is room for that.
const (
	wide     = 480
	perRune  = 9.5 // about the width of a letter on a phone
	lineHigh = 22
	margin   = 14

	turn        = 40 // degrees by which labels are turned that have no room
	mostLetters = 16 // of the label of a category
)

// mark is what a chart shows at a point.
type mark struct {
	point int
	experiment.Interval
	runs []Run
	star bool
	text string // in words
}

// chart is a chart: marks at the points of a layout.
type chart struct {
	*layout
	unit  string
	marks []mark
	zero  bool // the axis has 0, with a line
	text  string
}

// cut returns the runs of a mark that have dots.
func (c *chart) cut(m *mark) []Run { return m.runs[:min(len(m.runs), c.dots)] }

// span returns the least and the greatest value of a chart; ok is false if it has none.
func (c *chart) span() (low, high float64, ok bool) {
	low, high = math.Inf(1), math.Inf(-1)
	take := func(v float64) { low, high = min(low, v), max(high, v) }
	for i := range c.marks {
		m := &c.marks[i]
		if mean, half := known(m.Interval); half {
			take(bounded(m.Low()))
			take(bounded(m.High()))
		} else if mean {
			take(m.Mean)
		}
		for _, r := range c.cut(m) {
			take(r.Value)
		}
	}
	if ok = low <= high; ok && c.zero {
		take(0)
	}
	return low, high, ok
}

// drawing is an SVG that is being written.
type drawing struct{ strings.Builder }

func (d *drawing) f(format string, args ...any) { fmt.Fprintf(d, format, args...) }

func (d *drawing) begin(high int, attributes string) {
	d.f(`<svg viewBox="0 0 %d %d" %s>`+"\n", wide, high, attributes)
}

func (d *drawing) end() template.HTML {
	d.WriteString("</svg>")
	return template.HTML(d.String()) //nolint:gosec // what comes from outside is escaped where it is written
}

// px writes a coordinate.
func px(v float64) string {
	text := strconv.FormatFloat(v, 'f', 1, 64)
	if text == "-0.0" {
		return "0"
	}
	return strings.TrimSuffix(text, ".0")
}

func (d *drawing) line(class string, x1, y1, x2, y2 float64) {
	d.f(`<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`+"\n", class, px(x1), px(y1), px(x2), px(y2))
}

func (d *drawing) words(class string, x, y float64, anchor, text string) {
	d.f(`<text class="%s" x="%s" y="%s" text-anchor="%s">%s</text>`+"\n", class, px(x), px(y), anchor,
		html.EscapeString(text))
}

// leftOf returns where a picture begins that has the labels of ticks at its left.
func leftOf(ticks []tick) float64 {
	left := float64(margin)
	for _, t := range ticks {
		left = max(left, margin+float64(perRune*float64(len(t.label))))
	}
	return left
}

// levels draws a line at each tick of a vertical axis, with its label.
func (d *drawing) levels(y axis, ticks []tick, left, right float64) {
	for _, t := range ticks {
		at := y.at(t.value)
		d.line("grid", left, at, right, at)
		d.words("tick y", left-6, at+5, "end", t.label)
	}
}

// plot returns the panels of a chart, or of one point its only line.
func (c *chart) plot() (panels []template.HTML) {
	low, high, ok := c.span()
	switch {
	case !ok:
		return nil
	case c.axis == "":
		return []template.HTML{c.single(low, high)}
	}
	for i := range c.panels {
		panels = append(panels, c.panel(i, low, high))
	}
	return panels
}

// label returns the attributes of a picture for readers who cannot see it.
func (c *chart) label(panel string) string {
	if panel != "" {
		panel = ", " + panel
	}
	return fmt.Sprintf(`role="img" aria-label="%s"`, html.EscapeString(c.text+panel))
}

// frame is the inner part of a panel, its axes, and where values are.
type frame struct {
	y           axis
	yTicks      []tick
	x           axis      // of numbers
	places      []float64 // of the values of the horizontal axis
	left, right float64
	top, bottom float64
	slot        float64 // width of a line's marks
	turned      bool    // labels of categories are
	high        int
}

// frame lays out a panel.
func (c *chart) frame(low, high float64, title bool) *frame {
	f := &frame{right: wide - margin, top: margin}
	if title {
		f.top += lineHigh
	}
	if c.unit != "" {
		f.top += lineHigh
	}
	if c.zero {
		f.top += lineHigh // of stars
	}
	from, to := around(low, high)
	f.y = axis{low: from, high: to}
	f.yTicks = f.y.ticks(7, false)
	f.left = leftOf(f.yTicks)
	f.bottom = f.top + 220
	f.y.from, f.y.to = f.bottom, f.top
	gap := f.right - f.left // between two values
	if f.slot = 34; len(c.lines) == 1 {
		f.slot = 60
	}
	f.slot = min(f.slot, 0.8*gap/float64(len(c.lines)*(len(c.numbers)+len(c.words))))
	if c.numeric {
		edge := f.slot*float64(len(c.lines))/2 + 8 // room for the marks of the first value and of the last
		f.x = axis{c.numbers[0], c.numbers[len(c.numbers)-1], f.left + edge, f.right - edge, c.log}
		if f.x.low == f.x.high {
			f.x.low, f.x.high = around(f.x.low, f.x.high)
		}
		for i, v := range c.numbers {
			f.places = append(f.places, f.x.at(v))
			if i > 0 {
				gap = min(gap, f.places[i]-f.places[i-1])
			}
		}
	} else {
		gap /= float64(len(c.words))
		for i := range c.words {
			f.places = append(f.places, f.left+float64(gap*(float64(i)+0.5)))
		}
	}
	f.slot = max(6, min(f.slot, 0.8*gap/float64(len(c.lines))))
	f.high = int(f.bottom) + 2*lineHigh + 8
	if !c.numeric {
		longest := 0
		for _, w := range c.words {
			longest = max(longest, len([]rune(shortened(w))))
		}
		if f.turned = float64(longest)*perRune > gap; f.turned && !c.ordered {
			f.high += int(float64(longest) * perRune * 0.6)
		}
	}
	return f
}

// panel draws one panel.
func (c *chart) panel(panel int, low, high float64) template.HTML {
	title := c.panels[panel]
	f := c.frame(low, high, title != "")
	d := &drawing{}
	d.begin(f.high, c.label(title))
	y := float64(margin) + 3
	if title != "" {
		d.words("head", margin, y, "start", shorten(title, 46))
		y += lineHigh
	}
	if c.unit != "" {
		d.words("note", margin, y, "start", shorten(c.unit, 46))
	}
	c.axes(d, f)
	for line := range c.lines {
		shift := (float64(line) - float64(len(c.lines)-1)/2) * f.slot
		d.f(`<g class="c%d" transform="translate(%s)">`+"\n", line, px(shift))
		c.join(d, f, panel, line)
		for i := range c.marks {
			m := &c.marks[i]
			if at := c.spots[m.point]; at.panel == panel && at.line == line {
				c.scatter(d, m, func(part float64) (x float64) { return f.places[at.x] + float64(0.8*f.slot*part) }, f.y.at)
				c.draw(d, m, line, f.places[at.x], f.y)
			}
		}
		d.WriteString("</g>\n")
	}
	return d.end()
}

// axes draws the axes with their labels.
func (c *chart) axes(d *drawing, f *frame) {
	d.levels(f.y, f.yTicks, f.left, f.right)
	if c.zero {
		d.line("zero", f.left, f.y.at(0), f.right, f.y.at(0))
	}
	d.line("axis", f.left, f.bottom, f.right, f.bottom)
	below := f.bottom + 20
	mark := func(x float64, label string) {
		d.line("axis", x, f.bottom, x, f.bottom+4)
		d.words("tick x", x, below, "middle", label)
	}
	switch {
	case c.numeric:
		for _, t := range c.across(f) {
			mark(f.x.at(t.value), t.label)
		}
	case f.turned && !c.ordered:
		every := 1 + int(lineHigh*float64(len(c.words))/(f.right-f.left))
		for i := 0; i < len(c.words); i += every {
			d.line("axis", f.places[i], f.bottom, f.places[i], f.bottom+4)
			d.f(`<text class="tick x" transform="translate(%s %s) rotate(-%d)" text-anchor="end">%s</text>`+"\n",
				px(f.places[i]+4), px(below-4), turn, html.EscapeString(shorten(c.words[i], f.room(i))))
		}
	default:
		every := 1 + int(perRune*float64(len(c.words[len(c.words)-1])*len(c.words))/(f.right-f.left))
		if !f.turned {
			every = 1
		}
		for i := 0; i < len(c.words); i += every {
			mark(f.places[i], shortened(c.words[i]))
		}
	}
	title := shorten(c.axis, 28)
	if c.log {
		title += " (logarithmic)"
	}
	d.words("title", (f.left+f.right)/2, float64(f.high)-7, "middle", title)
}

// across returns the marks of the horizontal axis: at its values, if there is room for their labels.
func (c *chart) across(f *frame) []tick {
	var all []tick
	free := math.Inf(-1) // where the label before ends
	for i, v := range c.numbers {
		label := strconv.FormatFloat(v, 'g', -1, 64)
		half := perRune * float64(len(label)) / 2
		if f.places[i]-half < free || len(label) > 12 {
			for most := 6; ; most-- {
				if all = f.x.ticks(most, c.whole); most == 2 || f.x.fits(all) {
					return all
				}
			}
		}
		free = f.places[i] + half + 6
		all = append(all, tick{v, tidy(label)})
	}
	return all
}

// room returns how many letters a turned label has room for, up to the left edge.
func (f *frame) room(i int) int {
	return max(4, min(mostLetters, int((f.places[i]-4)/(perRune*math.Cos(turn*math.Pi/180)))))
}

// join draws the line that joins the means, dotted between categories of several lines.
func (c *chart) join(d *drawing, f *frame, panel, line int) {
	if !c.numeric && len(c.lines) == 1 {
		return
	}
	const none, unknown = 1, 2 // of a place: it has no point, and one without a mean
	means, lacks := make([]float64, len(f.places)), make([]int, len(f.places))
	for x := range lacks {
		lacks[x] = none
	}
	if c.zero { // the difference of a base from itself
		for _, s := range c.spots {
			if s.panel == panel && s.line == line {
				lacks[s.x] = 0
			}
		}
	}
	for i := range c.marks {
		if s := c.spots[c.marks[i].point]; s.panel == panel && s.line == line {
			if means[s.x], lacks[s.x] = c.marks[i].Mean, 0; !hasMean(c.marks[i].Interval) {
				lacks[s.x] = unknown
			}
		}
	}
	var path strings.Builder
	step := "M"
	for x, mean := range means {
		switch lacks[x] {
		case unknown:
			step = "M"
		case 0:
			fmt.Fprintf(&path, "%s%s %s", step, px(f.places[x]), px(f.y.at(mean)))
			step = "L"
		}
	}
	if path.Len() > 0 {
		class := "join"
		if !c.numeric {
			class = "join dotted"
		}
		d.f(`<path class="%s" d="%s"/>`+"\n", class, path.String())
	}
}

// scatter draws the replications of a point. along leads from -0.5 to 0.5 to the place between replications.
func (c *chart) scatter(d *drawing, m *mark, along, value func(float64) float64) {
	runs := c.cut(m)
	if len(runs) == 0 {
		return
	}
	d.f(`<g class="dots" data-point="%d">`, m.point)
	for k, r := range runs {
		x, y := along((float64(k)+0.5)/float64(len(runs))-0.5), value(r.Value)
		if c.axis == "" {
			x, y = y, x
		}
		d.f(`<circle cx="%s" cy="%s" r="2.5"><title>replication %d: %s</title></circle>`, px(x), px(y), r.Replication,
			figure(r.Value))
	}
	d.WriteString("</g>\n")
}

// shapes are markers, drawn from their centres, so that lines differ without colours too.
var shapes = [MostLines]string{
	"m-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",
	"m-4.5 -4.5h9v9h-9z",
	"m0 -6l5.5 10h-11z",
	"m0 -6.5l5.5 6.5l-5.5 6.5l-5.5 -6.5z",
	"m0 6l5.5 -10h-11z",
	"m-2 -6h4v4h4v4h-4v4h-4v-4h-4v-4h4z",
}

// draw draws the interval of a point.
func (c *chart) draw(d *drawing, m *mark, line int, x float64, y axis) {
	mean, half := known(m.Interval)
	if !mean {
		return
	}
	d.f(`<g class="bar" data-point="%d"><title>%s</title>`, m.point, html.EscapeString(m.text))
	if half {
		low, high := y.at(bounded(m.Low())), y.at(bounded(m.High()))
		d.f(`<path class="ci" d="M%[1]s %[2]sV%[3]sm-5 0h10M%[4]s %[2]sh10"/>`, px(x), px(low), px(high), px(x-5))
		if m.star {
			d.f(`<text class="star" x="%s" y="%s" text-anchor="middle">★</text>`, px(x), px(high-6))
		}
	}
	d.f(`<path class="mark" d="M%s %s%s"/></g>`+"\n", px(x), px(y.at(m.Mean)), shapes[line])
}

// single draws the replications of the only point on one axis, with the interval.
func (c *chart) single(low, high float64) template.HTML {
	const y, below = 50, 96
	d := &drawing{}
	whole := below + lineHigh + 6
	if c.unit != "" {
		whole += lineHigh
	}
	d.begin(whole, c.label(""))
	from, to := around(low, high)
	f := &frame{x: axis{low: from, high: to, from: 2 * margin, to: wide - 2*margin}}
	for _, t := range f.x.apart() {
		x := f.x.at(t.value)
		d.line("grid", x, margin, x, below)
		d.words("tick x", x, below+20, "middle", t.label)
	}
	d.line("axis", f.x.from, below, f.x.to, below)
	if c.unit != "" {
		d.words("title", wide/2, float64(whole)-7, "middle", shorten(c.unit, 46))
	}
	d.WriteString(`<g class="c0">`)
	m := &c.marks[0]
	c.scatter(d, m, func(part float64) float64 { return y + float64(60*part) }, f.x.at)
	if mean, half := known(m.Interval); mean {
		d.f(`<g class="bar" data-point="0"><title>%s</title>`, html.EscapeString(m.text))
		if half {
			d.f(`<path class="ci" d="M%[1]s %[2]dH%[3]sm0 -6v12M%[1]s %[4]dv12"/>`, px(f.x.at(bounded(m.Low()))), y,
				px(f.x.at(bounded(m.High()))), y-6)
		}
		d.f(`<path class="mark" d="M%s %d%s"/></g>`, px(f.x.at(m.Mean)), y, shapes[0])
	}
	d.WriteString("</g>\n")
	return d.end()
}

// legend returns the key of the lines, "" if there is one.
func (l *layout) legend() template.HTML {
	if l.option == "" {
		return ""
	}
	d := &drawing{}
	title := shorten(l.option, 20)
	x, y := margin+perRune*float64(len([]rune(title)))+12, 18.0
	d.words("title", margin, y+5, "start", title)
	for i, name := range l.lines {
		name = shorten(name, 24)
		width := 26 + perRune*float64(len([]rune(name))) + 10
		if x+width > wide && x > margin {
			x, y = margin, y+lineHigh
		}
		d.f(`<g class="c%d"><path class="join" d="M%s %sh24"/><path class="mark" d="M%s %s%s"/></g>`, i, px(x), px(y),
			px(x+12), px(y), shapes[i])
		d.words("tick", x+30, y+5, "start", name)
		x += width
	}
	body := d.String()
	d.Reset()
	d.begin(int(y)+12, `class="key" role="img" aria-label="`+html.EscapeString("Key of the lines: "+l.option+" "+
		strings.Join(l.lines, ", "))+`"`)
	d.WriteString(body)
	return d.end()
}

// shortened returns a category as its label.
func shortened(word string) string { return shorten(word, mostLetters) }

// shorten cuts text off.
func shorten(text string, most int) string {
	runes := []rune(clean(text))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most-1]) + "…"
}

// rough returns a number with four digits, and without decimals from 1000 to a million.
func rough(v float64) string {
	if size := math.Abs(v); size >= 1000 && size < 1e6 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return tidy(strconv.FormatFloat(v, 'g', 4, 64))
}

// figure returns a number with six digits.
func figure(v float64) string { return tidy(strconv.FormatFloat(v, 'g', 6, 64)) }
