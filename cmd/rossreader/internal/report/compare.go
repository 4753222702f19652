// This file owns the comparison with another run: settings, figures, findings.

package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/ross-go/ross/instr"
)

// comparison is what differs between a run and a base.
type comparison struct {
	Base     string // names the base
	Digest   string // whether both committed the same events
	Settings []difference
	Figures  []difference
	Findings []changed
	Hints    []string // what the comparison lacks
}

// difference is a row: the values of the run and of the base.
type difference struct{ Name, Run, Base, Ratio string }

// changed is a finding of one run or of both.
type changed struct{ State, What, Run, Base string }

// compare compares the run with a base.
func (f *figures) compare(base *figures) *comparison {
	c := &comparison{Base: base.name(), Figures: f.figuresBeside(base), Findings: f.findingsBeside(base)}
	a, b := f.run.Info, base.run.Info
	if a == nil || b == nil {
		c.Hints = append(c.Hints, "Settings and digests cannot be compared: "+instr.RunName+" is missing.")
		return c
	}
	c.Settings = settingsBeside(a, b)
	switch one, other := digest(a), digest(b); {
	case one == "" || other == "":
		c.Digest = "Whether both committed the same events is not known: run both with --digest."
	case one == other:
		c.Digest = "Both committed the same events: their digests are equal."
	default:
		c.Digest = "The runs committed different events: their digests differ. Their speeds are those of different work."
	}
	return c
}

func digest(info *instr.RunInfo) string {
	if info.Result == nil {
		return ""
	}
	return info.Result.Digest
}

// name names the run for a comparison: its title, and when it ran.
func (f *figures) name() string {
	if info := f.run.Info; info != nil {
		return fmt.Sprintf("%s, %s", f.title(), info.Begin.UTC().Format("2006-01-02 15:04:05 MST"))
	}
	return f.title()
}

// settingsBeside returns the settings that differ, by name.
func settingsBeside(a, b *instr.RunInfo) (rows []difference) {
	settings := func(i *instr.RunInfo) map[string]string {
		all := maps.Clone(i.Options)
		if all == nil {
			all = map[string]string{}
		}
		for _, transient := range []string{"stats-path", "stats-prefix", "http", "progress"} {
			delete(all, transient)
		}
		all["Model"], all["Host"], all["Scheduler"] = i.Model, i.Host.Name, i.Scheduler
		all["Engine"], all["Go"], all["Source of the program"] = i.Engine.Version, i.Engine.Go, i.Engine.Program
		all["Event queue"], all["System"] = i.Engine.Queue, i.Engine.System
		all["Processors"], all["State"] = fmt.Sprint(i.Host.Processors), stateText(i)
		all["Ranks"], all["PEs"], all["KPs"], all["LPs"] = grouped(i.Ranks), grouped(i.PEs), grouped(i.KPs), grouped(i.LPs)
		return all
	}
	one, other := settings(a), settings(b)
	names := map[string]bool{}
	for name := range one {
		names[name] = true
	}
	for name := range other {
		names[name] = true
	}
	sorted := slices.SortedFunc(maps.Keys(names), func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a[:1]), a[:1])*-1, cmp.Compare(a, b))
	})
	for _, name := range sorted {
		if one[name] == other[name] {
			continue
		}
		shown := name
		if name == strings.ToLower(name) {
			shown = "--" + name
		}
		rows = append(rows, difference{shown, cmp.Or(one[name], "–"), cmp.Or(other[name], "–"), ""})
	}
	return rows
}

// measure is a figure of a run; NaN if it is not known.
type measure struct {
	name  string
	value float64
	text  string
}

