// This file owns the heat maps, the bars, and the LPs that stand out.

package report

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/output/findings"
	"github.com/ross-go/ross/internal/sys/labels"
)

func (f *figures) ahead() chart {
	c := f.perKPMap(func(row *course) []float64 { return row.level.values() })
	c.ID, c.Title = "ahead", "Virtual time of the KPs"
	c.Note = "How far the last event of each KP is ahead of GVT. A KP that is far ahead is likely to be rolled back; one that is near GVT delays the others. " +
		"Blank: it handled no event since the sample before."
	c.Z = axis{Name: "virtual time ahead of GVT"}
	return c
}

func (f *figures) rollbacks() chart {
	c := f.perKPMap(func(row *course) []float64 { return row.undone })
	c.ID, c.Title = "rollbacks", "Rollbacks"
	c.Note = "Events rolled back by each KP."
	c.Z = axis{Name: "events rolled back", Min: limit(0)}
	c.unlessZero("No event was rolled back.")
	return c
}

// perKPMap returns a map of a figure by KP and real time.
func (f *figures) perKPMap(values func(*course) []float64) chart {
	c := chart{Kind: heatMap, Absent: needKP}
	if !c.have(f.source.KP > 0 && f.heat.n > 0) {
		return c
	}
	c.timeColumns(f)
	for i := range f.rows {
		c.addRow(f.kpName(i), values(&f.rows[i]))
	}
	if len(c.Cells) == 0 {
		c.Absent, c.Zero = "No KP handled an event.", true
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

// peName names a row, or a bar, of PEs.
func (f *figures) peName(row int) string {
	n := len(f.run.PEs)
	return number("PE", uint64(f.run.PEs[firstOf(row, n, maxRows)]), uint64(f.run.PEs[firstOf(row+1, n, maxRows)-1]))
}

func (f *figures) activity() chart {
	c := chart{
		ID: "activity", Title: "Time by activity", Kind: barChart, Absent: needTimes,
		Note: "How each PE spent its time. In the rest it was idle, or did work that is not timed." + f.byTheClock(),
		X:    axis{Name: "PE"}, Y: axis{Name: "time (%)", Unit: "%", Max: limit(100)},
	}
	n := len(f.perPE)
	bars := make([]findings.Sums, min(n, maxRows))
	all := 0.0
	for i := range f.perPE {
		t, bar := &f.perPE[i], &bars[share(i, n, maxRows)]
		bar.Rest += t.Rest
		for part, seconds := range t.Parts {
			bar.Parts[part] += seconds
		}
		all += t.Time()
	}
	if !c.have(all > 0) {
		return c
	}
	for row := range bars {
		c.Columns = append(c.Columns, f.peName(row))
	}
	part := func(name string, of func(*findings.Sums) float64) {
		values := make([]num, len(bars))
		for i := range bars {
			values[i] = num(100 * of(&bars[i]) / max(bars[i].Time(), math.SmallestNonzeroFloat64))
		}
		c.Series = append(c.Series, series{Name: name, Values: values})
	}
	for p := range survey.NumParts {
		part(p.String(), func(t *findings.Sums) float64 { return t.Parts[p] })
	}
	part("rest", func(t *findings.Sums) float64 { return t.Rest })
	return c
}

func (f *figures) lpTraffic() chart {
	c := chart{
		ID: "traffic", Title: "Traffic between LPs", Kind: heatMap, Absent: needTrace,
		Note: "Events of the trace, by sender and receiver. On the diagonal are those that LPs sent to themselves. The colour scale is logarithmic.",
		X:    axis{Name: "from LP"}, Y: axis{Name: "to LP"}, Z: axis{Name: "events"}, Log: true,
	}
	c.traffic(f.lps, "LP")
	if f.lps != nil && c.Absent == "" {
		names := f.run.Labels()
		for row := range c.Rows { // which the columns share
			first, last := f.lps.ids(row)
			c.Rows[row] = f.lpRowName(names, first, last)
		}
	}
	return c
}

func (f *figures) pairTraffic() chart {
	c := chart{
		ID: "traffic-pe", Title: "Traffic between PEs", Kind: heatMap, Absent: needHomes,
		Note: "Events of the trace, by the PE of the sender and of the receiver. Of KPs that have moved it is the PE of the mapping.",
		X:    axis{Name: "from PE"}, Y: axis{Name: "to PE"}, Z: axis{Name: "events"},
	}
	if f.lps == nil {
		c.Absent = needTrace
	}
	c.traffic(f.pairs, "PE")
	c.Labels = len(c.Rows) <= 8
	return c
}

// traffic makes c a map of t, which may be nil.
func (c *chart) traffic(t *traffic, what string) {
	if !c.have(t != nil && t.events > 0) {
		return
	}
	for row := range t.rows {
		from := make([]float64, t.rows)
		for column := range from {
			if from[column] = float64(t.cells[column*t.rows+row]); from[column] == 0 {
				from[column] = math.NaN()
			}
		}
		first, last := t.ids(row)
		c.addRow(number(what, first, last), from)
	}
	c.Columns = c.Rows
}

const (
	shownLPs = 10 // in the table
	namedLPs = 3  // in a finding
)

// lpSums are the counters of an LP.
type lpSums struct {
	lp                  uint32
	home                survey.KP
	handled, rolledBack uint64
}

// rank sums up the samples of LPs.
func (f *figures) rank() error {
	if f.source.LP == 0 {
		return nil
	}
	sums := map[uint32]*lpSums{}
	err := f.run.LPs(f.source.Content, func(_ float64, s *instr.LPStats) {
		t := sums[s.LP]
		if t == nil {
			t = &lpSums{lp: s.LP}
			sums[s.LP] = t
		}
		t.home = survey.KP{PE: s.PE, KP: s.KP}
		t.handled += uint64(s.Processed)
		t.rolledBack += uint64(s.RolledBack)
	})
	for _, t := range sums {
		if t.handled > 0 || t.rolledBack > 0 {
			f.busiest = append(f.busiest, *t)
		}
	}
	slices.SortFunc(f.busiest, func(a, b lpSums) int {
		return cmp.Or(cmp.Compare(b.rolledBack, a.rolledBack), cmp.Compare(b.handled, a.handled), cmp.Compare(a.lp, b.lp))
	})
	return errors.Join(err, f.followLPs())
}

// Limits of the LPs whose course the page has.
const (
	maxFollowed  = 128 // half of them those that rolled back most, the others those that handled most
	maxLPColumns = 75
)

// lpCourse is what an LP did in each column of lpColumns.
type lpCourse struct {
	of              lpSums
	handled, undone []float64

	last float64 // real time of the sample before
}

// followLPs reads the samples of LPs again, of those that stand out.
func (f *figures) followLPs() error {
	if f.heat.n == 0 || len(f.busiest) == 0 {
		return nil
	}
	some := f.busiest
	if len(some) > maxFollowed {
		some = slices.Clone(f.busiest[:maxFollowed/2])
		others := slices.Clone(f.busiest[maxFollowed/2:])
		slices.SortStableFunc(others, func(a, b lpSums) int { return cmp.Compare(b.handled, a.handled) })
		some = append(some, others[:maxFollowed/2]...)
	}
	f.lpColumns = newGrid(f.begin, f.heat.from+f.heat.width*float64(f.heat.n), min(f.heat.n, maxLPColumns))
	begin := math.NaN() // of the first sample: not known
	if f.run.FromStart {
		begin = 0
	}
	followed := map[uint32]*lpCourse{}
	f.lpCourses = make([]lpCourse, len(some))
	for i, t := range some {
		f.lpCourses[i] = lpCourse{t, f.lpColumns.row(), f.lpColumns.row(), begin}
		followed[t.lp] = &f.lpCourses[i]
	}
	return f.run.LPs(f.source.Content, func(at float64, s *instr.LPStats) {
		if c := followed[s.LP]; c != nil {
			f.lpColumns.spread(c.handled, c.last, at, float64(s.Processed))
			f.lpColumns.spread(c.undone, c.last, at, float64(s.RolledBack))
			c.last = at
		}
	})
}

// lpRow is a row of the table of LPs.
type lpRow struct{ Name, Home, Handled, HandledShare, RolledBack, RolledBackShare string }

// namesOf reads the names of LPs.
func (f *figures) namesOf(lps []lpSums) labels.Labels {
	wanted := map[uint64]bool{}
	for _, t := range lps {
		wanted[uint64(t.lp)] = true
	}
	return f.run.LabelsOf(func(id uint64) bool { return wanted[id] })
}

// lpRows returns the LPs that rolled back most.
func (f *figures) lpRows() (rows []lpRow) {
	handled, rolledBack := uint64(0), uint64(0)
	for _, t := range f.busiest {
		handled += t.handled
		rolledBack += t.rolledBack
	}
	share := func(part, all uint64) string { return short(100*float64(part)/float64(max(all, 1))) + " %" }
	top := f.busiest[:min(len(f.busiest), shownLPs)]
	names := f.namesOf(top)
	for _, t := range top {
		rows = append(rows, lpRow{
			"LP " + names.Name(uint64(t.lp)), fmt.Sprintf("PE %d KP %d", t.home.PE, t.home.KP),
			grouped(t.handled), share(t.handled, handled), grouped(t.rolledBack), share(t.rolledBack, rolledBack),
		})
	}
	return rows
}

// mostRolledBack names the LPs of a KP that rolled back most, as the end of a figure.
func (f *figures) mostRolledBack(kp survey.KP) string {
	var own []lpSums
	for _, t := range f.busiest {
		if t.home == kp && t.rolledBack > 0 && len(own) < namedLPs {
			own = append(own, t)
		}
	}
	return f.named("; most by ", own, func(t lpSums) uint64 { return t.rolledBack })
}

// mostHandled names the LPs of a PE that handled most.
func (f *figures) mostHandled(pe uint32) string {
	var own []lpSums
	for _, t := range f.busiest {
		if t.home.PE == pe && t.handled > t.rolledBack {
			own = append(own, t)
		}
	}
	net := func(t lpSums) uint64 { return t.handled - t.rolledBack }
	slices.SortStableFunc(own, func(a, b lpSums) int { return cmp.Compare(net(b), net(a)) })
	return f.named("; most of ", own[:min(len(own), namedLPs)], net)
}

// named returns the names of LPs with a figure of each.
func (f *figures) named(begin string, lps []lpSums, of func(lpSums) uint64) string {
	if len(lps) == 0 {
		return ""
	}
	names, parts := f.namesOf(lps), []string{}
	for _, t := range lps {
		parts = append(parts, fmt.Sprintf("LP %s (%s)", names.Name(uint64(t.lp)), grouped(of(t))))
	}
	return begin + strings.Join(parts, ", ")
}
