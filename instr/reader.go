// This file owns the reading of an event trace.

package instr

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// payloadStep bounds, in bytes, what is allocated for payload that has not been seen
// to exist.
const payloadStep = 64 << 10

// TraceReader reads the records of an event trace one after the other.
type TraceReader struct {
	in     *bufio.Reader
	name   string
	offset int64 // of the record to read next
	header [headerSize]byte
	err    error // the end or the first failure, kept
}

// NewTraceReader returns a reader of the trace in r. The name stands for r in errors:
// the name of the file. The reader buffers, so r is read beyond the last record
// returned.
func NewTraceReader(r io.Reader, name string) *TraceReader {
	return &TraceReader{in: bufio.NewReaderSize(r, payloadStep), name: name}
}

// Next returns the next record; its Payload belongs to the caller. The error is
// [io.EOF] after the last record; it wraps [io.ErrUnexpectedEOF] if the trace ends inside a
// record, and [ErrPayloadSize] if a size makes no sense; else it is that of
// reading. Except for io.EOF it names the trace and the offset of the record in
// bytes. An error is final: Next returns it again.
func (r *TraceReader) Next() (Event, error) {
	if r.err != nil {
		return Event{}, r.err
	}
	e, err := r.read()
	if err != nil {
		r.err = err
		return Event{}, err
	}
	r.offset += int64(headerSize + len(e.Payload))
	return e, nil
}

func (r *TraceReader) read() (Event, error) {
	if n, err := io.ReadFull(r.in, r.header[:]); err != nil {
		return Event{}, r.readError(err, n, headerSize)
	}
	e, size := decodeHeader(&r.header)
	if size > MaxPayload {
		err := fmt.Errorf("%w (%d bytes)", ErrPayloadSize, size)
		return Event{}, r.recordError(err, "the file is damaged from here on or is no event trace")
	}
	payload, err := r.readPayload(int(size))
	if err != nil {
		return Event{}, r.readError(err, headerSize+len(payload), headerSize+int(size))
	}
	e.Payload = payload
	return e, nil
}

// readPayload returns n bytes, or those there are and an error.
func (r *TraceReader) readPayload(n int) (payload []byte, err error) {
	for len(payload) < n && err == nil {
		start := len(payload)
		payload = slices.Grow(payload, min(n-start, payloadStep))
		payload = payload[:min(n, cap(payload))]
		var got int
		got, err = io.ReadFull(r.in, payload[start:])
		payload = payload[:start+got]
	}
	return payload, err
}

// readError judges an error that came after got of the want bytes of a record.
func (r *TraceReader) readError(err error, got, want int) error {
	switch {
	case err == io.EOF && got == 0:
		return io.EOF
	case err == io.EOF, errors.Is(err, io.ErrUnexpectedEOF):
		err = fmt.Errorf("%w after %d of the record's %d bytes", io.ErrUnexpectedEOF, got, want)
		return r.recordError(err, "the writing was interrupted; use the records before it or run again")
	}
	return r.recordError(err, "check the disk and read again")
}

func (r *TraceReader) recordError(err error, fix string) error {
	return fmt.Errorf("ross: event trace: %s: record at byte %d: %w: %s", r.name, r.offset, err, fix)
}

// ReadTrace reads the file called path. With an error it returns the records before
// it, which are good; see [TraceReader.Next] for the errors.
func ReadTrace(path string) ([]Event, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, traceError(err, "name a file that exists and can be read")
	}
	defer file.Close()
	var events []Event
	r := NewTraceReader(file, path)
	for {
		e, err := r.Next()
		if err == io.EOF {
			return events, nil
		}
		if err != nil {
			return events, err
		}
		events = append(events, e)
	}
}
