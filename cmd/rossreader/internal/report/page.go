// This file owns the page: its parts, and the contents of its table.

package report

import (
	_ "embed"
	"html/template"
	"io"

	"github.com/ross-go/ross/instr"
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
	Missing  string // what the files do not say
	Findings []finding
	Lacks    []string // what cannot be judged, and the options that it takes
	Charts   []chart
	Drawn    []chart // those with data

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
		Statistics: statistics,
		LPs:        f.lpRows(), Subtitle: f.subtitle(), Missing: f.missing(), Lacks: f.lacks(),
		Title: f.title(), Rows: f.table(), Findings: f.findings(), Charts: f.charts(), Drawn: []chart{},
		CSS: template.CSS(pageCSS), ECharts: template.JS(echartsJS), JS: template.JS(pageJS),
	}
	p.Charts = append(p.Charts, statistics.charts()...)
	if base != nil {
		others, err := base.statisticsOf()
		if err != nil {
			return err
		}
		p.Comparison, p.Charts = f.compare(base), besideCharts(p.Charts, append(base.charts(), others.charts()...))
	}
	for _, c := range p.Charts {
		if c.Absent == "" {
			p.Drawn = append(p.Drawn, c)
		}
	}
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
