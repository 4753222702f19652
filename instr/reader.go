// This file owns the reader of instrumentation files of every content, the buffer between it and what it reads from,
// and the form of errors about a whole file.

package instr

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"syscall"

	"github.com/ross-go/ross/internal/sys/atomicfile"
)

// Reader reads the records of an instrumentation file one after the other. It takes as much
// memory as the largest record, at least 256 KiB, and allocates nothing per record. One
// goroutine at a time may use it. See [Open] and [NewReader].
type Reader struct {
	src     source
	file    *os.File // closed by Close; nil if Open did not open it
	name    string
	content Content
	rules   Content // content by which records are checked: content, or one that includes it
	started bool
	offset  int64 // of the next record
	rec     Record
	err     error // io.EOF or the first failure
}

// Open opens the file called path. The name shows its content, as [FileName] makes it: the
// suffix is gvt, rt, analysis-lps, model, evtrace, vt or memory, followed by ".bin" and perhaps
// [PartSuffix]. Under another name the bytes show it: see [NewReader].
func Open(path string) (*Reader, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fileError(err, "name a file that exists and can be read")
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		file.Close()
		return nil, fileError(&os.PathError{Op: "read", Path: path, Err: syscall.EISDIR}, "name a file in it")
	}
	r := NewReader(file, path, ContentOf(path))
	r.file = file
	return r, nil
}

// NewReader returns a reader of the records in r. The name stands for r in errors: the
// name of the file. The reader buffers, so r is read beyond the last record returned.
//
// If the content is [Unknown], it is detected from the first 64 KiB of r: it is the content as
// which they can be read farthest. Samples are well marked, events are not: almost any bytes
// can be read as a trace. Samples by GVT and by real time cannot be distinguished; they count as
// [GVTFile], and as [VTFile] from the first sample of a model at a virtual time.
func NewReader(r io.Reader, name string, content Content) *Reader {
	if content > Memory {
		content = Unknown
	}
	return &Reader{src: source{in: r}, name: name, content: content, rules: content}
}

// Next returns the next record. It and its payload are valid until the next call. Only the
// parts that belong to its Kind are set; the others may hold anything.
//
// The error is [io.EOF] after the last record. It wraps [io.ErrUnexpectedEOF] if the file ends
// inside a record, and [ErrPayloadSize] if the size of a payload is impossible. If the bytes
// are not a record, or not a file of this content, it says what was expected and found.
// Otherwise it is the error of reading. Except for io.EOF, it names the file and the offset of
// the record in bytes. An error is final: Next returns it again.
func (r *Reader) Next() (*Record, error) {
	if r.err != nil {
		return nil, r.err
	}
	if err := r.read(); err != nil {
		r.err = err
		return nil, err
	}
	return &r.rec, nil
}

func (r *Reader) read() error {
	if !r.started {
		if err := r.start(); err != nil {
			return err
		}
	}
	head := heads[r.rules]
	if r.src.end-r.src.at < head {
		if err := r.src.fill(head); err != nil {
			return r.readError(err, fmt.Sprintf("first %d bytes of the record", head))
		}
	}
	if r.rules == VTFile {
		// Fewer bytes, or a failure, are enough; a failure will occur again.
		_ = r.src.fill(lookAhead(r.src.bytes()))
	}
	kind, size, err := measure(r.rules, r.src.bytes())
	if err != nil {
		return r.recordError(err, "the file is damaged from here on or holds something else")
	}
	if r.src.end-r.src.at < size {
		if err := r.src.fill(size); err != nil {
			return r.readError(err, fmt.Sprintf("record's %d bytes", size))
		}
	}
	if kind == KindVTModel {
		r.content = VTFile
	}
	r.rec.Kind, r.rec.Offset = kind, r.offset
	decode(&r.rec, r.src.buf[r.src.at:r.src.at+size])
	r.src.at += size
	r.offset += int64(size)
	return nil
}

// start detects the content, or checks that it is the one named.
func (r *Reader) start() error {
	r.started = true
	want := heads[r.content]
	if r.content == Unknown {
		want = sniffSize
	}
	// An end is fine; a failure occurs again when the first record is read.
	_ = r.src.fill(want)
	b := r.src.bytes()
	b = b[:min(len(b), sniffSize)]
	if len(b) == 0 {
		return nil
	}
	if r.content != Unknown {
		f, best := fits(r.content, b, false), bestFit(b)
		byChance := best.broken && best.content == Trace
		if f.broken && best.whole > f.whole && !byChance {
			err := fmt.Errorf("expected %s, the bytes look like %s", words[r.content], words[best.content])
			return r.recordError(err, "give the file a name that says what it holds, or no such name")
		}
		return nil
	}
	best := bestFit(b)
	if best.broken && best.whole == 0 {
		err := fmt.Errorf("expected the beginning of an instrumentation file, found % x", b[:min(len(b), 16)])
		return r.recordError(err, "name a file that a run wrote, or specify its content")
	}
	r.content, r.rules = best.content, best.content
	if best.content == GVTFile {
		r.rules = VTFile // the first samples of models may follow later
	}
	return nil
}

// readError turns an error before the end of a record, which want describes, into that of
// Next.
func (r *Reader) readError(err error, want string) error {
	got := r.src.end - r.src.at
	switch {
	case err == io.EOF && got == 0:
		return io.EOF
	case err == io.EOF, errors.Is(err, io.ErrUnexpectedEOF):
		err = fmt.Errorf("%w after %d of the %s", io.ErrUnexpectedEOF, got, want)
		return r.recordError(err, "the writing was interrupted; use the records before it or run again")
	}
	return r.recordError(err, "check the disk and read again")
}

func (r *Reader) recordError(err error, fix string) error {
	thing := "instrumentation file"
	if r.content == Trace {
		thing = "event trace"
	}
	return fmt.Errorf("ross: %s: %s: record at byte %d: %w: %s", thing, r.name, r.offset, err, fix)
}

// All returns the records from the next one on, as Next does. If an error other than io.EOF
// occurs, the last pair has it, without a record.
func (r *Reader) All() iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		for {
			rec, err := r.Next()
			if err == io.EOF || !yield(rec, err) || err != nil {
				return
			}
		}
	}
}

// Content returns what the file holds. If it is detected from the bytes, it is Unknown until
// the first Next, and remains so if there are no bytes.
func (r *Reader) Content() Content { return r.content }

// Offset returns where the next record begins, in bytes; after an error, where the record
// begins that could not be read.
func (r *Reader) Offset() int64 { return r.offset }

// Close closes the file, if Open opened it. Next returns an error afterwards, the earlier one
// if there was one. Further calls do nothing.
func (r *Reader) Close() error {
	if r.err == nil {
		r.err = r.recordError(os.ErrClosed, "read before Close")
	}
	if r.file == nil {
		return nil
	}
	err := r.file.Close()
	r.file = nil
	if err != nil {
		return fileError(err, "the records before are valid")
	}
	return nil
}

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

// ReadTrace reads the event trace called path, whatever its name. With an error it also
// returns the records before it, which are valid; see [Reader.Next] for the errors. For a
// long trace a [Reader] takes less memory.
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

// fileError says what went wrong with a file, and the remedy. It expects an error that names
// the file, as those of package os do. An error about a record also has its offset: see
// recordError.
func fileError(err error, fix string) error {
	return fmt.Errorf("ross: instrumentation file: %w: %s", err, atomicfile.Remedy(err, fix))
}
