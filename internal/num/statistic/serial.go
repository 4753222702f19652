// This file owns the form of statistics in a checkpoint.

package statistic

import (
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"unsafe"
)

// order is the byte order of checkpoints.
var order = binary.LittleEndian

// errDamaged is the error of Load for bytes that Bytes has not returned.
var errDamaged = errors.New("its statistics cannot be read")

// errOther is the error of Load for the statistics of another model.
var errOther = errors.New("its statistics are not those of the model")

// ErrLost is the error of Load for sums that an earlier version has lost. Levels can be kept.
var ErrLost = errors.New("its statistics are of an earlier version, which has lost sums of very large numbers")

// ErrInfinite is the error of Load for a level whose value an earlier version has lost.
var ErrInfinite = errors.New("its statistics are of an earlier version, which has let a level become infinite")

// Types of version 1. States in checkpoints have the layouts of these still, with zeros in place of
// statistics.
type (
	tally1 struct {
		N                         uint64
		Mean, M2, Least, Greatest float64
	}
	level1     struct{ Value, Since, Area, lost, Busy, Least, Greatest float64 }
	histogram1 struct {
		Tally tally1
		At    uint64
	}
)

var (
	_ [unsafe.Sizeof(tally1{})]byte     = [unsafe.Sizeof(Tally{})]byte{}
	_ [unsafe.Sizeof(level1{})]byte     = [unsafe.Sizeof(Level{})]byte{}
	_ [unsafe.Sizeof(histogram1{})]byte = [unsafe.Sizeof(Histogram{})]byte{}
	_                                   = level1{}.lost // its name is part of the layout
)

// StoredAs returns the type whose layout a statistic has in the description of a state, or nil if t is
// none for which that is another one.
func StoredAs(t reflect.Type) reflect.Type {
	switch kinds[t] {
	case KindTally:
		return reflect.TypeFor[tally1]()
	case KindLevel:
		return reflect.TypeFor[level1]()
	case KindHistogram:
		return reflect.TypeFor[histogram1]()
	}
	return nil
}

// Version 2 begins with its mark and the virtual time at which the observation begins. Version 1
// begins with the kind of the first statistic.
const mark = 0x82

// Keep is what Load keeps of what was stored.
type Keep uint8

// What Load keeps.
const (
	KeepAll    Keep = iota // the observation goes on
	KeepLevels             // it begins later: levels have their values, and the times of their changes
	KeepValues             // the virtual time begins again: levels have their values
)

// Bytes returns the statistics of a state in the form of a checkpoint. s is the Store of its
// PE. The bytes are valid until the next call.
func (s *Store) Bytes(state unsafe.Pointer, fields []Field) []byte {
	s.checkAddedUp()
	s.buffer = s.appendTo(appendFloats(append(s.buffer[:0], mark), s.From), state, fields)
	return s.buffer
}

// StoredFrom returns the virtual time at which the observation begins of what Bytes has returned. It
// is not known if an earlier version has stored it.
func StoredFrom(b []byte) (from float64, known bool) {
	if len(b) < 9 || b[0] != mark {
		return 0, false
	}
	return math.Float64frombits(order.Uint64(b[1:])), true
}

// appendTo appends the statistics of a state to b.
func (s *Store) appendTo(b []byte, state unsafe.Pointer, fields []Field) []byte {
	for i := range fields {
		f := &fields[i]
		b = append(b, f.stored())
		at := unsafe.Add(state, f.Off)
		switch f.Kind {
		case KindCounter:
			b = order.AppendUint64(b, (*Counter)(at).N)
		case KindTally:
			b = appendTally(b, (*Tally)(at))
		case KindLevel:
			l := (*Level)(at)
			b = appendExact(appendFloats(b, l.Value, l.Since, l.Least, l.Greatest), l.Exact)
			if f.profiled() {
				p := s.profileOf(l)
				if p == nil {
					empty := newProfile(f)
					p = &empty
				}
				b = appendProfile(b, p)
			}
		case KindHistogram:
			h := (*Histogram)(at)
			b = appendTally(b, &h.Tally)
			b = appendBins(b, s.BinsOf(h))
		case KindSeries:
			b = appendCourse(b, s.CourseOf((*Series)(at)))
		}
	}
	return b
}

func appendFloats(b []byte, all ...float64) []byte {
	for _, x := range all {
		b = order.AppendUint64(b, math.Float64bits(x))
	}
	return b
}

func appendTally(b []byte, t *Tally) []byte {
	return appendExact(appendFloats(order.AppendUint64(b, t.N), t.Least, t.Greatest), t.Exact)
}

