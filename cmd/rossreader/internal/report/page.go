// This file owns the page: its parts, the contents of its table, and the text of counts, bytes, durations and command
// lines.

package report

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/output/findings"
	"github.com/ross-go/ross/internal/sys/labels"
	results "github.com/ross-go/ross/program/parts/page"
	"github.com/ross-go/ross/program/parts/places"
)

var (
	//go:embed page.html
	pageHTML string
	//go:embed comparison.html
	comparisonHTML string
	//go:embed page.css
	pageCSS string
	//go:embed charts.js
	chartsJS string
	//go:embed timeline.js
	timelineJS string
	//go:embed page.js
	pageJS string
	//go:embed echarts/echarts.min.js
	echartsJS string
)

var pageTemplate = template.Must(template.Must(template.New("page").Parse(pageHTML)).Parse(comparisonHTML))

// row is a row of the table.
type row struct{ Name, Value string }

// page is the data of the template.
type page struct {
	Title    string
	Rows     []row
	Files    []fileRow
	Subtitle string
	Missing  string   // what the files do not show
	Cards    []card   // findings
	Lacks    []string // what cannot be judged, and the options that it takes
	Charts   []chart
	Drawn    []chart // those with data
	Absent   []chart // the others

	Leading                 []chart // of Drawn: how the runs of a comparison differ
	TimeLine, Engine, Model []chart // over real time, others, of the model
	From                    string  // which samples charts over real time are of
	More                    []more  // other pictures that can be made of the files
	HasModel                bool    // the model has results
	Stretches               stretches
	OfPEs                   []tableRow
	OfKPs                   []tableRow // those that rolled back most

	Strip      *strip
	Statistics *statistics // of the model
	Comparison *comparison // nil without a base
	LPs        []lpRow     // that stand out
	Followed   int         // LPs that have a course on the page, 0 if those are all

	CSS         template.CSS
	ECharts, JS template.JS
}

type fileRow struct {
	Path, Holds string
	Records     string
	Bytes       string
	Drawn       bool // whether charts exist
}

// write writes the page.
func (f *figures) write(w io.Writer) error { return f.writeBeside(nil, w) }

// writeBeside writes the page with a comparison, unless base is nil.
func (f *figures) writeBeside(base *figures, w io.Writer) error {
	p, err := f.assemble(base)
	if err != nil {
		return err
	}
	return pageTemplate.Execute(w, p)
}

// assemble returns what the page has, with a comparison, unless base is nil.
func (f *figures) assemble(base *figures) (*page, error) {
	statistics, err := f.statisticsOf()
	if err != nil {
		return nil, err
	}
	if base != nil {
		between(f, base)
	}
	p := &page{
		Statistics: statistics, Strip: f.strip(), Stretches: f.stretches(base),
		LPs: f.lpRows(), Subtitle: f.subtitle(), Missing: f.missing(), Lacks: f.lacks(),
		Title: f.title(), Rows: f.table(), Cards: f.cards(), Charts: f.charts(), Drawn: []chart{},
		CSS: template.CSS(pageCSS), ECharts: template.JS(echartsJS), JS: template.JS(timelineJS + chartsJS + pageJS),
	}
	if len(f.busiest) > len(f.lpCourses) {
		p.Followed = len(f.lpCourses)
	}
	p.OfPEs, p.OfKPs = tableRows(p.Stretches.PEs, len(p.Stretches.PEs)), tableRows(mostUndone(p.Stretches.KPs), shownLPs)
	p.Charts = append(p.Charts, statistics.charts()...)
	if base != nil {
		others, err := base.statisticsOf()
		if err != nil {
			return nil, err
		}
		p.Comparison = f.compare(base)
		p.Comparison.Results = resultsBeside(statistics, others)
		p.Charts = besideCharts(p.Charts, append(base.charts(), others.charts()...), p.Comparison.Own, p.Comparison.Other)
		last := 0 // of the charts of rollbacks
		for i, c := range p.Charts {
			if c.ID == "rollbacks" || c.ID == "base-rollbacks" {
				last = i + 1
			}
		}
		p.Charts = append([]chart{f.waterfall(base)}, slices.Insert(p.Charts, last, f.rollbacksLess(base))...)
	}
	for _, c := range p.Charts {
		if c.Absent == "" {
			p.Drawn = append(p.Drawn, c)
			switch {
			case c.Kind == waterfall:
				p.Leading = append(p.Leading, c)
			case c.ofModel():
				p.Model = append(p.Model, c)
			case c.Linked:
				p.TimeLine = append(p.TimeLine, c)
			default:
				p.Engine = append(p.Engine, c)
			}
		} else {
			p.Absent = append(p.Absent, c)
		}
	}
	p.From, p.More = f.from(), f.more()
	p.HasModel = len(p.Model) > 0 || len(statistics.Rows) > 0
	for _, file := range f.run.Files {
		p.Files = append(p.Files, fileRow{
			file.Path, holds[file.Content], grouped(file.Records), bytesText(uint64(file.Bytes)),
			file.Content == instr.Trace || file.Content == f.source.Content && f.source.PE+f.source.KP > 0 ||
				f.drawsModels(file.Content) ||
				file.Content == instr.Memory && f.haveMemory(),
		})
	}
	return p, nil
}

