// This file owns the drawing: panels in rows of three, and the legend after the last.

package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ross-go/ross/bench/internal/axis"
	"github.com/ross-go/ross/internal/output/svg"
)

// Sizes in units of the view box. A cell has a panel or the legend.
const (
	columns            = 3
	cellWide, cellHigh = 300, 232
	plotLeft, plotTop  = 36, 10
	plotWide, plotHigh = 240, 164
	headHigh           = 40
	legendHigh         = 116    // of a row without panels
	inset              = 8      // from the axis to the first and last value
	longest, lineGap   = 35, 24 // characters; between the lines of the legend
)

// The ends of a bar.
const lower, upper = 0.25, 0.75

// style is how a scheduler's line looks.
type style struct {
	name, dash string
	colour     int // of package svg
}

var (
	styles = map[int]style{
		1: {"sequential", "none", 0},
		2: {"conservative", "7 4", 2},
		3: {"optimistic", "2 3", 1},
	}
	titles = map[string]string{
		"pending": "pending events", "lps": "LPs", "remote": "share of remote events",
		"lookahead": "lookahead, of a mean delay of 1", "pes": "PEs",
		"ranks": "ranks of one PE",
	}
)

func styleOf(synch int) style {
	if s, ok := styles[synch]; ok {
		return s
	}
	return style{fmt.Sprintf("synch=%d", synch), "none", 5}
}

// picture is the picture that is being drawn.
type picture struct{ *svg.Picture }

// marker draws a circle, triangle or square, by scheduler.
func (p picture) marker(synch int, x, y float64) {
	colour := styleOf(synch).colour
	switch synch {
	case 2:
		fmt.Fprintf(p, "<path class=\"f%d\" d=\"M%.1f %.1f l4.4 7.6 h-8.8 z\"/>\n", colour, x, y-5)
	case 3:
		fmt.Fprintf(p, "<rect class=\"f%d\" x=\"%.1f\" y=\"%.1f\" width=\"7\" height=\"7\"/>\n", colour, x-3.5, y-3.5)
	default:
		fmt.Fprintf(p, "<circle class=\"f%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.8\"/>\n", colour, x, y)
	}
}

// draw returns the picture.
func draw(r *results) []byte {
	rows := len(r.panels)/columns + 1
	wide, high := columns*cellWide, headHigh+rows*cellHigh
	if len(r.panels)%columns == 0 { // the legend has a row for itself, with its notes next to it
		high += legendHigh - cellHigh
	}
	var by []string
	most := 0.0
	for _, panel := range r.panels {
		by = append(by, title(panel.by, 0))
		for _, l := range panel.lines {
			for _, q := range l.points {
				most = max(most, q.quantile(upper))
			}
		}
	}
	p := picture{svg.New(wide, high, "PHOLD, millions of committed events per second, against "+strings.Join(by, "; "),
		"")}
	p.Text(8, 24, "start", "head", "PHOLD: millions of committed events per second")
	rates := newRateAxis(most)
	for i, panel := range r.panels {
		x, y := cell(i)
		p.panel(panel, title(panel.by, r.procs), rates, x+plotLeft, y+plotTop)
	}
	x, y := cell(len(r.panels))
	p.legend(r, x+plotLeft, y+plotTop)
	return p.End()
}

func newRateAxis(most float64) axis.Axis {
	if most <= 0 {
		most = 1
	}
	return axis.Linear(0, most)
}

// cell returns the upper left corner of a cell.
func cell(i int) (x, y float64) {
	return float64(i % columns * cellWide), float64(headHigh + i/columns*cellHigh)
}

// title returns the name of a panel's horizontal axis, with the number of processors, if known,
// where it is about PEs or ranks.
func title(by string, procs int) string {
	name, ok := titles[by]
	switch {
	case !ok:
		return cut(by)
	case by == "ranks" && procs > 0:
		return fmt.Sprintf("%s, on %d cores", name, procs)
	case by == "pes" && procs > 0:
		return fmt.Sprintf("%s, with GOMAXPROCS=%d", name, procs)
	}
	return name
}

