// This file owns Hidden: the statistics of a state, out of reach of a handler that must not read them.

package statistic

import "unsafe"

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
