// This file owns samples: the fields of samples at virtual times that say something of links, and what they said.

package network

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/program/parts/places"
)

// samples are what LPs said of their links, by virtual time.
type samples struct {
	expected map[uint64]*speaker // LPs that say something
	rows     map[float64]*row
	done     int // rows that have become frames, the first ones
}

// speaker is an LP with links that it says something of.
type speaker struct {
	links  []int         // by their place in the map
	fields []instr.Field // by value; without a name if the type does not have it
	size   int           // bytes of a sample
}

// row is what is in the samples of one time.
type row struct {
	raw  [][]float64 // by value and link
	seen int         // LPs
}

// mostNumbers is the most numbers that are kept of a run, values of links in intervals.
const mostNumbers = 1 << 26

// fields finds out which LPs say what. There are none if no type has a field of a value.
func (s *source) fields() error {
	s.values, s.expected, s.rows = s.m.Values, map[uint64]*speaker{}, map[float64]*row{}
	of := map[int]*speaker{} // by type: its fields
	for i := range s.m.Links {
		l := &s.m.Links[i]
		own := s.expected[l.From]
		if own == nil {
			t := s.info.TypeOf(l.From)
			form, err := s.form(of, t)
			if err != nil {
				return err
			}
			if form == nil {
				continue
			}
			own = &speaker{fields: form.fields, size: form.size}
			s.expected[l.From] = own
		}
		for v, f := range own.fields {
			if f.Name != "" && l.Index >= f.Values() {
				return fmt.Errorf("ross: input: %s: the link from LP %d to LP %d has the index %d, and the field %s of its samples has "+
					"%d values: give the link an index below that", s.prefix+places.Suffix, l.From, l.To, l.Index, s.values[v].Field,
					f.Values())
			}
		}
		own.links = append(own.links, i)
	}
	return nil
}

// form returns the fields of a type, nil if it has none that is meant.
func (s *source) form(of map[int]*speaker, t int) (*speaker, error) {
	if form, known := of[t]; known || t < 0 {
		return form, nil
	}
	l, err := s.info.Types[t].Layout(instr.KindVTModel)
	if err != nil {
		return nil, fmt.Errorf("ross: input: %w: make the run again", err)
	}
	form, some := &speaker{size: l.Size()}, false
	for _, v := range s.values {
		f := instr.Field{}
		if i := slices.IndexFunc(l, func(f instr.Field) bool { return f.Name == v.Field }); i >= 0 {
			f, some = l[i], true
			if f.Type == instr.FieldBytes {
				return nil, fmt.Errorf("ross: input: the field %s of samples of %s are bytes: a value of links must be a number",
					f.Name, s.info.Types[t].Name)
			}
		}
		form.fields = append(form.fields, f)
	}
	if !some {
		form = nil
	}
	of[t] = form
	return form, nil
}

// sample takes a sample.
func (s *source) sample(m *instr.VTModel) error {
	own := s.expected[m.LP]
	if own == nil {
		return nil
	}
	if len(m.Payload) < own.size {
		return fmt.Errorf("ross: input: %s: a sample of LP %d has %d bytes, and its layout %d: the files are not of one run",
			s.file, m.LP, len(m.Payload), own.size)
	}
	r := s.rows[m.TS]
	if r == nil {
		if (len(s.rows)+1)*len(s.values)*len(s.links) > mostNumbers {
			return cli.Usagef("%s: there are more than %d values of links: run it with a longer --vt-interval", s.file, mostNumbers)
		}
		r = &row{}
		for range s.values {
			all := make([]float64, len(s.links))
			for i := range all {
				all[i] = math.NaN()
			}
			r.raw = append(r.raw, all)
		}
		s.rows[m.TS] = r
	}
	if r.seen++; r.raw == nil { // a second sample of an interval that is complete
		return nil
	}
	for v, f := range own.fields {
		if f.Name == "" {
			continue
		}
		for _, link := range own.links {
			r.raw[v][link] = number(&f, m.Payload, s.m.Links[link].Index)
		}
	}
	return nil
}

// number returns a value of a field.
func number(f *instr.Field, payload []byte, i int) float64 {
	switch f.Type {
	case instr.FieldInt:
		return float64(f.Int(payload, i))
	case instr.FieldFloat:
		return f.Float(payload, i)
	}
	return float64(f.Uint(payload, i))
}

// makeFrames makes frames of the rows that are whole and follow those that have been used.
func (s *source) makeFrames() {
	times := slices.Sorted(maps.Keys(s.rows))
	for i, at := range times {
		if s.rows[at].seen < len(s.expected) {
			times = times[:i]
			break
		}
	}
	if len(times) < 2 && !s.final {
		return // whether the run began with the first one is not known
	}
	for i := s.done; i < len(times); i++ {
		from, before := 0.0, (*row)(nil)
		if i > 0 {
			from, before = times[i-1], s.rows[times[i-1]]
		} else if len(times) > 1 && times[0] > 1.5*(times[1]-times[0]) {
			continue // the run goes on from a checkpoint
		}
		s.add(from, times[i], s.frame(s.rows[times[i]], before, times[i]-from))
		if i > 1 {
			s.rows[times[i-2]].raw = nil // it is not needed any more
		}
	}
	s.done = max(s.done, len(times))
	s.missing = 0
	if s.final {
		s.missing = len(s.rows) - len(times)
	}
}

// frame returns the values of an interval of some length, by value and link.
func (s *source) frame(now, before *row, length float64) []float32 {
	all := make([]float32, 0, len(s.values)*len(s.links))
	for v := range s.values {
		value := &s.values[v]
		for i := range s.links {
			x := now.raw[v][i]
			if value.Counts && before != nil {
				x -= before.raw[v][i]
			}
			all = append(all, float32(per(x, value.Per, &s.m.Links[i], length)))
		}
	}
	return all
}

// per divides a value by what it is a share of, which is NaN if that is not known.
func per(x float64, of places.Ratio, l *places.Link, length float64) float64 {
	by := 1.0
	switch of {
	case places.Capacity:
		by = l.Capacity * length
	case places.Room:
		by = l.Room
	case places.Time:
		by = length
	}
	if !(by > 0) {
		return math.NaN()
	}
	return x / by
}
