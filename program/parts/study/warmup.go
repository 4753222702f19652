// This file owns --find-warm-up: how long the warm-up of a result is, and the note of studies whose warm-up is shorter.

package study

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/sys/usage"
	"github.com/ross-go/ross/program/cmdline"
	"github.com/ross-go/ross/program/parts/experiment"
	"github.com/ross-go/ross/program/parts/page"
)

// finding are the options of the warm-up that is found.
type finding struct {
	of    string // --find-warm-up: the name of a result
	table string // --warm-up-table
}

// Limits of what runs keep of courses.
const (
	longCourse  = 1024 // intervals of the course that --find-warm-up names
	shortCourse = 128  // of others, which are for notes
	notedRuns   = 20   // those of each point that are for notes
	notedPoints = 20
)

// checkCourse returns an error before a run if the statistic of --find-warm-up cannot have a course.
func (s *study) checkCourse(rows []result) error {
	if s.finding.of == "" {
		return nil
	}
	var names []string
	for _, row := range rows {
		switch {
		case row.name != s.finding.of:
			names = append(names, row.name)
		case row.Kind == "series" || row.Kind == "level":
			return nil
		default:
			return s.noCourse("a "+row.Kind, inSeries)
		}
	}
	if slices.ContainsFunc(s.formulas, func(f formula) bool { return f.name == s.finding.of }) {
		return s.noCourse("computed from other results", "name one of them")
	}
	return unknownResult("find-warm-up", s.finding.of, names)
}

// noCourse is the error of a statistic without a course. way says how to give it one.
func (s *study) noCourse(is, way string) error {
	return resultError{usage.Errorf("option --find-warm-up=%s: it is %s, and has no course over the time; %s",
		cmdline.Quote(s.finding.of), is, way)}
}

// inSeries is how to give a course to what has none.
const inSeries = "record the same numbers in a stats.Series, too, and name that"

// keepCourses keeps the courses of a run: that of --find-warm-up, and of the first runs all that may have a note. Runs
// that begin at a checkpoint have none: until there, they are all the same.
func (s *study) keepCourses(p *plan, rows []result, cfg *ross.Config, t *experiment.Trial) error {
	noted := t.Replication < notedRuns && p.at[t.Point.String()] < notedPoints && cfg.Checkpoints.Restart == ""
	for i := range rows {
		row := &rows[i]
		most := shortCourse
		switch {
		case row.name == s.finding.of:
			most = longCourse
		case !noted || len(p.results) > 0 && !slices.Contains(p.results, row.name):
			continue
		}
		c, has := courseOf(&row.Row, cfg.WarmUp, cfg.End, most)
		switch {
		case has:
			t.Keep(row.name, c.numbers())
		case row.name == s.finding.of && row.Kind == "level" && row.Count > 0:
			return s.noCourse("a level without intervals", fmt.Sprintf("give it some in its tag, such as `ross:\"%s,,every=10\"`",
				row.Name))
		}
	}
	return nil
}

// warmUp is what is known about the warm-up of a result at a point.
type warmUp struct {
	pooled
	means []float64
	cut   int  // intervals that MSER-5 leaves out
	ok    bool // MSER-5 leaves out no more than half
}

// findWarmUp looks for the warm-up of a result at a point.
func findWarmUp(r *experiment.Results, name string, point int) *warmUp {
	return warmUpOf(r.Points[point].Kept(name))
}

// warmUpOf looks for the warm-up in what runs have kept.
func warmUpOf(kept [][]float64) *warmUp {
	w := &warmUp{pooled: pool(kept)}
	w.means = w.values()
	w.cut, w.ok = experiment.MSER5(w.means)
	return w
}

// batch is the number of intervals that MSER-5 takes together.
const batch = 5

// changes reports whether what MSER-5 leaves out differs from the rest by more than chance explains: the first batch of
// it, the first two, four and so on, or all. MSER-5 alone leaves out something of many courses without a transient.
func (w *warmUp) changes() bool {
	var heads []int
	for n := batch; n < w.cut; n *= 2 {
		heads = append(heads, n)
	}
	for _, n := range append(heads, w.cut) {
		i := w.change(n, w.cut, 1-0.01/float64(len(heads)+1)) // Bonferroni
		if w.cut > 0 && i.N > 1 && !i.Contains(0) {
			return true
		}
	}
	return false
}

// longer reports whether a warm-up is longer than another one. One that is not found is longer than all others.
func (w *warmUp) longer(o *warmUp) bool {
	if w.ok != o.ok {
		return !w.ok
	}
	return w.begin(w.cut) > o.begin(o.cut)
}

// showWarmUps writes what --find-warm-up asks for.
func (s *study) showWarmUps(r *experiment.Results, out io.Writer) error {
	var all []*warmUp
	runs := 0
	for i := range r.Points {
		all = append(all, findWarmUp(r, s.finding.of, i))
		runs += len(all[i].runs)
	}
	if runs == 0 {
		return fmt.Errorf("option --find-warm-up=%s: no run has kept its course; without it in its first runs, a journal "+
			"has none: name another one", cmdline.Quote(s.finding.of))
	}
	fmt.Fprintf(out, "\nwarm-up of %s by MSER-5, from the means over the runs in intervals of virtual time\n\n",
		cmdline.Quote(withUnit(r, s.finding.of)))
	t := &experiment.Table{}
	for _, param := range r.Points[0].Point {
		t.Columns = append(t.Columns, param.Name)
	}
	t.Columns = append(t.Columns, "warm-up", "end", "interval", "runs", "difference at first", "")
	for i, w := range all {
		var row []any
		for _, param := range r.Points[i].Point {
			row = append(row, param.Value)
		}
		remark := w.remark()
		at := "-"
		if w.cut > 0 {
			at = short(w.change(batch, w.cut, r.Confidence))
		}
		t.Rows = append(t.Rows, append(row, w.begin(w.cut), w.begin(len(w.means)), w.width, len(w.runs), at, remark))
	}
	if err := t.WriteText(out); err != nil {
		return err
	}
	for i, w := range all {
		if err := w.chart(r.Points[i].Point, out); err != nil {
			return err
		}
	}
	if s.finding.table == "" {
		return nil
	}
	return s.write("warm-up-table", s.finding.table, curves(r, all))
}

