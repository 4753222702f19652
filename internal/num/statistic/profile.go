// This file owns Profile: how a level went, beyond its average: its integral in each interval of virtual time, and the
// time for which it had each value.

package statistic

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
)

// Profile is what a Store has of a level whose field has intervals or quantiles.
type Profile struct {
	Course *Course     // the integrals; nil without intervals
	values *valueTimes // nil without quantiles
}

// valueTimes are the times for which a level had values other than 0. Those that share a bin, as a Histogram has it,
// are together.
type valueTimes struct {
	bins []valueBin // in the order of the values
	sums            // of times, by valueBin.at
}

// valueBin are the values of a bin.
type valueBin struct {
	key             int64 // order of the bin: that of a Histogram and 1, below 0 for values below 0
	least, greatest float64
	at              int
}

// keyOf returns the order of the bin of a value: 0 for the value 0.
func keyOf(v float64) int64 {
	bin := int64(math.Float64bits(math.Abs(v))>>dropBits) + 1
	switch {
	case v > 0:
		return bin
	case v < 0:
		return -bin
	}
	return 0
}

// middleOf returns the middle of a bin.
func middleOf(key int64) float64 {
	if key == 0 {
		return 0
	}
	low := math.Float64frombits(uint64(max(key, -key)-1) << dropBits)
	high := math.Float64frombits(uint64(max(key, -key)) << dropBits)
	return math.Copysign(low+(min(high, math.MaxFloat64)-low)/2, float64(key))
}

// unprofiled is At of a level that has no profile.
const unprofiled = ^uint64(0)

// profiled reports whether levels of a field have a profile.
func (f *Field) profiled() bool { return f.Kind == KindLevel && (f.Every > 0 || f.Quantiles != nil) }

// newProfile returns an empty profile for a field that has one.
func newProfile(f *Field) (p Profile) {
	if f.Every > 0 {
		c := NewCourse(f.Every, 0)
		p.Course = &c
	}
	if f.Quantiles != nil {
		p.values = new(valueTimes)
	}
	return p
}

// add says that a level had a value, which is not 0, from one virtual time until another.
func (p *Profile) add(v, since, until float64) {
	if c := p.Course; c != nil {
		for at := since; at < until; {
			if at < c.from || at >= c.until {
				c.find(at)
			}
			end := min(c.until, until)
			c.Steps[c.at].N++
			dt, rest := difference(end, at)
			c.addProduct(c.at, v, dt)
			c.addProduct(c.at, v, rest)
			at = end
		}
	}
	if p.values != nil {
		p.values.add(v, since, until)
	}
}

// difference returns a - b, and what rounding has taken from it (Knuth).
func difference(a, b float64) (d, rest float64) {
	d = a - b
	less := d - a
	return d, (a - (d - less)) - (b + less)
}

// add adds to the time of a value.
func (w *valueTimes) add(v, since, until float64) {
	key := keyOf(v)
	i, found := slices.BinarySearchFunc(w.bins, key, func(b valueBin, key int64) int { return cmp.Compare(b.key, key) })
	if !found {
		w.bins = slices.Insert(w.bins, i, valueBin{key, v, v, len(w.Steps)})
		w.Steps = append(w.Steps, Stretch{})
	}
	b := &w.bins[i]
	b.least, b.greatest = min(b.least, v), max(b.greatest, v)
	dt, rest := difference(until, since)
	w.sums.add(b.at, dt)
	w.sums.add(b.at, rest)
}

// addProduct adds x * y to the sum of an interval, exactly.
func (s *sums) addProduct(at int, x, y float64) {
	if y == 0 {
		return
	}
	high := float64(x * y)
	if size := math.Abs(high); !(size > 1e-280 && size < mostHigh) { // the rest might be no float
		s.others(at).AddProduct(x, y)
		return
	}
	s.add(at, high)
	s.add(at, math.FMA(x, y, -high))
}

// keepProfile adds a profile to the store, and returns Level.At for it.
func (s *Store) keepProfile(p Profile) uint64 { return keepIn(&s.Profiles, &s.free.profiles, p) }

// profile makes sure that a level at an offset of a state has a profile if its field says so.
func (s *Store) profile(l *Level, fields []Field, off uintptr) {
	l.At = unprofiled
	if i := slices.IndexFunc(fields, func(f Field) bool { return f.Off == off }); i >= 0 && fields[i].profiled() {
		l.At = s.keepProfile(newProfile(&fields[i]))
	}
}

// profileOf returns the profile of a level, nil if it has none.
func (s *Store) profileOf(l *Level) *Profile {
	if l.At == 0 || l.At == unprofiled {
		return nil
	}
	return &s.Profiles[l.At-1]
}

// Value is the time for which levels had values of a bin, in a Part.
type Value struct {
	Key             int64
	Least, Greatest uint64 // the bits of numbers, since gob sends -0 as 0
	Time            Sum
}

