// This file owns the findings: remarks of rules, in the order of the time that their advice may save, with the place
// where the page shows each; and the marks of the time line, where something happened.

package report

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/output/findings"
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

// saves returns how many seconds the advice of a remark saves at most, by the formula in docs/findings.md, and never so
// much that the events that count would have to take less time than they did.
func (f *figures) saves(r findings.Remark) float64 {
	parts := f.pays()
	needed := 0.0
	for _, p := range parts {
		if p.Name == onEvents {
			needed = p.Seconds / float64(f.parallel())
		}
	}
	if r.Rule == "slow" || r.Rule == "saving" { // events themselves take less time
		needed = 0
	}
	return min(f.costs(r, parts), max(f.duration()-needed, 0))
}

// costs returns the time of all PEs that goes to the cause of a remark, over the number of PEs, in seconds.
func (f *figures) costs(r findings.Remark, parts []spent) float64 {
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
		return part(onUndone) * float64(f.total.Secondary) / float64(max(f.total.Rollbacks, 1))
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

// evenCost returns the mean cost of an event on all PEs, to the highest: what remains of the time if the dear events
// are spread.
func (f *figures) evenCost() float64 {
	sum, most := 0.0, 0.0
	for i := range f.perPE {
		t := &f.perPE[i]
		cost := t.Parts[survey.EventTime] / float64(max(t.Processed, 1))
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
			one.From, one.To = f.worst(f.heat, f.rows[row].undone)
			return
		}
	case "efficiency", "secondary":
		if have(f.efficiency()) {
			undone := f.lines.row()
			for i := range f.pes {
				for at, x := range f.pes[i].undone {
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

// savesText says what the advice saves at most, of how much.
func (f *figures) savesText(one *finding) string {
	if whole := f.duration(); one.Save > 0 && whole > 0 && !f.failed() {
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

// move notes that a PE handles a KP that another one has handled before.
func (f *figures) move(s *survey.Sample) {
	before, ok := f.by[s.KP]
	if !ok {
		before = s.KP.PE
	}
	if s.By == before || f.heat.n == 0 {
		return
	}
	f.by[s.KP] = s.By
	at := f.heat.at((s.From + s.To) / 2) // it was between the samples
	f.moves[at] = append(f.moves[at], moved{s.KP, before, s.By})
	f.nMoves++
}

// force notes the GVTs between two samples by GVT that do not count for --num-gvt: those that a lack of memory or
// buffers forced, or that moved KPs. GVTs that idle PEs asked for count. All PEs take part in each, so those of one PE
// are all.
func (f *figures) force(s *survey.Sample) {
	every, err := strconv.ParseUint(f.option("num-gvt"), 10, 64)
	if f.heat.n > 0 && err == nil && f.source.Content == instr.GVTFile && s.KP.PE == f.run.PEs[0] && s.GVTs > every {
		f.forced[f.heat.at((s.From+s.To)/2)] += float64(s.GVTs - every)
	}
}

// GVT stands still where its pace is below this share of its mean, and that of net events below leastNet of theirs, for
// at least leastStall of the run.
const (
	leastPace  = 0.1
	leastNet   = 0.5
	leastStall = 0.02
)

// stalls returns the stretches of real time in which GVT stood still, in the unit of the axis. Where events are dense
// in virtual time, GVT is slow while the run is not: that is no stall.
func (f *figures) stalls() (all [][2]num) {
	last, reached, first, begun := 0, 0.0, 0, 0.0 // buckets with a known GVT
	known := f.run.FromStart
	type stretch struct {
		from, to int // buckets
		gvt      float64
	}
	var stretches []stretch
	for i, gvt := range f.gvt {
		if math.IsNaN(gvt) {
			continue
		}
		if known {
			stretches = append(stretches, stretch{last, i, gvt - reached})
		} else {
			first, begun = i, gvt
		}
		known, last, reached = true, i, gvt
	}
	net := func(from, to int) (sum float64) {
		for i := range f.pes {
			for at := from; at < to; at++ {
				sum += f.pes[i].handled[at] - f.pes[i].undone[at]
			}
		}
		return sum
	}
	pace, events := (reached-begun)/float64(last-first), net(first, last)/float64(last-first)
	if !(pace > 0) || !(events > 0) {
		return nil
	}
	_, scale := timeUnit(f.shown())
	at := func(bucket int) num {
		return num((f.lines.from - f.begin + (float64(bucket)+0.5)*f.lines.width) * scale)
	}
	for i := 0; i < len(stretches); i++ {
		slow := func(s stretch) bool {
			n := float64(s.to - s.from)
			return s.gvt < leastPace*pace*n && net(s.from, s.to) < leastNet*events*n
		}
		if !slow(stretches[i]) {
			continue
		}
		from := i
		for i+1 < len(stretches) && slow(stretches[i+1]) {
			i++
		}
		if a, b := stretches[from].from, stretches[i].to; float64(b-a) >= leastStall*float64(f.lines.n) {
			all = append(all, [2]num{at(a), at(b)})
		}
	}
	return all
}

// mark is something that happened in a stretch of real time.
type mark struct {
	Row  int         `json:"row"`
	From num         `json:"from"` // in the unit of the axis
	To   num         `json:"to"`
	Text string      `json:"text"`
	KPs  [][2]uint32 `json:"kps,omitempty"` // PE and KP of those that moved
	PEs  []uint32    `json:"pes,omitempty"` // from and to which
}

// maxMoved is how many KPs a mark names.
const maxMoved = 6

// marks is the chart of what happened at times.
func (f *figures) marks() chart {
	c := chart{
		ID: "marks", Title: "Moves, forced GVTs, stalls", Kind: markChart, Absent: needGVT, Linked: true, X: f.timeAxis(),
		Note: "KPs that went to another PE; GVTs that were forced for lack of memory or buffers, to move KPs, or to stop, as far as the samples show them; " +
			"and stretches in which GVT nearly stood still.",
	}
	if !c.have(f.lines.n > 0 && f.source.PE+f.source.KP > 0) {
		return c
	}
	_, scale := timeUnit(f.shown())
	column := func(i int) (from, to num) {
		begin := f.heat.from - f.begin + float64(i)*f.heat.width
		return num(begin * scale), num((begin + f.heat.width) * scale)
	}
	if f.nMoves > 0 {
		for i, moves := range f.moves {
			if len(moves) == 0 {
				continue
			}
			m := mark{Row: len(c.Rows)}
			m.From, m.To = column(i)
			var named []string
			for n, one := range moves {
				if n < maxMoved {
					named = append(named, fmt.Sprintf("KP %d of PE %d from PE %d to PE %d", one.kp.KP, one.kp.PE, one.from, one.to))
				}
				m.KPs = append(m.KPs, [2]uint32{one.kp.PE, one.kp.KP})
				m.PEs = append(m.PEs, one.from, one.to)
			}
			slices.Sort(m.PEs)
			m.PEs = slices.Compact(m.PEs)
			if m.Text = strings.Join(named, "; "); len(moves) > maxMoved {
				m.Text += fmt.Sprintf("; and %d more", len(moves)-maxMoved)
			}
			c.Marks = append(c.Marks, m)
		}
		c.Rows = append(c.Rows, "KPs moved")
	}
	forced := false
	for i, n := range f.forced {
		if n > 0 {
			m := mark{Row: len(c.Rows), Text: fmt.Sprintf("GVTs that were forced: at least %s", grouped(int64(n)))}
			m.From, m.To = column(i)
			c.Marks, forced = append(c.Marks, m), true
		}
	}
	if forced {
		c.Rows = append(c.Rows, "forced GVTs")
	}
	stalls := f.stalls()
	for _, s := range stalls {
		c.Marks = append(c.Marks, mark{Row: len(c.Rows), From: s[0], To: s[1], Text: "GVT nearly stood still for " +
			secondsText(float64(s[1]-s[0])/scale)})
	}
	if len(stalls) > 0 {
		c.Rows = append(c.Rows, "stalls")
	}
	if len(c.Marks) == 0 {
		c.Absent, c.Zero = f.noMarks(), true
	}
	return c
}

// noMarks says that the samples show nothing to mark, and what they cannot show.
func (f *figures) noMarks() string {
	text := "No KP moved, and GVT never stood still, as far as the samples show."
	r := f.result()
	switch {
	case r == nil:
		return text
	case r.ForcedGVTs == 0:
		return text + " No GVT was forced."
	}
	return text + fmt.Sprintf(" %s of %s computations of GVT were forced, or asked for by idle PEs: these samples do not show when.",
		grouped(r.ForcedGVTs), grouped(r.GVTs))
}