// remark returns what is said about the warm-up of a point.
func (w *warmUp) remark() string {
	switch {
	case len(w.means) < 10:
		return "too short to tell: give a longer --end, or a smaller every="
	case !w.ok && !w.changes():
		return "too short to tell: more than half is left out, with no more of a difference than chance explains"
	case !w.ok:
		return "too short to tell: more than half is left out; give a longer --end"
	case w.cut == 0:
		return "nothing is left out"
	case !w.changes():
		return "no more of a difference than chance explains"
	}
	return ""
}

// window returns the number of intervals on each side over which the curve is smoothed.
func (w *warmUp) window() int { return max(len(w.means)/20, 1) }

// Size of a chart.
const (
	chartRows    = 20
	chartColumns = 40
)

// chart writes the curve of a point, as Welch's plot has it.
func (w *warmUp) chart(point experiment.Point, out io.Writer) error {
	smooth := experiment.Welch([][]float64{w.means}, w.window())
	if len(smooth) == 0 {
		return nil
	}
	what := "mean"
	if w.rates {
		what = "rate"
	}
	at := ""
	if len(point) > 0 {
		at = point.String() + ": "
	}
	fmt.Fprintf(out, "\n%ssmoothed over %d intervals; o is what MSER-5 leaves out\n\n", at, 2*w.window()+1)
	least, most := slices.Min(smooth), slices.Max(smooth)
	t := &experiment.Table{Columns: []string{"time", what, "smoothed", ""}}
	step := (len(smooth) + chartRows - 1) / chartRows
	for i := 0; i < len(smooth); i += step {
		mean, end := 0.0, min(i+step, len(smooth))
		for _, x := range w.means[i:end] {
			mean += x / float64(end-i)
		}
		middle, mark := (i+end-1)/2, "*"
		if middle < w.cut {
			mark = "o"
		}
		column := 0
		if most > least {
			column = int(math.Round((smooth[middle] - least) / (most - least) * (chartColumns - 1)))
		}
		t.Rows = append(t.Rows, []any{w.begin(i), mean, smooth[middle], "|" + strings.Repeat(" ", column) + mark})
	}
	return t.WriteText(out)
}

// onPage returns the warm-ups of all points for the page.
func (s *study) onPage(r *experiment.Results) page.WarmUp {
	all := page.WarmUp{Name: s.finding.of, Unit: r.Unit(s.finding.of)}
	for i := range r.Points {
		w := findWarmUp(r, s.finding.of, i)
		c := page.Curve{Point: i, Means: w.means, Smoothed: experiment.Welch([][]float64{w.means}, w.window()),
			End: w.begin(w.cut), Remark: w.remark()}
		for k := range w.means {
			c.Times = append(c.Times, w.begin(k))
		}
		all.Curves = append(all.Curves, c)
	}
	return all
}

// curves returns the table of the curves of all points: a row for each interval. What is not smoothed, at the end, is
// NaN.
func curves(r *experiment.Results, all []*warmUp) *experiment.Table {
	t := &experiment.Table{}
	for _, param := range r.Points[0].Point {
		t.Columns = append(t.Columns, param.Name)
	}
	t.Columns = append(t.Columns, "time", "mean", "smoothed", "warm-up")
	for at, w := range all {
		smooth := experiment.Welch([][]float64{w.means}, w.window())
		for i, x := range w.means {
			var row []any
			for _, param := range r.Points[at].Point {
				row = append(row, param.Value)
			}
			smoothed := math.NaN()
			if i < len(smooth) {
				smoothed = smooth[i]
			}
			t.Rows = append(t.Rows, append(row, w.begin(i), x, smoothed, i < w.cut))
		}
	}
	return t
}

// noteWarmUps writes a note for each result that still changes after the warm-up of the runs.
func (s *study) noteWarmUps(p *plan, r *experiment.Results, stderr io.Writer) {
	if !ranks.First() {
		return
	}
	names := r.Responses
	if len(p.results) > 0 {
		names = p.results
	}
	log := cmdline.Warnings(s.program, stderr)
	for _, name := range names {
		var worst *warmUp
		at := 0
		for i := range min(len(r.Points), notedPoints) {
			w := findWarmUp(r, name, i)
			if w.changes() && (worst == nil || w.longer(worst)) {
				worst, at = w, i
			}
		}
		if worst == nil || name == s.finding.of {
			continue
		}
		where := ""
		if len(r.Points) > 1 {
			where = " at " + r.Points[at].Point.String()
		}
		text := fmt.Sprintf("MSER-5 leaves out what is before %.6g; give --warm-up=%[1]g", worst.begin(worst.cut))
		if !worst.ok {
			text = "MSER-5 leaves out more than half of the runs; give a longer --end"
		}
		log.Warn(fmt.Sprintf("note: %s%s still changes after the warm-up: %s; --find-warm-up=%s shows its course",
			cmdline.Quote(name), where, text, cmdline.Quote(name)))
	}
}
