// This file owns what a model supplies: its samples, by the layouts in run.json, and its statistics.

package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
)

// Limits of what is drawn of the model.
const (
	maxModelCharts = 24
	maxBins        = 100 // of a histogram: narrower ones are joined with their neighbours
	wideBins       = 100 // the greatest size, to the least, from which the axis of sizes is logarithmic
	modelColumns   = 400 // of virtual time
)

// modelField is a number that LPs of a type sample, over virtual time.
type modelField struct {
	content         instr.Content
	kind, name      string
	n               uint64
	count           []float64 // samples in each bucket
	sum, least, top []float64
}

func newModelField(c instr.Content, kind, name string, g grid) *modelField {
	m := &modelField{content: c, kind: kind, name: name, count: g.row(), sum: g.row(), least: g.row(), top: g.row()}
	for i := range m.least {
		m.least[i], m.top[i] = math.Inf(1), math.Inf(-1)
	}
	return m
}

func (m *modelField) add(i int, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return
	}
	m.n++
	m.count[i]++
	m.sum[i] += v
	m.least[i], m.top[i] = min(m.least[i], v), max(m.top[i], v)
}

// models reads the samples of models, for charts of their fields.
func (f *figures) models() error {
	info := f.run.Info
	if info == nil {
		return nil
	}
	for _, c := range []instr.Content{instr.Models, instr.VTFile} {
		s := &f.run.Sources[c]
		if s.Models == 0 || s.Least > s.Most {
			continue
		}
		layouts, err := layoutsOf(info, c)
		if err != nil {
			return err
		}
		g := newGrid(s.Least, s.Most, int(min(modelColumns, max(s.Models/uint64(max(len(f.run.Home), 1)), 1))))
		if g.n == 0 { // all at one time
			g = grid{s.Least - 0.5, 1, 1}
		}
		fields := map[[3]int]*modelField{}
		var order []*modelField
		err = f.run.Models(c, func(lp uint64, at float64, payload []byte) {
			kind := info.TypeOf(lp)
			if kind < 0 || len(payload) == 0 || layouts[kind].Size() != len(payload) {
				return
			}
			for i := range layouts[kind] {
				field := &layouts[kind][i]
				if field.Name == "_" || field.Type == instr.FieldBytes {
					continue
				}
				for v := range field.Values() {
					m := fields[[3]int{kind, i, v}]
					if m == nil {
						if len(order) == maxModelCharts {
							continue
						}
						m = newModelField(c, info.Types[kind].Name, nameOfValue(field, v), g)
						fields[[3]int{kind, i, v}] = m
						order = append(order, m)
					}
					m.add(g.at(at), numberOf(field, payload, v))
				}
			}
		})
		if err != nil {
			return err
		}
		for _, m := range order {
			f.sampled = append(f.sampled, m.chart(len(f.sampled), g))
		}
		if len(order) == 0 {
			f.sampled = append(f.sampled, chart{
				ID: "model-" + strconv.Itoa(len(f.sampled)), Title: capital(holds[c]), Kind: lineChart,
				Absent: "It is not known what the samples hold: give ross.Type its SampleLayout or PointLayout, and run the simulation again.",
			})
		}
	}
	return nil
}

