// This file owns the data of recordings: Store, and what a handler must not read.

package statistic

import (
	"math"
	"unsafe"
)

// Op is what a recording does to the data at its field.
type Op uint8

// The operations, with the meaning of the recorded word.
const (
	OpCount Op = iota // add an integer to a Counter
	OpTally           // add a number to a Tally
	OpSet             // set a Level to a number
	OpShift           // add a number to a Level
	OpBin             // add a number to a Histogram
	OpTime            // add a number to a Series
)

// Histogram is the data of a histogram in a state.
type Histogram struct {
	Tally
	At uint64 // 1 + index in Store.Bins, 0 if nothing has been recorded
}

// Series is the data of a time series in a state.
type Series struct {
	At uint64 // 1 + index in Store.Courses, 0 if nothing has been recorded
}

// Store holds what the statistics of a PE have outside of the states.
type Store struct {
	From    float64 // virtual time before which nothing is recorded
	Bins    []Bins
	Courses []Course
	// Profiles of levels.
	Profiles []Profile
	wait     pending                                    // recordings that AddUp makes
	buffer   []byte                                     // of Bytes
	free     struct{ bins, courses, profiles []uint64 } // At of entries whose LPs have moved to another PE
}

// Apply makes a recording at an offset of a state, for an event at virtual time now. Its additions wait for AddUp. It
// reports false if that is not possible, because the value of a Level would not be finite.
func (s *Store) Apply(op Op, state unsafe.Pointer, off uintptr, word uint64, now float64, fields *[]Field) bool {
	p, x := unsafe.Add(state, off), math.Float64frombits(word)
	if now < s.From && op != OpSet && op != OpShift {
		return true
	}
	switch op {
	case OpCount:
		(*Counter)(p).N += word
	case OpTally:
		s.Tally((*Tally)(p), x)
	case OpSet, OpShift:
		l := (*Level)(p)
		if l.At == 0 {
			s.profile(l, *fields, off)
		}
		if op == OpShift {
			return s.Shift(l, x, now)
		}
		s.Set(l, x, now)
	case OpBin:
		h := (*Histogram)(p)
		if h.At == 0 {
			h.At = s.keepBins(Bins{})
		}
		s.Bin(h, x)
	case OpTime:
		c := (*Series)(p)
		if c.At == 0 {
			c.At = s.keepCourse(NewCourse(everyOf(*fields, off), now))
		}
		s.Time(c, x, now)
	}
	return true
}

// Tally records x in a tally.
func (s *Store) Tally(t *Tally, x float64) {
	t.note(x)
	s.sum(t.Exact, x, x)
}

// Set makes v the value of a level from a virtual time on.
func (s *Store) Set(l *Level, v, now float64) {
	since, lasted := l.move(now, s.From)
	was := l.Value
	l.Value = v
	if !lasted || was == 0 {
		return
	}
	if l.Exact == nil {
		l.Exact = new(Exact)
	}
	if l.At+1 > 1 { // neither 0 nor unprofiled
		s.Profiles[l.At-1].add(was, since, now)
	}
	dt := now - since
	s.sum(l.Exact, dt, was)
	less := dt - now // what rounding has taken from dt (Knuth)
	if rest := (now - (dt - less)) - (since + less); rest != 0 {
		s.sum(l.Exact, rest, was)
	}
}

// Shift adds d to the value of a level from a virtual time on. It reports false, and does nothing, if the value would
// not be finite.
func (s *Store) Shift(l *Level, d, now float64) bool {
	v := l.Value + d
	if v-v != 0 {
		return false
	}
	s.Set(l, v, now)
	return true
}

// Bin records x in a histogram in which something has been recorded.
func (s *Store) Bin(h *Histogram, x float64) {
	s.Tally(&h.Tally, x)
	s.bin(h.At, x)
}

// Time records x at a virtual time in a time series in which something has been recorded.
func (s *Store) Time(c *Series, x, now float64) { s.time(c.At, x, now) }

// keepBins adds bins to the store, and returns Histogram.At for them.
func (s *Store) keepBins(b Bins) uint64 { return keepIn(&s.Bins, &s.free.bins, b) }

// keepCourse adds a time series to the store, and returns Series.At for it.
func (s *Store) keepCourse(c Course) uint64 { return keepIn(&s.Courses, &s.free.courses, c) }

// keepIn adds an entry where one is free, or behind all others, and returns 1 + its index.
func keepIn[T any](all *[]T, free *[]uint64, entry T) uint64 {
	if n := len(*free) - 1; n >= 0 {
		at := (*free)[n]
		*free, (*all)[at-1] = (*free)[:n], entry
		return at
	}
	*all = append(*all, entry)
	return uint64(len(*all))
}

