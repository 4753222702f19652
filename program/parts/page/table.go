// This file owns the tables under the charts, and their CSV.

package page

import (
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/program/parts/experiment"
)

// row is a row of a table.
type row struct {
	Point          int
	Values         []string // of the options
	Mean, Half     string
	N              string
	Least, Most    string
	Star, Narrower string // of differences
	Run            *typical
	Missed         bool
	Selected       bool
}

// Number returns the number of the point, from 1, as charts of points have it that are no grid.
func (r row) Number() int { return r.Point + 1 }

// typical is a run behind a mean: the one that is nearest to it.
type typical struct {
	Replication  int
	Before, Rest string // the command line, without the number of the replication
}

// rows returns the table of a result.
func (s *Study) rows(r *Result) (all []row) {
	for i := range r.Estimates {
		e := &r.Estimates[i]
		own := s.row(i, e.Interval)
		own.Missed = s.missed(i)
		own.Selected = s.Selected != nil && s.Selected.Proven && s.Selected.Point == i
		if own.N = strconv.Itoa(e.N); e.N < s.Points[i].Replications {
			own.N = fmt.Sprintf("%d of %d", e.N, s.Points[i].Replications)
		}
		if len(e.Runs) > 0 {
			least, greatest, nearest := e.extremes()
			own.Least, own.Most = rough(least), rough(greatest)
			if len(s.Points[i].Command) > 0 {
				own.Run = &typical{nearest, clean(CommandLine(s.Points[i].Command)), clean(CommandLine(s.Points[i].Rest))}
			}
		}
		all = append(all, own)
	}
	return all
}

// row returns the cells that all tables have.
func (s *Study) row(point int, i experiment.Interval) row {
	own := row{Point: point}
	for _, v := range s.Points[point].Values {
		own.Values = append(own.Values, brief(v))
	}
	mean, half := known(i)
	if mean {
		own.Mean = figure(i.Mean)
	}
	if half {
		m, h := i.Rounded()
		own.Mean, own.Half = tidy(m), tidy(h)
	}
	return own
}

// extremes returns the least and the greatest number of the runs, and the replication that is nearest to the mean.
func (e *Estimate) extremes() (least, greatest float64, nearest int) {
	least, greatest = math.Inf(1), math.Inf(-1)
	away := math.Inf(1)
	for _, r := range e.Runs {
		least, greatest = min(least, r.Value), max(greatest, r.Value)
		if d := math.Abs(r.Value/2 - e.Mean/2); d < away {
			nearest, away = r.Replication, d
		}
	}
	return least, greatest, nearest
}

// differenceRows returns the table of differences.
func (s *Study) differenceRows(r *Result) (all []row) {
	for i := range r.Differences {
		d := &r.Differences[i]
		own := s.row(d.Point, d.Interval)
		own.N = strconv.Itoa(d.N)
		if d.differs() {
			own.Star = "★"
		}
		if d.Narrower > 0 && d.Narrower-d.Narrower == 0 {
			own.Narrower = fmt.Sprintf("%.2g times", d.Narrower)
		}
		all = append(all, own)
	}
	return all
}

// sheet is CSV that is being written.
type sheet struct {
	strings.Builder
	*csv.Writer
}

// newSheet begins a sheet with the names of the options and of further columns. An option that has the name of another
// column is called "parameter NAME", as in the tables of package experiment.
func (s *Study) newSheet(columns ...string) *sheet {
	t := &sheet{}
	t.Writer = csv.NewWriter(&t.Builder)
	var names []string
	for _, o := range s.Options {
		if slices.Contains(columns, o) {
			o = "parameter " + o
		}
		names = append(names, harmless(o))
	}
	t.add(append(names, columns...)...)
	return t
}

func (t *sheet) add(cells ...string) { _ = t.Writer.Write(cells) } // a Builder takes everything

// text ends the sheet.
func (t *sheet) text() string {
	t.Flush()
	return t.Builder.String()
}

// harmless returns text as a cell that a spreadsheet does not compute.
func harmless(text string) string {
	if text = clean(text); text != "" && strings.ContainsAny(text[:1], "=+-@") {
		return "'" + text
	}
	return text
}

// number returns all digits of a finite number, an empty cell of others.
func number(v float64) string {
	if v-v != 0 {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// cells returns the values of a point as cells.
func (s *Study) cells(point int) (all []string) {
	for _, v := range s.Points[point].Values {
		cell := text(v)
		if word, is := v.(string); is {
			cell = harmless(word)
		}
		all = append(all, cell)
	}
	return all
}

// means returns the table of a result as CSV.
func (s *Study) means(r *Result) string {
	name := clean(r.Name)
	t := s.newSheet("result", "mean", "half width", "replications", "least", "greatest")
	for i := range r.Estimates {
		e := &r.Estimates[i]
		mean, half, least, greatest := math.NaN(), math.NaN(), math.NaN(), math.NaN()
		if e.N > 0 {
			mean, half = e.Mean, e.Half
		}
		if len(e.Runs) > 0 {
			least, greatest, _ = e.extremes()
		}
		t.add(append(s.cells(i), harmless(name), number(mean), number(half), strconv.Itoa(e.N), number(least),
			number(greatest))...)
	}
	return t.text()
}

// runs returns the replications of a result as CSV, "" if they are not known.
func (s *Study) runs(r *Result) string {
	t := s.newSheet("replication", harmless(r.Name))
	some := false
	for i := range r.Estimates {
		for _, run := range r.Estimates[i].Runs {
			t.add(append(s.cells(i), strconv.Itoa(run.Replication), number(run.Value))...)
			some = true
		}
	}
	if !some {
		return ""
	}
	return t.text()
}

// differences returns the table of differences as CSV.
func (s *Study) differences(r *Result) string {
	t := s.newSheet("result", "difference", "half width", "replications", "differs", "narrower by pairing")
	for i := range r.Differences {
		d := &r.Differences[i]
		mean, half, narrower := d.Mean, d.Half, d.Narrower
		if d.N == 0 {
			mean, half = math.NaN(), math.NaN()
		}
		if narrower == 0 {
			narrower = math.NaN()
		}
		t.add(append(s.cells(d.Point), harmless(r.Name), number(mean), number(half), strconv.Itoa(d.N),
			strconv.FormatBool(d.differs()), number(narrower))...)
	}
	return t.text()
}

// CommandLine returns words as a line for a shell: words with other signs than those of options are in single quotes.
func CommandLine(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = word
		if word == "" || strings.ContainsFunc(word, func(r rune) bool {
			return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
				strings.ContainsRune("-_=+./:,@%", r))
		}) {
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}
