// This file owns the page: its parts, the contents of its table, and the text of counts, bytes, durations and command lines.

package report

import (
	_ "embed"
	"html/template"
	"io"
	"strings"
	"time"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/findings"
)

var (
	//go:embed page.html
	pageHTML string
	//go:embed comparison.html
	comparisonHTML string
	//go:embed page.css
	pageCSS string
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

	Engine, Model []chart // of Drawn
	HasModel      bool    // the model has results

	Strip      *strip
	Statistics *statistics // of the model
	Comparison *comparison // nil without a base
	LPs        []lpRow     // that stand out

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
	statistics, err := f.statisticsOf()
	if err != nil {
		return err
	}
	p := page{
		Statistics: statistics, Strip: f.strip(),
		LPs: f.lpRows(), Subtitle: f.subtitle(), Missing: f.missing(), Lacks: f.lacks(),
		Title: f.title(), Rows: f.table(), Cards: f.cards(), Charts: f.charts(), Drawn: []chart{},
		CSS: template.CSS(pageCSS), ECharts: template.JS(echartsJS), JS: template.JS(pageJS),
	}
	p.Charts = append(p.Charts, statistics.charts()...)
	if base != nil {
		others, err := base.statisticsOf()
		if err != nil {
			return err
		}
		p.Comparison, p.Charts = f.compare(base), besideCharts(p.Charts, append(base.charts(), others.charts()...))
		p.Charts = append([]chart{f.waterfall(base), f.rollbacksLess(base)}, p.Charts...)
	}
	for _, c := range p.Charts {
		if c.Absent == "" {
			p.Drawn = append(p.Drawn, c)
			if c.ofModel() {
				p.Model = append(p.Model, c)
			} else {
				p.Engine = append(p.Engine, c)
			}
		} else {
			p.Absent = append(p.Absent, c)
		}
	}
	p.HasModel = len(p.Model) > 0 || len(statistics.Rows) > 0
	for _, file := range f.run.Files {
		p.Files = append(p.Files, fileRow{
			file.Path, holds[file.Content], grouped(file.Records), bytesText(uint64(file.Bytes)),
			file.Content == instr.Trace || file.Content == f.source.Content && f.source.PE+f.source.KP > 0 || f.drawsModels(file.Content) ||
				file.Content == instr.Memory && f.haveMemory(),
		})
	}
	return pageTemplate.Execute(w, p)
}

var holds = map[instr.Content]string{
	instr.GVTFile: "samples by GVT", instr.RTFile: "samples by real time", instr.VTFile: "samples at virtual times",
	instr.VTEngine: "samples of the engine at virtual times", instr.Models: "samples of models", instr.Trace: "event trace", instr.Memory: "samples of memory", instr.Unknown: "nothing that is known",
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
func commandText(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = word
		if word == "" || strings.ContainsFunc(word, func(r rune) bool {
			return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_=+./:,@%", r))
		}) {
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

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
