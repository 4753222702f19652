// This file owns the page: its parts, and the contents of its table.

package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"path/filepath"

	"github.com/ross-go/ross/instr"
)

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string
	//go:embed page.js
	pageJS string
	//go:embed echarts/echarts.min.js
	echartsJS string
)

var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// row is a row of the table.
type row struct{ Name, Value string }

// page is the data of the template.
type page struct {
	Title    string
	Rows     []row
	Files    []fileRow
	Findings []finding
	Charts   []chart
	Drawn    []chart // those with data

	Statistics *statistics // of the model

	CSS         template.CSS
	ECharts, JS template.JS
}

type fileRow struct {
	Path, Holds string
	Records     uint64
	Bytes       int64
	Drawn       bool // whether charts exist
}

// write writes the page.
func (f *figures) write(w io.Writer) error {
	statistics, err := f.statisticsOf()
	if err != nil {
		return err
	}
	p := page{
		Statistics: statistics,
		Title:      f.title(), Rows: f.table(), Findings: f.findings(), Charts: f.charts(), Drawn: []chart{},
		CSS: template.CSS(pageCSS), ECharts: template.JS(echartsJS), JS: template.JS(pageJS),
	}
	for _, c := range p.Charts {
		if c.Absent == "" {
			p.Drawn = append(p.Drawn, c)
		}
	}
	for _, file := range f.run.Files {
		p.Files = append(p.Files, fileRow{
			file.Path, holds[file.Content], file.Records, file.Bytes,
			file.Content == instr.Trace || file.Content == f.source.Content && f.source.PE+f.source.KP > 0,
		})
	}
	return pageTemplate.Execute(w, p)
}

var holds = map[instr.Content]string{
	instr.GVTFile: "samples by GVT", instr.RTFile: "samples by real time", instr.VTFile: "samples at virtual times",
	instr.Models: "samples of models", instr.Trace: "event trace", instr.Unknown: "nothing that is known",
}

func (f *figures) title() string {
	if len(f.run.Files) == 0 {
		return "Simulation run"
	}
	return "Simulation run in " + filepath.Base(filepath.Dir(absolute(f.run.Files[0].Path)))
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

func (f *figures) table() []row {
	t := &f.total
	rows := []row{
		{"PEs", count(len(f.run.PEs))},
		{"KPs", count(len(f.run.KPs))},
		{"LPs", count(len(f.run.Home))},
	}
	if f.source.PE+f.source.KP > 0 {
		rows = append(rows,
			row{"Events handled", fmt.Sprint(t.processed)},
			row{"Events rolled back", fmt.Sprint(t.rolledBack)},
			row{"Net events", fmt.Sprint(t.net())},
			row{"Efficiency", short(t.efficiency()) + " %"},
			row{"Rollbacks", fmt.Sprint(t.rollbacks)},
			row{"… by stragglers (primary)", fmt.Sprint(t.rollbacks - t.secondary)},
			row{"… by cancelled events (secondary)", fmt.Sprint(t.secondary)},
		)
		unit, scale := timeUnit(f.span())
		time := row{"Run time", short(f.span()*scale) + " " + unit}
		if !f.run.FromStart {
			time = row{"Time between first and last sample", time.Value + " by --clock-rate"}
		}
		rows = append(rows, time)
	}
	if n := f.run.Sources[instr.Trace].Events; n > 0 {
		rows = append(rows, row{"Events in the trace", fmt.Sprint(n)})
	}
	return rows
}

func count(n int) string {
	if n == 0 {
		return "not in the files"
	}
	return fmt.Sprint(n)
}
