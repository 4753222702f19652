// This file owns the events between LPs: their flow over time, and the traffic of LPs and PEs.

package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/sys/labels"
)

// Limits of what is drawn of a trace.
const (
	maxFlow     = 400 // events
	maxFlowLPs  = 40
	maxLPRows   = 64
	leastFlowed = 2 // events, for which there is something to see
)

// flowed is an event of the flow.
type flowed struct {
	src, dst   uint32
	sent, came float64 // virtual times
}

// flow is what the trace shows over virtual time.
type flow struct {
	from, to float64 // virtual times of the first and the last event
	each     grid    // of the columns of perLP
	perLP    [][]float64
	lps      idRows // of perLP

	begin, end float64 // stretch of virtual time of the events
	events     []flowed
	more       bool // there were more in the stretch
}

// stretch is the part of the trace that the flow of events shows; the zero value leaves the choice to the
// report.
type stretch [2]float64

func (s stretch) chosen() bool { return s != stretch{} }

// newFlow returns the flow of a trace of LPs from first on, n of them, at the times from to to.
func newFlow(first, n uint64, from, to float64, events uint64, wanted stretch) *flow {
	w := &flow{from: from, to: to, lps: newIDRows(first, n, maxLPRows),
		each: newGrid(from, to, int(min(events, maxColumns)))}
	for range w.lps.rows {
		w.perLP = append(w.perLP, w.each.row())
	}
	if w.begin, w.end = wanted[0], wanted[1]; wanted.chosen() {
		return w
	}
	// The middle of the run, as long as it takes for a number of events that can be distinguished.
	share := min(1, maxFlow/2/max(float64(events), 1))
	middle, half := from+(to-from)/2, (to-from)/2*share
	w.begin, w.end = middle-half, middle+half
	return w
}

// add adds an event of the trace.
func (w *flow) add(e *instr.Event) {
	if w.each.n > 0 {
		w.perLP[w.lps.row(uint64(e.Dest))][w.each.at(float64(e.RecvTS))]++
	}
	if at := float64(e.RecvTS); at >= w.begin && at <= w.end {
		if len(w.events) == maxFlow {
			w.more = true
			return
		}
		w.events = append(w.events, flowed{e.Src, e.Dest, float64(e.SendTS), at})
	}
}

// lpEvents is the map of events by LP and virtual time.
func (f *figures) lpEvents() chart {
	c := chart{
		ID: "lp-time", Title: "Events of the LPs over virtual time", Kind: heatMap, Absent: needTrace,
		Note: "Events of the trace, by receiver and virtual time.",
		X:    axis{Name: "virtual time"}, Z: axis{Name: "events", Min: limit(0)},
	}
	w := f.flow
	if !c.have(w != nil && w.each.n > 0) {
		return c
	}
	c.columnsOf(w.each, w.from, 1)
	names := f.run.Labels()
	for row, values := range w.perLP {
		first, last := w.lps.ids(row)
		c.addRow(f.lpRowName(names, first, last), values)
	}
	return c
}

// lpRowName names a row of LPs of the trace: one by its label, several by their ids, with a word if the engine owns
// some.
func (f *figures) lpRowName(names labels.Labels, first, last uint64) string {
	if first == last {
		return "LP " + names.Name(first)
	}
	text := number("LP", first, last)
	if info := f.run.Info; info != nil && info.LPs > 0 && last >= info.LPs {
		if text += " (engine)"; first < info.LPs {
			text = number("LP", first, last) + " (some of the engine)"
		}
	}
	return text
}

