// This file owns how the statistics of LPs are merged.

package statistic

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
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
	Values          []Value    // of levels with quantiles, in the order of the values
	Rare, Detail    bool       // as Field has them
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
	p.addSteps(c)
	for i, s := range c.Steps {
		if s.N > 0 {
			p.count(s.N)
			c.AddTo(&p.First, i)
		}
	}
}

// addSteps adds the intervals of a time series.
func (p *Part) addSteps(c *Course) {
	width := c.Width()
	p.widen(width)
	for i, s := range c.Steps {
		if s.N > 0 {
			at := p.interval((float64(i) + 0.5) * width)
			at.N += s.N
			c.AddTo(&at.Sum, i)
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

// interval returns the interval that a virtual time is in, which is not near to an edge.
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
	p.Rare, p.Detail = p.Rare || o.Rare, p.Detail || o.Detail
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
	for i := range o.Values {
		p.addValue(&o.Values[i])
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
	for i := range p.Values {
		p.Values[i].Time.reduce()
	}
}

// row returns the part as a row.
func (p *Part) row(span *Span) Row {
	k, from, until := p.Key, span.From, span.Until
	nan := math.NaN()
	r := Row{Group: k.Group, Name: k.Name, Unit: k.Unit, Kind: k.Kind.String(), LPs: p.LPs, Count: p.N,
		Sum: nan, Mean: nan, StdDev: nan, Min: nan, Max: nan, NonZero: nan, Rare: p.Rare, Detail: p.Detail}
	if p.Some {
		r.Min, r.Max = p.extremes()
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
			if k.Every > 0 {
				r.Course = p.levels(from, until)
			}
			if p.Quantiles != nil && !k.Total {
				r.Values, r.Quantiles = p.shares(from, until), p.Quantiles
				if len(span.Quantiles) > 0 {
					r.Quantiles = union(nil, span.Quantiles)
				}
			}
		}
		if k.Total { // nobody knows which values lasted together
			r.Min, r.Max, r.NonZero = nan, nan, nan
		}
	case KindSeries:
		r.Sum, r.Mean = p.First.Value(), p.First.Over(p.N)
		length := widened(k.Every, p.Width)
		for i := range p.Course {
			c := &p.Course[i]
			s := Step{Begin: length.Begin(float64(i)), End: length.Begin(float64(i + 1)), Count: c.N, Sum: c.Sum.Value(),
				Mean: c.Sum.Over(c.N), Rate: nan}
			if low, high := max(s.Begin, from), min(s.End, until); high > low {
				s.Rate = c.Sum.OverSpan(high, low, 1)
			}
			r.Course = append(r.Course, s)
		}
	}
	return r
}
