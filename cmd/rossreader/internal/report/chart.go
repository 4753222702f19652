// This file owns the charts: their form, and those of the engine's counters over time.

package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/ross-go/ross/internal/output/findings"
)

// Kinds of charts.
const (
	lineChart = "lines"
	heatMap   = "heat"
	barChart  = "bars"
	flowKind  = "flow"
	density   = "density"
	laneChart = "lanes"
	markChart = "marks"
	waterfall = "waterfall"
	flameKind = "flame"
)

// chart is a chart, or the reason why it is absent.
type chart struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Note    string   `json:"-"`
	Absent  string   `json:"-"` // how to collect the missing data
	Zero    bool     `json:"-"` // there is data, but Absent is what would be seen
	Kind    string   `json:"kind"`
	X       axis     `json:"x"`
	Y       axis     `json:"y"`
	Z       axis     `json:"z"` // of heat maps: what the colour means
	Series  []series `json:"series,omitempty"`
	Columns []string `json:"columns,omitempty"` // of bars and of heat maps whose x axis is no number
	Rows    []string `json:"rows,omitempty"`    // of heat maps
	Cells   [][3]num `json:"cells,omitempty"`   // column, row, value
	Log     bool     `json:"log,omitempty"`     // the colour scale is logarithmic
	// Diverging is a scale of colours around 0.
	Diverging bool `json:"diverging,omitempty"`

	Labels bool     `json:"labels,omitempty"` // the values are shown in the cells
	Arrows [][4]num `json:"arrows,omitempty"` // of a flow: x and row where each begins, and where it ends
	Bins   [][3]num `json:"bins,omitempty"`   // of a density: low, high, height
	Other  [][3]num `json:"other,omitempty"`  // likewise, of the base of a comparison
	Names  []string `json:"names,omitempty"`  // of the run and of the base, if both are in one density
	Shade  *[2]num  `json:"shade,omitempty"`  // from and to: the part of the x axis that is not judged
	OfBase bool     `json:"ofbase,omitempty"` // of the base of a comparison
	Linked bool     `json:"linked,omitempty"` // the x axis is real time: cursor and zoom are those of other such charts
	Band   bool     `json:"band,omitempty"`   // the lines of PEs are drawn as a band, unless one is chosen
	Parts  [][4]num `json:"parts,omitempty"`  // of lanes: column, row, which of Columns, percent
	Frames []frame  `json:"frames,omitempty"` // of a flame graph, from the whole down
	Marks  []mark   `json:"marks,omitempty"`
	Stalls [][2]num `json:"stalls,omitempty"` // from and to: real time in which GVT stood still
	ByGVT  *byGVT   `json:"bygvt,omitempty"`  // instead of Cells and X if GVT is the x axis
}

// byGVT is a heat map whose columns are stretches of GVT.
type byGVT struct {
	X     axis     `json:"x"`
	Cells [][3]num `json:"cells"`
}

// axis describes what is measured.
type axis struct {
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"` // after a value
	Min  *num   `json:"min,omitempty"`
	Max  *num   `json:"max,omitempty"`
	// The first x value of a line, and the distance between two; of a heat map where the first column begins, and how
	// wide each is.
	From num  `json:"from,omitempty"`
	Step num  `json:"step,omitempty"`
	Log  bool `json:"log,omitempty"` // logarithmic
}

type series struct {
	Name   string `json:"name"`
	Values []num  `json:"values"`
	Bold   bool   `json:"bold,omitempty"`
	Dashed bool   `json:"dashed,omitempty"`
	Base   bool   `json:"base,omitempty"` // of the base of a comparison, whose lines have their own places
	From   num    `json:"from,omitempty"`
	Step   num    `json:"step,omitempty"`
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
func short(x float64) string { return findings.Short(x) }

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
	unit, scale := timeUnit(f.shown())
	g := f.lines
	return axis{
		Name: "real time (" + unit + ")", Unit: unit, Min: limit(0), Max: limit(f.shown() * scale),
		From: num((g.from - f.begin + g.width/2) * scale), Step: num(g.width * scale),
	}
}

// span returns the seconds that charts over time show.
func (f *figures) span() float64 { return f.lines.width * float64(f.lines.n) }

// shown returns the seconds that the axis of real time has: those of the run, or of the base of a comparison if that
// took longer.
func (f *figures) shown() float64 { return max(f.span(), f.other) }

