// This file owns the charts over time.

package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
)

// How to collect the data of a chart.
const (
	needPE     = "No samples of PEs over time: run the simulation with --engine-stats=1."
	needKP     = "No samples of KPs over time: run the simulation with --engine-stats=1 --kp-data=1."
	needGVT    = "No samples of GVT over time: run the simulation with --engine-stats=1."
	needMemory = "No samples of memory over time: run the simulation with --engine-stats=2."
	needTrace  = "No event trace: run the simulation with --event-trace=3."
	needHomes  = "The PEs of the event trace's LPs are unknown: run the simulation with --engine-stats=1 --lp-data=1 --event-trace=3."
)

// charts returns all charts in the order of the page.
func (f *figures) charts() []chart {
	all := []chart{f.rate(), f.efficiency(), f.progress(), f.queue(), f.memoryUse(), f.ahead(), f.rollbacks(), f.activity(), f.pairTraffic(), f.lpTraffic(), f.lpEvents(), f.flowChart()}
	all = append(all, f.sampled...)
	for i := range all {
		all[i].sayOne()
	}
	return all
}

// sayOne says that a chart over time shows a single sample.
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
	if !f.havePE() {
		return c
	}
	c.Absent = ""
	handled, net := f.lines.row(), f.lines.row()
	for _, pe := range f.pes {
		for i := range handled {
			handled[i] += pe.processed[i] / f.lines.width
			net[i] += (pe.processed[i] - pe.rolledBack[i]) / f.lines.width
		}
	}
	c.Series = []series{
		{Name: "all PEs", Values: nums(handled), Bold: true},
		{Name: "all PEs, net", Values: nums(net), Bold: true, Dashed: true},
	}
	if len(f.pes) > 1 {
		c.Series = append(c.Series, f.perPELines(func(pe *ofPE, i int) float64 { return pe.processed[i] / f.lines.width })...)
	}
	return c
}

func (f *figures) efficiency() chart {
	c := chart{
		ID: "efficiency", Title: "Efficiency", Kind: lineChart, Absent: needPE,
		Note:   "100 % less events rolled back / net events. Below 0, more events were undone than stayed.",
		Linked: true, X: f.timeAxis(), Y: axis{Name: "efficiency (%)", Unit: "%", Max: limit(100)},
	}
	if !f.havePE() {
		return c
	}
	c.Absent = ""
	of := func(processed, rolledBack float64) float64 {
		if processed <= 0 {
			return math.NaN()
		}
		return survey.Efficiency(processed, rolledBack)
	}
	all := f.lines.row()
	for i := range all {
		processed, rolledBack := 0.0, 0.0
		for _, pe := range f.pes {
			processed += pe.processed[i]
			rolledBack += pe.rolledBack[i]
		}
		all[i] = of(processed, rolledBack)
	}
	c.Series = []series{{Name: "all PEs", Values: nums(all), Bold: true}}
	if len(f.pes) > 1 {
		c.Series = append(c.Series, f.perPELines(func(pe *ofPE, i int) float64 { return of(pe.processed[i], pe.rolledBack[i]) })...)
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
	if f.lines.n > 0 && slices.ContainsFunc(f.gvt, func(x float64) bool { return !math.IsNaN(x) }) {
		c.Absent = ""
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
	if f.havePE() {
		c.Absent = ""
		means := map[*ofPE][]float64{}
		for i := range f.pes {
			means[&f.pes[i]] = f.pes[i].queue.values()
		}
		c.Series = f.perPELines(func(pe *ofPE, i int) float64 { return means[pe][i] })
		c.unlessZero("No event was pending at any sample.")
	}
	return c
}

// perPELines returns a line for each PE or, if there are too many, the lowest, the
// median and the highest of all.
func (f *figures) perPELines(value func(pe *ofPE, bucket int) float64) (lines []series) {
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
		{Name: "highest PE", Values: nums(high)}, {Name: "median PE", Values: nums(middle)}, {Name: "lowest PE", Values: nums(low)},
	}
}