// more is a picture that another command makes of the files of the run.
type more struct{ What, Command string }

// more returns the pictures that other commands can make.
func (f *figures) more() (all []more) {
	dir := f.run.Dir
	if dir == "" {
		return nil
	}
	traced := f.run.Sources[instr.Trace].Events > 0
	command := func(name string) string { return commandText([]string{"rossreader", name, dir, "-o", name + ".html"}) }
	if traced {
		all = append(all, more{"The events, their causes and effects, as a sequence chart", command("events")},
			more{"The life of single LPs", commandText([]string{"rossreader", "life", dir, "--lp=0", "-o", "life.html"})})
	}
	if maps, err := filepath.Glob(filepath.Join(dir, "*"+places.Suffix)); err == nil && len(maps) > 0 {
		all = append(all, more{"The links of the network over virtual time", command("network")})
	}
	return all
}

// from names the samples that charts over real time are of, if there are others.
func (f *figures) from() string {
	var own string
	others := 0
	for _, file := range f.run.Files {
		switch file.Content {
		case f.source.Content:
			own = filepath.Base(file.Path)
		case instr.GVTFile, instr.RTFile, instr.VTFile, instr.VTEngine:
			others++
		}
	}
	if own == "" || others == 0 || f.source.PE+f.source.KP == 0 {
		return ""
	}
	return fmt.Sprintf("Of the most numerous samples: %s (%s).", own, holds[f.source.Content])
}

var holds = map[instr.Content]string{
	instr.GVTFile: "samples by GVT", instr.RTFile: "samples by real time", instr.VTFile: "samples at virtual times",
	instr.VTEngine: "samples of the engine at virtual times", instr.Models: "samples of models",
	instr.Trace: "event trace", instr.Memory: "samples of memory", instr.Unknown: "nothing that is known",
}

// grouped returns a whole number with commas between groups of three digits.
func grouped[N int | int64 | uint64](n N) string { return findings.Grouped(n) }

// bytesText returns a number of bytes in the largest binary unit that is not larger than it.
func bytesText(n uint64) string { return findings.Bytes(n) }

// secondsText returns a duration in s, ms or µs, or from two minutes on in hours and minutes.
func secondsText(seconds float64) string {
	if seconds >= 120 && seconds < 1e9 {
		return time.Duration(seconds * 1e9).Round(time.Second).String()
	}
	unit, scale := timeUnit(seconds)
	return short(seconds*scale) + " " + unit
}

