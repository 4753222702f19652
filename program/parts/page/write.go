// This file owns the writing of a page.

package page

import (
	"cmp"
	_ "embed" // the frame of the page
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/ross-go/ross/program/parts/experiment"
)

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string
	//go:embed chart.css
	chartCSS string
	//go:embed light.css
	lightCSS string
	//go:embed dark.css
	darkCSS string
	//go:embed page.js
	pageJS string
)

var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// open is how many results are open; others are in a list that a click opens.
const open = 12

// sheetMost is how many replications of all results are on the page as CSV.
const sheetMost = 300_000

// view is the data of the template.
type view struct {
	Title, Settings          string
	Verdict, Notes           []string
	Options                  []string
	Confidence               string
	Legend                   template.HTML
	Shown, Others            []figureView
	WarmUps                  []warmUpView
	Names                    []string // of the points
	Dots, Commands           bool     // there are replications, and their command lines
	Several                  bool     // charts have panels
	Numbered                 bool     // points have a number
	Light, Dark, Chart, Page template.CSS
	JS                       template.JS
}

// figureView is a chart with its table.
type figureView struct {
	ID, Title, Text string
	File            string // name of what is saved, without suffix
	Unit            string
	Panels          []template.HTML
	Rows            []row
	Difference      bool
	Means, Runs     string // as CSV
	result          int
	*view
}

// Write writes the page. The error is that of w, or says what of the study does not fit together.
func (s *Study) Write(w io.Writer) error {
	if err := s.check(); err != nil {
		return err
	}
	l := s.lay()
	v := &view{
		Title: cmp.Or(clean(s.Program), "Study"), Settings: clean(s.Settings), Verdict: s.verdict(),
		Legend: l.legend(), Several: len(l.panels) > 1, Confidence: percent(s.Confidence), Numbered: l.ordered,
		Light: template.CSS(lightCSS), Dark: template.CSS(darkCSS), Chart: template.CSS(chartCSS), //nolint:gosec // own files
		Page: template.CSS(pageCSS), JS: template.JS(pageJS), //nolint:gosec // own files
	}
	for _, note := range s.Notes {
		v.Notes = append(v.Notes, clean(note))
	}
	for _, o := range s.Options {
		v.Options = append(v.Options, clean(o))
	}
	for i := range s.Points {
		v.Names = append(v.Names, s.name(i))
		v.Commands = v.Commands || len(s.Points[i].Command) > 0
	}
	if l.left > 0 {
		v.Notes = append(v.Notes, fmt.Sprintf("Charts have the first %s; tables have all points.",
			count(mostPanels, "panel")))
	}
	if v.Numbered {
		v.Notes = append(v.Notes, "The points are no grid: charts have them in the order of the tables, from 1.")
	}
	all := s.figures(l, v)
	v.Shown, v.WarmUps = all, s.warmUps(v)
	if len(s.Results) > open {
		v.Shown, v.Others = s.fold(all)
	}
	return pageTemplate.Execute(w, v)
}

// figures returns the charts with their tables.
func (s *Study) figures(l *layout, v *view) (all []figureView) {
	cut, sheets := 0, 0
	for i := range s.Results {
		r := &s.Results[i]
		c := s.chartOf(l, r)
		f := figureView{ID: fmt.Sprintf("r%d", i), Title: clean(r.Name), Text: s.summary(r), Unit: clean(r.Unit),
			Panels: c.plot(), Rows: s.rows(r), Means: s.means(r), result: i, view: v}
		f.File = fileName(v.Title + " " + f.Title)
		n := 0
		for k := range c.marks {
			n += len(c.marks[k].runs)
			cut = max(cut, len(c.marks[k].runs)-l.dots)
		}
		v.Dots = v.Dots || n > 0
		if sheets += n; sheets <= sheetMost {
			f.Runs = s.runs(r)
		}
		all = append(all, f)
		if s.Base == "" || len(r.Differences) == 0 {
			continue
		}
		d := figureView{ID: fmt.Sprintf("d%d", i), Title: f.Title + ": difference from " + clean(s.Base),
			Text: s.compared(r), Unit: f.Unit, Panels: s.differenceChart(l, r).plot(), Rows: s.differenceRows(r),
			Difference: true, Means: s.differences(r), result: i, view: v}
		d.File = fileName(v.Title + " " + d.Title)
		all = append(all, d)
	}
	if cut > 0 {
		v.Notes = append(v.Notes, fmt.Sprintf("Dots are those of the first %s of each point.",
			count(l.dots, "replication")))
	}
	if sheets > sheetMost {
		v.Notes = append(v.Notes, fmt.Sprintf("Not all results have CSV of their replications, as there are %d; a page of fewer "+
			"results has (--results).", sheets))
	}
	return all
}

