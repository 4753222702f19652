// This file owns the comparison with another run: settings, figures, findings.

package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
	"github.com/ross-go/ross/instr"
)

// comparison is what differs between a run and a base.
type comparison struct {
	Base     string // names the base
	Own      string // the folder of the run
	Other    string // and of the base
	Sentence string // what differs most, and why
	Warnings []string
	Digest   string // whether both committed the same events
	Settings []difference
	Figures  []difference
	Findings []changed
	Hints    []string // what the comparison lacks
	Results  []result // of the model
}

// difference is a row: the values of the run and of the base.
type difference struct{ Name, Run, Base, Ratio string }

// result is a row: a statistic of the model, of the run and of the base.
type result struct {
	Group, Statistic, Unit                 string
	Run, Base, Difference, Percent         string // means, or counts of counters
	RunCount, BaseCount                    string
	RunDev, BaseDev, RunLeast, RunGreatest string
	BaseLeast, BaseGreatest                string
}

// resultsBeside returns the statistics of both runs, in the order of the run, and then those that only the base has.
func resultsBeside(own, base *statistics) (rows []result) {
	key := func(s *statistic) string { return s.Group + "\x00" + s.Statistic + "\x00" + s.Kind }
	others := map[string]*statistic{}
	for i := range base.Rows {
		others[key(&base.Rows[i])] = &base.Rows[i]
	}
	row := func(a, b *statistic) {
		of := cmp.Or(a, b)
		r := result{Group: of.Group, Statistic: of.Statistic, Unit: of.Unit, Run: "–", Base: "–", RunCount: "–", BaseCount: "–"}
		put := func(s *statistic, mean, count, dev, least, greatest *string) {
			if s != nil {
				*mean, *count, *dev = s.Number(s.main()), grouped(s.Count), s.Number(s.StdDev)
				*least, *greatest = s.Number(s.Least), s.Number(s.Greatest)
			}
		}
		put(a, &r.Run, &r.RunCount, &r.RunDev, &r.RunLeast, &r.RunGreatest)
		put(b, &r.Base, &r.BaseCount, &r.BaseDev, &r.BaseLeast, &r.BaseGreatest)
		if a != nil && b != nil && a.main() != nil && b.main() != nil {
			x, y := *a.main(), *b.main()
			difference := x - y
			r.Difference = fmt.Sprintf("%+.4g", difference)
			if y != 0 {
				r.Percent = fmt.Sprintf("%+.3g %%", 100*difference/math.Abs(y))
			}
			if difference == 0 {
				r.Difference, r.Percent = "none", ""
			}
		}
		rows = append(rows, r)
	}
	for i := range own.Rows {
		a := &own.Rows[i]
		row(a, others[key(a)])
		delete(others, key(a))
	}
	for i := range base.Rows {
		if b := &base.Rows[i]; others[key(b)] != nil {
			row(nil, b)
		}
	}
	return rows
}

// main returns the number of a statistic that is compared: its mean, or of a counter the sum.
func (s *statistic) main() *float64 {
	if s.Kind == "counter" || s.Mean == nil {
		return s.Sum
	}
	return s.Mean
}

// changed is a finding of one run or of both.
type changed struct{ State, What, Run, Base string }

