// This file owns the charts of a comparison: what leads from one run to the other, and charts of both side by side or
// in one.

package report

import (
	"cmp"
	"math"
	"path/filepath"
	"slices"
	"strings"
)

// between makes the axes of real time of two runs one, in the unit of the longer one.
func between(a, b *figures) { a.other, b.other = b.span(), a.span() }

// mostOfName is how many letters of the name of a folder the legends have.
const mostOfName = 28

// namesBeside returns what a comparison calls the run and the base: their folders, with as much of the path as tells
// them apart.
func namesBeside(f, base *figures) (own, other string) {
	parts := func(f *figures) []string {
		if f.run.Dir == "" {
			return nil
		}
		return strings.Split(filepath.ToSlash(absolute(f.run.Dir)), "/")
	}
	a, b := parts(f), parts(base)
	for n := 1; n <= min(len(a), len(b)); n++ {
		own, other = strings.Join(a[len(a)-n:], "/"), strings.Join(b[len(b)-n:], "/")
		if own != other && own != "" && other != "" {
			return shorter(own), shorter(other)
		}
	}
	return "this run", "base"
}

// shorter leaves out the middle of a long name.
func shorter(name string) string {
	letters := []rune(name)
	if len(letters) <= mostOfName {
		return name
	}
	half := (mostOfName - 1) / 2
	return string(letters[:half]) + "…" + string(letters[len(letters)-half:])
}

// gvtKnots returns what GVT was at which real time, in seconds from the begin; between two knots it is taken to rise
// evenly. Real times rise, and GVT does not fall.
func (f *figures) gvtKnots() (knots [][2]float64) {
	if f.run.FromStart {
		knots = append(knots, [2]float64{0, 0})
	}
	for i, gvt := range f.gvt {
		if math.IsNaN(gvt) {
			continue
		}
		if n := len(knots); n > 0 {
			gvt = max(gvt, knots[n-1][1])
		}
		at := f.lines.from - f.begin + (float64(i)+0.5)*f.lines.width
		if i == len(f.gvt)-1 {
			at = f.span() // where the last sample is
		}
		knots = append(knots, [2]float64{at, gvt})
	}
	return knots
}

// gvtAt returns GVT at a real time. Before the first knot and beyond the last it is theirs.
func gvtAt(knots [][2]float64, at float64) float64 {
	i, found := slices.BinarySearchFunc(knots, at, func(k [2]float64, at float64) int { return cmp.Compare(k[0], at) })
	switch {
	case found:
		return knots[i][1]
	case i == 0:
		return knots[0][1]
	case i == len(knots):
		return knots[i-1][1]
	}
	a, b := knots[i-1], knots[i]
	return a[1] + (b[1]-a[1])*(at-a[0])/(b[0]-a[0])
}

// waterfall is a chart of the steps.
func (f *figures) waterfall(base *figures) chart {
	own, other := namesBeside(f, base)
	c := chart{
		ID: "waterfall", Title: "From " + other + " to " + own, Kind: waterfall, Absent: needPE,
		Note: "Seconds of all PEs: the run time times their number, and what each cause adds or takes away.",
		Y:    axis{Name: "seconds of PEs", Unit: "s", Min: limit(0)},
	}
	steps := f.steps(base)
	if !c.have(len(steps) > 0) {
		return c
	}
	at := steps[0].ofBase
	below, more, less, totals := []num{0}, []num{0}, []num{0}, []num{num(at)}
	c.Columns = []string{other}
	for _, s := range steps {
		if s.run == 0 && s.base == 0 {
			continue
		}
		label := s.name
		if label == onNetwork && f.labelOf(onNetwork) == base.labelOf(onNetwork) {
			label = f.labelOf(onNetwork) // as in the bars of both
		}
		c.Columns = append(c.Columns, label)
		below = append(below, num(max(min(at, at+s.change), 0)))
		more, less = append(more, num(max(s.change, 0))), append(less, num(max(-s.change, 0)))
		totals = append(totals, 0)
		at += s.change
	}
	c.Columns = append(c.Columns, own)
	below, more, less, totals = append(below, 0), append(more, 0), append(less, 0), append(totals, num(at))
	c.Series = []series{{Name: "", Values: below}, {Name: "whole time", Values: totals}, {Name: "more", Values: more},
		{Name: "less", Values: less}}
	return c
}

// rollbacksLess is the map of the events rolled back by each KP, less those of the base at the same real time.
func (f *figures) rollbacksLess(base *figures) chart {
	_, other := namesBeside(f, base)
	c := chart{
		ID: "difference", Title: "Rollbacks, less those of " + other, Kind: heatMap,
		Absent: "The runs have no samples of the same KPs: run both with --kp-data=1, and as many PEs and KPs.",
		Note:   "Events rolled back by each KP in this run less those in the base, at the same time. Red: more, blue: less.",
		Z:      axis{Name: "events rolled back, more or less"}, Diverging: true,
	}
	if f.rollbacks().Absent != "" && !f.rollbacks().Zero || base.rollbacks().Absent != "" && !base.rollbacks().Zero ||
		!slices.Equal(f.run.KPs, base.run.KPs) ||
		f.heat.n == 0 || base.heat.n == 0 {
		return c
	}
	common := newGrid(0, max(f.span(), base.span()), max(f.heat.n, base.heat.n))
	unit, scale := timeUnit(max(f.span(), base.span()))
	c.Absent, c.X, c.Linked = "", axis{Name: "real time (" + unit + ")", Unit: unit}, true
	c.columnsOf(common, 0, scale)
	for i := range f.rows {
		c.Rows = append(c.Rows, f.kpName(i))
	}
	cells, most := f.less(base, common, func(_ *figures, at float64) float64 { return at })
	c.Cells = cells
	c.Z.Min, c.Z.Max = limit(-most), limit(most)
	knots := map[*figures][][2]float64{f: f.gvtKnots(), base: base.gvtKnots()}
	if own, other := knots[f], knots[base]; len(own) > 0 && len(other) > 0 {
		first, last := min(own[0][1], other[0][1]), max(own[len(own)-1][1], other[len(other)-1][1])
		if g := newGrid(first, last, common.n); g.n > 0 {
			by := chart{X: axis{Name: "GVT"}}
			by.columnsOf(g, first, 1)
			cells, more := f.less(base, g, func(of *figures, at float64) float64 { return gvtAt(knots[of], at) })
			most = max(most, more)
			c.Z.Min, c.Z.Max = limit(-most), limit(most)
			c.ByGVT = &byGVT{by.X, cells}
		}
	}
	c.unlessZero("Both rolled back as much at all times.")
	return c
}

