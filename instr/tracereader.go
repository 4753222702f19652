// This file owns the reading of an event trace as a list of events.

package instr

import (
	"bytes"
	"io"
)

// TraceReader reads the records of an event trace one after the other, and gives each
// away. A [Reader] does not, and is faster.
type TraceReader struct{ r *Reader }

// NewTraceReader returns a reader of the trace in r; see [NewReader].
func NewTraceReader(r io.Reader, name string) *TraceReader {
	return &TraceReader{r: NewReader(r, name, Trace)}
}

// Next returns the next record; its Payload belongs to the caller. The errors are those
// of [Reader.Next].
func (r *TraceReader) Next() (Event, error) {
	rec, err := r.r.Next()
	if err != nil {
		return Event{}, err
	}
	e := rec.Event
	e.Payload = bytes.Clone(e.Payload)
	return e, nil
}

// ReadTrace reads the event trace called path, whatever its name. With an error it returns
// the records before it, which are good; see [Reader.Next] for the errors.
func ReadTrace(path string) ([]Event, error) {
	r, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	r.content, r.rules = Trace, Trace
	var events []Event
	for rec, err := range r.All() {
		if err != nil {
			return events, err
		}
		e := rec.Event
		e.Payload = bytes.Clone(e.Payload)
		events = append(events, e)
	}
	return events, nil
}