// flowChart is the flow of events between LPs.
func (f *figures) flowChart() chart {
	c := chart{
		ID: "flow", Title: "Flow of events", Kind: flowKind, Absent: needTrace,
		X: axis{Name: "virtual time"}, Y: axis{Name: "LP"},
	}
	w := f.flow
	switch {
	case w == nil:
		return c
	case len(w.events) < leastFlowed:
		c.Absent = fmt.Sprintf(
			"Between the virtual times %s and %s the trace has %s: choose another stretch with --flow-from and --flow-to.",
			moment(w.begin), moment(w.end), [...]string{"no event", "one event"}[len(w.events)])
		return c
	}
	c.Absent = ""
	slices.SortStableFunc(w.events, func(a, b flowed) int { return cmp.Compare(a.came, b.came) })
	lps := map[uint32]int{}
	var order []uint32
	left := 0
	for _, e := range w.events {
		for _, lp := range []uint32{e.src, e.dst} {
			if _, ok := lps[lp]; !ok && len(lps) < maxFlowLPs {
				lps[lp] = 0
				order = append(order, lp)
			}
		}
	}
	slices.Sort(order)
	for i, lp := range order {
		lps[lp] = i
		c.Rows = append(c.Rows, "LP "+f.run.Labels().Name(uint64(lp)))
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, e := range w.events {
		from, a := lps[e.src]
		to, b := lps[e.dst]
		if !a || !b {
			left++
			continue
		}
		c.Arrows = append(c.Arrows, [4]num{num(e.sent), num(from), num(e.came), num(to)})
		low, high = min(low, e.sent), max(high, e.came)
	}
	// One that was sent long before would leave no room for the others.
	c.X.Min, c.X.Max = limit(max(low, w.begin-(w.end-w.begin))), limit(high)
	c.Note = fmt.Sprintf(
		"An arrow goes from the LP and the time at which an event was sent to those at which it was received. Virtual time %s to %s",
		moment(w.begin), moment(w.end))
	if !stretch(f.run.Stretch).chosen() {
		c.Note += ", the middle of the run"
	}
	c.Note += "."
	if w.more || left > 0 {
		c.Note += fmt.Sprintf(" Of this stretch the first %d events between %d LPs are shown.", len(c.Arrows), len(order))
	}
	c.Note += " Choose another with --flow-from and --flow-to. Turn the wheel to zoom, and drag to move."
	return c
}

// moment returns a virtual time with as many digits as distinguish events.
func moment(t float64) string { return strconv.FormatFloat(t, 'g', 8, 64) }

// idRows are ids that share rows.
type idRows struct {
	first, n uint64 // the ids
	rows     int
}

func newIDRows(first, n uint64, most int) idRows { return idRows{first, n, int(min(n, uint64(most)))} }

// row returns that of an id.
func (r *idRows) row(id uint64) int { return int((id - r.first) * uint64(r.rows) / r.n) }

// ids returns the ids of a row.
func (r *idRows) ids(row int) (first, last uint64) {
	at := func(row int) uint64 { return (uint64(row)*r.n + uint64(r.rows) - 1) / uint64(r.rows) }
	return r.first + at(row), r.first + at(row+1) - 1
}

// traffic counts events by source and destination.
type traffic struct {
	idRows
	cells []uint64

	events, elsewhere uint64 // all, and those whose source is not their destination
}

func newTraffic(first, n uint64) *traffic {
	r := newIDRows(first, n, maxTraffic)
	return &traffic{idRows: r, cells: make([]uint64, r.rows*r.rows)}
}

func (t *traffic) add(src, dst uint64) {
	t.cells[t.row(src)*t.rows+t.row(dst)]++
	t.events++
	if src != dst {
		t.elsewhere++
	}
}

// trace counts the events of the trace by LPs, and by PEs if the places of the LPs are
// known.
func (f *figures) trace() error {
	if f.run.Sources[instr.Trace].Events == 0 {
		return nil
	}
	f.lps = newTraffic(uint64(f.run.MinLP), uint64(f.run.MaxLP)-uint64(f.run.MinLP)+1)
	if n := len(f.run.PEs); n > 0 && len(f.run.Home) > 0 {
		f.pairs = newTraffic(uint64(f.run.PEs[0]), uint64(f.run.PEs[n-1])-uint64(f.run.PEs[0])+1)
	}
	source := &f.run.Sources[instr.Trace]
	f.flow = newFlow(f.lps.first, f.lps.n, source.Least, source.Most, source.Events, f.run.Stretch)
	return f.run.Trace(func(e *instr.Event) {
		f.flow.add(e)
		f.lps.add(uint64(e.Src), uint64(e.Dest))
		from, ok := f.run.Home[e.Src]
		to, there := f.run.Home[e.Dest]
		if ok && there {
			f.pairs.add(uint64(from.PE), uint64(to.PE))
		}
	})
}

// remote returns the percentage of events that go to another PE, and its source; NaN if it
// is unknown.
func (f *figures) remote() (percent float64, by string) {
	switch {
	case f.pairs != nil && f.pairs.events > 0:
		return 100 * float64(f.pairs.elsewhere) / float64(f.pairs.events), "of the event trace"
	case f.total.Processed > 0:
		return 100 * float64(f.total.Sends) / float64(f.total.Processed), "sent to other PEs for each event handled"
	}
	return math.NaN(), ""
}
