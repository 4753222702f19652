// This file owns how the statistics of LPs are merged, and collected from all ranks.

package statistic

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"fmt"
	"iter"
	"math"
	"math/bits"
	"slices"
	"unsafe"
)

// Key identifies a row of a table.
type Key struct {
	Group, Name, Unit string
	Kind              Kind
	Every             float64 // length of the intervals of a Series, see Field
	Total             bool    // the sum over an array
}

// Interval is an interval of a Part of a time series.
type Interval struct {
	N   uint64
	Sum Sum
}

// Part is the statistic of some LPs. Parts may be merged in any order and grouping: the result
// has the same bits. Fields are exported for package gob.
type Part struct {
	Key             Key
	Order           Place  // in the table, the least of its LPs
	LPs             uint64 // number of fields that are in it, or of LPs if they are summed
	N               uint64 // recordings
	First           Sum    // of the numbers; of the times for which levels were not 0
	Second          Sum    // of the squares of the numbers; of the integrals of levels
	Least, Greatest uint64 // if Some: the bits of numbers, since gob sends -0 as 0
	Some            bool
	Bins            []Bin      // of a histogram, in the form in which it is sent
	Width           float64    // of an interval of a time series
	Course          []Interval // of a time series
	Quantiles       []float64  // that are shown of a histogram; nil: the usual ones
	bins            Bins
}

// Place is where a row is in a table: the place of its group, and that in the group.
type Place struct{ Group, Row uint64 }

// compare returns which of two places comes first.
func (p Place) compare(o Place) int {
	return cmp.Or(cmp.Compare(p.Group, o.Group), cmp.Compare(p.Row, o.Row))
}

// first makes p the first of two places.
func (p *Place) first(o Place) {
	if o.compare(*p) < 0 {
		*p = o
	}
}

// count adds to the number of recordings, which stays the largest one if it would be larger.
func (p *Part) count(n uint64) {
	sum, carry := bits.Add64(p.N, n, 0)
	p.N = sum | -carry
}

// addCounter adds a counter.
func (p *Part) addCounter(c *Counter) {
	p.count(c.N)
	p.First.AddUint(c.N)
}

// extreme takes in a least and a greatest number.
func (p *Part) extreme(least, greatest float64) {
	if p.Some {
		l, g := p.extremes()
		least, greatest = min(l, least), max(g, greatest)
	}
	p.Some, p.Least, p.Greatest = true, math.Float64bits(least), math.Float64bits(greatest)
}

// extremes returns the least and the greatest number.
func (p *Part) extremes() (least, greatest float64) {
	return math.Float64frombits(p.Least), math.Float64frombits(p.Greatest)
}

// addTally adds a tally.
func (p *Part) addTally(t *Tally) {
	p.count(t.N)
	if t.N > 0 {
		t.AddTo(&p.First, &p.Second)
		p.extreme(t.Least, t.Greatest)
	}
}

// addLevel adds a level, observed from from to until. counts says that it is not one of several that are summed, or
// the first of these.
func (p *Part) addLevel(l *Level, from, until float64, counts bool) {
	if o := l.Until(until, from); o != nil {
		if counts {
			p.count(1)
		}
		p.First.Merge(&o.One)
		p.Second.Merge(&o.Two)
		p.extreme(o.Least, o.Greatest)
	}
}

// addCourse adds a time series.
func (p *Part) addCourse(c *Course) {
	if c == nil {
		return
	}
	p.widen(c.Width)
	for i, s := range c.Steps {
		if s.N > 0 {
			at := p.interval((float64(i) + 0.5) * c.Width)
			at.N += s.N
			c.AddTo(&at.Sum, i)
			p.count(s.N)
			c.AddTo(&p.First, i)
		}
	}
}

// widen joins intervals until they are at least as long as width.
func (p *Part) widen(width float64) {
	if p.Width == 0 {
		p.Width = width
	}
	for p.Width < width {
		old := p.Course
		p.Course, p.Width = make([]Interval, (len(old)+1)/2), 2*p.Width
		for i := range old {
			to := &p.Course[i/2]
			to.N += old[i].N
			to.Sum.Merge(&old[i].Sum)
		}
	}
}

// interval returns the interval that a virtual time is in.
func (p *Part) interval(now float64) *Interval {
	i := int(now / p.Width)
	if n := i + 1 - len(p.Course); n > 0 {
		p.Course = append(p.Course, make([]Interval, n)...)
	}
	return &p.Course[i]
}

