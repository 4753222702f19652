// This file owns the picture: speed-up over the number of PEs, by scheduler.

package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ross-go/ross/bench/internal/axis"
	"github.com/ross-go/ross/internal/output/svg"
)

// Sizes in units of the view box.
const (
	panelWide, panelHigh = 420, 360
	plotLeft, plotTop    = 44, 64
	plotWide, plotHigh   = 350, 240
	legendHigh           = 76
	inset                = 8 // from the axis to the first and last value
	legendWide           = 210
)

// idealColour is the colour of the ideal line; those before it are for workloads.
const idealColour = 5

// dashes tell lines apart for readers who see no colours.
var dashes = []string{"none", "7 4", "2 3", "10 3 2 3", "4 2"}

// panel is a scheduler in the picture, on threads that are not bound.
type panel struct {
	title string
	lines []line
}

type line struct {
	name   string
	pes    []int
	speeds []float64 // over one PE
}

// panels returns what is drawn. Series without a run on one PE are not.
func (r *results) panels() (all []panel) {
	for _, scheduler := range []string{optimistic, conservative} {
		p := panel{title: scheduler + ", threads, strong scaling"}
		for _, s := range r.series {
			if s.Weak || s.variant != (variant{Scheduler: scheduler, On: threads}) {
				continue
			}
			l, base := line{name: s.Workload}, 0.0
			for _, c := range s.cells {
				q, ok := c.point()
				if ok && c.PEs == 1 {
					base = q.Rate
				}
				if ok && base > 0 {
					l.pes, l.speeds = append(l.pes, c.PEs), append(l.speeds, q.Rate/base)
				}
			}
			if len(l.pes) > 1 {
				p.lines = append(p.lines, l)
			}
		}
		all = append(all, p)
	}
	return all
}

// draw returns the picture.
func draw(r *results) []byte {
	all := r.panels()
	most, least, fastest := 2, 1.0, 2.0
	for _, p := range all {
		for _, l := range p.lines {
			most = max(most, slices.Max(l.pes))
			least, fastest = min(least, slices.Min(l.speeds)), max(fastest, slices.Max(l.speeds))
		}
	}
	across := axis.New(1, float64(most))
	up := axis.Linear(0, max(fastest, float64(most)))
	logarithmic := most >= 8
	if logarithmic {
		least = math.Exp2(math.Floor(math.Log2(max(least, 0.25)))) // what is slower is drawn there
		up = axis.New(1, max(fastest, float64(most))/least)
	}
	height := func(speed float64) float64 { // 0 to 1
		if logarithmic {
			return up.Place(max(speed/least, 1))
		}
		return up.Place(speed)
	}
	p := svg.New(len(all)*panelWide, panelHigh+legendHigh, "Speed-up over the number of PEs", "")
	p.Text(8, 24, "start", "head", "Speed-up over one PE, on "+cut(cmp.Or(r.Machine.Processor, "a processor without a name"), 70))
	for i, of := range all {
		x, y := float64(i*panelWide+plotLeft), float64(plotTop)
		px := func(pes float64) float64 { return x + inset + across.Place(pes)*(plotWide-2*inset) }
		py := func(speed float64) float64 { return y + plotHigh*(1-height(speed)) }
		p.Text(x, y-12, "start", "name", of.title)
		for _, v := range up.Ticks() {
			if logarithmic {
				v *= least
			}
			p.Segment("grid", x, py(v), x+plotWide, py(v))
			p.Text(x-6, py(v)+4, "end", "tick", fmt.Sprintf("%.3g", v))
		}
		p.Segment("axis", x, y+plotHigh, x+plotWide, y+plotHigh)
		for _, v := range across.Ticks() {
			if v != math.Trunc(v) {
				continue
			}
			p.Segment("axis", px(v), y+plotHigh, px(v), y+plotHigh+4)
			p.Text(px(v), y+plotHigh+18, "middle", "tick", across.Label(v))
		}
		p.Text(x+plotWide/2, y+plotHigh+38, "middle", "name", "PEs")
		var ideal []string
		for n := 1; n < most; n *= 2 {
			ideal = append(ideal, fmt.Sprintf("%.1f,%.1f", px(float64(n)), py(float64(n))))
		}
		ideal = append(ideal, fmt.Sprintf("%.1f,%.1f", px(float64(most)), py(float64(most))))
		polyline(p, idealColour, "none", ideal)
		for _, l := range of.lines {
			colour := r.colour(l.name)
			var path []string
			for k, n := range l.pes {
				path = append(path, fmt.Sprintf("%.1f,%.1f", px(float64(n)), py(l.speeds[k])))
				fmt.Fprintf(p, "<circle class=\"f%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/>\n", colour, px(float64(n)), py(l.speeds[k]))
			}
			polyline(p, colour, dashes[colour], path)
		}
	}
	for i, name := range append(r.names(), "ideal") {
		colour, dash := idealColour, "none"
		if name != "ideal" {
			colour, dash = r.colour(name), dashes[r.colour(name)]
		}
		x, y := float64(plotLeft+i%4*legendWide), float64(panelHigh+12+i/4*24)
		fmt.Fprintf(p, "<path class=\"s%d\" fill=\"none\" stroke-width=\"2\" stroke-dasharray=%q d=\"M%.1f %.1fh40\"/>\n", colour,
			dash, x, y-4)
		p.Text(x+50, y, "start", "name", name)
	}
	p.Text(plotLeft, panelHigh+legendHigh-14, "start", "note", "medians of at least 3 runs; PEs are threads that are not bound")
	return p.End()
}

func polyline(p *svg.Picture, colour int, dash string, path []string) {
	fmt.Fprintf(p, "<polyline class=\"s%d\" fill=\"none\" stroke-width=\"2\" stroke-dasharray=%q points=%q/>\n", colour, dash,
		strings.Join(path, " "))
}

// names returns the names of the workloads.
func (r *results) names() (all []string) {
	for _, w := range r.Workloads {
		all = append(all, w.Name)
	}
	return all
}

// colour returns the colour of a workload.
func (r *results) colour(name string) int { return max(slices.Index(r.names(), name), 0) % idealColour }

// cut shortens a text.
func cut(text string, most int) string {
	if all := []rune(text); len(all) > most {
		return string(all[:most-1]) + "…"
	}
	return text
}
