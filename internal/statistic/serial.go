// This file owns the form of statistics in a checkpoint.

package statistic

import (
	"encoding/binary"
	"errors"
	"math"
	"unsafe"
)

// order is the byte order of checkpoints.
var order = binary.LittleEndian

// errDamaged is the error of Load for bytes that Bytes has not returned.
var errDamaged = errors.New("its statistics cannot be read")

// errOther is the error of Load for the statistics of another model.
var errOther = errors.New("its statistics are not those of the model")

// Bytes returns the statistics of a state in the form of a checkpoint. s is the Store of its
// PE. The bytes are valid until the next call.
func (s *Store) Bytes(state unsafe.Pointer, fields []Field) []byte {
	s.buffer = s.appendTo(s.buffer[:0], state, fields)
	return s.buffer
}

// appendTo appends the statistics of a state to b.
func (s *Store) appendTo(b []byte, state unsafe.Pointer, fields []Field) []byte {
	for i := range fields {
		f := &fields[i]
		b = append(b, byte(f.Kind))
		at := unsafe.Add(state, f.Off)
		switch f.Kind {
		case KindCounter:
			b = order.AppendUint64(b, (*Counter)(at).N)
		case KindTally:
			b = appendTally(b, (*Tally)(at))
		case KindLevel:
			l := (*Level)(at)
			b = appendFloats(b, l.Value, l.Since, l.Area, l.lost, l.Busy, l.Least, l.Greatest)
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
	return appendFloats(order.AppendUint64(b, t.N), t.Mean, t.M2, t.Least, t.Greatest)
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

func appendCourse(b []byte, c *Course) []byte {
	if c == nil {
		return order.AppendUint64(b, 0)
	}
	b = order.AppendUint64(b, uint64(c.Most))
	b = order.AppendUint64(appendFloats(b, c.Width), uint64(len(c.Steps)))
	for _, s := range c.Steps {
		b = appendFloats(order.AppendUint64(b, s.N), s.Sum)
	}
	return b
}

// reader reads what Bytes has returned. After the first mistake all values are 0.
type reader struct {
	b   []byte
	bad bool
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

func (r *reader) float() float64 { return math.Float64frombits(r.u64()) }

// count returns a number of parts that have at least size bytes each.
func (r *reader) count(size int) int {
	n := r.u64()
	if n > uint64(len(r.b)/size) {
		r.b, r.bad = nil, true
		return 0
	}
	return int(n)
}

func (r *reader) tally() Tally { return Tally{r.u64(), r.float(), r.float(), r.float(), r.float()} }

// Load sets the statistics of a state, whatever they were, to those in what Bytes has returned.
// If anew is true, the virtual time begins again, and only the values of levels remain.
func (s *Store) Load(b []byte, state unsafe.Pointer, fields []Field, anew bool) error {
	r := reader{b: b}
	for i := range fields {
		f := &fields[i]
		if len(r.b) == 0 {
			return errDamaged
		}
		if Kind(r.b[0]) != f.Kind {
			return errOther
		}
		r.b = r.b[1:]
		at := unsafe.Add(state, f.Off)
		switch f.Kind {
		case KindCounter:
			c := Counter{r.u64()}
			if anew {
				c = Counter{}
			}
			*(*Counter)(at) = c
		case KindTally:
			t := r.tally()
			if anew {
				t = Tally{}
			}
			*(*Tally)(at) = t
		case KindLevel:
			l := Level{r.float(), r.float(), r.float(), r.float(), r.float(), r.float(), r.float()}
			if anew {
				l = Level{Value: l.Value}
			}
			*(*Level)(at) = l
		case KindHistogram:
			h := Histogram{Tally: r.tally()}
			var bins Bins
			for range r.count(16) {
				x := r.float()
				bins.Add(x, r.u64())
			}
			if anew {
				h = Histogram{}
			}
			if h.N > 0 {
				h.At = s.keepBins(bins)
			}
			*(*Histogram)(at) = h
		case KindSeries:
			*(*Series)(at) = Series{}
			if c := r.course(); !anew && c != nil {
				(*Series)(at).At = s.keepCourse(*c)
			}
		}
	}
	if r.bad || len(r.b) > 0 {
		return errDamaged
	}
	return nil
}

// course reads a Course, which may be nil.
func (r *reader) course() *Course {
	most := r.u64()
	if most == 0 {
		return nil
	}
	c := &Course{Most: int(min(most, mostIntervals)), Width: r.float()}
	for range r.count(16) {
		c.Steps = append(c.Steps, Stretch{r.u64(), r.float()})
	}
	if !(c.Width > 0) {
		r.bad = true
	}
	return c
}
