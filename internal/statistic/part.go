// This file owns Part: what a statistic of some LPs has come to, as it is merged.

package statistic

import "math"

// Key identifies a row of a table.
type Key struct {
	Group, Name, Unit string
	Kind              Kind
	Every             float64 // length of the intervals of a Series, see Field
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
	Order           uint64  // place in the table, the least of its LPs
	LPs             uint64  // number of fields that are in it
	N               uint64  // recordings
	First           Sum     // of the numbers, or of the integrals of levels
	Second          Sum     // of squares of distances from the mean; of the busy times of levels
	Least, Greatest float64 // if Some
	Some            bool
	Bins            []Bin      // of a histogram, in the form in which it is sent
	Width           float64    // of an interval of a time series
	Course          []Interval // of a time series
	bins            Bins
	known           bool    // the mean is that in average, and nothing is added any more
	average         float64 // of the numbers
}

// extreme takes in a least and a greatest number.
func (p *Part) extreme(least, greatest float64) {
	if !p.Some {
		p.Some, p.Least, p.Greatest = true, least, greatest
		return
	}
	p.Least, p.Greatest = min(p.Least, least), max(p.Greatest, greatest)
}

// addTally adds what can be added before the mean is known.
func (p *Part) addTally(t *Tally) {
	p.N += t.N
	if t.N > 0 {
		p.First.AddProduct(float64(t.N), t.Mean)
		p.extreme(t.Least, t.Greatest)
	}
}

// addLevel adds a level, observed from from to until.
func (p *Part) addLevel(l Level, from, until float64) {
	l.Pass(until, from)
	if l.Since > from {
		p.N++
		p.First.Add(l.Area)
		p.First.Add(l.lost)
		p.Second.Add(l.Busy)
		p.extreme(l.Least, l.Greatest)
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
			at.Sum.Add(s.Sum)
			p.N += s.N
			p.First.Add(s.Sum)
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
	p.Order = min(p.Order, o.Order)
	p.LPs += o.LPs
	p.N += o.N
	p.First.Merge(&o.First)
	p.Second.Merge(&o.Second)
	if o.Some {
		p.extreme(o.Least, o.Greatest)
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

// pack puts the bins into the form in which they are sent.
func (p *Part) pack() {
	p.Bins = nil
	for b := range p.bins.All() {
		p.Bins = append(p.Bins, b)
	}
	p.bins = Bins{}
}

// mean returns the mean of the numbers. It computes it once.
func (p *Part) mean() float64 {
	if !p.known {
		p.known, p.average = true, p.First.Over(float64(p.N))
	}
	return p.average
}

// row returns the part as a row, for an observation from from to until.
func (p *Part) row(from, until float64) Row {
	k := p.Key
	nan := math.NaN()
	r := Row{Group: k.Group, Name: k.Name, Unit: k.Unit, Kind: k.Kind.String(), LPs: p.LPs, Count: p.N,
		Sum: nan, Mean: nan, StdDev: nan, Least: nan, Greatest: nan, NonZero: nan}
	if p.Some {
		r.Least, r.Greatest = p.Least, p.Greatest
	}
	switch k.Kind {
	case KindCounter:
		if r.Sum = float64(p.N); p.LPs > 0 {
			r.Mean = r.Sum / float64(p.LPs)
		}
	case KindTally, KindHistogram:
		r.Sum, r.Mean = p.First.Value(), p.mean()
		if p.N > 1 {
			r.StdDev = math.Sqrt(p.Second.Over(float64(p.N - 1)))
		}
		for b := range p.bins.All() {
			r.Bins = append(r.Bins, b)
		}
	case KindLevel:
		if span := until - from; p.N > 0 {
			r.Sum = p.First.Over(span)
			r.Mean = p.First.Over(span * float64(p.N))
			r.NonZero = p.Second.Over(span * float64(p.N))
		}
	case KindSeries:
		r.Sum, r.Mean = p.First.Value(), p.mean()
		for i := range p.Course {
			c := &p.Course[i]
			r.Course = append(r.Course, Step{Begin: float64(i) * p.Width, End: float64(i+1) * p.Width, Count: c.N, Sum: c.Sum.Value()})
		}
	}
	return r
}