// less returns the events rolled back by each row of KPs less those of the base, in the columns of a grid, and the
// greatest of them without its sign. The place in the grid of a real time, in seconds from the begin, is what place
// returns.
func (f *figures) less(base *figures, into grid, place func(of *figures, at float64) float64) (
	cells [][3]num, most float64) {
	for i := range f.rows {
		row := into.row()
		for _, one := range []struct {
			of   *figures
			sign float64
		}{{f, 1}, {base, -1}} {
			g := one.of.heat
			for at, n := range one.of.rows[i].undone {
				begin := g.from - one.of.begin + float64(at)*g.width
				from, to := place(one.of, begin), place(one.of, begin+g.width)
				if from < to {
					into.spread(row, from, to, one.sign*n)
				} else {
					row[into.at(from)] += one.sign * n // GVT stood still
				}
			}
		}
		for at, n := range row {
			if math.Abs(n) < 1e-6 { // a rounding error
				n = 0
			}
			cells = append(cells, [3]num{num(at), num(i), num(n)})
			most = max(most, math.Abs(n))
		}
	}
	return cells, most
}

// besideCharts puts what the base has into the charts of lines over real time, and each other chart of the base behind
// that of the run, in the same axes and colours. name and other are those of the runs.
func besideCharts(own, base []chart, name, other string) (all []chart) {
	for _, c := range own {
		i := slices.IndexFunc(base, func(b chart) bool { return b.Title == c.Title })
		if i < 0 {
			all = append(all, c)
			continue
		}
		b := base[i]
		b.ID, b.Title, b.OfBase = "base-"+b.ID, b.Title+" ("+other+")", true
		if c.Absent == "" && b.Absent == "" && c.Kind == b.Kind && c.X.Unit == b.X.Unit {
			switch c.Kind {
			case lineChart:
				sameAxes(&c, &b)
				if c.overlay(&b, name, other) {
					all = append(all, c)
					continue
				}
			case heatMap:
				sameScale(&c, &b)
			case density:
				if c.X.Name == b.X.Name && c.X.Log == b.X.Log { // heights per unit, or per doubling, in both
					c.Other, c.Names = b.Bins, []string{name, other}
					c.Note += " Outlined: " + other + ". " + b.Note
					all = append(all, c)
					continue
				}
			}
		}
		c.Title += " (" + name + ")"
		all = append(all, c, b)
	}
	return all
}

// overlay adds the lines for all PEs of the base to a chart, and reports whether it has such lines.
func (c *chart) overlay(b *chart, name, other string) bool {
	if !c.Linked || !slices.ContainsFunc(c.Series, func(s series) bool { return s.Bold }) {
		return false
	}
	c.Series = slices.Clone(c.Series)
	for i := range c.Series {
		if c.Series[i].Bold {
			c.Series[i].Name = name + ": " + c.Series[i].Name
		}
	}
	for _, s := range b.Series {
		if s.Bold {
			s.Name, s.Base = other+": "+s.Name, true
			s.From, s.Step = b.X.From, b.X.Step
			c.Series = append(c.Series, s)
		}
	}
	return true
}

// sameEnd gives two axes that have an end the same one.
func sameEnd(a, b **num, of func(x, y float64) float64) {
	if *a != nil && *b != nil {
		*a = limit(of(float64(**a), float64(**b)))
		*b = *a
	}
}

// sameScale gives two heat maps of real time one axis, and all heat maps one scale of colours.
func sameScale(a, b *chart) {
	if a.Linked {
		sameEnd(&a.X.Max, &b.X.Max, math.Max)
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, c := range []*chart{a, b} {
		if c.Z.Min != nil {
			low = min(low, float64(*c.Z.Min))
		}
		for _, cell := range c.Cells {
			low, high = min(low, float64(cell[2])), max(high, float64(cell[2]))
		}
	}
	if low <= high {
		a.Z.Min, a.Z.Max = limit(low), limit(high)
		b.Z.Min, b.Z.Max = a.Z.Min, a.Z.Max
	}
}

// sameAxes gives two charts of lines the axes that hold both.
func sameAxes(a, b *chart) {
	sameEnd(&a.X.Max, &b.X.Max, math.Max)
	sameEnd(&a.Y.Min, &b.Y.Min, math.Min)
	if a.Y.Max != nil || b.Y.Max != nil {
		return // which is 100 % in both
	}
	top := 0.0
	for _, c := range []*chart{a, b} {
		for _, s := range c.Series {
			for _, v := range s.Values {
				top = max(top, orLess(float64(v)))
			}
		}
	}
	if step := math.Pow(10, math.Floor(math.Log10(top))) / 2; top > 0 && !math.IsInf(top, 0) {
		a.Y.Max = limit(math.Ceil(top/step) * step)
		b.Y.Max = a.Y.Max
	}
}
