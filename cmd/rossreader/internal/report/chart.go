// This file owns the data of a chart in the page; page.js draws it.

package report

import (
	"fmt"
	"math"
	"strconv"
)

// Kinds of charts.
const (
	lineChart = "lines"
	heatMap   = "heat"
	barChart  = "bars"
)

// chart is a chart, or the reason why there is none.
type chart struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Note    string   `json:"-"`
	Absent  string   `json:"-"` // how to collect the missing data
	Kind    string   `json:"kind"`
	X       axis     `json:"x"`
	Y       axis     `json:"y"`
	Z       axis     `json:"z"` // of heat maps: what the colour means
	Series  []series `json:"series,omitempty"`
	Columns []string `json:"columns,omitempty"` // of bars and heat maps
	Rows    []string `json:"rows,omitempty"`    // of heat maps
	Cells   [][3]num `json:"cells,omitempty"`   // column, row, value
	Log     bool     `json:"log,omitempty"`     // the colour scale is logarithmic
	Labels  bool     `json:"labels,omitempty"`  // the values are shown in the cells
}

// axis describes what is measured.
type axis struct {
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"` // after a value
	Min  *num   `json:"min,omitempty"`
	Max  *num   `json:"max,omitempty"`
	// The first x value of a line, and the distance between two.
	From num `json:"from,omitempty"`
	Step num `json:"step,omitempty"`
}

type series struct {
	Name   string `json:"name"`
	Values []num  `json:"values"`
	Bold   bool   `json:"bold,omitempty"`
	Dashed bool   `json:"dashed,omitempty"`
}

// num is a number in JSON with as many digits as can be seen; null for NaN and infinities.
type num float64

func (n num) MarshalJSON() ([]byte, error) {
	if x := float64(n); math.IsNaN(x) || math.IsInf(x, 0) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(n), 'g', 6, 64), nil
}

func nums(values []float64) []num {
	ns := make([]num, len(values))
	for i, v := range values {
		ns[i] = num(v)
	}
	return ns
}

// short returns a number with three digits, or all those before the point.
func short(x float64) string {
	if math.Abs(x) >= 100 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// timeUnit returns a unit in which a time has few digits, and how many of it are in a second.
func timeUnit(seconds float64) (name string, perSecond float64) {
	switch {
	case seconds >= 1:
		return "s", 1
	case seconds >= 1e-3:
		return "ms", 1e3
	}
	return "µs", 1e6
}

func limit(x float64) *num { n := num(x); return &n }

// timeAxis returns the x axis of a chart of lines.
func (f *figures) timeAxis() axis {
	unit, scale := timeUnit(f.span())
	g := f.lines
	return axis{
		Name: "real time (" + unit + ")", Unit: unit, Min: limit(0), Max: limit(f.span() * scale),
		From: num((g.from - f.begin + g.width/2) * scale), Step: num(g.width * scale),
	}
}

// span returns the seconds that charts over time show.
func (f *figures) span() float64 { return f.lines.width * float64(f.lines.n) }

// timeColumns returns the columns of a heat map, named after their start.
func (f *figures) timeColumns() (name axis, columns []string) {
	unit, scale := timeUnit(f.span())
	g := f.heat
	digits := max(0, int(math.Ceil(-math.Log10(g.width*scale))))
	for i := range g.n {
		columns = append(columns, strconv.FormatFloat(float64(i)*g.width*scale, 'f', digits, 64))
	}
	return axis{Name: "real time (" + unit + ")", Unit: unit}, columns
}

func number(what string, first, last uint64) string {
	if first == last {
		return fmt.Sprintf("%s %d", what, first)
	}
	return fmt.Sprintf("%s %d–%d", what, first, last)
}
