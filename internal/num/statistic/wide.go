// This file owns the wide form of a table: a line for each group or LP, and a column for each figure of each statistic.

package statistic

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"

	"github.com/ross-go/ross/internal/sys/csvtext"
)

// wideKey identifies the statistic that a column is about.
type wideKey struct{ name, unit, kind string }

// wideColumns are the columns of a statistic.
type wideColumns struct {
	name      string
	first     int // number of the first one
	figures   []figure
	quantiles []float64
}

// figure is a number of a row.
type figure struct {
	name string
	of   func(r *Row) float64
}

// figures are those of each kind, without quantiles. A count is a number of its own, because it may need all its
// digits.
var figures = map[string][]figure{
	KindCounter.String(): {{"count", nil}},
	KindTally.String(): {{"count", nil}, {"mean", meanOf}, {"stddev", deviationOf}, {"min", leastOf},
		{"max", greatestOf}},
	KindHistogram.String(): {{"count", nil}, {"mean", meanOf}, {"stddev", deviationOf}, {"min", leastOf},
		{"max", greatestOf}},
	KindLevel.String(): {{"mean", meanOf}, {"min", leastOf}, {"max", greatestOf},
		{"nonzero", func(r *Row) float64 { return r.NonZero }}},
	KindSeries.String(): {{"count", nil}, {"sum", func(r *Row) float64 { return r.Sum }}},
}

func meanOf(r *Row) float64      { return r.Mean }
func deviationOf(r *Row) float64 { return r.StdDev }
func leastOf(r *Row) float64     { return r.Min }
func greatestOf(r *Row) float64  { return r.Max }

// wide returns the columns of the statistics of a table, and how many there are behind the first n.
func (t *Table) wide(n int) (order []*wideColumns, of map[wideKey]*wideColumns, width int) {
	of = map[wideKey]*wideColumns{}
	names := map[string]bool{}
	for i := range t.Rows {
		r := &t.Rows[i]
		k := wideKey{r.Name, r.Unit, r.Kind}
		c := of[k]
		if c == nil {
			c = &wideColumns{name: r.Name, figures: figures[r.Kind]}
			if names[c.name] { // another statistic has the name
				c.name += " (" + r.Kind
				if r.Unit != "" {
					c.name += ", " + r.Unit
				}
				c.name += ")"
			}
			names[c.name] = true
			of[k] = c
			order = append(order, c)
		}
		if len(r.Quantiles) > 0 {
			c.quantiles = union(c.quantiles, r.Quantiles)
		}
	}
	for _, c := range order {
		c.first = n
		n += len(c.figures) + len(c.quantiles)
	}
	return order, of, n
}

// WriteWideCSV writes a line with the names of the columns, and one for each group. If groups are LPs, it has the LP's
// id, type and label; otherwise the group's name and its number of LPs. Then come the figures of each statistic.
// Numbers have all their digits; those that do not exist are empty.
func (t *Table) WriteWideCSV(w io.Writer) error {
	lead := []string{"group", "lps"}
	if t.LPs {
		lead = []string{"lp", "type", "label"}
	}
	order, of, width := t.wide(len(lead))
	line := append(make([]string, 0, width), lead...)
	for _, c := range order {
		for _, f := range c.figures {
			line = append(line, csvtext.Cell(c.name)+"."+f.name)
		}
		for _, q := range c.quantiles {
			line = append(line, csvtext.Cell(c.name)+"."+QuantileName(q))
		}
	}
	out := csv.NewWriter(w)
	_ = out.Write(line)
	for i := 0; i < len(t.Rows); {
		clear(line)
		r := &t.Rows[i]
		if t.LPs {
			line[0], line[1], line[2] = r.Group, csvtext.Cell(r.Type), csvtext.Cell(r.Label)
		} else {
			line[0] = csvtext.Cell(r.Group)
		}
		lps := uint64(0)
		for ; i < len(t.Rows) && t.Rows[i].Group == r.Group; i++ {
			row := &t.Rows[i]
			lps = max(lps, row.LPs)
			c := of[wideKey{row.Name, row.Unit, row.Kind}]
			c.put(line, row)
		}
		if !t.LPs {
			line[1] = strconv.FormatUint(lps, 10)
		}
		_ = out.Write(line)
	}
	out.Flush()
	return out.Error()
}

// put writes the figures of a row into their cells of a line.
func (c *wideColumns) put(line []string, r *Row) {
	at := c.first
	for _, f := range c.figures {
		if f.of == nil {
			line[at] = strconv.FormatUint(r.Count, 10)
		} else {
			line[at] = cell(f.of(r), -1, "")
		}
		at++
	}
	for _, x := range r.numbers(c.quantiles)[len(r.numbers(nil)):] {
		if !math.IsNaN(x) {
			line[at] = cell(x, -1, "")
		}
		at++
	}
}
