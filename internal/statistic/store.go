// This file owns Store, and how a recording changes the data of its field.

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
	buffer  []byte                           // of Bytes
	free    struct{ bins, courses []uint64 } // At of entries whose LPs have moved to another PE
}

// Apply makes a recording at an offset of a state, for an event at virtual time now. It reports false
// if that is not possible, because the value of a Level would not be finite.
func (s *Store) Apply(op Op, state unsafe.Pointer, off uintptr, word uint64, now float64, fields []Field) bool {
	p, x := unsafe.Add(state, off), math.Float64frombits(word)
	if now < s.From && op != OpSet && op != OpShift {
		return true
	}
	switch op {
	case OpCount:
		(*Counter)(p).N += word
	case OpTally:
		(*Tally)(p).Add(x)
	case OpSet:
		(*Level)(p).Set(x, now, s.From)
	case OpShift:
		return (*Level)(p).Shift(x, now, s.From)
	case OpBin:
		h := (*Histogram)(p)
		if h.At == 0 {
			h.At = s.keepBins(Bins{})
		}
		s.Bin(h, x)
	case OpTime:
		c := (*Series)(p)
		if c.At == 0 {
			c.At = s.keepCourse(NewCourse(everyOf(fields, off), now))
		}
		s.Time(c, x, now)
	}
	return true
}

// Bin records x in a histogram in which something has been recorded.
func (s *Store) Bin(h *Histogram, x float64) {
	h.Add(x)
	s.Bins[h.At-1].Add(x, 1)
}

// Time records x at a virtual time in a time series in which something has been recorded.
func (s *Store) Time(c *Series, x, now float64) { s.Courses[c.At-1].Add(x, now) }

// keepBins adds bins to the store, and returns Histogram.At for them.
func (s *Store) keepBins(b Bins) uint64 {
	if n := len(s.free.bins) - 1; n >= 0 {
		at := s.free.bins[n]
		s.free.bins, s.Bins[at-1] = s.free.bins[:n], b
		return at
	}
	s.Bins = append(s.Bins, b)
	return uint64(len(s.Bins))
}

// keepCourse adds a time series to the store, and returns Series.At for it.
func (s *Store) keepCourse(c Course) uint64 {
	if n := len(s.free.courses) - 1; n >= 0 {
		at := s.free.courses[n]
		s.free.courses, s.Courses[at-1] = s.free.courses[:n], c
		return at
	}
	s.Courses = append(s.Courses, c)
	return uint64(len(s.Courses))
}

// MoveTo moves what the statistics in a state have in the store to that of another PE.
func (s *Store) MoveTo(to *Store, state unsafe.Pointer, fields []Field) {
	for i := range fields {
		p := unsafe.Add(state, fields[i].Off)
		switch fields[i].Kind {
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
	if h.At == 0 {
		return new(Bins)
	}
	return &s.Bins[h.At-1]
}

// CourseOf returns the data of a time series, or nil if nothing has been recorded.
func (s *Store) CourseOf(c *Series) *Course {
	if c.At == 0 {
		return nil
	}
	return &s.Courses[c.At-1]
}
