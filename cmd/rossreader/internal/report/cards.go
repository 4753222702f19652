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