// commandText returns a command line as a shell takes it.
func commandText(words []string) string { return results.CommandLine(words) }

// withOptions returns a command with some options of the form --name=value, which replace those
// of the same names.
func withOptions(command []string, options ...string) []string {
	if len(command) == 0 {
		command = []string{"PROGRAM", "..."}
	}
	own := map[string]bool{}
	for _, option := range options {
		name, _, _ := strings.Cut(strings.TrimLeft(option, "-"), "=")
		own[name] = true
	}
	var kept, rest []string
	for i := 0; i < len(command); i++ {
		word := command[i]
		if word == "--" {
			rest = command[i:]
			break
		}
		name, _, joined := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if i > 0 && strings.HasPrefix(word, "-") && own[name] {
			if !joined && i+1 < len(command) && !strings.HasPrefix(command[i+1], "-") {
				i++ // its value
			}
			continue
		}
		kept = append(kept, word)
	}
	return append(append(kept, options...), rest...)
}

// few4 is a number in JSON with four digits, which are enough for a sum of three.
type few4 float64

func (n few4) MarshalJSON() ([]byte, error) {
	if x := float64(n); math.IsNaN(x) || math.IsInf(x, 0) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(n), 'g', 4, 64), nil
}

func few(values []float64) []few4 {
	ns := make([]few4, len(values))
	for i, v := range values {
		ns[i] = few4(v)
	}
	return ns
}

// did is what a PE, a KP or an LP did: in all, and in each column of the time line.
type did struct {
	Name string `json:"name"`
	// events handled, rolled back; rollbacks; percent of the time that was busy, -1 if not known
	Sums      [4]int64 `json:"sums"`
	Handled   []few4   `json:"handled"`
	Undone    []few4   `json:"undone"`
	Rollbacks []few4   `json:"rollbacks,omitempty"`
	Queue     []few4   `json:"queue,omitempty"`
	Busy      []few4   `json:"busy,omitempty"` // seconds of what is timed
	Rest      []few4   `json:"rest,omitempty"` // and of the rest
}

// did returns the course with its name and its sums.
func (c *course) did(name string, sums [4]int64) did {
	return did{Name: name, Sums: sums, Handled: few(c.handled), Undone: few(c.undone), Rollbacks: few(c.rollbacks)}
}

// stretches is what the page makes tables and lines of, for the stretch of real time, PE, KP or LP that the reader
// chooses.
type stretches struct {
	Width   num      `json:"width"` // seconds of a column of PEs and KPs
	LPWidth num      `json:"lpwidth"`
	PEs     []did    `json:"pes"`
	KPs     []did    `json:"kps"`
	LPs     []did    `json:"lps"`   // those that stand out
	Names   [][4]any `json:"names"` // of LPs: id, label, PE and KP or -1

	Knots     [][2]num `json:"knots,omitempty"` // real time and GVT, of a comparison
	BaseKnots [][2]num `json:"baseknots,omitempty"`
	Run       string   `json:"run,omitempty"` // names of a comparison
	Base      string   `json:"base,omitempty"`
}

// tableRow is a row of the tables of PEs and KPs, for the whole run.
type tableRow struct{ Name, Handled, RolledBack, Rollbacks, Efficiency, Busy string }

// mostUndone returns the KPs that rolled back most, and of those alike the ones that handled most.
func mostUndone(kps []did) []did {
	return slices.SortedStableFunc(slices.Values(kps), func(a, b did) int {
		return cmp.Or(cmp.Compare(b.Sums[1], a.Sums[1]), cmp.Compare(b.Sums[0], a.Sums[0]))
	})
}

func tableRows(all []did, most int) (rows []tableRow) {
	for _, d := range all[:min(len(all), most)] {
		row := tableRow{d.Name, grouped(d.Sums[0]), grouped(d.Sums[1]), grouped(d.Sums[2]),
			short(findings.Efficiency(float64(d.Sums[0]), float64(d.Sums[1]))) + " %", "–"}
		if d.Sums[3] >= 0 {
			row.Busy = fmt.Sprintf("%d %%", d.Sums[3])
		}
		rows = append(rows, row)
	}
	return rows
}

