// This file owns the top of the page: how the run is, its five figures, and where the time of its PEs went.

package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/output/findings"
	summary "github.com/ross-go/ross/report"
)

// Causes of spent time, in the order of the bar.
const (
	onEvents  = "events"
	onUndone  = "undone work"
	onGVT     = "GVT and commit"
	onNetwork = "network"
	onIdle    = "idle"
	onNothing = "no processor"
	onRest    = "not timed"
	onAll     = "busy"                 // onEvents, if nothing shows what PEs were busy with
	idleOrNot = "idle or no processor" // onIdle, if threads may have waited for processors
)

// spent is a part of the time of the PEs.
type spent struct {
	Name    string  // onEvents and so on
	Label   string  // what it is called in this run
	Seconds float64 // of all PEs
	Percent float64 // of their time
}

// Class is its class in the style sheet.
func (s spent) Class() string { return strings.ReplaceAll(strings.ToLower(s.Label), " ", "-") }

// Share is the percentage as text.
func (s spent) Share() string { return short(s.Percent) + " %" }

// Text is the time as text.
func (s spent) Text() string { return secondsText(s.Seconds) }

// pays returns where the time of all PEs went, in seconds: the parts of the samples, idle time as run.json has it, and
// the time for which PEs waited for processors, which findings.Charged takes from idle time, and from the others alike
// what they cannot have had. It is nil if times are not known.
func (f *figures) pays() (parts []spent) {
	var sums findings.Sums
	all := 0.0
	for i := range f.perPE {
		pe := &f.perPE[i]
		all += pe.Time()
		sums.Rest += pe.Rest
		for part, seconds := range pe.Parts {
			sums.Parts[part] += seconds
		}
	}
	r := f.result()
	known := r != nil && r.Runtime > 0
	idle, rest := sums.Rest, 0.0
	if f.numPEs() < 2 {
		idle, rest = 0, sums.Rest
	}
	if known && f.numPEs() > 1 && r.IdleSeconds > 0 {
		whole := r.Runtime * float64(f.numPEs())
		if all <= 0 { // without samples of PEs
			all, sums.Parts[survey.EventTime] = whole, max(whole-r.IdleSeconds, 0)
		}
		idle = min(r.IdleSeconds/whole, 1) * all
		rest = max(sums.Rest-idle, 0)
	}
	if !(all > 0) {
		return nil
	}
	undone := 0.0
	if f.timed() && f.total.Processed > 0 {
		undone = float64(f.total.RolledBack) / float64(f.total.Processed)
	}
	events := sums.Parts[survey.EventTime]
	parts = []spent{
		{Name: onEvents, Seconds: events*(1-undone) + sums.Parts[survey.QueueTime]},
		{Name: onUndone, Seconds: events*undone + sums.Parts[survey.RollbackTime]},
		{Name: onGVT, Seconds: sums.Parts[survey.GVTTime] + sums.Parts[survey.FossilTime]},
		{Name: onNetwork, Seconds: sums.Parts[survey.NetworkTime]},
		{Name: onIdle, Seconds: idle}, {Name: onNothing}, {Name: onRest, Seconds: rest},
	}
	sum, spare := 0.0, 0.0 // spare: in which no PE was busy
	for i := range parts {
		sum += parts[i].Seconds
		if !parts[i].isBusy() {
			spare += parts[i].Seconds
		}
	}
	ofBusy, ofSpare := f.charged(sum-spare, spare)
	for i := range parts {
		switch p := &parts[i]; {
		case p.Name == onNothing:
			p.Seconds = ofBusy + ofSpare
		case p.isBusy():
			p.Seconds *= (sum - spare - ofBusy) / max(sum-spare, math.SmallestNonzeroFloat64)
		default:
			p.Seconds *= (spare - ofSpare) / max(spare, math.SmallestNonzeroFloat64)
		}
		parts[i].Label = f.labelOf(parts[i].Name)
		parts[i].Seconds *= all / max(sum, math.SmallestNonzeroFloat64)
		parts[i].Percent = 100 * parts[i].Seconds / all
	}
	return parts
}

// isBusy reports whether a PE does something in this part of its time that is timed.
func (s *spent) isBusy() bool {
	return s.Name != onIdle && s.Name != onNothing && s.Name != onRest
}

// charged returns the time without a processor in what PEs were busy with, and in the rest of their time, in seconds.
func (f *figures) charged(busy, rest float64) (ofBusy, ofRest float64) {
	r := f.result()
	if r == nil || r.Processors == nil || !(r.Runtime > 0) {
		return 0, 0
	}
	share := (busy + rest) / (r.Runtime * float64(f.numPEs())) // samples may leave out some
	return findings.Charged(busy, rest, r.Processors.Seconds*share, r.Processors.Waited*share)
}

