// This file owns charts of warm-ups: the course of a result over virtual time at each point, as Welch's plot has it.

package page

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"strconv"
	"strings"
)

// WarmUp is the course of a result over virtual time, at some points.
type WarmUp struct {
	Name, Unit string
	Curves     []Curve
}

// Curve is a course over the runs of a point.
type Curve struct {
	Point int // index of Study.Points
	// Times are the virtual times at which intervals begin, ascending.
	Times []float64
	// Means are those over the runs in each interval, and Smoothed moving averages of them (experiment.Welch), which may
	// end before.
	Means, Smoothed []float64
	// End is where the warm-up ends (experiment.MSER5), and Remark what is to be said about it, such as that the runs are
	// too short; "": nothing.
	End    float64
	Remark string
}

// warmUpView is the figure of a warm-up.
type warmUpView struct {
	ID, Title, Unit, Text, File, CSV string
	Panels                           []template.HTML
	Left                             int // points without a panel
	Rows                             []warmUpRow
	*view
}

// warmUpRow is a line of its table.
type warmUpRow struct {
	Values      []string
	End, Remark string
}

// warmUps returns the figures of the warm-ups.
func (s *Study) warmUps(v *view) (all []warmUpView) {
	for i := range s.WarmUps {
		w := &s.WarmUps[i]
		f := warmUpView{ID: fmt.Sprintf("w%d", i), Title: clean(w.Name) + ": warm-up", Unit: clean(w.Unit), view: v,
			Text: "Means of all runs in intervals of virtual time (thin), and smoothed (thick). MSER-5 leaves out what is " +
				"before the vertical line."}
		f.File = fileName(v.Title + " " + f.Title)
		low, high := math.Inf(1), math.Inf(-1)
		for k := range w.Curves {
			for _, x := range w.Curves[k].Means {
				if x-x == 0 {
					low, high = min(low, x), max(high, x)
				}
			}
		}
		t := s.newSheet("time", "mean", "smoothed", "warm-up")
		for k := range w.Curves {
			c := &w.Curves[k]
			row := warmUpRow{End: figure(c.End), Remark: clean(c.Remark)}
			for _, value := range s.Points[c.Point].Values {
				row.Values = append(row.Values, brief(value))
			}
			f.Rows = append(f.Rows, row)
			for j, at := range c.Times {
				smoothed := math.NaN()
				if j < len(c.Smoothed) {
					smoothed = c.Smoothed[j]
				}
				t.add(append(s.cells(c.Point), number(at), number(c.Means[j]), number(smoothed), strconv.FormatBool(at < c.End))...)
			}
			if low <= high && len(c.Times) > 1 {
				if len(f.Panels) < mostPanels {
					f.Panels = append(f.Panels, s.course(c, f.Title, low, high))
				} else {
					f.Left++
				}
			}
		}
		if f.CSV = t.text(); f.Left > 0 {
			f.Text += fmt.Sprintf(" Charts have the first %s; the table has all points.", count(mostPanels, "point"))
		}
		all = append(all, f)
	}
	return all
}

// course draws the course of a point.
func (s *Study) course(c *Curve, title string, low, high float64) template.HTML {
	const top, bottom = margin + lineHigh, margin + lineHigh + 140
	name := s.name(c.Point)
	d := &drawing{}
	d.begin(bottom+2*lineHigh+8, fmt.Sprintf(`role="img" aria-label="%s"`, html.EscapeString(strings.TrimSuffix(
		fmt.Sprintf("%s, %s, which ends at %s: %s", title, name, figure(c.End), c.Remark), ": "))))
	d.words("head", margin, margin+3, "start", shorten(name, 46))
	from, to := around(low, high)
	y := axis{low: from, high: to, from: bottom, to: top}
	ticks := y.ticks(4, false)
	left := leftOf(ticks)
	last := len(c.Times) - 1
	end := c.Times[last] + (c.Times[last]-c.Times[0])/float64(last)
	x := axis{low: c.Times[0], high: end, from: left + 4, to: wide - 2*margin}
	d.levels(y, ticks, left, wide-margin)
	d.line("axis", left, bottom, wide-margin, bottom)
	for _, t := range x.apart() {
		d.line("axis", x.at(t.value), bottom, x.at(t.value), bottom+4)
		d.words("tick x", x.at(t.value), bottom+20, "middle", t.label)
	}
	d.words("title", (left+wide-margin)/2, bottom+2*lineHigh+1, "middle", "virtual time")
	half := (c.Times[1] - c.Times[0]) / 2
	path := func(class string, values []float64) {
		var b strings.Builder
		step := "M"
		for i, v := range values {
			if v-v != 0 {
				step = "M"
				continue
			}
			fmt.Fprintf(&b, "%s%s %s", step, px(x.at(c.Times[i]+half)), px(y.at(v)))
			step = "L"
		}
		if b.Len() > 0 {
			d.f(`<path class="%s" d="%s"/>`+"\n", class, b.String())
		}
	}
	d.WriteString(`<g class="c0">`)
	path("thin", c.Means)
	path("thick", c.Smoothed)
	d.WriteString("</g>\n")
	if c.End > c.Times[0] {
		d.line("zero", x.at(c.End), top, x.at(c.End), bottom)
	}
	return d.end()
}
