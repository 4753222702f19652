// This file owns the table: its lines, and the division of counters over intervals.

package bins

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/ross-go/ross/cmd/rossreader/internal/origin"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/num/interval"
)

// Counters of a bin.
const (
	processed = iota
	aborted
	rolledBack
	rollbacks
	secondary
	fossils
	sends
	reads
	ties
	allReduces
	gvtsSince // as the sample has it
	gvtsGrown // its increase, for the original
	numCounters
)

// counters are signed: the increase of GVTs is negative if the file is ours.
type counters [numCounters]int64

// table is the bins of all PEs, or of a trace.
type table struct {
	interval interval.Length
	maxLines int
	tooMany  bool    // nothing goes into bins any more
	last     float64 // the last finite time
	origin   origin.Detector

	samples uint64
	pes     map[uint32]*peBins

	events  uint64
	forward []uint64
	beyond  uint64 // events without a finite time
}

// peBins are the bins of a PE.
type peBins struct {
	bins   []counters
	before float64  // time of the previous sample
	gvts   uint32   // of the previous sample
	beyond counters // of samples without a finite time
}

func newTable(length float64, maxLines int) *table {
	return &table{interval: interval.Of(length), maxLines: maxLines, pes: map[uint32]*peBins{}}
}

func (t *table) take(r *instr.Record) error {
	switch r.Kind {
	case instr.KindEvent:
		t.takeEvent(&r.Event)
	case instr.KindPE:
		t.takeSample(r.Meta.TS, &r.PE)
	}
	t.origin.See(r)
	return nil
}

func (t *table) takeSample(ts float64, s *instr.PEStats) {
	t.samples++
	p := t.pes[s.PE]
	if p == nil {
		p = &peBins{}
		t.pes[s.PE] = p
	}
	c := counters{
		processed: int64(s.Processed), aborted: int64(s.Aborted), rolledBack: int64(s.RolledBack),
		rollbacks: int64(s.Rollbacks), secondary: int64(s.SecondaryRollbacks), fossils: int64(s.FossilCollects),
		sends: int64(s.NetworkSends), reads: int64(s.NetworkReads), ties: int64(s.EventTies),
		allReduces: int64(s.AllReduces), gvtsSince: int64(s.GVTs), gvtsGrown: int64(s.GVTs) - int64(p.gvts),
	}
	p.gvts = s.GVTs
	if !(math.Abs(ts) < math.MaxFloat64) {
		p.beyond.add(&c)
		return
	}
	ts = max(ts, 0)
	t.last = max(t.last, ts)
	if t.tooMany = t.tooMany || t.lines() > float64(t.maxLines); !t.tooMany {
		p.share(p.before, ts, t.interval, &c)
	}
	p.before = ts
}

// takeEvent counts an event in the bin of its time of receipt.
func (t *table) takeEvent(e *instr.Event) {
	t.events++
	at := max(0, float64(e.RecvTS))
	if !(at <= math.MaxFloat32) {
		t.beyond++
		return
	}
	t.last = max(t.last, at)
	bin := t.binOf(e.RecvTS)
	if t.tooMany = t.tooMany || bin >= float64(t.maxLines); t.tooMany {
		return
	}
	t.forward = grow(t.forward, int(bin))
	t.forward[int(bin)]++
}

// binOf returns the bin of the time of an event. Bins begin at times as the file has them, with 32 bits: so 0.7 is in
// that of 0.7, and not in the one before, to which 0.699999988 would belong.
func (t *table) binOf(ts float32) float64 {
	bin, _, end := t.interval.Around(max(0, float64(ts)))
	if float32(end) <= ts {
		bin++
	}
	return bin
}

// finish puts what is beyond the last finite time into the last bin.
func (t *table) finish() {
	last := int(endBin(t.last, t.interval))
	for _, p := range t.pes {
		p.bins = grow(p.bins, last)
		p.bins[last].add(&p.beyond)
	}
	if t.events > 0 {
		t.forward = grow(t.forward, last)
		t.forward[len(t.forward)-1] += t.beyond
	}
}

// binCount returns the number of bins up to the last finite time.
func (t *table) binCount() int { return int(endBin(t.last, t.interval)) + 1 }

// lines returns how many lines the table would have.
func (t *table) lines() float64 {
	if t.events > 0 {
		return t.binOf(float32(t.last)) + 1
	}
	return (endBin(t.last, t.interval) + 1) * float64(max(1, len(t.pes)))
}

// enough returns an interval that does not exceed the limit on lines, with two
// significant digits, rounded up.
func (t *table) enough() float64 {
	least := t.last * float64(max(1, len(t.pes))) / float64(t.maxLines)
	unit := math.Pow(10, math.Floor(math.Log10(least))-1)
	return math.Ceil(least/unit+1) * unit
}

func (t *table) sortedPEs() []uint32 { return slices.Sorted(maps.Keys(t.pes)) }

// endBin returns the bin that ends at ts or contains it.
func endBin(ts float64, of interval.Length) float64 {
	bin, begin, _ := of.Around(ts)
	if ts == begin {
		bin--
	}
	return max(0, bin)
}

func (c *counters) add(other *counters) {
	for i, n := range other {
		c[i] += n
	}
}

// grow makes room for an index.
func grow[T any](s []T, index int) []T {
	if index < len(s) {
		return s
	}
	return append(s, make([]T, index+1-len(s))...)
}

// share adds the counters of a sample over virtual times (from, to] to the bins in
// proportion. A sample of no length, or one that goes back, belongs to the bin of its
// end.
func (p *peBins) share(from, to float64, of interval.Length, c *counters) {
	last := int(endBin(to, of))
	p.bins = grow(p.bins, last)
	at, _, end := of.Around(from)
	first := int(at)
	if from >= to || first >= last {
		p.bins[last].add(c)
		return
	}
	head := (end - from) / (to - from)
	body := of.Every() / (to - from)
	tail := (to - of.Begin(float64(last))) / (to - from)
	for i, n := range c {
		if n != 0 {
			p.shareOne(i, n, first, last, [3]float64{max(0, head), body, max(0, tail)})
		}
	}
}

// shareOne distributes one counter by largest remainder (Hamilton's method). The
// share of the first bin is parts[0], that of the last one parts[2], that of each bin
// between them parts[1].
func (p *peBins) shareOne(counter int, n int64, first, last int, parts [3]float64) {
	var whole [3]int64
	var rest [3]float64
	for i, part := range parts {
		exact := float64(n) * part
		whole[i] = int64(math.Floor(exact))
		rest[i] = exact - math.Floor(exact)
	}
	groups := [3][2]int{{first, first}, {first + 1, last - 1}, {last, last}} // bins, both included
	left := n
	for i, g := range groups {
		for bin := g[0]; bin <= g[1]; bin++ {
			p.bins[bin][counter] += whole[i]
			left -= whole[i]
		}
	}
	// Rounding of the parts may leave one too many or too few for a round, so
	// continue.
	order := []int{0, 1, 2} // by descending remainders
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rest[b], rest[a]) })
	step := int64(1)
	if left < 0 {
		step = -1
	}
	for left != 0 {
		for _, i := range order {
			if step < 0 && whole[i] == 0 {
				continue // there is nothing to take
			}
			for bin := groups[i][0]; bin <= groups[i][1] && left != 0; bin++ {
				p.bins[bin][counter] += step
				left -= step
			}
		}
	}
}
