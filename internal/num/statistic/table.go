// This file owns Table: the statistics of a run, and how they are written as text, as CSV and
// as JSON.

package statistic

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ross-go/ross/internal/sys/csvtext"
)

// Table holds the statistics of a run.
type Table struct {
	From  float64 // virtual time at which the observation began
	Until float64 // virtual time at which it ended
	Rows  []Row
	LPs   bool // groups are LPs: their names are the LPs' ids
}

// Row is a statistic of a group of LPs. Numbers that do not exist are NaN. Package stats
// documents the fields.
type Row struct {
	Group, Name, Unit, Kind string
	LPs, Count              uint64
	Sum, Mean, StdDev       float64
	Min, Max                float64
	NonZero                 float64
	Bins                    []Bin
	Course                  []Step
	Values                  []Share   // of a level with quantiles
	Quantiles               []float64 // that are shown of a histogram
	Type, Label             string    // of the LP, if the group is one
	Rare, Detail            bool      // as Field has them
}

// Shown returns the rows that a report has: those with the names, as Field.Names has them, also if the name of a
// quantile follows; without names, all but details, and rare things that have not happened.
func (t *Table) Shown(names []string) *Table {
	shown := *t
	shown.Rows = nil
	for i := range t.Rows {
		r := &t.Rows[i]
		wanted := !r.Detail && (!r.Rare || r.happened())
		if len(names) > 0 {
			wanted = slices.ContainsFunc(names, func(name string) bool {
				name = Unquantiled(name)
				return name == r.Name || name == r.Group+" "+r.Name
			})
		}
		if wanted {
			shown.Rows = append(shown.Rows, *r)
		}
	}
	return &shown
}

// happened reports whether something was recorded, in a level another value than 0.
func (r *Row) happened() bool {
	if r.Kind == KindLevel.String() {
		return r.Sum != 0 && r.Sum == r.Sum
	}
	return r.Count > 0
}

// Names returns the names of the rows that a field of an LP type is in, with the type in front and without it.
func (f *Field) Names(group string) []string {
	all := []string{f.Name, group + " " + f.Name}
	if f.Total != "" {
		all = append(all, f.Total, group+" "+f.Total)
	}
	return all
}

// Step is an interval of a time series.
type Step struct {
	Begin, End float64
	Count      uint64
	Sum        float64
	Mean, Rate float64
}

// MarshalJSON returns the interval as an object.
func (s Step) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Begin number `json:"begin"`
		End   number `json:"end"`
		Count uint64 `json:"count"`
		Sum   number `json:"sum"`
		Mean  number `json:"mean"`
		Rate  number `json:"rate"`
	}{number(s.Begin), number(s.End), s.Count, number(s.Sum), number(s.Mean), number(s.Rate)})
}

// Quantile returns a quantile of a histogram, see QuantileOf. Without a row it is NaN.
func (r *Row) Quantile(q float64) float64 {
	if r == nil {
		return math.NaN()
	}
	if len(r.Values) > 0 {
		return valueAt(r.Values, q)
	}
	n := uint64(0)
	for _, b := range r.Bins {
		n += b.N
	}
	return QuantileOf(slices.Values(r.Bins), n, q, r.Min, r.Max)
}

// firstColumns are those before the quantiles.
var firstColumns = []string{"group", "statistic", "unit", "kind", "lps", "count", "sum", "mean", "stddev", "min", "max",
	"nonzero"}

// columns returns the names of the columns.
func columns(quantiles []float64) []string {
	names := slices.Clone(firstColumns)
	for _, q := range quantiles {
		names = append(names, QuantileName(q))
	}
	return names
}

// numbers returns the numbers of a row, in the order of the columns. Quantiles that are not shown of it are NaN.
func (r *Row) numbers(quantiles []float64) []float64 {
	all := []float64{r.Sum, r.Mean, r.StdDev, r.Min, r.Max, r.NonZero}
	for _, q := range quantiles {
		x := math.NaN()
		if slices.Contains(r.Quantiles, q) {
			x = r.Quantile(q)
		}
		all = append(all, x)
	}
	return all
}

