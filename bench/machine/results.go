// This file owns what is written down: the figures of cells, and the three files.

package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ross-go/ross/bench/internal/median"
	"github.com/ross-go/ross/internal/sys/atomicfile"
	"github.com/ross-go/ross/report"
)

// resultsVersion is the version of the form of results.
const resultsVersion = 1

// results are all that was measured.
type results struct {
	Version   int         `json:"version"`
	Begin     time.Time   `json:"begin"`
	Seconds   float64     `json:"seconds"`
	Budget    float64     `json:"budget_seconds"`
	Turns     int         `json:"turns"` // of all cells that were not left out
	Stopped   bool        `json:"stopped,omitempty"`
	Machine   *machine    `json:"machine"`
	Workloads []modelInfo `json:"workloads"`
	Cells     []*cell     `json:"cells"`
	Ends      []ending    `json:"ends"`
	Notes     []string    `json:"notes,omitempty"`
	Failures  []string    `json:"failures,omitempty"`

	series []series
}

// modelInfo describes a workload.
type modelInfo struct {
	Name  string  `json:"name"`
	Title string  `json:"title"`
	Size  int     `json:"size"` // of the model of strong scaling
	End   float64 `json:"end"`
}

// ending says where a series ends to scale.
type ending struct {
	Workload string `json:"workload"`
	variant
	Scaling string   `json:"scaling"`
	UpTo    int      `json:"up_to"` // most PEs, at most one for each core, that were measured
	Verdict *verdict `json:"verdict,omitempty"`
	Text    string   `json:"text"`
}

// point returns the medians of a cell; false: it has no runs.
func (c *cell) point() (p point, ok bool) {
	of := func(what func(*oneRun) float64) float64 { return median.Of(c.each(what)) }
	return point{
		PEs:  c.PEs,
		Rate: of(func(o *oneRun) float64 { return o.Rate }), Undone: of(func(o *oneRun) float64 { return o.Undone }),
		GVT: of(func(o *oneRun) float64 { return o.GVT }), Idle: of(func(o *oneRun) float64 { return o.Idle }),
		Waited: of(func(o *oneRun) float64 { return o.Waited }),
	}, len(c.Runs) >= leastTurns
}

func (c *cell) each(what func(*oneRun) float64) (all []float64) {
	for i := range c.Runs {
		all = append(all, what(&c.Runs[i]))
	}
	return all
}

func rateOf(o *oneRun) float64 { return o.Rate }

// conclude judges all series, up to a PE for each core.
func (r *results) conclude(l layout) {
	for _, s := range r.series {
		var points []point
		for _, c := range s.cells {
			if p, ok := c.point(); ok && c.PEs <= l.cores {
				points = append(points, p)
			}
		}
		if len(points) < 2 || points[0].PEs != 1 {
			continue
		}
		e := ending{Workload: s.Workload, variant: s.variant, Scaling: s.scaling(), UpTo: points[len(points)-1].PEs}
		if v, ended := judge(points); ended {
			e.Verdict, e.Text = &v, v.String()
		} else {
			e.Text = fmt.Sprintf("the efficiency is at least %.1f up to %d PEs", leastEfficiency, e.UpTo)
		}
		r.Ends = append(r.Ends, e)
	}
}

// write writes the files into a folder, each under its name when it is complete.
func (r *results) write(dir string) error {
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	put := func(name string, data []byte) error {
		return atomicfile.Write(filepath.Join(dir, name), func(w io.Writer) error {
			_, err := w.Write(data)
			return err
		})
	}
	return errors.Join(put(jsonName, append(text, '\n')), put(svgName, draw(r)), put(tableName, r.table()))
}

// The files.
const (
	jsonName  = "machine.json"
	svgName   = "machine.svg"
	tableName = "machine.md"
)

