// This file owns the findings: remarks of rules, in the order of the time that their advice may save, with the place where
// the page shows each.

package report

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
	"github.com/ross-go/ross/internal/findings"
	"github.com/ross-go/ross/internal/thresholds"
)

// finding is a remark with what it costs, and where it is to be seen.
type finding struct {
	findings.Remark
	Save     float64 // seconds of the run that the advice saves at most; 0: not known
	Chart    string  // its id, "" if no chart shows it
	Row      string  // of a heat map
	From, To float64 // the worst stretch, in seconds of real time; equal: all
}

// findings returns what stands out: first what may save most.
func (f *figures) findings() (found []finding) {
	for _, r := range f.judged().Remarks() {
		one := finding{Remark: r, Save: f.saves(r)}
		f.locate(&one)
		found = append(found, one)
	}
	slices.SortStableFunc(found, func(a, b finding) int { return cmp.Compare(b.Save, a.Save) })
	return found
}

// saves returns how many seconds the advice of a remark saves at most, by the formula in docs/findings.md: the time of
// all PEs that goes to its cause, over the number of PEs.
func (f *figures) saves(r findings.Remark) float64 {
	parts := f.pays()
	part := func(names ...string) (seconds float64) {
		for _, p := range parts {
			if slices.Contains(names, p.Name) {
				seconds += p.Seconds
			}
		}
		return seconds / float64(max(f.numPEs(), 1))
	}
	share := func(percent float64) float64 { return percent / 100 * f.duration() }
	judged := f.judged()
	t, _ := judged.Times()
	switch r.Rule {
	case "cores":
		return part(onIdle, onNothing, onUndone)
	case "idle":
		if f.numPEs() < 2 {
			return part(onRest)
		}
		return part(onIdle)
	case "processors":
		return part(onIdle, onNothing)
	case "lookahead", "window", "memory":
		return part(onIdle)
	case "efficiency":
		return part(onUndone)
	case "storm":
		return part(onUndone) * judged.StormShare()
	case "secondary":
		return part(onUndone) * float64(f.total.secondary) / float64(max(f.total.rollbacks, 1))
	case "remote":
		return part(onUndone, onNetwork)
	case "network":
		return part(onNetwork)
	case "gvt":
		if strings.HasPrefix(r.What, "Few") {
			return part(onGVT, onIdle)
		}
		return part(onGVT)
	case "saving":
		return share(t.Saving)
	case "uneven", "hot":
		return f.duration() * (1 - 1/max(judged.BusiestPE()*float64(len(f.perPE)), 1))
	case "slow":
		return f.duration() * (1 - f.evenCost())
	}
	return 0 // one: the run has chosen the faster way
}

// evenCost returns the mean cost of an event on all PEs, to the highest: what remains of the time if the dear events are
// spread.
func (f *figures) evenCost() float64 {
	sum, most := 0.0, 0.0
	for i := range f.perPE {
		t := &f.perPE[i]
		cost := t.parts[survey.EventTime] / float64(max(t.processed, 1))
		sum, most = sum+cost, max(most, cost)
	}
	if most == 0 {
		return 1
	}
	return sum / float64(len(f.perPE)) / most
}

// locate says where a finding can be seen.
func (f *figures) locate(one *finding) {
	have := func(c chart) bool { return c.Absent == "" }
	switch one.Rule {
	case "storm":
		row := share(f.judged().Thrashing()[0], len(f.run.KPs), maxRows)
		if have(f.rollbacks()) {
			one.Chart, one.Row = "rollbacks", f.kpName(row)
			one.From, one.To = f.worst(f.heat, f.rows[row].rolledBack)
			return
		}
	case "efficiency", "secondary":
		if have(f.efficiency()) {
			undone := f.lines.row()
			for i := range f.pes {
				for at, x := range f.pes[i].rolledBack {
					undone[at] += x
				}
			}
			one.Chart = "efficiency"
			one.From, one.To = f.worst(f.lines, undone)
			return
		}
	case "memory":
		if have(f.memoryUse()) {
			one.Chart = "memory"
			one.From, one.To = f.worst(f.lines, f.inUse.used)
			return
		}
	case "uneven", "hot", "one":
		if have(f.rate()) {
			one.Chart = "rate"
			return
		}
	case "remote":
		if have(f.pairTraffic()) {
			one.Chart = "traffic-pe"
			return
		}
	}
	if have(f.activity()) {
		one.Chart = "activity"
	}
}

// worst returns the tenth of the time with the highest values, in seconds from the begin. It is empty if there are too
// few values to zoom.
func (f *figures) worst(g grid, values []float64) (from, to float64) {
	n := max(len(values)/10, 1)
	if len(values) < 5 {
		return 0, 0
	}
	best, at := -1.0, 0
	for i := 0; i+n <= len(values); i++ {
		sum := 0.0
		for _, v := range values[i : i+n] {
			sum += max(orLess(v), 0)
		}
		if sum > best {
			best, at = sum, i
		}
	}
	from = g.from - f.begin + float64(at)*g.width
	return from, from + float64(n)*g.width
}