// Merge adds another part with the same key.
func (p *Part) Merge(o *Part) {
	p.Order.first(o.Order)
	p.LPs += o.LPs
	p.shows(o.Quantiles)
	p.count(o.N)
	p.First.Merge(&o.First)
	p.Second.Merge(&o.Second)
	if o.Some {
		p.extreme(o.extremes())
	}
	p.bins.Merge(&o.bins)
	for _, b := range o.Bins {
		p.bins.Add(b.Middle(), b.N)
	}
	if o.Width > 0 {
		p.widen(o.Width)
		for i := range o.Course {
			if from := &o.Course[i]; from.N > 0 {
				at := p.interval((float64(i) + 0.5) * o.Width)
				at.N += from.N
				at.Sum.Merge(&from.Sum)
			}
		}
	}
}

// shows adds to the quantiles that are shown.
func (p *Part) shows(quantiles []float64) {
	if quantiles != nil && !slices.Equal(p.Quantiles, quantiles) {
		p.Quantiles = union(p.Quantiles, quantiles)
	}
}

// pack puts the part into the form in which it is sent.
func (p *Part) pack() {
	p.Bins = nil
	for b := range p.bins.All() {
		p.Bins = append(p.Bins, b)
	}
	p.bins = Bins{}
	p.First.reduce()
	p.Second.reduce()
	for i := range p.Course {
		p.Course[i].Sum.reduce()
	}
}

// row returns the part as a row.
func (p *Part) row(span *Span) Row {
	k, from, until := p.Key, span.From, span.Until
	nan := math.NaN()
	r := Row{Group: k.Group, Name: k.Name, Unit: k.Unit, Kind: k.Kind.String(), LPs: p.LPs, Count: p.N,
		Sum: nan, Mean: nan, StdDev: nan, Least: nan, Greatest: nan, NonZero: nan}
	if p.Some {
		r.Least, r.Greatest = p.extremes()
	}
	switch k.Kind {
	case KindCounter:
		r.Sum, r.Mean = p.First.Value(), p.First.Over(p.LPs)
	case KindTally, KindHistogram:
		r.Sum, r.Mean, r.StdDev = p.First.Value(), p.First.Over(p.N), StdDev(p.N, &p.First, &p.Second)
		for b := range p.bins.All() {
			r.Bins = append(r.Bins, b)
		}
		if k.Kind == KindHistogram {
			switch {
			case len(span.Quantiles) > 0:
				r.Quantiles = union(nil, span.Quantiles)
			case len(p.Quantiles) > 0:
				r.Quantiles = p.Quantiles
			default:
				r.Quantiles = usualQuantiles
			}
		}
	case KindLevel:
		if p.N > 0 {
			r.Sum, r.Mean = p.Second.OverSpan(until, from, 1), p.Second.OverSpan(until, from, p.N)
			r.NonZero = p.First.OverSpan(until, from, p.N)
		}
		if k.Total { // nobody knows which values lasted together
			r.Least, r.Greatest, r.NonZero = nan, nan, nan
		}
	case KindSeries:
		r.Sum, r.Mean = p.First.Value(), p.First.Over(p.N)
		for i := range p.Course {
			c := &p.Course[i]
			r.Course = append(r.Course, Step{Begin: float64(i) * p.Width, End: float64(i+1) * p.Width, Count: c.N, Sum: c.Sum.Value()})
		}
	}
	return r
}

// Collect: the statistics of all LPs of all ranks as a table.

// Subject is an LP whose statistics are collected.
type Subject struct {
	Group  string // of rows, to which its statistics belong
	Order  uint64 // place of the group in the table
	Fields []Field
	State  unsafe.Pointer // nil: the rows are to exist, and there is no LP
	Store  *Store         // of its PE
}

// Span is the virtual time that statistics cover.
type Span struct {
	From  float64 // beginning of the observation
	Until float64 // its end; +Inf: that of the last event
	Last  float64 // time of the last event on this rank
	// Quantiles are shown of all histograms; nil: those of the fields.
	Quantiles []float64
}

// end finds the end of the observation.
func (span *Span) end(gather Gather) error {
	if math.IsInf(span.Until, 1) {
		lasts, err := share(gather, &span.Last)
		if err != nil {
			return err
		}
		span.Until = slices.Max(lasts)
	}
	span.Until = max(span.Until, span.From)
	return nil
}

// Gather sends bytes of this rank to all ranks and returns those of all, in their order. It is
// nil in a run of one rank.
type Gather func(own []byte) ([][]byte, error)

// Collect returns the table of the statistics of all LPs, which each rank gives for its own
// LPs. All ranks call it, and all get the same table.
func Collect(gather Gather, span Span, subjects iter.Seq[Subject]) (*Table, error) {
	if err := span.end(gather); err != nil {
		return nil, err
	}
	own, err := share(gather, parts(&span, subjects))
	if err != nil {
		return nil, err
	}
	all := map[Key]*Part{}
	for _, of := range own {
		for _, p := range of {
			merge(all, p)
		}
	}
	t := &Table{From: span.From, Until: span.Until}
	for _, p := range slices.SortedFunc(values(all), before) {
		t.Rows = append(t.Rows, p.row(&span))
	}
	return t, nil
}