// table returns the tables, in Markdown.
func (r *results) table() []byte {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	m := r.Machine
	p("# How ross scales on %s\n", cmp.Or(m.Processor, "a processor without a name"))
	for _, line := range m.lines() {
		p("- %s", line)
	}
	state := ""
	if r.Stopped {
		state = ", and was stopped before its end"
	}
	p("- the measurement began on %s, took %.0f s of %.0f s%s; %s\n", r.Begin.Format("2 January 2006 15:04 MST"), r.Seconds,
		r.Budget, state, report.Count(uint64(r.Turns), "turn"))
	if len(r.Failures) > 0 {
		p("## Failures\n\n**These runs did not come to the result of the sequential run, or did not end.**\n")
		for _, f := range r.Failures {
			p("- %s", strings.ReplaceAll(f, "\n", " "))
		}
		p("")
	}
	if len(r.Ends) > 0 {
		p("## Where scaling ends\n\nThe least number of PEs, up to one for each core, with an efficiency (speed-up over one PE, "+
			"divided by PEs) below %.1f. *Memory* stands for what neither rollback nor GVT, idle PEs or a lack of processors "+
			"explain: lines of memory come from other cores, caches are shared, or clocks are slower.\n", leastEfficiency)
		p("| model | scaling | run | PEs | efficiency | why |\n|---|---|---|---:|---:|---|")
		for _, e := range r.Ends {
			pes, efficiency, why := "", "", e.Text
			if v := e.Verdict; v != nil {
				pes, efficiency, why = fmt.Sprint(v.PEs), fmt.Sprintf("%.2f", v.Efficiency), v.Reason+": "+e.Text
			}
			p("| %s | %s | %v | %s | %s | %s |", e.Workload, e.Scaling, e.variant, pes, efficiency, why)
		}
		p("")
	}
	p("## All cells\n\nMillions of committed events per second: median, least and most. *Undone* is the share of all events "+
		"handled, *GVT* that of the time of the PE which spent most on it. PEs were *idle* when they had no event, and *waited* "+
		"when they had no processor: shares of the time of all PEs. *Others* is what other programs used of all processors.\n\n%s",
		"| model | scaling | run | PEs | M events/s | least-most | over one PE | over sequential | undone | GVT | idle | waited | others |"+
			"\n|---|---|---|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|")
	for _, w := range r.Workloads {
		i := slices.IndexFunc(r.Cells, func(c *cell) bool {
			return c.Workload == w.Name && c.Scheduler == sequential && c.Size == w.Size && len(c.Runs) > 0
		})
		alone := 0.0
		if i >= 0 {
			one, _ := r.Cells[i].point()
			alone = one.Rate
			p("%s", r.Cells[i].row("", 0, 0))
		}
		for _, s := range r.series {
			if s.Workload != w.Name || s.Weak && !s.grows() {
				continue
			}
			base := 0.0
			for _, c := range s.cells {
				if len(c.Runs) == 0 {
					continue
				}
				q, _ := c.point()
				if c.PEs == 1 {
					base = q.Rate
				}
				over := alone
				if c.Size != w.Size {
					over = 0
				}
				p("%s", c.row(s.scaling(), base, over))
			}
		}
	}
	p("\n![Speed-up over the number of PEs](%s)\n\n## Models\n", svgName)
	for _, w := range r.Workloads {
		p("- %s: %s. Strong scaling: size %d, until time %g.", w.Name, w.Title, w.Size, w.End)
	}
	r.writeLeftOut(p)
	if len(r.Notes) > 0 {
		p("\n## Notes\n")
		for _, n := range r.Notes {
			p("- %s", n)
		}
	}
	return []byte(b.String())
}

// row returns the line of a cell; base and alone are rates on one PE and of the sequential run, 0 if they are not
// known.
func (c *cell) row(scaling string, base, alone float64) string {
	q, _ := c.point()
	ratio := func(to float64) string {
		if to <= 0 {
			return ""
		}
		return fmt.Sprintf("%.2f", q.Rate/to)
	}
	percent := func(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }
	rates, others := c.each(rateOf), ""
	if known := slices.DeleteFunc(slices.Clone(c.Runs), func(o oneRun) bool { return o.Others == nil }); len(known) > 0 {
		var all []float64
		for _, o := range known {
			all = append(all, float64(*o.Others))
		}
		others = percent(median.Of(all))
	}
	return fmt.Sprintf("| %s | %s | %v | %d | %.2f | %.2f-%.2f | %s | %s | %s | %s | %s | %s | %s |", c.Workload, scaling,
		c.variant, c.PEs, q.Rate, slices.Min(rates), slices.Max(rates), ratio(base), ratio(alone), percent(q.Undone),
		percent(q.GVT), percent(q.Idle), percent(q.Waited), others)
}

