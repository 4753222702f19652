// This file owns what a page has: the runs, their figures and what they are drawn against, as the script finds them.

package figures

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"math"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/ross-go/ross/cmd/rossreader/internal/runlist"
	"github.com/ross-go/ross/cmd/rossreader/internal/sheet"
	"github.com/ross-go/ross/instr"
)

var (
	//go:embed figures.html
	figuresHTML string
	//go:embed figures.css
	figuresCSS string
	//go:embed plot.js
	plotJS string
	//go:embed figures.js
	figuresJS string
)

// mostNumbers is the number of numbers of statistics that a page has.
const mostNumbers = 3_000_000

// Page is a page, or the data of one.
type Page struct {
	root string
	data data
}

// data is what the script finds. Lists of runs have the order of Runs.
type data struct {
	Runs    list        `json:"runs"`
	Figures []*figure   `json:"figures"`
	Sides   []dimension `json:"dimensions"` // what figures are drawn against, apart from the begin
	First   string      `json:"first"`      // the key of the dimension that is drawn first, "" for the begin
	Lines   string      `json:"lines"`      // that whose values have lines of their own at first, "" for none
	Remarks []string    `json:"remarks"`
	Word    string      `json:"word"` // changes with the files
}

// list has the runs that describe themselves, the newest first.
type list struct {
	Name  []string `json:"name"`
	Link  []string `json:"link,omitempty"` // to their reports
	State []string `json:"state"`
	Begin []int64  `json:"begin"` // milliseconds since 1970
	Whole []bool   `json:"whole"` // it reached its end
}

// figure is a number of runs.
type figure struct {
	Key     string `json:"key"` // measures of a statistic have the same
	Group   string `json:"group"`
	Name    string `json:"name"`
	Measure string `json:"measure"` // "" if there is no other
	Unit    string `json:"unit"`
	Of      column `json:"of"`
}

// dimension is what runs differ in.
type dimension struct {
	Key    string   `json:"key"`
	Group  string   `json:"group"`
	Values []string `json:"values"`
	Of     []int    `json:"of"` // place in Values, -1 if it is not known
}

// column has a number of each run, NaN where there is none.
type column []float64

// MarshalJSON implements json.Marshaler. A column that is mostly empty has only what is there, with its places.
func (c column) MarshalJSON() ([]byte, error) {
	n := 0
	for _, x := range c {
		if exists(x) {
			n++
		}
	}
	if 2*n >= len(c) {
		text := []byte{'['}
		for i, x := range c {
			if i > 0 {
				text = append(text, ',')
			}
			if text = appendNumber(text, x); !exists(x) {
				text = append(text, "null"...)
			}
		}
		return append(text, ']'), nil
	}
	at, values := []byte(`{"at":[`), []byte(`],"values":[`)
	for i, x := range c {
		if !exists(x) {
			continue
		}
		if values[len(values)-1] != '[' {
			at, values = append(at, ','), append(values, ',')
		}
		at, values = strconv.AppendInt(at, int64(i), 10), appendNumber(values, x)
	}
	return append(append(at, values...), "]}"...), nil
}