// ofModel reports whether a chart is of what the model supplies.
func (c *chart) ofModel() bool {
	id := strings.TrimPrefix(c.ID, "base-")
	return strings.HasPrefix(id, "model-") || strings.HasPrefix(id, "statistic-")
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// drawsModels reports whether samples of models of a content are in charts.
func (f *figures) drawsModels(c instr.Content) bool {
	return slices.ContainsFunc(f.sampled, func(s chart) bool { return s.Absent == "" && s.X.Name == howOf(c) })
}

// howOf returns the time of samples of models.
func howOf(c instr.Content) string {
	if c == instr.VTFile {
		return "virtual time"
	}
	return "GVT"
}

// layoutsOf returns the layouts of the samples of each type.
func layoutsOf(info *instr.RunInfo, c instr.Content) ([]instr.Layout, error) {
	kind := instr.KindModel
	if c == instr.VTFile {
		kind = instr.KindVTModel
	}
	all := make([]instr.Layout, len(info.Types))
	for i := range info.Types {
		var err error
		if all[i], err = info.Types[i].Layout(kind); err != nil {
			return nil, fmt.Errorf("ross: %w", err)
		}
	}
	return all, nil
}

func nameOfValue(f *instr.Field, v int) string {
	if f.Len == 0 {
		return f.Name
	}
	return f.Name + "[" + strconv.Itoa(v) + "]"
}

func numberOf(f *instr.Field, payload []byte, v int) float64 {
	switch f.Type {
	case instr.FieldFloat:
		return f.Float(payload, v)
	case instr.FieldInt:
		return float64(f.Int(payload, v))
	}
	return float64(f.Uint(payload, v))
}

// chart draws the mean over the LPs, and the extremes if they differ.
func (m *modelField) chart(number int, g grid) chart {
	title := m.name
	if m.kind != "" {
		title = m.kind + ": " + m.name
	}
	how := howOf(m.content)
	if m.content == instr.VTFile {
		title += ", at virtual times"
	}
	c := chart{
		ID: "model-" + strconv.Itoa(number), Title: title, Kind: lineChart,
		Note: fmt.Sprintf(
			"Sampled by the LPs of the type, %s times in all: the mean over samples with about the same %s, the least and the greatest.", grouped(m.n), how),
		X: axis{Name: how, From: num(g.from + g.width/2), Step: num(g.width)}, Y: axis{Name: m.name},
	}
	mean, differ := g.row(), false
	for i := range mean {
		mean[i] = m.sum[i] / m.count[i] // NaN where there is no sample
		if m.count[i] == 0 {
			m.least[i], m.top[i] = math.NaN(), math.NaN()
		} else if m.least[i] != m.top[i] {
			differ = true
		}
	}
	c.Series = []series{{Name: "mean", Values: nums(mean), Bold: true}}
	if differ {
		c.Series = append(c.Series, series{Name: "least", Values: nums(m.least), Dashed: true},
			series{Name: "greatest", Values: nums(m.top)})
	}
	c.unlessZero(fmt.Sprintf("All %s samples are 0.", grouped(m.n)))
	return c
}

// charts returns charts of the statistics: time series and levels over virtual time, histograms, and for how long
// levels had their values.
func (all *statistics) charts() (charts []chart) {
	for i, s := range all.Rows {
		if len(charts) == maxModelCharts {
			break
		}
		title := s.Statistic
		if s.Group != "" {
			title = s.Group + ": " + s.Statistic
		}
		c := chart{ID: "statistic-" + strconv.Itoa(i), Title: title}
		switch {
		case len(s.Course) > 1:
			s.overTime(&c, all.From)
			c.shade(all.From)
		case len(s.Bins) > 1:
			s.bySize(&c)
		case len(s.Values) > 1:
		default:
			continue
		}
		if c.Kind != "" {
			charts = append(charts, c)
		}
		if len(s.Values) > 1 {
			c := chart{ID: c.ID + "-values", Title: title + ", by value"}
			s.byValue(&c)
			charts = append(charts, c)
		}
	}
	return charts
}

// named returns the name of an axis with its unit.
func named(name, unit string) string {
	if unit == "" {
		return name
	}
	return name + " (" + unit + ")"
}

// overTime draws what a series adds up after the warm-up.
func (s *statistic) overTime(c *chart, warm float64) {
	first := s.Course[0]
	width := first.End - first.Begin
	what, of := "sum", "Sum over each interval of %s of virtual time, of all LPs of the group."
	if s.Kind == "level" {
		what, of = "mean", "Average in each interval of %s of virtual time, and over the LPs of the group."
	}
	c.Kind, c.Note = lineChart, fmt.Sprintf(of, short(width))
	c.X = axis{Name: "virtual time", From: num(first.Begin + width/2), Step: num(width)}
	c.Y = axis{Name: named(s.Statistic, s.Unit)}
	sums := make([]float64, len(s.Course))
	for i, x := range s.Course {
		if sums[i] = float64(x.height(s.Kind)); x.End <= warm && x.Count == 0 {
			sums[i] = math.NaN() // nothing was measured
		}
	}
	c.Series = []series{{Name: what, Values: nums(sums), Bold: true}}
	c.unlessZero("It is 0 at all times.")
}

// byValue draws for how long a level had its values: bars begin at them.
func (s *statistic) byValue(c *chart) {
	gap := math.Inf(1)
	for i, v := range s.Values[1:] {
		gap = min(gap, v.Least-s.Values[i].Least)
	}
	gap = max(gap, (s.Values[len(s.Values)-1].Least-s.Values[0].Least)/maxBins)
	time := statistic{Unit: s.Unit}
	for i, v := range s.Values {
		high := v.Least + gap
		if i+1 < len(s.Values) {
			high = min(high, s.Values[i+1].Least)
		}
		time.Bins = append(time.Bins, struct{ Low, High, N float64 }{v.Least, high, v.Share})
	}
	time.bySize(c)
	c.X.Name, c.Note = named("value", s.Unit), "For how long it had each value. The area of a bar is its share of the time; "+
		"a bar begins at its value."
	c.Y.Name = strings.Replace(c.Y.Name, "the recordings", "the time", 1)
}

// shade shades the warm-up, from time 0 on.
func (c *chart) shade(warm float64) {
	if c.Absent == "" && warm > 0 {
		c.X.Min, c.Shade = limit(min(0, float64(c.X.From-c.X.Step/2))), &[2]num{0, num(warm)}
		c.Note += fmt.Sprintf(" Grey: the warm-up, until %s, which the statistics leave out.", moment(warm))
	}
}

// bySize draws the density of recordings: the area of a bin is its share, however wide it is.
func (s *statistic) bySize(c *chart) {
	c.Kind = density
	all, least, most := 0.0, math.Inf(1), 0.0
	for _, b := range s.Bins {
		all += b.N
		if b.Low > 0 {
			least, most = min(least, b.Low), max(most, b.High)
		}
	}
	wide := s.Bins[0].Low >= 0 && most >= wideBins*least
	width := func(low, high float64) float64 { // as it is drawn
		if wide {
			return math.Log2(high / low)
		}
		return high - low
	}
	type bar struct{ low, high, n float64 }
	var bars []bar
	for _, b := range s.Bins {
		if b.Low == b.High { // numbers that are 0, or all the same
			c.Note += fmt.Sprintf(" %s %% are exactly %s, which no area shows.", short(100*b.N/all), short(b.Low))
			continue
		}
		if wide && b.Low <= 0 {
			b.Low = b.High / 2
		}
		bars = append(bars, bar{b.Low, b.High, b.N})
	}
	if len(bars) > 0 {
		step := width(bars[0].low, bars[len(bars)-1].high) / maxBins
		for i := 0; i < len(bars); {
			b, end := bars[i], i+1
			for end < len(bars) && width(b.low, bars[end].high) <= step*(1+1e-9) {
				b.high, b.n, end = bars[end].high, b.n+bars[end].n, end+1
			}
			// whole numbers have such gaps
			if i = end; i < len(bars) && bars[i].low > b.high && width(b.high, bars[i].low) < step {
				b.high = bars[i].low
			}
			c.Bins = append(c.Bins, [3]num{num(b.low), num(b.high), num(100 * b.n / all / width(b.low, b.high))})
		}
	}
	per := "of this size"
	if s.Unit != "" {
		per = s.Unit
	}
	c.X, c.Y = axis{Name: named("size", s.Unit), Log: wide}, axis{Name: "% of the recordings per " + per, Unit: "%",
		Min: limit(0)}
	if wide {
		c.Y.Name = "% of the recordings per doubling"
	}
	c.Note = fmt.Sprintf("Recordings by size, %s in all. The area of a bar is its share of them.",
		grouped(s.Count)) + c.Note
	if len(c.Bins) == 0 {
		c.Absent, c.Zero = "All recordings have one of a few sizes."+c.Note, true
	}
}

// statistics is the contents of a file <prefix>-statistics.json.
type statistics struct {
	From, Until float64
	Rows        []statistic
}

// statistic is a row of the table. Numbers that do not exist are nil.
type statistic struct {
	Group, Statistic, Unit, Kind string
	LPs, Count                   uint64
	Sum, Mean, StdDev, NonZero   *float64
	Least                        *float64 `json:"min"`
	Greatest                     *float64 `json:"max"`
	Quantiles                    map[string]*float64
	Bins                         []struct{ Low, High, N float64 }
	Course                       []interval
	Values                       []struct{ Least, Greatest, Share float64 } // of a level
}

// interval is an interval of a series.
type interval struct {
	Begin, End, Count float64
	Sum, Mean         cli.Number // NaN where they are infinite
}

// height returns what is drawn of an interval of a kind of statistic.
func (x *interval) height(kind string) cli.Number {
	if kind == "level" {
		return x.Mean
	}
	return x.Sum
}

// statisticsOf reads the statistics next to a file of the run, if there are any.
func (f *figures) statisticsOf() (*statistics, error) {
	var all statistics
	if f.run.Dir == "" {
		return &all, nil
	}
	names, err := filepath.Glob(filepath.Join(f.run.Dir, "*"+instr.StatisticsSuffix+".json"))
	if err != nil || len(names) == 0 {
		return &all, nil
	}
	data, err := os.ReadFile(names[0])
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil {
		return nil, fmt.Errorf("ross: %s: %w: remove the file, or let the run write it again", names[0], err)
	}
	return &all, nil
}

// Number returns a number as a cell.
func (statistic) Number(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'g', 6, 64)
}