// before returns which of two parts comes first in a table.
func before(a, b *Part) int {
	return cmp.Or(a.Order.compare(b.Order), cmp.Compare(a.Key.Group, b.Key.Group), cmp.Compare(a.Key.Name, b.Key.Name), cmp.Compare(a.Key.Kind, b.Key.Kind))
}

// CollectEach returns the statistics of each subject by itself: its Group is its own, and rows are in the order of
// their subjects' Order. All ranks call it, and all get the same table.
func CollectEach(gather Gather, span Span, subjects iter.Seq[Subject]) (*Table, error) {
	if err := span.end(gather); err != nil {
		return nil, err
	}
	t := &Table{From: span.From, Until: span.Until}
	var own []*Part
	for s := range subjects {
		all := map[Key]*Part{}
		s.addTo(all, &span)
		for _, p := range slices.SortedFunc(values(all), before) {
			p.pack()
			own = append(own, p)
		}
	}
	of, err := share(gather, &own)
	if err != nil {
		return nil, err
	}
	for _, p := range slices.SortedStableFunc(slices.Values(slices.Concat(of...)), before) {
		for _, b := range p.Bins {
			p.bins.Add(b.Middle(), b.N)
		}
		t.Rows = append(t.Rows, p.row(&span))
	}
	return t, nil
}

// values yields the values of a map.
func values(all map[Key]*Part) iter.Seq[*Part] {
	return func(yield func(*Part) bool) {
		for _, p := range all {
			if !yield(p) {
				return
			}
		}
	}
}

// parts returns what the subjects come to, in the form in which it is sent.
func parts(span *Span, subjects iter.Seq[Subject]) *[]*Part {
	own := map[Key]*Part{}
	for s := range subjects {
		s.addTo(own, span)
	}
	var list []*Part
	for p := range values(own) {
		p.pack()
		list = append(list, p)
	}
	return &list
}

// merge adds a part to those of its key.
func merge(all map[Key]*Part, p *Part) {
	to := all[p.Key]
	if to == nil {
		to = &Part{Key: p.Key, Order: p.Order}
		all[p.Key] = to
	}
	to.Merge(p)
}

// addTo adds the statistics of an LP to parts.
func (s *Subject) addTo(all map[Key]*Part, span *Span) {
	for i := range s.Fields {
		f := &s.Fields[i]
		p := s.part(all, Key{s.Group, f.Name, f.Unit, f.Kind, f.Every, false}, 2*i)
		s.addField(p, f, span, true)
		if f.Total != "" {
			p = s.part(all, Key{s.Group, f.Total, f.Unit, f.Kind, f.Every, true}, 2*f.TotalAfter+1)
			s.addField(p, f, span, f.TotalFirst)
		}
	}
}

// part returns the part with a key, which is in a row of its group.
func (s *Subject) part(all map[Key]*Part, k Key, row int) *Part {
	at := Place{s.Order, uint64(row)}
	p := all[k]
	if p == nil {
		p = &Part{Key: k, Order: at}
		all[k] = p
	}
	p.Order.first(at)
	return p
}

// addField adds a field to a part. counts says that the field counts for the number of LPs.
func (s *Subject) addField(p *Part, f *Field, span *Span, counts bool) {
	p.shows(f.Quantiles)
	if s.State == nil {
		return
	}
	if counts {
		p.LPs++
	}
	at := unsafe.Add(s.State, f.Off)
	switch f.Kind {
	case KindCounter:
		p.addCounter((*Counter)(at))
	case KindTally:
		p.addTally((*Tally)(at))
	case KindLevel:
		p.addLevel((*Level)(at), span.From, span.Until, counts)
	case KindHistogram:
		h := (*Histogram)(at)
		p.addTally(&h.Tally)
		p.bins.Merge(s.Store.BinsOf(h))
	case KindSeries:
		p.addCourse(s.Store.CourseOf((*Series)(at)))
	}
}

// share returns the values of all ranks, in their order.
func share[T any](gather Gather, own *T) ([]T, error) {
	if gather == nil {
		return []T{*own}, nil
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(own); err != nil {
		return nil, fmt.Errorf("ross: statistics: encode them for the other ranks: %w", err)
	}
	texts, err := gather(b.Bytes())
	if err != nil {
		return nil, err
	}
	all := make([]T, len(texts))
	for rank, text := range texts {
		if err := gob.NewDecoder(bytes.NewReader(text)).Decode(&all[rank]); err != nil {
			return nil, fmt.Errorf("ross: statistics: decode those of rank %d: %w", rank, err)
		}
	}
	return all, nil
}