// maxNamed is how many LPs can be searched for.
const maxNamed = 10_000

// namedLPs returns the LPs that can be searched for, in order, and the names that they have.
func (f *figures) namedLPs() (names labels.Labels, ids []uint32) {
	wanted := map[uint32]bool{}
	for _, c := range f.lpCourses {
		wanted[c.of.lp] = true
	}
	for _, id := range slices.Sorted(maps.Keys(f.run.Home)) {
		if len(wanted) < maxNamed {
			wanted[id] = true
		}
	}
	for id := uint64(f.run.MinLP); id <= uint64(f.run.MaxLP) && len(wanted) < maxNamed; id++ {
		wanted[uint32(id)] = true
	}
	return f.run.LabelsOf(func(id uint64) bool { return id <= math.MaxUint32 && wanted[uint32(id)] }),
		slices.Sorted(maps.Keys(wanted))
}

// stretches returns the data for the choices of the reader.
func (f *figures) stretches(base *figures) (s stretches) {
	kept := f.busyKept()
	s.Width, s.LPWidth = num(f.heat.width), num(f.lpColumns.width)
	sums := func(all []findings.Sums, row, n int) [4]int64 {
		var t [4]int64
		busy, whole := 0.0, 0.0
		for i := firstOf(row, n, maxRows); i < firstOf(row+1, n, maxRows); i++ {
			one := &all[i]
			t[0], t[1], t[2] = t[0]+int64(one.Processed), t[1]+int64(one.RolledBack), t[2]+int64(one.Rollbacks)
			busy, whole = busy+one.Time()-one.Rest, whole+one.Time()
		}
		if t[3] = -1; whole > 0 {
			t[3] = int64(math.Round(100 * kept * busy / whole))
		}
		return t
	}
	if f.source.PE > 0 {
		for row, c := range f.courses {
			busy := f.heat.row()
			for _, part := range c.parts {
				for i := range busy {
					busy[i] += part[i]
				}
			}
			rest := slices.Clone(c.rest)
			for i := range busy {
				rest[i] += (1 - kept) * busy[i]
				busy[i] *= kept
			}
			one := c.did(f.peName(row), sums(f.perPE, row, len(f.run.PEs)))
			one.Queue, one.Busy, one.Rest = few(c.level.values()), few(busy), few(rest)
			s.PEs = append(s.PEs, one)
		}
	}
	if f.source.KP > 0 {
		for row := range f.rows {
			s.KPs = append(s.KPs, f.rows[row].did(f.kpName(row), sums(f.perKP, row, len(f.run.KPs))))
		}
	}
	names, ids := f.namedLPs()
	for _, id := range ids {
		pe, kp := -1, -1
		if home, ok := f.run.Home[id]; ok {
			pe, kp = int(home.PE), int(home.KP)
		}
		s.Names = append(s.Names, [4]any{id, names[uint64(id)], pe, kp})
	}
	for i := range f.lpCourses {
		c := &f.lpCourses[i]
		s.LPs = append(s.LPs,
			did{Name: "LP " + names.Name(uint64(c.of.lp)), Sums: [4]int64{int64(c.of.handled), int64(c.of.rolledBack), 0, -1},
				Handled: few(c.handled), Undone: few(c.undone)})
	}
	if base != nil {
		s.Run, s.Base = namesBeside(f, base)
		for _, one := range []struct {
			to *[][2]num
			of *figures
		}{{&s.Knots, f}, {&s.BaseKnots, base}} {
			for _, k := range one.of.gvtKnots() {
				*one.to = append(*one.to, [2]num{num(k[0]), num(k[1])})
			}
		}
	}
	return s
}