func exists(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// appendNumber appends a number with all its digits, nothing if it does not exist.
func appendNumber(text []byte, x float64) []byte {
	if !exists(x) {
		return text
	}
	return strconv.AppendFloat(text, x, 'g', -1, 64)
}

// Page returns the page of runs below root, as package runlist has found them; cut means that there are more.
func (r *Reader) Page(root string, runs []*runlist.Run, cut bool) *Page {
	described := slices.DeleteFunc(slices.Clone(runs), func(e *runlist.Run) bool { return e.Info == nil })
	p := &Page{root: root, data: data{Figures: []*figure{}, Sides: []dimension{}, Remarks: []string{},
		Runs: list{Name: []string{}, State: []string{}, Begin: []int64{}, Whole: []bool{}}}}
	l := &p.data.Runs
	for _, e := range described {
		l.Name = append(l.Name, e.Name)
		l.State = append(l.State, e.State())
		l.Begin = append(l.Begin, e.Info.Begin.UnixMilli())
		l.Whole = append(l.Whole, e.Info.State == instr.RunComplete)
	}
	p.remark(len(runs)-len(described), "%s %s left out: a run describes itself in "+instr.RunName+", which is missing or damaged.")
	if cut {
		p.data.Remarks = append(p.data.Remarks, "There are more runs in the folder, which are left out.")
	}
	p.ofRuns(described)
	rows, errs := r.statistics(described)
	p.ofModels(rows, r.most)
	if p.remark(len(errs), "%s %s drawn without statistics of the model, which cannot be read."); len(errs) > 0 {
		p.data.Remarks = append(p.data.Remarks, "The first of them: "+errs[0].Error()+".")
	}
	p.dimensions(described)
	return p
}

// remark adds a remark about a number of runs, if there are any.
func (p *Page) remark(n int, text string) {
	switch {
	case n == 1:
		p.data.Remarks = append(p.data.Remarks, fmt.Sprintf(text, "1 run", "is"))
	case n > 1:
		p.data.Remarks = append(p.data.Remarks, fmt.Sprintf(text, fmt.Sprint(n, " runs"), "are"))
	}
}

// empty returns a column without numbers.
func empty(n int) column {
	c := make(column, n)
	for i := range c {
		c[i] = math.NaN()
	}
	return c
}

// ofRuns adds the figures of run.json that a run has.
func (p *Page) ofRuns(runs []*runlist.Run) {
	for _, k := range ofTheRun {
		f := &figure{Key: k.name, Group: "Run", Name: k.name, Unit: k.unit, Of: empty(len(runs))}
		for i, e := range runs {
			if e.Info.Result != nil {
				f.Of[i] = k.of(e.Info, e.Info.Result)
			}
		}
		if slices.ContainsFunc(f.Of, exists) {
			p.data.Figures = append(p.data.Figures, f)
		}
	}
	places := map[string]*figure{}
	for i, e := range runs {
		if e.Info.Result == nil {
			continue
		}
		for _, h := range e.Info.Result.Handlers {
			if h.Timed == 0 {
				continue
			}
			name := h.Message + " of " + h.Type
			f := places[name]
			if f == nil {
				f = &figure{Key: "events " + name, Group: "Events: " + handling, Name: name, Unit: "µs", Of: empty(len(runs))}
				places[name] = f
				p.data.Figures = append(p.data.Figures, f)
			}
			f.Of[i] = 1e6 * h.Seconds / float64(h.Timed)
		}
	}
}

// ofModels adds the statistics of the models, at most a number of numbers.
func (p *Page) ofModels(rows [][]row, most int) {
	type place struct{ group, name, measure string }
	places, numbers, left := map[place]*figure{}, 0, 0
	units := map[place]string{} // of statistics, whatever the measure
	var order []*figure
	for i := range rows {
		for _, s := range rows[i] {
			if unit, ok := units[place{s.group, s.name, ""}]; !ok {
				units[place{s.group, s.name, ""}] = s.unit
			} else if unit != s.unit { // models may have the same names for different things
				s.name += " in " + cmp.Or(s.unit, "numbers")
			}
			for _, m := range s.all {
				at := place{s.group, s.name, m.name}
				f := places[at]
				if f == nil {
					group := "Statistics"
					if s.group != "" {
						group += " of " + s.group
					}
					f = &figure{Key: "statistic " + s.group + ": " + s.name, Group: group, Name: s.name, Measure: m.name, Unit: m.unit,
						Of: empty(len(rows))}
					places[at] = f
					order = append(order, f)
				}
				if !exists(f.Of[i]) {
					f.Of[i] = m.value
				}
			}
		}
	}
	for _, f := range order {
		n := 0
		for _, x := range f.Of {
			if exists(x) {
				n++
			}
		}
		if numbers += n; numbers > most {
			left++
			continue
		}
		p.data.Figures = append(p.data.Figures, f)
	}
	if left > 0 {
		p.data.Remarks = append(p.data.Remarks, fmt.Sprintf("%d numbers of statistics are left out of a page of %d: choose a folder with "+
			"fewer runs for them.", left, len(order)))
	}
}

// options returns the number of options in which runs differ.
func (p *data) options() (n int) {
	for _, d := range p.Sides {
		if d.Group == groupOptions {
			n++
		}
	}
	return n
}

// Write writes the page.
func (p *Page) Write(w io.Writer) error { return p.write(w, false) }

// WriteServed writes the page of a server, which has the reports of the runs at /view, the word of the files at /state,
// and newer data at /figures/data. word is that of the files that the page is made of.
func (p *Page) WriteServed(w io.Writer, word string) error {
	p.serve(word)
	return p.write(w, true)
}

// WriteData writes the data of a page of a server, as JSON.
func (p *Page) WriteData(w io.Writer, word string) error {
	p.serve(word)
	return json.NewEncoder(w).Encode(p.data)
}

func (p *Page) serve(word string) {
	p.data.Word, p.data.Runs.Link = word, nil
	for _, name := range p.data.Runs.Name {
		p.data.Runs.Link = append(p.data.Runs.Link, "/view?"+url.Values{"run": {name}}.Encode())
	}
}

func (p *Page) write(w io.Writer, served bool) error {
	body := figuresHTML
	if served {
		body = `<nav aria-label="Runs"><a href="/">All runs</a> <span id="note" role="status"></span></nav>` + body
	}
	return sheet.Page{Title: "Figures of the runs in " + p.root, Subtitle: p.subtitle(), Body: template.HTML(body),
		CSS: figuresCSS, JS: plotJS + figuresJS, Data: p.data, Served: served}.Write(w)
}

// subtitle returns from when to when the runs began.
func (p *Page) subtitle() string {
	if len(p.data.Runs.Begin) == 0 {
		return ""
	}
	day := func(ms int64) string { return time.UnixMilli(ms).UTC().Format(time.DateOnly) }
	from, to := day(slices.Min(p.data.Runs.Begin)), day(slices.Max(p.data.Runs.Begin))
	text := "Runs that began on " + from
	if to != from {
		text = "Runs that began from " + from + " to " + to
	}
	return text + " (UTC)"
}