// Saves says what the advice saves at most, of how much.
func (f *figures) savesText(one *finding) string {
	if whole := f.duration(); one.Save > 0 && whole > 0 {
		return fmt.Sprintf("Saves at most %s of %s", secondsText(min(one.Save, whole)), secondsText(whole))
	}
	return ""
}

// card is a finding on the page.
type card struct {
	finding
	Saves string
	Link  string // to its chart, "" if there is none
}

func (f *figures) cards() (all []card) {
	for _, one := range f.findings() {
		c := card{finding: one, Saves: f.savesText(&one)}
		if one.Chart != "" {
			query := url.Values{}
			if one.From < one.To {
				query.Set("from", fmt.Sprintf("%.6g", one.From))
				query.Set("to", fmt.Sprintf("%.6g", one.To))
			}
			if one.Row != "" {
				query.Set("row", one.Row)
			}
			c.Link = "#" + one.Chart + "?" + query.Encode()
		}
		all = append(all, c)
	}
	return all
}

// judged returns what the rules know of the run.
func (f *figures) judged() *findings.Figures {
	sums := func(t *sums) findings.Sums {
		s := findings.Sums{Processed: t.processed, RolledBack: t.rolledBack, Rollbacks: t.rollbacks, Secondary: t.secondary,
			Aborted: t.aborted, Sends: t.sends, GVTs: t.gvts, Rest: t.rest, Saving: t.saving}
		for i, part := range []findings.Part{survey.EventTime: findings.EventTime, survey.RollbackTime: findings.RollbackTime, survey.NetworkTime: findings.NetworkTime,
			survey.GVTTime: findings.GVTTime, survey.FossilTime: findings.FossilTime, survey.QueueTime: findings.QueueTime} {
			s.Parts[part] = t.parts[i]
		}
		return s
	}
	all := &findings.Figures{Info: f.run.Info, Original: f.original(), PEs: f.run.PEs, Total: sums(&f.total), Span: f.span(), Even: f.evenInTheEnd(),
		MostHandled: f.mostHandled, MostRolledBack: func(kp findings.KP) string { return f.mostRolledBack(survey.KP(kp)) }}
	all.Remote, all.RemoteBy = f.remote()
	for i := range f.perPE {
		all.PerPE = append(all.PerPE, sums(&f.perPE[i]))
	}
	for i := range f.perKP {
		all.PerKP, all.KPs = append(all.PerKP, sums(&f.perKP[i])), append(all.KPs, findings.KP(f.run.KPs[i]))
	}
	return all
}

// original reports whether the original ROSS wrote the files.
func (f *figures) original() bool {
	return f.run.Info == nil && !f.run.FromStart && f.source.PE+f.source.KP > 0
}

// evenInTheEnd reports whether the PEs handled events alike in the last quarter of the run.
func (f *figures) evenInTheEnd() bool {
	most, all := 0.0, 0.0
	for i := range f.pes {
		own := 0.0
		for _, x := range f.pes[i].processed[3*f.lines.n/4:] {
			own += x
		}
		most, all = max(most, own), all+own
	}
	return most*float64(len(f.pes)) < thresholds.Hot*all
}

// lacks returns what the findings cannot judge for want of data, each with a command that collects
// it. There is nothing if all that matters to the scheduler can be judged.
func (f *figures) lacks() (missing []string) {
	var command []string
	sequential, conservative := false, false
	pes := len(f.run.PEs)
	if info := f.run.Info; info != nil {
		command, pes = info.Command, f.numPEs()
		sequential = info.Synch == findings.SynchSequential || info.Synch > findings.SynchRealTime
		conservative = info.Synch == findings.SynchConservative
	}
	run := func(options ...string) string { return commandText(withOptions(command, options...)) }
	perPE := []string{"--engine-stats=1", "--kp-data=1", "--lp-data=1"}
	if sequential {
		perPE = []string{"--engine-stats=2", "--rt-interval=10", "--lp-data=1"}
	}
	switch {
	case f.source.PE == 0:
		return []string{"No samples of PEs show how time was spent. Run: " + run(perPE...)}
	case f.total.net() < findings.LeastProcessed*int64(max(pes, 1)) || f.span() < findings.LeastSeconds:
		return []string{fmt.Sprintf("The run is too short for statements on speed: %s net events in %s. Run it longer, with a larger --end.",
			grouped(max(f.total.net(), 0)), secondsText(f.span()))}
	}
	if f.source.KP == 0 && pes > 1 && !conservative && !sequential {
		missing = append(missing, "No samples of KPs show which of them roll back most. Run: "+run("--engine-stats=1", "--kp-data=1"))
	}
	return missing
}