// timeColumns makes the columns of a heat map those of real time.
func (c *chart) timeColumns(f *figures) {
	unit, scale := timeUnit(f.shown())
	c.X, c.Linked = axis{Name: "real time (" + unit + ")", Unit: unit}, true
	c.columnsOf(f.heat, 0, scale)
	c.X.Max = limit(max(float64(*c.X.Max), f.shown()*scale))
}

// columnsOf makes the columns of a heat map those of a grid, which begins at from.
func (c *chart) columnsOf(g grid, from, scale float64) {
	c.X.From, c.X.Step = num(from), num(g.width*scale)
	c.X.Min, c.X.Max = limit(from), limit(from+float64(g.n)*g.width*scale)
}

// have removes the reason why a chart is absent if there is data for it, and reports whether there is.
func (c *chart) have(data bool) bool {
	if data {
		c.Absent = ""
	}
	return data
}

// addRow adds a row to a heat map. Values that are NaN are blank.
func (c *chart) addRow(name string, values []float64) {
	for column, value := range values {
		if !math.IsNaN(value) {
			c.Cells = append(c.Cells, [3]num{num(column), num(len(c.Rows)), num(value)})
		}
	}
	c.Rows = append(c.Rows, name)
}

func number(what string, first, last uint64) string {
	if first == last {
		return fmt.Sprintf("%s %d", what, first)
	}
	return fmt.Sprintf("%s %d–%d", what, first, last)
}

// How to collect the data of a chart.
const (
	needPE     = "No samples of PEs over time: run the simulation with --engine-stats=1."
	needKP     = "No samples of KPs over time: run the simulation with --engine-stats=1 --kp-data=1."
	needGVT    = "No samples of GVT over time: run the simulation with --engine-stats=1."
	needTimes  = "No times of PEs: run the simulation with --engine-stats=1."
	needMemory = "No samples of memory over time: run the simulation with --engine-stats=2."
	needTrace  = "No event trace: run the simulation with --event-trace=3."
	needHomes  = "The PEs of the event trace's LPs are unknown: run the simulation with --engine-stats=1 --lp-data=1 --event-trace=3."
)

// charts returns all charts in the order of the page.
func (f *figures) charts() []chart {
	all := []chart{
		f.marks(), f.rate(), f.efficiency(), f.progress(), f.queue(), f.memoryUse(), f.activities(), f.rollbacks(), f.ahead(),
		f.activity(), f.handlers(), f.pairTraffic(), f.lpTraffic(), f.lpEvents(), f.flowChart(),
	}
	all = append(all, f.sampled...)
	stalls := f.stalls()
	for i := range all {
		all[i].sayOne()
		if all[i].Linked && all[i].Kind == lineChart {
			all[i].Stalls = stalls
		}
	}
	return all
}

// sayOne notes that a chart over time shows a single sample.
func (c *chart) sayOne() {
	if c.Kind == lineChart && c.Absent == "" && len(c.Series[0].Values) == 1 {
		c.Note += " There is one sample: for more, run longer, or take samples more often (--num-gvt=1)."
	}
}

// unlessZero replaces a chart all of whose values are zero by a sentence.
func (c *chart) unlessZero(sentence string) {
	if c.Absent != "" {
		return
	}
	for i := range c.Cells {
		if c.Cells[i][2] != 0 {
			return
		}
	}
	for _, s := range c.Series {
		for _, v := range s.Values {
			if v != 0 && !math.IsNaN(float64(v)) {
				return
			}
		}
	}
	c.Absent, c.Zero = sentence, true
}

// havePE reports whether there are data of PEs over time.
func (f *figures) havePE() bool { return f.source.PE > 0 && f.lines.n > 0 }

func (f *figures) rate() chart {
	c := chart{
		ID: "rate", Title: "Event rate", Kind: lineChart, Absent: needPE,
		Note:   "Events handled per second. Net events are those handled less those rolled back.",
		Linked: true, X: f.timeAxis(), Y: axis{Name: "events per second", Unit: "/s"},
	}
	if !c.have(f.havePE()) {
		return c
	}
	handled, net := f.lines.row(), f.lines.row()
	for _, pe := range f.pes {
		for i := range handled {
			handled[i] += pe.handled[i] / f.lines.width
			net[i] += (pe.handled[i] - pe.undone[i]) / f.lines.width
		}
	}
	c.Series = []series{
		{Name: "all PEs", Values: nums(handled), Bold: true},
		{Name: "all PEs, net", Values: nums(net), Bold: true, Dashed: true},
	}
	if len(f.pes) > 1 {
		c.Series = append(c.Series, f.perPELines(func(pe *course, i int) float64 {
			return pe.handled[i] / f.lines.width
		})...)
	}
	return c
}