func appendExact(b []byte, a *Exact) []byte {
	if a == nil {
		a = new(Exact)
	}
	for _, w := range a.one {
		b = order.AppendUint64(b, w)
	}
	for _, w := range a.two {
		b = order.AppendUint64(b, w)
	}
	b = order.AppendUint64(b, uint64(a.oneLimit)<<32|uint64(a.twoLimit))
	if a.more == nil {
		return appendSum(appendSum(b, new(Sum)), new(Sum))
	}
	return appendSum(appendSum(b, &a.more.One), &a.more.Two)
}

func appendSum(b []byte, s *Sum) []byte {
	s.reduce()
	b = order.AppendUint64(b, uint64(len(s.Digit)))
	if len(s.Digit) == 0 {
		return b
	}
	b = order.AppendUint64(b, uint64(s.First))
	for _, d := range s.Digit {
		b = order.AppendUint64(b, uint64(d))
	}
	return b
}

func appendBins(b []byte, bins *Bins) []byte {
	at := len(b)
	b = order.AppendUint64(b, 0)
	n := uint64(0)
	for bin := range bins.All() {
		b = order.AppendUint64(appendFloats(b, bin.Middle()), bin.N)
		n++
	}
	order.PutUint64(b[at:], n)
	return b
}

// A level with intervals or quantiles has these bits next to its kind.
const (
	storedEvery     = 0x40
	storedQuantiles = 0x20
)

// stored returns the kind of a field as it is stored.
func (f *Field) stored() byte {
	kind := byte(f.Kind)
	if f.Kind == KindLevel && f.Every > 0 {
		kind |= storedEvery
	}
	if f.Kind == KindLevel && f.Quantiles != nil {
		kind |= storedQuantiles
	}
	return kind
}

func appendProfile(b []byte, p *Profile) []byte {
	if p.Course != nil {
		b = appendCourse(b, p.Course)
	}
	if w := p.values; w != nil {
		b = order.AppendUint64(b, uint64(len(w.bins)))
		for _, v := range w.bins {
			var time Sum
			w.AddTo(&time, v.at)
			b = appendSum(appendFloats(b, v.least, v.greatest), &time)
		}
	}
	return b
}

func (r *reader) profile(f *Field) (p Profile) {
	p = newProfile(f)
	if f.Every > 0 {
		if c := r.course(f.Every); c != nil {
			p.Course = c
		}
	}
	if w := p.values; w != nil {
		for range r.count(24) {
			least, greatest, time := r.float(), r.float(), r.sum()
			key := keyOf(least)
			if key == 0 || key != keyOf(greatest) || len(w.bins) > 0 && w.bins[len(w.bins)-1].key >= key {
				r.bad = true
				break
			}
			w.bins = append(w.bins, valueBin{key, least, greatest, len(w.Steps)})
			w.Steps = append(w.Steps, Stretch{})
			w.others(len(w.Steps) - 1).Merge(&time)
		}
	}
	return p
}

func appendCourse(b []byte, c *Course) []byte {
	if c == nil {
		return order.AppendUint64(b, 0)
	}
	b = order.AppendUint64(b, uint64(c.Most))
	b = order.AppendUint64(appendFloats(b, c.Width()), uint64(len(c.Steps)))
	for _, s := range c.Steps {
		b = appendFloats(order.AppendUint64(b, s.N), s.High, s.Low)
	}
	b = order.AppendUint64(b, uint64(len(c.more)))
	for _, more := range c.more {
		if more == nil {
			more = new(Sum)
		}
		b = appendSum(b, more)
	}
	return b
}

// reader reads what Bytes has returned. After the first mistake all values are 0.
type reader struct {
	b    []byte
	old  bool // of version 1
	bad  bool
	lost bool // a number of version 1 is not finite
	gone bool // it is the value of a level
}

func (r *reader) u64() uint64 {
	if len(r.b) < 8 {
		r.b, r.bad = nil, true
		return 0
	}
	x := order.Uint64(r.b)
	r.b = r.b[8:]
	return x
}

// float reads a finite number.
func (r *reader) float() float64 {
	x := math.Float64frombits(r.u64())
	if x-x == 0 {
		return x
	}
	r.lost, r.bad = r.old, r.bad || !r.old
	return 0
}

// count returns a number of parts that have at least size bytes each.
func (r *reader) count(size int) int {
	n := r.u64()
	if n > uint64(len(r.b)/size) {
		r.b, r.bad = nil, true
		return 0
	}
	return int(n)
}

func (r *reader) tally() (t Tally) {
	t.N = r.u64()
	a := new(Exact)
	if r.old {
		mean, squares := r.float(), r.float()
		s := a.others()
		s.One.addTimes(t.N, mean, 1)
		s.Two.addTimes(t.N, mean, mean)
		s.Two.Add(squares)
	}
	t.Least, t.Greatest = r.float(), r.float()
	if !r.old {
		*a = r.exact()
	}
	if t.N > 0 {
		t.Exact = a
	}
	return t
}