// cut shortens a label to what a cell has room for.
func cut(label string) string {
	if r := []rune(label); len(r) > longest {
		return string(r[:longest-1]) + "…"
	}
	return label
}

// panel draws axes, bars, lines and markers; x and y are the upper left corner of the plot.
func (p picture) panel(panel *panel, title string, rates axis.Axis, x, y float64) {
	var values []float64
	for _, l := range panel.lines {
		for _, q := range l.points {
			values = append(values, q.at)
		}
	}
	across := axis.New(slices.Min(values), slices.Max(values))
	px := func(v float64) float64 { return x + inset + across.Place(v)*(plotWide-2*inset) }
	py := func(v float64) float64 { return y + plotHigh*(1-rates.Place(v)) }
	for _, v := range rates.Ticks() {
		p.Segment("grid", x, py(v), x+plotWide, py(v))
		p.Text(x-6, py(v)+4, "end", "tick", rates.Label(v))
	}
	p.Segment("axis", x, y+plotHigh, x+plotWide, y+plotHigh)
	for _, v := range across.Ticks() {
		p.Segment("axis", px(v), y+plotHigh, px(v), y+plotHigh+4)
		p.Text(px(v), y+plotHigh+18, "middle", "tick", across.Label(v))
	}
	p.Text(x+plotWide/2, y+plotHigh+38, "middle", "name", title)
	for _, l := range panel.lines {
		s := styleOf(l.synch)
		var path []string
		for _, q := range l.points {
			fmt.Fprintf(p, "<path class=\"s%d\" stroke-width=\"1\" d=\"M%.1f %.1fV%.1f\"/>\n", s.colour, px(q.at),
				py(q.quantile(lower)), py(q.quantile(upper)))
			path = append(path, fmt.Sprintf("%.1f,%.1f", px(q.at), py(q.quantile(0.5))))
		}
		fmt.Fprintf(p, "<polyline class=\"s%d\" fill=\"none\" stroke-width=\"2\" stroke-dasharray=%q points=%q/>\n", s.colour,
			s.dash, strings.Join(path, " "))
		for _, q := range l.points {
			p.marker(l.synch, px(q.at), py(q.quantile(0.5)))
		}
	}
}

// legend names the schedulers, and explains markers and bars.
func (p picture) legend(r *results, x, y float64) {
	pes := map[int]int{} // of each scheduler, where PEs are not what changes
	least, most, change := int(^uint(0)>>1), 0, false
	for _, panel := range r.panels {
		change = change || panel.by == "pes" || panel.by == "ranks"
		for _, l := range panel.lines {
			pes[l.synch] = max(pes[l.synch], l.pes)
			for _, q := range l.points {
				least, most = min(least, len(q.rates)), max(most, len(q.rates))
			}
		}
	}
	var order []int
	for synch := range pes {
		order = append(order, synch)
	}
	slices.Sort(order)
	top := y
	y += lineGap
	for _, synch := range order {
		s := styleOf(synch)
		fmt.Fprintf(p, "<path class=\"s%d\" fill=\"none\" stroke-width=\"2\" stroke-dasharray=%q d=\"M%.1f %.1fh40\"/>\n",
			s.colour, s.dash, x, y-4)
		p.marker(synch, x+20, y-4)
		name := s.name
		if pes[synch] > 1 && !change {
			name += fmt.Sprintf(", %d PEs", pes[synch])
		}
		p.Text(x+50, y, "start", "name", name)
		y += lineGap
	}
	runs := fmt.Sprint(least)
	if least < most {
		runs = fmt.Sprintf("%d to %d", least, most)
	}
	var notes []string
	if many := slices.Max(slices.Collect(maps.Values(pes))); change && many > 1 {
		notes = append(notes, fmt.Sprintf("%d PEs where the axis does not say", many))
	}
	notes = append(notes, "markers: medians of "+runs+" runs", "bars: the middle half of them")
	if r.cpu != "" {
		notes = append(notes, r.cpu)
	}
	if len(r.panels)%columns == 0 {
		x, y = x+cellWide, top+lineGap
	}
	for _, note := range notes {
		p.Text(x, y, "start", "note", cut(note))
		y += lineGap - 4
	}
}