// busyKept returns the share that remains of what clocks say that PEs were busy.
func (f *figures) busyKept() float64 {
	busy, all := 0.0, 0.0
	for i := range f.perPE {
		all += f.perPE[i].Time()
		busy += f.perPE[i].Time() - f.perPE[i].Rest
	}
	ofBusy, _ := f.charged(busy, all-busy)
	return 1 - ofBusy/max(busy, math.SmallestNonzeroFloat64)
}

// byTheClock says that the parts of the samples have time without a processor in them, if that matters.
func (f *figures) byTheClock() string {
	lacked := 100 * (1 - f.busyKept())
	if !(lacked >= leastLacked) {
		return ""
	}
	return " The parts are by the clock: " + short(lacked) + " % of the time in them the PEs had no processor, which the bar above " +
		"and the tables leave out."
}

// leastLacked is how many percent of busy time without a processor matters.
const leastLacked = 0.5

// timed reports whether samples have what the PEs were busy with.
func (f *figures) timed() bool {
	return slices.ContainsFunc(f.perPE, func(pe findings.Sums) bool { return pe.Time() > 0 })
}

// mayWait reports whether PEs may have wanted a processor while they looked idle: some that share processors and have
// no threads of their own, so that nobody knows what they got.
func (f *figures) mayWait() bool {
	r := f.result()
	return (r == nil || r.Processors == nil) && f.numPEs() > f.parallel()
}

// labelOf returns what a part of the time is called in this run.
func (f *figures) labelOf(name string) string {
	switch {
	case name == onEvents && !f.timed():
		return onAll
	case name == onIdle && f.mayWait():
		return idleOrNot
	case name == onNetwork && f.run.Info != nil && f.run.Info.Ranks < 2:
		return "messages between PEs"
	}
	return name
}

// parallel returns how many PEs can do something at the same time: at most those of a process have as many processors
// as the process.
func (f *figures) parallel() int {
	n := f.numPEs()
	if info := f.run.Info; info != nil && info.Host.Processors > 0 {
		n = min(n, info.Host.Processors*int(max(info.Ranks, 1)))
	}
	return max(n, 1)
}

// percentOf returns the share of a cause in the time of the PEs. ok is false if times are not known.
func percentOf(parts []spent, name string) (percent float64, ok bool) {
	for _, p := range parts {
		if p.Name == name {
			return p.Percent, true
		}
	}
	return 0, false
}

// activities is the map of what each PE did over time: in each cell the parts of its time, one above the other.
func (f *figures) activities() chart {
	c := chart{
		ID: "activities", Title: "Activity of the PEs", Kind: laneChart, Absent: needTimes,
		Note: "What each PE did: the parts of its time, from below. Blank: it was idle, or did work that is not timed." +
			f.byTheClock(),
		Y: axis{Name: "share of the time", Unit: "%"},
	}
	if !c.have(f.havePE() && f.heat.n > 0) {
		return c
	}
	c.timeColumns(f)
	used := [survey.NumParts]bool{}
	for i, of := range f.courses {
		c.Rows = append(c.Rows, f.peName(i))
		for column := range f.heat.n {
			whole := of.rest[column]
			for _, seconds := range of.parts {
				whole += seconds[column]
			}
			if !(whole > 0) {
				continue
			}
			for part, seconds := range of.parts {
				if share := seconds[column] / whole; share >= leastSeen/100 {
					c.Parts = append(c.Parts, [4]num{num(column), num(i), num(part), num(100 * share)})
					used[part] = true
				}
			}
		}
	}
	for p := range survey.NumParts {
		c.Columns = append(c.Columns, p.String())
	}
	if !slices.Contains(used[:], true) {
		c.Absent, c.Zero = "No time of a PE was measured.", true
	}
	return c
}

// tile is one of the five figures.
type tile struct{ Name, Value, Hint string }

// strip is the top of the page.
type strip struct {
	Bad     bool   // the run failed, or was stopped
	State   string // how it ended
	Reason  string
	Detail  string // a stack, for example
	Reached string // GVT
	Verdict string // how the run ended, and what stands out, if it is not bad
	Tiles   []tile
	Parts   []spent // those that can be seen
	Note    string
}

// leastSeen is the least share of the bar that can be seen, in percent.
const leastSeen = 0.05