func (f *figures) efficiency() chart {
	c := chart{
		ID: "efficiency", Title: "Efficiency", Kind: lineChart, Absent: needPE,
		Note:   "100 % less events rolled back / net events. Below 0, more events were undone than stayed.",
		Linked: true, X: f.timeAxis(), Y: axis{Name: "efficiency (%)", Unit: "%", Max: limit(100)}, Band: len(f.pes) > 1,
	}
	if !c.have(f.havePE()) {
		return c
	}
	of := func(processed, rolledBack float64) float64 {
		if processed <= 0 {
			return math.NaN()
		}
		return findings.Efficiency(processed, rolledBack)
	}
	all := f.lines.row()
	for i := range all {
		processed, rolledBack := 0.0, 0.0
		for _, pe := range f.pes {
			processed += pe.handled[i]
			rolledBack += pe.undone[i]
		}
		all[i] = of(processed, rolledBack)
	}
	c.Series = []series{{Name: "all PEs", Values: nums(all), Bold: true}}
	if len(f.pes) > 1 {
		lines := f.perPELines(func(pe *course, i int) float64 { return of(pe.handled[i], pe.undone[i]) })
		c.Series = append(c.Series, lines...)
	}
	c.Y.Min = lowEnd(all, c.Series)
	if c.Y.Min != nil && *c.Y.Min < 0 {
		c.Note += fmt.Sprintf(" Values below %s %% are cut off.", short(float64(*c.Y.Min)))
	}
	return c
}

// lowEnd returns the start of the axis of efficiencies: 0, if none is below it. Very bad
// moments, up to a quarter of all, are cut off so that the others remain distinguishable.
func lowEnd(all []float64, lines []series) *num {
	for _, line := range lines {
		for _, v := range line.Values {
			if v < 0 {
				known := slices.DeleteFunc(slices.Clone(all), math.IsNaN)
				slices.Sort(known)
				return limit(min(100*math.Floor(known[len(known)/4]/100), -100))
			}
		}
	}
	return limit(0)
}

func (f *figures) progress() chart {
	c := chart{
		ID: "gvt", Title: "Progress of GVT", Kind: lineChart, Absent: needGVT,
		Note:   "Global virtual time over real time: where it is flat, the run does not advance.",
		Linked: true, X: f.timeAxis(), Y: axis{Name: "GVT (virtual time)"},
	}
	if c.have(f.lines.n > 0 && slices.ContainsFunc(f.gvt, func(x float64) bool { return !math.IsNaN(x) })) {
		c.Series = []series{{Name: "GVT", Values: nums(f.gvt), Bold: true}}
	}
	return c
}

func (f *figures) queue() chart {
	c := chart{
		ID: "queue", Title: "Queue size", Kind: lineChart, Absent: needPE,
		Note:   "Pending events in the queue of a PE.",
		Linked: true, X: f.timeAxis(), Y: axis{Name: "events", Unit: "events"},
	}
	if c.have(f.havePE()) {
		means := map[*course][]float64{}
		for i := range f.pes {
			means[&f.pes[i]] = f.pes[i].level.values()
		}
		c.Series = f.perPELines(func(pe *course, i int) float64 { return means[pe][i] })
		c.unlessZero("No event was pending at any sample.")
	}
	return c
}

// perPELines returns a line for each PE or, if there are too many, the lowest, the
// median and the highest of all.
func (f *figures) perPELines(value func(pe *course, bucket int) float64) (lines []series) {
	if len(f.pes) <= maxLines {
		for i := range f.pes {
			values := make([]num, f.lines.n)
			for bucket := range values {
				values[bucket] = num(value(&f.pes[i], bucket))
			}
			lines = append(lines, series{Name: fmt.Sprintf("PE %d", f.run.PEs[i]), Values: values})
		}
		return lines
	}
	low, middle, high := f.lines.row(), f.lines.row(), f.lines.row()
	var all []float64
	for bucket := range low {
		all = all[:0]
		for i := range f.pes {
			if v := value(&f.pes[i], bucket); !math.IsNaN(v) {
				all = append(all, v)
			}
		}
		low[bucket], middle[bucket], high[bucket] = math.NaN(), math.NaN(), math.NaN()
		if len(all) > 0 {
			slices.Sort(all)
			low[bucket], middle[bucket], high[bucket] = all[0], all[len(all)/2], all[len(all)-1]
		}
	}
	return []series{
		{Name: "highest PE", Values: nums(high)}, {Name: "median PE", Values: nums(middle)},
		{Name: "lowest PE", Values: nums(low)},
	}
}
