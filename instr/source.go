// This file owns the buffer between a reader and what it reads from.

package instr

import (
	"errors"
	"io"
)

const (
	// bufferSize is what a reader takes at once. It grows only for a record that is larger.
	bufferSize = 256 << 10
	// maxEmptyReads is how often a source may give nothing and no error.
	maxEmptyReads = 100
)

// source gives the bytes of in, in one piece.
type source struct {
	in      io.Reader
	buf     []byte
	at, end int // of the bytes in buf that wait
	err     error
}

// bytes returns the bytes that wait. They stay where they are until the next fill.
func (s *source) bytes() []byte { return s.buf[s.at:s.end:s.end] }

// fill reads until n bytes wait. The error says why there are fewer; it comes again.
func (s *source) fill(n int) error {
	for empty := 0; s.end-s.at < n; {
		if s.err != nil {
			return s.err
		}
		s.makeRoom(n)
		got, err := s.in.Read(s.buf[s.end:])
		switch {
		case got < 0 || got > len(s.buf)-s.end:
			got, err = 0, errors.New("the source counts wrongly what it read")
		case got > 0:
			empty = 0
		case err == nil:
			if empty++; empty == maxEmptyReads {
				err = io.ErrNoProgress
			}
		}
		s.end += got
		s.err = err
	}
	return nil
}

// makeRoom puts what waits at the front. A buffer that is full and too small for n is
// doubled: no more is allocated than twice what has been seen to exist.
func (s *source) makeRoom(n int) {
	if s.buf == nil {
		s.buf = make([]byte, bufferSize)
	}
	if s.at > 0 {
		s.end = copy(s.buf, s.bytes())
		s.at = 0
	}
	if s.end == len(s.buf) {
		larger := make([]byte, min(2*len(s.buf), max(n, bufferSize)))
		copy(larger, s.buf)
		s.buf = larger
	}
}