// cells returns a row as texts, with numbers of a precision; none stands for those that do not
// exist.
func (r *Row) cells(quantiles []float64, precision int, none string) []string {
	cells := []string{r.Group, r.Name, r.Unit, r.Kind, strconv.FormatUint(r.LPs, 10), strconv.FormatUint(r.Count, 10)}
	for _, x := range r.numbers(quantiles) {
		cells = append(cells, cell(x, precision, none))
	}
	return cells
}

// cell returns a number as a text; none stands for one that does not exist.
func cell(x float64, precision int, none string) string {
	if math.IsNaN(x) {
		return none
	}
	return strconv.FormatFloat(x, 'g', precision, 64)
}

// texts is the number of columns that are not numbers.
const texts = 4

// WriteText writes an aligned table, with numbers of six digits, without the columns that are
// empty, and the courses of its rows below.
func (t *Table) WriteText(w io.Writer) error {
	quantiles := quantilesOf(t.Rows)
	columns := columns(quantiles)
	lines := [][]string{columns}
	for i := range t.Rows {
		lines = append(lines, t.Rows[i].cells(quantiles, 6, ""))
	}
	width := make([]int, len(columns))
	for _, line := range lines[1:] {
		for i, cell := range line {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "Statistics from time %g to %g\n", t.From, t.Until)
	for _, line := range lines {
		var cells []string
		for i, cell := range line {
			if width[i] == 0 {
				continue
			}
			pad := strings.Repeat(" ", max(width[i], len(columns[i]))-utf8.RuneCountInString(cell))
			if i < texts {
				cells = append(cells, cell+pad)
			} else {
				cells = append(cells, pad+cell)
			}
		}
		b.WriteString(strings.TrimRight(strings.Join(cells, "  "), " ") + "\n")
	}
	t.writeCourses(&b)
	_, err := w.Write(b.Bytes())
	return err
}

// WriteCSV writes a line with the names of the columns, and one for each row. Numbers have all
// their digits; those that do not exist are empty.
func (t *Table) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	quantiles := quantilesOf(t.Rows)
	_ = c.Write(columns(quantiles))
	for i := range t.Rows {
		cells := t.Rows[i].cells(quantiles, -1, "")
		for k := range texts {
			cells[k] = csvtext.Cell(cells[k])
		}
		_ = c.Write(cells)
	}
	c.Flush()
	return c.Error()
}

// number is a float64 that is null in JSON if it is not finite.
type number float64

// MarshalJSON returns the number, or null.
func (x number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(x))
}

// jsonRow is a Row in JSON.
type jsonRow struct {
	Group     string            `json:"group"`
	Name      string            `json:"statistic"`
	Unit      string            `json:"unit,omitempty"`
	Kind      string            `json:"kind"`
	LPs       uint64            `json:"lps"`
	Count     uint64            `json:"count"`
	Sum       number            `json:"sum"`
	Mean      number            `json:"mean"`
	StdDev    number            `json:"stddev"`
	Least     number            `json:"min"`
	Greatest  number            `json:"max"`
	NonZero   number            `json:"nonzero"`
	Quantiles map[string]number `json:"quantiles,omitempty"`
	Bins      []Bin             `json:"bins,omitempty"`
	Course    []Step            `json:"course,omitempty"`
	Values    []Share           `json:"values,omitempty"`
}

// WriteJSON writes the table as one object, with the bins of histograms and the intervals of
// time series. Numbers that do not exist, or are infinite, are null.
func (t *Table) WriteJSON(w io.Writer) error {
	out := struct {
		From  number    `json:"from"`
		Until number    `json:"until"`
		Rows  []jsonRow `json:"rows"`
	}{number(t.From), number(t.Until), []jsonRow{}}
	for i := range t.Rows {
		r := &t.Rows[i]
		row := jsonRow{r.Group, r.Name, r.Unit, r.Kind, r.LPs, r.Count, number(r.Sum), number(r.Mean), number(r.StdDev),
			number(r.Min), number(r.Max), number(r.NonZero), nil, r.Bins, r.Course, r.Values}
		if len(r.Bins)+len(r.Values) > 0 {
			row.Quantiles = map[string]number{}
			for _, q := range r.Quantiles {
				row.Quantiles[strconv.FormatFloat(q, 'g', -1, 64)] = number(r.Quantile(q))
			}
		}
		out.Rows = append(out.Rows, row)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(out)
}
