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
	out   io.Writer
	buf   []byte
	count uint64 // events, without metadata
	some  bool   // events, with metadata
	args  bool   // whether the current event has some
	err   error
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

// begin begins an event at a time in nanoseconds.
func (e *encoder) begin(phase byte, name string, at place, ns int64) {
	if phase != 'M' {
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
	e.micros(ns)
	if phase == 'i' {
		e.buf = append(e.buf, `,"s":"t"`...)
	}
}

// lasting sets the duration of a slice, in nanoseconds.
func (e *encoder) lasting(ns int64) {
	e.buf = append(e.buf, `,"dur":`...)
	e.micros(ns)
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

// micros appends nanoseconds as microseconds, with all digits: rounded ones would let
// slices overlap that only touch.
func (e *encoder) micros(ns int64) {
	e.buf = strconv.AppendInt(e.buf, ns/1000, 10)
	if rest := ns % 1000; rest != 0 {
		e.buf = append(e.buf, '.', byte('0'+rest/100), byte('0'+rest/10%10), byte('0'+rest%10))
	}
}