// MoveTo moves what the statistics in a state have in the store to that of another PE.
func (s *Store) MoveTo(to *Store, state unsafe.Pointer, fields []Field) {
	s.checkAddedUp()
	for i := range fields {
		p := unsafe.Add(state, fields[i].Off)
		switch fields[i].Kind {
		case KindLevel:
			if l := (*Level)(p); s.profileOf(l) != nil {
				at := l.At
				l.At = to.keepProfile(s.Profiles[at-1])
				s.Profiles[at-1] = Profile{}
				s.free.profiles = append(s.free.profiles, at)
			}
		case KindHistogram:
			if h := (*Histogram)(p); h.At != 0 {
				at := h.At
				h.At = to.keepBins(s.Bins[at-1])
				s.Bins[at-1] = Bins{}
				s.free.bins = append(s.free.bins, at)
			}
		case KindSeries:
			if c := (*Series)(p); c.At != 0 {
				at := c.At
				c.At = to.keepCourse(s.Courses[at-1])
				s.Courses[at-1] = Course{}
				s.free.courses = append(s.free.courses, at)
			}
		}
	}
}

// BinsOf returns the bins of a histogram; they are empty if nothing has been recorded.
func (s *Store) BinsOf(h *Histogram) *Bins {
	s.checkAddedUp()
	if h.At == 0 {
		return new(Bins)
	}
	return &s.Bins[h.At-1]
}

// CourseOf returns the data of a time series, or nil if nothing has been recorded.
func (s *Store) CourseOf(c *Series) *Course {
	s.checkAddedUp()
	if c.At == 0 {
		return nil
	}
	return &s.Courses[c.At-1]
}

// Hidden: the statistics of a state, out of reach of a handler that must not read them.

// The first word of a statistic that is hidden, and of one that was read nevertheless. No level has
// this value, which is not a number, and 9.2e18 recordings do not come about. The mark is in the data
// and nowhere else, so that the statistics of one run know nothing of those of another.
const (
	hidden = 0x7ff9b5ad4eceda1e
	read   = hidden | 1
)

// Hidden holds the data of the statistics of a state while they are hidden.
type Hidden struct {
	counters   []Counter
	tallies    []Tally
	levels     []Level
	histograms []Histogram
}

// word returns what is marked in the statistic of a field, nil if nothing reads it.
func (f *Field) word(state unsafe.Pointer) *uint64 {
	switch at := unsafe.Add(state, f.Off); f.Kind {
	case KindCounter:
		return &(*Counter)(at).N
	case KindTally:
		return &(*Tally)(at).N
	case KindLevel:
		return (*uint64)(unsafe.Pointer(&(*Level)(at).Value))
	case KindHistogram:
		return &(*Histogram)(at).N
	}
	return nil
}

// Hide puts the statistics of a state aside until Show.
func (h *Hidden) Hide(state unsafe.Pointer, fields []Field) {
	for i := range fields {
		f := &fields[i]
		switch at := unsafe.Add(state, f.Off); f.Kind {
		case KindCounter:
			h.counters = putAside(h.counters, at)
		case KindTally:
			h.tallies = putAside(h.tallies, at)
		case KindLevel:
			h.levels = putAside(h.levels, at)
		case KindHistogram:
			h.histograms = putAside(h.histograms, at)
		}
		if w := f.word(state); w != nil {
			*w = hidden
		}
	}
}

// putAside moves the data at an address to the end of a list.
func putAside[T any](to []T, at unsafe.Pointer) []T {
	to = append(to, *(*T)(at))
	*(*T)(at) = *new(T)
	return to
}

// Show undoes Hide. It returns the first field that was read in between, nil if none was.
func (h *Hidden) Show(state unsafe.Pointer, fields []Field) (first *Field) {
	for i := len(fields) - 1; i >= 0; i-- {
		f := &fields[i]
		if w := f.word(state); w != nil && *w == read {
			first = f
		}
		switch at := unsafe.Add(state, f.Off); f.Kind {
		case KindCounter:
			h.counters = putBack(h.counters, at)
		case KindTally:
			h.tallies = putBack(h.tallies, at)
		case KindLevel:
			h.levels = putBack(h.levels, at)
		case KindHistogram:
			h.histograms = putBack(h.histograms, at)
		}
	}
	return first
}

// putBack moves the end of a list to an address.
func putBack[T any](from []T, at unsafe.Pointer) []T {
	last := len(from) - 1
	*(*T)(at), from[last] = from[last], *new(T)
	return from[:last]
}

// shown returns a statistic, whose first word is given, as those may see it that read it: an empty one in
// place of one that is hidden, which it notes.
func shown[T any](s *T, word *uint64) *T {
	if *word|1 != read {
		return s
	}
	*word = read
	return new(T)
}

// Read returns the counter as those may see it that read it: empty if it is hidden. All methods of
// package stats that read begin with it.
func (c *Counter) Read() *Counter { return shown(c, &c.N) }

// Read is that of Counter.
func (t *Tally) Read() *Tally { return shown(t, &t.N) }

// Read is that of Counter.
func (l *Level) Read() *Level { return shown(l, (*uint64)(unsafe.Pointer(&l.Value))) }

// Read is that of Counter.
func (h *Histogram) Read() *Histogram { return shown(h, &h.N) }
