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
	flowKind  = "flow"
)

// chart is a chart, or the reason why there is none.
type chart struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Note    string   `json:"-"`
	Absent  string   `json:"-"` // how to collect the missing data
	Zero    bool     `json:"-"` // there is data, but Absent says what would be seen
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
	Arrows  [][4]num `json:"arrows,omitempty"`  // of a flow: x and row where each begins, and where it ends
	Ticks   []tick   `json:"ticks,omitempty"`   // of heat maps: round numbers on the axis of the columns
	Linked  bool     `json:"linked,omitempty"`  // the x axis is real time: cursor and zoom are those of other such charts
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

// tick names a column of a heat map.
type tick struct {
	Column int    `json:"column"`
	Text   string `json:"text"`
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

// timeColumns makes the columns of a heat map those of real time.
func (c *chart) timeColumns(f *figures) {
	unit, scale := timeUnit(f.span())
	c.X, c.Linked = axis{Name: "real time (" + unit + ")", Unit: unit}, true
	c.columnsOf(f.heat, 0, scale)
}

// columnsOf makes the columns of a heat map those of a grid, named after their start, which is counted from
// a time, and the ticks of its axis round numbers.
func (c *chart) columnsOf(g grid, from, scale float64) {
	width := g.width * scale
	digits := max(0, int(math.Ceil(-math.Log10(width))))
	for i := range g.n {
		c.Columns = append(c.Columns, strconv.FormatFloat(from+float64(i)*width, 'f', digits, 64))
	}
	step := roundStep(width * float64(g.n) / 6)
	for k := math.Ceil(from / step); len(c.Ticks) < mostTicks; k++ {
		column := int((k*step - from) / width)
		if !(column >= 0 && column < g.n) {
			return
		}
		c.Ticks = append(c.Ticks, tick{column, strconv.FormatFloat(k*step, 'f', max(0, int(math.Ceil(-math.Log10(step)))), 64)})
	}
}

// mostTicks is more than there are on an axis, unless rounding errors are as large as its step.
const mostTicks = 20

// roundStep returns the least 1, 2 or 5 times a power of ten that is not below x.
func roundStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, by := range []float64{1, 2, 5} {
		if by*power >= x {
			return by * power
		}
	}
	return 10 * power
}

func number(what string, first, last uint64) string {
	if first == last {
		return fmt.Sprintf("%s %d", what, first)
	}
	return fmt.Sprintf("%s %d–%d", what, first, last)
}