// addProfile adds how a level of a field went from from to until.
func (p *Part) addProfile(l *Level, f *Field, s *Store, from, until float64) {
	if !f.profiled() {
		return
	}
	last := newProfile(f)
	if stored := s.profileOf(l); stored != nil {
		p.takeProfile(stored)
		if stored.Course != nil {
			last.Course.length = stored.Course.length
		}
	}
	if since := max(l.Since, from); l.Value != 0 && until > since {
		last.add(l.Value, since, until)
		p.takeProfile(&last)
	}
}

// takeProfile adds a profile. Nobody knows for how long several levels had a sum, so sums have no values.
func (p *Part) takeProfile(of *Profile) {
	if of.Course != nil {
		p.addSteps(of.Course)
	}
	if of.values != nil && !p.Key.Total {
		for _, b := range of.values.bins {
			v := Value{Key: b.key, Least: math.Float64bits(b.least), Greatest: math.Float64bits(b.greatest)}
			of.values.AddTo(&v.Time, b.at)
			p.addValue(&v)
		}
	}
}

// addValue adds the time for which levels had values of a bin.
func (p *Part) addValue(v *Value) {
	i, found := slices.BinarySearchFunc(p.Values, v.Key, func(v Value, key int64) int { return cmp.Compare(v.Key, key) })
	if !found {
		p.Values = slices.Insert(p.Values, i, Value{Key: v.Key, Least: v.Least, Greatest: v.Greatest})
	}
	to := &p.Values[i]
	to.Least = math.Float64bits(min(math.Float64frombits(to.Least), math.Float64frombits(v.Least)))
	to.Greatest = math.Float64bits(max(math.Float64frombits(to.Greatest), math.Float64frombits(v.Greatest)))
	to.Time.Merge(&v.Time)
}

// Share is the part of the time for which levels had values from Least to Greatest, which differ by 1/64 at most. UpTo
// is the part for which they had these or lower ones.
type Share struct{ Least, Greatest, Share, UpTo float64 }

// MarshalJSON returns the share as an object.
func (s Share) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Least    number `json:"least"`
		Greatest number `json:"greatest"`
		Share    number `json:"share"`
		UpTo     number `json:"upTo"`
	}{number(s.Least), number(s.Greatest), number(s.Share), number(s.UpTo)})
}

// shares returns the parts of the time from from to until, of all levels, that values other than 0 and 0 have.
func (p *Part) shares(from, until float64) (all []Share) {
	zero := Value{} // what the others leave
	zero.Time.addTimes(p.N, until, 1)
	zero.Time.addTimes(p.N, -from, 1)
	for i := range p.Values {
		zero.Time.Merge(p.Values[i].Time.negative())
	}
	var below Sum
	add := func(v *Value) {
		below.Merge(&v.Time)
		if share := v.Time.OverSpan(until, from, p.N); share > 0 {
			all = append(all, Share{math.Float64frombits(v.Least), math.Float64frombits(v.Greatest), share,
				below.OverSpan(until, from, p.N)})
		}
	}
	i := 0
	for ; i < len(p.Values) && p.Values[i].Key < 0; i++ {
		add(&p.Values[i])
	}
	add(&zero)
	for ; i < len(p.Values); i++ {
		add(&p.Values[i])
	}
	return all
}

// negative returns a sum with the other sign.
func (s *Sum) negative() *Sum {
	n := &Sum{First: s.First, Digit: slices.Clone(s.Digit)}
	for i := range n.Digit {
		n.Digit[i] = -n.Digit[i]
	}
	return n
}

// valueAt returns the value that levels had or were below for the part q of the time, 0 to 1.
func valueAt(all []Share, q float64) float64 {
	if len(all) == 0 || !(q >= 0 && q <= 1) {
		return math.NaN()
	}
	i := slices.IndexFunc(all, func(s Share) bool { return s.UpTo >= q })
	switch last := all[len(all)-1]; {
	case q == 0:
		return all[0].Least
	case i < 0 || q == 1:
		return last.Greatest
	}
	return min(max(middleOf(keyOf(all[i].Least)), all[i].Least), all[i].Greatest)
}

// levels returns the averages of levels in the intervals of the observation.
func (p *Part) levels(from, until float64) (all []Step) {
	p.widen(p.Key.Every)
	n, begin, _ := widened(p.Key.Every, p.Width).Around(until)
	for n >= mostIntervals {
		p.widen(2 * p.Width)
		n, begin, _ = widened(p.Key.Every, p.Width).Around(until)
	}
	if begin == until {
		n--
	}
	length := widened(p.Key.Every, p.Width)
	first, _, _ := length.Around(from)
	for i := first; i <= n; i++ {
		var sum Sum
		if int(i) < len(p.Course) {
			sum = p.Course[int(i)].Sum
		}
		step := Step{Begin: length.Begin(i), End: length.Begin(i + 1), Count: p.N, Rate: math.NaN()}
		low, high := max(step.Begin, from), min(step.End, until)
		if len(sum.Digit) > 0 {
			step.Sum, step.Mean = sum.OverSpan(high, low, 1), sum.OverSpan(high, low, p.N)
		}
		all = append(all, step)
	}
	return all
}