// fold divides figures into those that are open, and others: results without a number or with the same one everywhere,
// and those that are too many.
func (s *Study) fold(all []figureView) (shown, others []figureView) {
	n := 0
	for _, f := range all {
		if r := &s.Results[f.result]; !f.Difference && !r.empty() && !r.constant() {
			n++
		}
		if r := &s.Results[f.result]; n > open || r.empty() || r.constant() {
			others = append(others, f)
		} else {
			shown = append(shown, f)
		}
	}
	return shown, others
}

// check returns an error about a study whose parts do not fit together.
func (s *Study) check() error {
	if len(s.Points) > MostPoints {
		return fmt.Errorf("ross: page: there are %d points: give at most %d", len(s.Points), MostPoints)
	}
	for i := range s.Points {
		if len(s.Points[i].Values) != len(s.Options) {
			return fmt.Errorf("ross: page: point %d has %d values, and there are %d options: give one for each", i,
				len(s.Points[i].Values), len(s.Options))
		}
	}
	if c := s.Selected; c != nil && (c.Point < 0 || c.Point >= len(s.Points)) {
		return fmt.Errorf("ross: page: the selected point is %d: give 0 to %d", c.Point, len(s.Points)-1)
	}
	for i := range s.WarmUps {
		for _, c := range s.WarmUps[i].Curves {
			if c.Point < 0 || c.Point >= len(s.Points) || len(c.Times) != len(c.Means) || len(c.Smoothed) > len(c.Means) {
				return fmt.Errorf("ross: page: a curve of the warm-up of %q has point %d of %d, %d times, %d means and %d "+
					"smoothed ones: give as many times as means", s.WarmUps[i].Name, c.Point, len(s.Points), len(c.Times),
					len(c.Means), len(c.Smoothed))
			}
		}
	}
	for i := range s.Results {
		r := &s.Results[i]
		if len(r.Estimates) != len(s.Points) {
			return fmt.Errorf("ross: page: result %q has %d estimates, and there are %d points: give one for each", r.Name,
				len(r.Estimates), len(s.Points))
		}
		for _, d := range r.Differences {
			if d.Point < 0 || d.Point >= len(s.Points) {
				return fmt.Errorf("ross: page: result %q has a difference at point %d: give 0 to %d", r.Name, d.Point,
					len(s.Points)-1)
			}
		}
	}
	return nil
}

// chartOf returns the chart of a result.
func (s *Study) chartOf(l *layout, r *Result) *chart {
	c := &chart{layout: l, unit: clean(r.Unit), text: clean(r.Name) + ". " + s.summary(r)}
	for i := range r.Estimates {
		e := &r.Estimates[i]
		m := mark{point: i, Interval: e.Interval, text: s.marked(i, e.Interval, "replication")}
		for _, run := range e.Runs {
			if run.Value-run.Value == 0 {
				m.runs = append(m.runs, run)
			}
		}
		c.marks = append(c.marks, m)
	}
	return c
}

// differenceChart returns the chart of the differences of a result.
func (s *Study) differenceChart(l *layout, r *Result) *chart {
	c := &chart{layout: l, unit: clean(r.Unit), zero: true,
		text: clean(r.Name) + ", differences from " + clean(s.Base) + ". " + s.compared(r)}
	for i := range r.Differences {
		d := &r.Differences[i]
		c.marks = append(c.marks, mark{point: d.Point, Interval: d.Interval, star: d.differs(),
			text: s.marked(d.Point, d.Interval, "pair")})
	}
	return c
}

// marked returns what is said of an interval in a chart.
func (s *Study) marked(point int, i experiment.Interval, of string) string {
	name := s.name(point)
	if name != "" {
		name += ": "
	}
	return fmt.Sprintf("%s%s (%s)", name, says(i), count(i.N, of))
}

// fileName returns a name of a file, of letters, digits and dashes.
func fileName(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	})
	return cmp.Or(strings.Join(words, "-"), "study")
}