func (r *reader) level() (l Level) {
	lost := r.lost
	r.lost = false
	l.Value = r.float()
	r.gone = r.gone || r.lost
	r.lost = r.lost || lost
	l.Since = r.float()
	a := new(Exact)
	if r.old {
		s := a.others()
		s.Two.Add(r.float())
		s.Two.Add(r.float()) // what rounding had taken from it
		s.One.Add(r.float())
	}
	l.Least, l.Greatest = r.float(), r.float()
	if !r.old {
		*a = r.exact()
	}
	if *a != (Exact{}) {
		l.Exact = a
	}
	return l
}

func (r *reader) exact() (a Exact) {
	for i := range a.one {
		a.one[i] = r.u64()
	}
	for i := range a.two {
		a.two[i] = r.u64()
	}
	limits := r.u64()
	a.oneLimit, a.twoLimit = int32(limits>>32), int32(limits)
	one, two := r.sum(), r.sum()
	if !a.valid() {
		r.bad = true
		return Exact{}
	}
	if len(one.Digit)+len(two.Digit) > 0 {
		a.more = &Sums{one, two}
	}
	return a
}

// mostDigits is more than a Sum has.
const mostDigits = 256

func (r *reader) sum() (s Sum) {
	n := r.count(8)
	if n == 0 {
		return s
	}
	first := r.u64()
	if first+uint64(n) > mostDigits {
		r.bad = true
		return s
	}
	s.First = int(first)
	for range n {
		d := int64(r.u64())
		if d < -1<<digitBits || d > digitMask {
			r.bad = true
		}
		s.Digit = append(s.Digit, d)
	}
	return s
}

// histogram reads a Histogram and its bins.
func (r *reader) histogram() (h Histogram, bins Bins) {
	h.Tally = r.tally()
	for range r.count(16) {
		x := r.float()
		bins.Add(x, r.u64())
	}
	return h, bins
}

// Load sets the statistics of a state, whatever they were, to what it keeps of those in what Bytes
// has returned.
func (s *Store) Load(b []byte, state unsafe.Pointer, fields []Field, keep Keep) error {
	s.checkAddedUp()
	r := reader{b: b, old: true}
	if _, known := StoredFrom(b); known {
		r.b, r.old = b[9:], false
	}
	for i := range fields {
		f := &fields[i]
		if len(r.b) == 0 {
			return errDamaged
		}
		if r.b[0] != f.stored() {
			return errOther
		}
		r.b = r.b[1:]
		at := unsafe.Add(state, f.Off)
		switch f.Kind {
		case KindCounter:
			c := Counter{r.u64()}
			*(*Counter)(at) = kept(c, Counter{}, keep)
		case KindTally:
			*(*Tally)(at) = kept(r.tally(), Tally{}, keep)
		case KindLevel:
			l := r.level()
			since := l.Since
			if keep == KeepValues {
				since = 0
			}
			l = kept(l, Level{Value: l.Value, Since: since}, keep)
			if f.profiled() {
				l.At = s.keepProfile(kept(r.profile(f), newProfile(f), keep))
			}
			*(*Level)(at) = l
		case KindHistogram:
			h, bins := r.histogram()
			if h = kept(h, Histogram{}, keep); h.N > 0 {
				h.At = s.keepBins(bins)
			}
			*(*Histogram)(at) = h
		case KindSeries:
			*(*Series)(at) = Series{}
			if c := r.course(f.Every); keep == KeepAll && c != nil {
				(*Series)(at).At = s.keepCourse(*c)
			}
		}
	}
	switch {
	case r.bad || len(r.b) > 0:
		return errDamaged
	case r.gone:
		return ErrInfinite
	case r.lost && keep == KeepAll:
		return ErrLost
	}
	return nil
}

// kept returns what was stored, or what else Load keeps.
func kept[T any](stored, rest T, keep Keep) T {
	if keep == KeepAll {
		return stored
	}
	return rest
}

// course reads a Course, which may be nil. every is the length of the intervals that its field says.
func (r *reader) course(every float64) *Course {
	most := r.u64()
	if most == 0 {
		return nil
	}
	c, width := &Course{Most: int(min(most, mostIntervals))}, r.float()
	if r.old {
		for range r.count(16) {
			c.Steps = append(c.Steps, Stretch{N: r.u64()})
			c.add(len(c.Steps)-1, r.float())
		}
	} else {
		for range r.count(24) {
			c.Steps = append(c.Steps, Stretch{r.u64(), r.float(), r.float()})
		}
		for i := range min(r.count(8), len(c.Steps)) {
			if s := r.sum(); len(s.Digit) > 0 {
				c.others(i).Merge(&s)
			}
		}
	}
	if !(width > 0) {
		r.bad = true
		return nil
	}
	c.length = widened(every, width)
	return c
}