// measures returns the figures that are compared, always the same ones.
func (f *figures) measures() []measure {
	t := &f.total
	net, processed, undone, rollbacks, secondary := float64(t.net()), float64(t.processed), float64(t.rolledBack), float64(t.rollbacks), float64(t.secondary)
	gvts, peak, efficiency := float64(t.gvts)/float64(max(len(f.perPE), 1)), math.NaN(), t.efficiency()
	if r := f.result(); r != nil {
		net, processed, undone, rollbacks = float64(r.NetEvents), float64(r.Processed), float64(r.RolledBack), float64(r.Primary+r.Secondary)
		secondary, gvts, peak, efficiency = float64(r.Secondary), float64(r.GVTs), float64(r.MemoryPeak), r.Efficiency
	} else if f.source.PE+f.source.KP == 0 {
		net, processed, undone, rollbacks, secondary, gvts, efficiency = math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()
	}
	idle := math.NaN()
	if times, ok := f.times(); ok {
		idle = times.idle
	}
	count := func(name string, x float64) measure {
		m := measure{name, x, "–"}
		if !math.IsNaN(x) {
			m.text = grouped(int64(math.Round(x)))
		}
		return m
	}
	percent := func(name string, x float64) measure {
		m := measure{name, x, "–"}
		if !math.IsNaN(x) {
			m.text = short(x) + " %"
		}
		return m
	}
	seconds, rate, memory := f.duration(), math.NaN(), measure{"Memory used at most", peak, "–"}
	if seconds > 0 {
		rate = net / seconds
	} else {
		seconds = math.NaN()
	}
	duration := measure{"Run time", seconds, "–"}
	if !math.IsNaN(seconds) {
		duration.text = secondsText(seconds)
	}
	if peak > 0 {
		memory.text = bytesText(uint64(peak))
	}
	return []measure{
		duration, count("Net events per second", rate), percent("Efficiency", efficiency), count("Net events", net), count("Events handled", processed),
		count("Events rolled back", undone), count("Rollbacks", rollbacks), count("… by cancelled events (secondary)", secondary),
		count("Computations of GVT", gvts), percent("Idle time of the PEs", idle), memory,
	}
}

func (f *figures) figuresBeside(base *figures) (rows []difference) {
	others := base.measures()
	for i, m := range f.measures() {
		row := difference{Name: m.name, Run: m.text, Base: others[i].text}
		if ratio := m.value / others[i].value; others[i].value > 0 && m.value >= 0 {
			row.Ratio = short(ratio) + " ×"
		}
		rows = append(rows, row)
	}
	return rows
}

// findingsBeside returns the findings of both: new ones, those of both, those that are gone.
func (f *figures) findingsBeside(base *figures) (rows []changed) {
	old := base.findings()
	find := func(list []finding, what string) int {
		return slices.IndexFunc(list, func(o finding) bool { return o.What == what })
	}
	own := f.findings()
	for _, one := range own {
		row := changed{"new", one.What, one.Figure, "–"}
		if i := find(old, one.What); i >= 0 {
			row.State, row.Base = "in both", old[i].Figure
		}
		rows = append(rows, row)
	}
	for _, one := range old {
		if find(own, one.What) < 0 {
			rows = append(rows, changed{"gone", one.What, "–", one.Figure})
		}
	}
	order := map[string]int{"new": 0, "in both": 1, "gone": 2}
	slices.SortStableFunc(rows, func(a, b changed) int { return cmp.Compare(order[a.State], order[b.State]) })
	return rows
}

// besideCharts puts each chart of the base behind that of the run, in the same axes.
func besideCharts(own, base []chart) (all []chart) {
	for _, c := range own {
		i := slices.IndexFunc(base, func(b chart) bool { return b.Title == c.Title })
		if i < 0 {
			all = append(all, c)
			continue
		}
		b := base[i]
		b.ID, b.Title = "base-"+b.ID, b.Title+" (base)"
		if c.Kind == lineChart && c.Absent == "" && b.Absent == "" && c.X.Unit == b.X.Unit {
			sameAxes(&c, &b)
		}
		all = append(all, c, b)
	}
	return all
}

// sameAxes gives two charts of lines the axes that hold both.
func sameAxes(a, b *chart) {
	if a.X.Max != nil && b.X.Max != nil {
		end := limit(max(float64(*a.X.Max), float64(*b.X.Max)))
		a.X.Max, b.X.Max = end, end
	}
	if a.Y.Min != nil && b.Y.Min != nil {
		low := limit(min(float64(*a.Y.Min), float64(*b.Y.Min)))
		a.Y.Min, b.Y.Min = low, low
	}
	if a.Y.Max != nil || b.Y.Max != nil {
		return // which is 100 % in both
	}
	top := 0.0
	for _, c := range []*chart{a, b} {
		for _, s := range c.Series {
			for _, v := range s.Values {
				top = max(top, orLess(float64(v)))
			}
		}
	}
	if step := math.Pow(10, math.Floor(math.Log10(top))) / 2; top > 0 && !math.IsInf(top, 0) {
		a.Y.Max = limit(math.Ceil(top/step) * step)
		b.Y.Max = a.Y.Max
	}
}
