// This file owns the JSON of trace events.

package chrome

import (
	"encoding/json"
	"io"
	"math"
	"strconv"
)

// place is the process and thread of an event.
type place struct{ pid, tid int }

// encoder writes trace events one after the other: begin, other fields, end. A failure
// is kept, and later events are dropped.
type encoder struct {
	out    io.Writer
	buf    []byte
	count  uint64 // events, without metadata and arrows
	arrows uint64 // ends of arrows
	some   bool   // events, with metadata
	args   bool   // whether the current event has some
	err    error
}

// open begins the file. Its texts describe the whole file.
func (e *encoder) open(about map[string]string) {
	text, err := json.Marshal(about)
	e.err = err
	e.buf = append(append([]byte(`{"displayTimeUnit":"ms","otherData":`), text...), `,"traceEvents":[`...)
	e.flush()
}

func (e *encoder) close() error {
	e.buf = append(e.buf, "\n]}\n"...)
	e.flush()
	return e.err
}

func (e *encoder) flush() {
	if e.err == nil {
		_, e.err = e.out.Write(e.buf)
	}
	e.buf = e.buf[:0]
}

// begin begins an event at a time in ticks.
func (e *encoder) begin(phase byte, name string, at place, ticks int64) {
	switch phase {
	case 'M':
	case 's', 'f':
		e.arrows++
	default:
		e.count++
	}
	if e.some {
		e.buf = append(e.buf, ',')
	}
	e.some, e.args = true, false
	e.buf = append(e.buf, "\n{\"ph\":\""...)
	e.buf = append(e.buf, phase)
	e.buf = append(e.buf, `","name":`...)
	e.text(name)
	e.buf = append(e.buf, `,"pid":`...)
	e.buf = strconv.AppendInt(e.buf, int64(at.pid), 10)
	e.buf = append(e.buf, `,"tid":`...)
	e.buf = strconv.AppendInt(e.buf, int64(at.tid), 10)
	e.buf = append(e.buf, `,"ts":`...)
	e.micros(ticks)
}

// lasting sets the duration of a slice, in ticks.
func (e *encoder) lasting(ticks int64) {
	e.buf = append(e.buf, `,"dur":`...)
	e.micros(ticks)
}

// arrow writes an arrow between slices, which begin at the given times.
func (e *encoder) arrow(from place, begin int64, to place, end int64) {
	id := e.arrows / 2
	e.begin('s', "sent", from, begin)
	e.flow(id)
	e.end()
	e.begin('f', "sent", to, end)
	e.flow(id)
	e.buf = append(e.buf, `,"bp":"e"`...)
	e.end()
}

// flow sets what the two ends of an arrow have in common, apart from the name.
func (e *encoder) flow(id uint64) {
	e.buf = append(e.buf, `,"cat":"sent","id":`...)
	e.buf = strconv.AppendUint(e.buf, id, 10)
}

// single adds an argument that has 32 bits in the file, unless JSON has no such number.
func (e *encoder) single(key string, value float32) {
	if v := float64(value); !math.IsNaN(v) && !math.IsInf(v, 0) {
		e.key(key)
		e.buf = strconv.AppendFloat(e.buf, v, 'g', -1, 32)
	}
}

// number adds an argument, unless JSON has no such number.
func (e *encoder) number(key string, value float64) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return
	}
	e.key(key)
	e.buf = strconv.AppendFloat(e.buf, value, 'g', -1, 64)
}

func (e *encoder) count64(key string, value uint64) {
	e.key(key)
	e.buf = strconv.AppendUint(e.buf, value, 10)
}

func (e *encoder) string(key, value string) {
	e.key(key)
	e.text(value)
}

func (e *encoder) key(key string) {
	if e.args {
		e.buf = append(e.buf, ',')
	} else {
		e.buf = append(e.buf, `,"args":{`...)
		e.args = true
	}
	e.text(key)
	e.buf = append(e.buf, ':')
}

func (e *encoder) end() {
	if e.args {
		e.buf = append(e.buf, '}')
	}
	e.buf = append(e.buf, '}')
	e.flush()
}

// text appends a string: our own need no escaping, but those from files may.
func (e *encoder) text(s string) {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, err := json.Marshal(s)
			if err != nil {
				quoted = []byte(`""`)
			}
			e.buf = append(e.buf, quoted...)
			return
		}
	}
	e.buf = append(append(append(e.buf, '"'), s...), '"')
}

// A tick is an eighth of a microsecond, the unit of the format. Sums of ticks are exact, both in the
// decimal numbers of the file and in the binary ones of a viewer. So slices that touch do not overlap
// by a rounding error, which strict viewers take for a mistake.
const ticksPerSecond = 8e6

// micros appends ticks as microseconds.
func (e *encoder) micros(ticks int64) {
	e.buf = strconv.AppendInt(e.buf, ticks/8, 10)
	e.buf = append(e.buf, [8]string{"", ".125", ".25", ".375", ".5", ".625", ".75", ".875"}[ticks%8]...)
}
