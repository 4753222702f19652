// This file owns the buffer between a reader and what it reads from.

package instr

import (
	"errors"
	"io"
)

const (
	// bufferSize is the size of a reader's buffer in bytes. It grows only for a larger
	// record.
	bufferSize = 256 << 10
	// maxEmptyReads is how often a source may return neither data nor an error.
	maxEmptyReads = 100
)

// source provides the bytes of in as one contiguous slice.
type source struct {
	in      io.Reader
	buf     []byte
	at, end int // of the unread bytes in buf
	err     error
}

// bytes returns the unread bytes. They are valid until the next fill.
func (s *source) bytes() []byte { return s.buf[s.at:s.end:s.end] }

// fill reads until there are n unread bytes. The error says why there are fewer; the next
// fill returns it again.
func (s *source) fill(n int) error {
	for empty := 0; s.end-s.at < n; {
		if s.err != nil {
			return s.err
		}
		s.makeRoom(n)
		got, err := s.in.Read(s.buf[s.end:])
		switch {
		case got < 0 || got > len(s.buf)-s.end:
			got, err = 0, errors.New("the source returned a wrong byte count")
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

// makeRoom moves the unread bytes to the front. A buffer that is full and too small for n
// is doubled, so it never has more than twice the bytes that have been read.
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
