// This file owns the charts of a comparison: what leads from one run to the other, and charts of both side by side or in
// one.

package report

import (
	"math"
	"slices"
)

// waterfall is a chart of the steps.
func (f *figures) waterfall(base *figures) chart {
	c := chart{
		ID: "waterfall", Title: "From the base to this run", Kind: waterfall, Absent: needPE,
		Note: "Seconds of all PEs: the run time times their number, and what each cause adds or takes away.",
		Y:    axis{Name: "seconds of PEs", Unit: "s", Min: limit(0)},
	}
	steps := f.steps(base)
	if len(steps) == 0 {
		return c
	}
	c.Absent = ""
	at := steps[0].ofBase
	below, more, less, totals := []num{0}, []num{0}, []num{0}, []num{num(at)}
	c.Columns = []string{"base"}
	for _, s := range steps {
		if s.run == 0 && s.base == 0 {
			continue
		}
		c.Columns = append(c.Columns, s.name)
		below = append(below, num(max(min(at, at+s.change), 0)))
		more, less = append(more, num(max(s.change, 0))), append(less, num(max(-s.change, 0)))
		totals = append(totals, 0)
		at += s.change
	}
	c.Columns = append(c.Columns, "this run")
	below, more, less, totals = append(below, 0), append(more, 0), append(less, 0), append(totals, num(at))
	c.Series = []series{{Name: "", Values: below}, {Name: "whole time", Values: totals}, {Name: "more", Values: more}, {Name: "less", Values: less}}
	return c
}

// rollbacksLess is the map of the events rolled back by each KP, less those of the base at the same real time.
func (f *figures) rollbacksLess(base *figures) chart {
	c := chart{
		ID: "difference", Title: "Rollbacks, less those of the base", Kind: heatMap, Absent: "The runs have no samples of the same KPs: run both with --kp-data=1, and as many PEs and KPs.",
		Note: "Events rolled back by each KP in this run less those in the base, at the same real time.",
		Z:    axis{Name: "events rolled back, more or less"}, Diverging: true,
	}
	if f.rollbacks().Absent != "" && !f.rollbacks().Zero || base.rollbacks().Absent != "" && !base.rollbacks().Zero || !slices.Equal(f.run.KPs, base.run.KPs) ||
		f.heat.n == 0 || base.heat.n == 0 {
		return c
	}
	common := newGrid(0, max(f.span(), base.span()), max(f.heat.n, base.heat.n))
	unit, scale := timeUnit(max(f.span(), base.span()))
	c.Absent, c.X = "", axis{Name: "real time (" + unit + ")", Unit: unit}
	c.columnsOf(common, 0, scale)
	most := 0.0
	for i := range f.rows {
		c.Rows = append(c.Rows, f.kpName(i))
		row := common.row()
		for _, one := range []struct {
			of   *figures
			sign float64
		}{{f, 1}, {base, -1}} {
			g := one.of.heat
			for at, n := range one.of.rows[i].rolledBack {
				from := g.from - one.of.begin + float64(at)*g.width
				common.spread(row, from, from+g.width, one.sign*n)
			}
		}
		for at, n := range row {
			if math.Abs(n) < 1e-6 { // a rounding error
				n = 0
			}
			c.Cells = append(c.Cells, [3]num{num(at), num(i), num(n)})
			most = max(most, math.Abs(n))
		}
	}
	c.Z.Min, c.Z.Max = limit(-most), limit(most)
	c.unlessZero("Both rolled back as much at all times.")
	return c
}

// besideCharts puts what the base has into the charts of lines over real time, and each other chart of the base behind
// that of the run, in the same axes and colours.
func besideCharts(own, base []chart) (all []chart) {
	for _, c := range own {
		i := slices.IndexFunc(base, func(b chart) bool { return b.Title == c.Title })
		if i < 0 {
			all = append(all, c)
			continue
		}
		b := base[i]
		b.ID, b.Title = "base-"+b.ID, b.Title+" (base)"
		if c.Absent == "" && b.Absent == "" && c.Kind == b.Kind && c.X.Unit == b.X.Unit {
			switch c.Kind {
			case lineChart:
				sameAxes(&c, &b)
				if c.overlay(&b) {
					all = append(all, c)
					continue
				}
			case heatMap:
				sameScale(&c, &b)
			}
		}
		all = append(all, c, b)
	}
	return all
}

// overlay adds the lines for all PEs of the base to a chart, and reports whether it has such lines.
func (c *chart) overlay(b *chart) bool {
	if !c.Linked || !slices.ContainsFunc(c.Series, func(s series) bool { return s.Bold }) {
		return false
	}
	c.Series = slices.Clone(c.Series)
	for _, s := range b.Series {
		if s.Bold {
			s.Name, s.Base = "base: "+s.Name, true
			s.From, s.Step = b.X.From, b.X.Step
			c.Series = append(c.Series, s)
		}
	}
	return true
}

// sameScale gives two heat maps of real time one axis, and all heat maps one scale of colours.
func sameScale(a, b *chart) {
	if a.X.Max != nil && b.X.Max != nil && a.Linked {
		end := limit(max(float64(*a.X.Max), float64(*b.X.Max)))
		a.X.Max, b.X.Max = end, end
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
	if a.X.Max != nil && b.X.Max != nil {
		end := limit(max(float64(*a.X.Max), float64(*b.X.Max)))
		a.X.Max, b.X.Max = end, end
	}
	if a.Y.Min != nil && b.Y.Min != nil {
		low := limit(min(float64(*a.Y.Min), float64(*b.Y.Min)))
		a.Y.Min, b.Y.Min = low, low
	}
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