// quantile is a column of the table: a share as the file has it.
type quantile string

// share returns the quantile as a number, 0 to 1.
func (q quantile) share() float64 {
	x, _ := strconv.ParseFloat(string(q), 64)
	return x
}

// Percent returns it in percent.
func (q quantile) Percent() string { return strconv.FormatFloat(100*q.share(), 'g', 12, 64) }

// Quantiles returns the quantiles that rows have, in ascending order.
func (s *statistics) Quantiles() (all []quantile) {
	for i := range s.Rows {
		for q := range s.Rows[i].Quantiles {
			if !slices.Contains(all, quantile(q)) {
				all = append(all, quantile(q))
			}
		}
	}
	slices.SortFunc(all, func(a, b quantile) int { return cmp.Compare(a.share(), b.share()) })
	return all
}

// Of returns quantiles of the row as cells.
func (s statistic) Of(quantiles []quantile) (cells []string) {
	for _, q := range quantiles {
		cells = append(cells, s.Number(s.Quantiles[string(q)]))
	}
	return cells
}

// sparks are the characters of a small chart, and their number of columns.
const (
	sparks  = " ▁▂▃▄▅▆▇█"
	columns = 32
)

// Spark returns a chart of one line: of the bins of a histogram, by size on a linear scale, or
// of the sums of a time series.
func (s statistic) Spark() string {
	heights := make([]float64, columns)
	add := func(low, high, x float64) {
		for i := max(int(low*columns), 0); i < columns && float64(i) < high*columns; i++ {
			heights[i] += x * (min(high*columns, float64(i+1)) - max(low*columns, float64(i)))
		}
	}
	switch {
	case len(s.Bins) > 0:
		from, to := s.Bins[0].Low, s.Bins[len(s.Bins)-1].High
		for _, b := range s.Bins {
			if width := (b.High - b.Low) / (to - from); width > 0 {
				add((b.Low-from)/(to-from), (b.High-from)/(to-from), b.N/width)
			} else if at := (b.Low - from) / (to - from); to > from {
				add(at, at+1.0/columns, b.N*columns)
			}
		}
	case len(s.Course) > 0:
		end := s.Course[len(s.Course)-1].End
		for _, c := range s.Course {
			add(c.Begin/end, c.End/end, float64(c.height(s.Kind)))
		}
	}
	most := 0.0
	for _, h := range heights {
		most = max(most, h)
	}
	if !(most > 0) || math.IsInf(most, 0) {
		return ""
	}
	levels := []rune(sparks)
	var b strings.Builder
	for _, h := range heights {
		b.WriteRune(levels[int(math.Ceil(max(h, 0)/most*float64(len(levels)-1)))])
	}
	return b.String()
}
