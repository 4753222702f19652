// This file owns the traffic: which LPs and PEs send events to which.

package report

import (
	"math"

	"github.com/ross-go/ross/instr"
)

// traffic counts events by source and destination.
type traffic struct {
	first uint64 // id of the first row
	n     uint64 // of ids
	rows  int    // which they share
	cells []uint64

	events, elsewhere uint64 // all, and those whose source is not their destination
}

func newTraffic(first, n uint64) *traffic {
	rows := int(min(n, maxTraffic))
	return &traffic{first: first, n: n, rows: rows, cells: make([]uint64, rows*rows)}
}

func (t *traffic) row(id uint64) int { return int((id - t.first) * uint64(t.rows) / t.n) }

func (t *traffic) add(src, dst uint64) {
	t.cells[t.row(src)*t.rows+t.row(dst)]++
	t.events++
	if src != dst {
		t.elsewhere++
	}
}

// ids returns the ids that share a row.
func (t *traffic) ids(row int) (first, last uint64) {
	rows := uint64(t.rows)
	from := func(row uint64) uint64 { return (row*t.n + rows - 1) / rows }
	return t.first + from(uint64(row)), t.first + from(uint64(row)+1) - 1
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
	case f.total.processed > 0:
		return 100 * float64(f.total.sends) / float64(f.total.processed), "sent over the network for each event handled"
	}
	return math.NaN(), ""
}
