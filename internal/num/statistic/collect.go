// This file owns Collect: the statistics of all LPs of all ranks as a table.

package statistic

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"fmt"
	"iter"
	"math"
	"slices"
	"unsafe"
)

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
	return cmp.Or(a.Order.compare(b.Order), cmp.Compare(a.Key.Group, b.Key.Group), cmp.Compare(a.Key.Name, b.Key.Name),
		cmp.Compare(a.Key.Kind, b.Key.Kind))
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
	p.Rare, p.Detail = p.Rare || f.Rare, p.Detail || f.Detail
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
		l := (*Level)(at)
		p.addLevel(l, span.From, span.Until, counts)
		p.addProfile(l, f, s.Store, span.From, span.Until)
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