// writeLeftOut lists the cells that were not measured: for each reason and variant the models, with numbers of PEs.
func (r *results) writeLeftOut(p func(string, ...any)) {
	var reasons []string
	for _, c := range r.Cells {
		if c.LeftOut != "" && !slices.Contains(reasons, c.LeftOut) {
			reasons = append(reasons, c.LeftOut)
		}
	}
	if len(reasons) == 0 {
		return
	}
	p("\n## Left out\n\nModels with numbers of PEs, in the order of importance.\n")
	for _, reason := range reasons {
		var groups []string
		models := map[string][]string{}
		pes := map[string][]string{}
		for _, c := range r.Cells {
			if c.LeftOut != reason {
				continue
			}
			group := c.variant.String()
			if c.Size != r.sizeOf(c.Workload) {
				group += ", weak scaling"
			}
			if models[group] == nil {
				groups = append(groups, group)
			}
			key := group + ": " + c.Workload
			if pes[key] == nil {
				models[group] = append(models[group], c.Workload)
			}
			n := c.PEs
			if c.Scheduler == sequential {
				n = c.Size
			}
			pes[key] = append(pes[key], fmt.Sprint(n))
		}
		p("- %s", strings.ReplaceAll(reason, "\n", " "))
		for _, group := range groups {
			var texts []string
			for _, name := range models[group] {
				texts = append(texts, name+" "+strings.Join(pes[group+": "+name], " "))
			}
			p("  - %s: %s", group, strings.Join(texts, ", "))
		}
	}
}

// sizeOf returns the size of a model of strong scaling.
func (r *results) sizeOf(name string) int {
	for _, w := range r.Workloads {
		if w.Name == name {
			return w.Size
		}
	}
	return 0
}

// grows reports whether there are runs on more than one PE.
func (s *series) grows() bool {
	return slices.ContainsFunc(s.cells, func(c *cell) bool { return c.PEs > 1 && len(c.Runs) > 0 })
}

// lines say what the machine is, a fact each.
func (m *machine) lines() (all []string) {
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	count := func(p *places) string {
		if !p.Known {
			return report.Count(uint64(p.Threads), "processor") + ", and nothing is known of where they are"
		}
		return fmt.Sprintf("%s in %s and %s of memory, with %s", report.Count(uint64(p.Cores), "core"), report.Count(uint64(p.Sockets), "socket"),
			report.Count(uint64(p.Nodes), "node"), report.Count(uint64(p.Threads), "hardware thread"))
	}
	if m.Whole != nil && m.Whole.Processors != m.Allowed.Processors {
		add("it has %s (processors %s)", count(m.Whole), m.Whole.Processors)
	}
	add("it may use %s (processors %s); GOMAXPROCS is %d", count(&m.Allowed), m.Allowed.Processors, m.GOMAXPROCS)
	if m.Virtual {
		add("a virtual machine: what it calls a core may be a hardware thread, or be shared with other machines")
	}
	if m.Memory > 0 {
		text := fmt.Sprintf("%.1f GiB of memory", float64(m.Memory)/(1<<30))
		if m.Unused > 0 {
			text += fmt.Sprintf(", of which %.1f were available", float64(m.Unused)/(1<<30))
		}
		add("%s", text)
	}
	kernel := ""
	if m.Kernel != "" {
		kernel = ", kernel " + m.Kernel
	}
	queue := ""
	if m.Queue != "" {
		queue = ", event queue: " + m.Queue
	}
	add("%s%s; %s; ross %s, commit %s%s", m.System, kernel, m.Go, m.Engine, cmp.Or(m.Commit, "not known"), queue)
	for _, where := range []string{inCore, inDomain, inSocket, elsewhere, unbound} {
		var least, middle []float64
		for _, h := range m.Latency {
			if h.Where == where {
				least, middle = append(least, h.Least), append(middle, h.Median)
			}
		}
		if len(least) > 0 {
			add("a cache line goes to and fro between %s in %.0f ns, median of %s; at best in %.0f to %.0f", where, median.Of(middle),
				report.Count(uint64(len(least)), "pair"), slices.Min(least), slices.Max(least))
		}
	}
	if c := m.Clock; c != nil {
		text := fmt.Sprintf("while all %d cores work, each does %.2f of what one does alone", c.Cores, c.Ratio)
		if c.Threads > 0 {
			text += fmt.Sprintf(", and a hardware thread %.2f while all work", c.Threads/c.Alone)
		}
		add("%s", text)
	}
	if s := m.OthersBefore; s != nil {
		text := fmt.Sprintf("other programs used %.0f %% of the processors before the measurement", 100**s)
		if d := m.OthersDuring; d != nil {
			text += fmt.Sprintf(", and %.0f %% during runs (median)", 100**d)
		}
		if p := m.PressureBefore; p != nil {
			text += fmt.Sprintf("; in %.0f %% of ten seconds before, something waited for a processor", 100**p)
		}
		add("%s", text)
	}
	return all
}