// compare compares the run with a base.
func (f *figures) compare(base *figures) *comparison {
	own, other := namesBeside(f, base)
	c := &comparison{Base: base.name(), Own: own, Other: other, Figures: f.figuresBeside(base),
		Findings: f.findingsBeside(base)}
	a, b := f.run.Info, base.run.Info
	defer func() { c.Sentence = f.sentence(base, c.Settings) }()
	if a == nil || b == nil {
		c.Hints = append(c.Hints, "Settings and digests cannot be compared: "+instr.RunName+" is missing.")
		return c
	}
	c.Settings = settingsBeside(a, b)
	c.Warnings = warnings(a, b)
	switch one, other := digest(a), digest(b); {
	case (one == "" || other == "") && a.Result != nil && b.Result != nil && a.Result.NetEvents != b.Result.NetEvents:
		c.Digest = "The runs committed different events: their numbers differ. Their speeds are those of different work."
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

// warnings returns why figures of two runs should not be compared.
func warnings(a, b *instr.RunInfo) (all []string) {
	if a.Model != b.Model {
		all = append(all, fmt.Sprintf("The models differ: %s, and %s of the base.", cmp.Or(a.Model, "unknown"),
			cmp.Or(b.Model, "unknown")))
	}
	for _, one := range []struct {
		who  string
		info *instr.RunInfo
	}{{"This run", a}, {"The base", b}} {
		if one.info.State != instr.RunComplete {
			all = append(all, fmt.Sprintf("%s: %s. Its figures are those up to there.", one.who, stateText(one.info)))
		}
	}
	return all
}

// sentence says how much faster or slower the run was, by which cause, and what was set otherwise.
func (f *figures) sentence(base *figures, settings []difference) string {
	one, other := f.duration(), base.duration()
	if !(one > 0 && other > 0) {
		return ""
	}
	ratio, of, each := one/other, "", false
	if a, b := float64(f.outcome().net), float64(base.outcome().net); a > 0 && b > 0 && (a > 1.01*b || b > 1.01*a) {
		of = fmt.Sprintf(" by its rate, with %s times the net events in %s times the time", short(a/b), short(ratio))
		ratio *= b / a // other work takes another time: the rates are compared
		each = true
	}
	text, cause := "As fast as the base"+of, ""
	switch {
	case ratio > 1.02:
		text, cause = short(ratio)+" times slower"+of, f.mainCause(base, "more", each)
	case ratio < 1/1.02:
		text, cause = short(1/ratio)+" times faster"+of, f.mainCause(base, "less", each)
	}
	if cause != "" {
		text += ": " + cause
	}
	options := slices.Collect(func(yield func(difference) bool) {
		for _, s := range settings {
			if strings.HasPrefix(s.Name, "--") && !yield(s) {
				return
			}
		}
	})
	switch {
	case f.run.Info == nil || base.run.Info == nil:
	case len(settings) == 1:
		text += fmt.Sprintf("; the one setting that differs: %s (%s, base %s)", settings[0].Name, settings[0].Run,
			settings[0].Base)
	case len(options) == 1:
		text += fmt.Sprintf("; %d settings differ, among them one option: %s (%s, base %s)", len(settings), options[0].Name,
			options[0].Run, options[0].Base)
	case len(settings) > 1:
		text += fmt.Sprintf("; %d settings differ", len(settings))
	default:
		text += "; no setting differs"
	}
	return text + "."
}

// mainCause says which part of the time of the PEs changed most, if it did by a twentieth of the longer run. The way is
// "more" for a run that is slower, and "less" for one that is faster: a part that went the other way is no cause. With
// each, the runs did different work, and what is compared is the time for a net event.
func (f *figures) mainCause(base *figures, way string, each bool) string {
	of, ofBase, unit, undone := 1.0, 1.0, "of all PEs", ""
	if each {
		of, ofBase = float64(f.outcome().net), float64(base.outcome().net)
		unit, undone = "of all PEs for a net event", " for each net event"
	}
	sign := 1.0
	if way == "less" {
		sign = -1
	}
	change := func(s step) float64 { return sign * (s.run/of - s.base/ofBase) }
	steps := f.steps(base)
	if len(steps) == 0 {
		return ""
	}
	most := slices.MaxFunc(steps, func(a, b step) int { return cmp.Compare(change(a), change(b)) })
	if !(20*change(most) >= max(most.ofRun/of, most.ofBase/ofBase)) {
		return ""
	}
	name := most.name
	if better, ok := map[string]string{onEvents: "time in events", onAll: "busy time", onNetwork: "network time", onIdle: "idle time",
		onNothing: "time without a processor", idleOrNot: "time idle or without a processor",
		onRest: "time that is not measured"}[name]; ok {
		name = better
	}
	text := fmt.Sprintf("mostly %s %s (%s %s, against %s)", way, name, secondsText(most.run/of), unit,
		secondsText(most.base/ofBase))
	if a, b := float64(f.outcome().rolledBack)/of, float64(base.outcome().rolledBack)/ofBase; most.name == onUndone &&
		a > 0 && b > 0 {
		text += fmt.Sprintf(", %s times the events undone%s", short(a/b), undone)
	}
	return text
}

// step is the change of a part of the time of the PEs.
type step struct {
	name              string
	run, base, change float64 // seconds of all PEs
	ofRun, ofBase     float64 // whole time of the PEs
}

// steps returns what leads from the time of the base to that of the run, nil if times are not known. If idle time of
// one of them may be waiting for a processor, then idle time and no processor are one step: apart they would compare
// different things.
func (f *figures) steps(base *figures) (all []step) {
	own, other := f.pays(), base.pays()
	if own == nil || other == nil || f.timed() != base.timed() {
		return nil
	}
	whole := func(parts []spent) (sum float64) {
		for _, p := range parts {
			sum += p.Seconds
		}
		return sum
	}
	for i := range own { // the same causes in the same order
		name := own[i].Name
		if name == onEvents {
			name = own[i].Label
		}
		all = append(all, step{name, own[i].Seconds, other[i].Seconds, own[i].Seconds - other[i].Seconds, whole(own),
			whole(other)})
	}
	at := func(name string) int { return slices.IndexFunc(all, func(s step) bool { return s.name == name }) }
	if idle, nothing := at(onIdle), at(onNothing); f.mayWait() || base.mayWait() {
		both, one := &all[idle], all[nothing]
		both.name = idleOrNot
		both.run, both.base, both.change = both.run+one.run, both.base+one.base, both.change+one.change
		all = slices.Delete(all, nothing, nothing+1)
	}
	return all
}

// name names the run for a comparison: its folder, its model, and when it ran.
func (f *figures) name() string {
	folder := ""
	if f.run.Dir != "" {
		folder = filepath.Base(absolute(f.run.Dir))
	}
	if info := f.run.Info; info != nil {
		return strings.TrimPrefix(fmt.Sprintf("%s: %s, %s", folder, f.title(),
			survey.Clock(info.Begin)), ": ")
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
		for _, transient := range []string{"stats-path", "stats-prefix", "http", "progress", "report"} {
			delete(all, transient)
		}
		if !slices.ContainsFunc(i.Command, func(word string) bool { return strings.Contains(word, "-max-memory") }) {
			all["max-memory"] = "" // which depends on the memory that was free
		}
		all["Model"], all["Host"], all["Scheduler"] = i.Model, i.Host.Name, i.Scheduler
		all["Engine"], all["Go"], all["Source of the program"] = i.Engine.Version, i.Engine.Go, i.Engine.Program
		all["Event queue"], all["System"] = i.Engine.Queue, i.Engine.System
		all["Processors"], all["State"] = fmt.Sprint(i.Host.Processors), stateText(i)
		all["Ranks"], all["PEs"], all["KPs"], all["LPs"] = grouped(i.Ranks), grouped(i.PEs), grouped(i.KPs), grouped(i.LPs)
		return all
	}
	one, other := settings(a), settings(b)
	names := maps.Clone(one)
	maps.Copy(names, other)
	for _, name := range slices.Sorted(maps.Keys(names)) { // capitals first, then options
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

// measures returns the figures that are compared, always the same ones. wait: in one of the two runs, idle time may be
// waiting for a processor.
func (f *figures) measures(wait bool) (all []measure) {
	add := func(name string, x float64, text func(float64) string) {
		m := measure{name, x, "–"}
		if !math.IsNaN(x) {
			m.text = text(x)
		}
		all = append(all, m)
	}
	count := func(x float64) string { return grouped(int64(math.Round(x))) }
	percent := func(x float64) string { return short(x) + " %" }
	o := f.outcome()
	ofEvents := func(x float64) float64 {
		if !o.known {
			return math.NaN()
		}
		return x
	}
	seconds, idle, peak := f.duration(), math.NaN(), math.NaN()
	if !(seconds > 0) {
		seconds = math.NaN()
	}
	idleName := "Idle time of the PEs"
	if wait {
		idleName = "PEs idle or without a processor"
	}
	if parts := f.pays(); parts != nil && f.numPEs() > 1 { // on one PE it is not known
		idle = 0
		for _, p := range parts {
			if p.Name == onIdle || wait && p.Name == onNothing {
				idle += p.Percent
			}
		}
	}
	if r := f.result(); r != nil {
		peak = float64(r.MemoryPeak)
	}
	add("Run time", seconds, secondsText)
	add("Net events per second", ofEvents(float64(o.net)/seconds), count)
	add("Efficiency", ofEvents(o.efficiency), percent)
	add("Net events", ofEvents(float64(o.net)), count)
	add("Events handled", ofEvents(float64(o.processed)), count)
	add("Events rolled back", ofEvents(float64(o.rolledBack)), count)
	add("Rollbacks", ofEvents(float64(o.rollbacks)), count)
	add("… by cancelled events (secondary)", ofEvents(float64(o.secondary)), count)
	add("Computations of GVT", ofEvents(o.gvts), count)
	add(idleName, idle, percent)
	add("Memory used at most", peak, func(x float64) string {
		if x > 0 {
			return bytesText(uint64(x))
		}
		return "–"
	})
	return all
}

func (f *figures) figuresBeside(base *figures) (rows []difference) {
	wait := f.mayWait() || base.mayWait()
	others := base.measures(wait)
	for i, m := range f.measures(wait) {
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