func (f *figures) strip() *strip {
	s := &strip{}
	if info := f.run.Info; info != nil {
		s.State = stateText(info)
		s.Reason, s.Detail = info.Reason, info.Detail
		if s.Bad = info.State == instr.RunFailed || info.State == instr.RunStopped; s.Bad {
			s.Reached = f.reached()
		}
	}
	parts := f.pays()
	for _, p := range parts {
		if p.Percent >= leastSeen {
			s.Parts = append(s.Parts, p)
		}
	}
	s.Tiles = f.tiles(parts)
	if !s.Bad {
		s.Verdict = f.verdict()
	}
	if waited, _ := percentOf(parts, onNothing); waited >= leastSeen {
		s.Note = "Nothing records where a PE was when it had no processor: that time is taken from idle time, and from what " +
			"the PEs were busy with only what that has beyond the time for which they had one."
	} else if f.mayWait() {
		s.Note = fmt.Sprintf("%s share %s: at most %s %% of their time they had one. What looks idle may be waiting for one.",
			summary.Count(uint64(f.numPEs()), "PE"), summary.Count(uint64(f.parallel()), "processor"),
			short(100*float64(f.parallel())/float64(f.numPEs())))
	}
	if len(parts) > 0 && !f.timed() {
		s.Note = strings.TrimSpace("Busy: with events, undone work, GVT and messages, which samples of PEs tell apart (--engine-stats=1). " +
			s.Note)
	}
	if undone, _ := percentOf(parts, onUndone); undone >= leastSeen {
		s.Note = strings.TrimSpace(
			"Undone work is rolling back, and handling what was rolled back, at the mean time of an event. " + s.Note)
	}
	return s
}

// verdict says in a line or two how the run ended, and what stands out.
func (f *figures) verdict() string {
	text := "Samples of a run"
	if info := f.run.Info; info != nil {
		text = map[string]string{instr.RunComplete: "The run is complete",
			instr.RunRunning: "The run has not ended, or was killed"}[info.State]
	}
	if o := f.outcome(); o.known && f.duration() > 0 {
		text = cmp.Or(text, "The run") + fmt.Sprintf(": %s net events in %s", grouped(max(o.net, 0)), f.runtimeText())
	}
	found := f.findings()
	switch {
	case len(found) == 1:
		return text + ". One thing stands out: " + found[0].What + "."
	case len(found) > 1:
		return text + fmt.Sprintf(". %d things stand out, first: %s.", len(found), found[0].What)
	case len(f.lacks()) > 0:
		return text + ". Whether anything slows it down is not known from these files."
	}
	return text + ". Nothing stands out."
}

// reached returns how far the run came in virtual time.
func (f *figures) reached() string {
	last := math.Inf(-1)
	for _, gvt := range f.gvt {
		last = max(last, orLess(gvt))
	}
	if math.IsInf(last, 0) {
		return ""
	}
	text := fmt.Sprintf("GVT reached %.6g", last) // the reason may name a time near it
	if last >= 1e6 && last < 1e15 {
		text = fmt.Sprintf("GVT reached %.0f", last)
	}
	if end := f.run.Info.EndTime; end != nil && *end > 0 {
		text += fmt.Sprintf(" of %g, %s %%", *end, short(100*min(last / *end, 1)))
	}
	return text
}

func (f *figures) tiles(parts []spent) []tile {
	unknown := tile{Value: "–"}
	named := func(t tile, name string) tile { t.Name = name; return t }
	duration, rate, efficiency, busy, memory := unknown, unknown, unknown, unknown, unknown
	o := f.outcome()
	if seconds := f.duration(); seconds > 0 {
		if duration.Value = f.runtimeText(); duration.Value == unknown.Value {
			duration.Hint = "the run failed before its first event"
		}
		if o.net > 0 {
			rate = tile{Value: countText(float64(o.net) / seconds), Hint: grouped(o.net) + " net events"}
		}
	}
	if o.known {
		efficiency = tile{Value: short(o.efficiency) + " %", Hint: grouped(o.rolledBack) + " events undone"}
	}
	if r := f.result(); r != nil && r.MemoryPeak > 0 && r.MemoryLimit > 0 {
		memory = tile{Value: bytesText(r.MemoryPeak), Hint: "at most, of " + bytesText(r.MemoryLimit*f.ranks())}
		if f.ranks() > 1 {
			memory.Hint += " of all ranks"
		}
	}
	if len(parts) > 0 {
		sum := 0.0
		for i := range parts {
			if parts[i].isBusy() {
				sum += parts[i].Percent
			}
		}
		busy = tile{Value: short(sum) + " %", Hint: "of the time of " +
			cmp.Or(map[bool]string{true: "the PE"}[f.numPEs() < 2], "the PEs")}
	}
	return []tile{named(duration, "Run time"), named(rate, "Net events a second"), named(efficiency, "Efficiency"),
		named(busy, "Busy"), named(memory, "Memory")}
}

// countText returns a number with three digits and a prefix.
func countText(x float64) string {
	for _, unit := range []struct {
		name string
		at   float64
	}{{" G", 1e9}, {" M", 1e6}, {" k", 1e3}} {
		if x >= unit.at {
			return short(x/unit.at) + unit.name
		}
	}
	return short(x)
}
