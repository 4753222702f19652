// This file owns the heat maps and the bars.

package report

import (
	"fmt"
	"math"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
)

func (f *figures) ahead() chart {
	c := f.perKPMap(func(row *ofKPs) []float64 { return row.ahead.values() })
	c.ID, c.Title = "ahead", "Virtual time of the KPs"
	c.Note = "How far the last event of each KP is ahead of GVT. A KP that is far ahead is likely to be rolled back; one that is near GVT delays the others."
	c.Z = axis{Name: "virtual time ahead of GVT"}
	return c
}

func (f *figures) rollbacks() chart {
	c := f.perKPMap(func(row *ofKPs) []float64 { return row.rolledBack })
	c.ID, c.Title = "rollbacks", "Rollbacks"
	c.Note = "Events rolled back by each KP."
	c.Z = axis{Name: "events rolled back", Min: limit(0)}
	c.unlessZero("No event was rolled back.")
	return c
}

// perKPMap returns a map of a figure by KP and real time.
func (f *figures) perKPMap(values func(*ofKPs) []float64) chart {
	c := chart{Kind: heatMap, Absent: needKP}
	if f.source.KP == 0 || f.heat.n == 0 {
		return c
	}
	c.timeColumns(f)
	for i := range f.rows {
		c.Rows = append(c.Rows, f.kpName(i))
		for column, value := range values(&f.rows[i]) {
			if !math.IsNaN(value) {
				c.Cells = append(c.Cells, [3]num{num(column), num(i), num(value)})
			}
		}
	}
	if len(c.Cells) > 0 {
		c.Absent = ""
	}
	return c
}

// kpName names a row of KPs.
func (f *figures) kpName(row int) string {
	n := len(f.run.KPs)
	first, last := f.run.KPs[firstOf(row, n, maxRows)], f.run.KPs[firstOf(row+1, n, maxRows)-1]
	if first.PE == last.PE {
		return fmt.Sprintf("PE %d %s", first.PE, number("KP", uint64(first.KP), uint64(last.KP)))
	}
	return number("PE", uint64(first.PE), uint64(last.PE))
}

func (f *figures) activity() chart {
	c := chart{
		ID: "activity", Title: "Time by activity", Kind: barChart, Absent: "No times of PEs: run the simulation with --engine-stats=1.",
		Note: "How each PE spent its time. In the rest it was idle, or did work that is not timed.",
		X:    axis{Name: "PE"}, Y: axis{Name: "time (%)", Unit: "%", Max: limit(100)},
	}
	n := len(f.perPE)
	bars := make([]sums, min(n, maxRows))
	all := 0.0
	for i := range f.perPE {
		t, bar := &f.perPE[i], &bars[share(i, n, maxRows)]
		bar.rest += t.rest
		for part, seconds := range t.parts {
			bar.parts[part] += seconds
		}
		all += t.time()
	}
	if all <= 0 {
		return c
	}
	c.Absent = ""
	for row := range bars {
		first, last := f.run.PEs[firstOf(row, n, maxRows)], f.run.PEs[firstOf(row+1, n, maxRows)-1]
		c.Columns = append(c.Columns, number("PE", uint64(first), uint64(last)))
	}
	part := func(name string, of func(*sums) float64) {
		values := make([]num, len(bars))
		for i := range bars {
			values[i] = num(100 * of(&bars[i]) / max(bars[i].time(), math.SmallestNonzeroFloat64))
		}
		c.Series = append(c.Series, series{Name: name, Values: values})
	}
	for p := range survey.NumParts {
		part(p.String(), func(t *sums) float64 { return t.parts[p] })
	}
	part("rest", func(t *sums) float64 { return t.rest })
	return c
}

func (f *figures) lpTraffic() chart {
	c := chart{
		ID: "traffic", Title: "Traffic between LPs", Kind: heatMap, Absent: needTrace,
		Note: "Events of the trace, by sender and receiver. On the diagonal are those that LPs sent to themselves. The colour scale is logarithmic.",
		X:    axis{Name: "from LP"}, Y: axis{Name: "to LP"}, Z: axis{Name: "events"}, Log: true,
	}
	c.traffic(f.lps, "LP")
	if f.lps != nil && c.Absent == "" && uint64(f.lps.rows) == f.lps.n { // each LP has its own row
		names := f.run.Labels()
		for row := range c.Rows { // which the columns share
			c.Rows[row] = "LP " + names.Name(f.lps.first+uint64(row))
		}
	}
	return c
}

func (f *figures) pairTraffic() chart {
	c := chart{
		ID: "traffic-pe", Title: "Traffic between PEs", Kind: heatMap, Absent: needHomes,
		Note: "Events of the trace, by the PE of the sender and of the receiver.",
		X:    axis{Name: "from PE"}, Y: axis{Name: "to PE"}, Z: axis{Name: "events"},
	}
	c.traffic(f.pairs, "PE")
	c.Labels = len(c.Rows) <= 8
	return c
}

// traffic makes c a map of t, which may be nil.
func (c *chart) traffic(t *traffic, what string) {
	if t == nil || t.events == 0 {
		return
	}
	c.Absent = ""
	for row := range t.rows {
		first, last := t.ids(row)
		c.Rows = append(c.Rows, number(what, first, last))
		for column := range t.rows {
			if n := t.cells[column*t.rows+row]; n > 0 {
				c.Cells = append(c.Cells, [3]num{num(column), num(row), num(n)})
			}
		}
	}
	c.Columns = c.Rows
}
