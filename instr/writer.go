// This file owns the writing of an event trace: the buffer, the kept error, and the
// way from the temporary to the final name.

package instr

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
)

// TraceWriter appends event records to a file. One goroutine at a time may use it.
// The zero value is of no use: see [CreateTrace].
type TraceWriter struct {
	path    string   // final name; the records go to path+PartSuffix
	part    bool     // path+PartSuffix exists and is ours
	file    *os.File // nil once closed
	buf     []byte   // whole records that wait; nil once closed or failed, which sends Add to makeRoom
	records uint64
	bytes   uint64
	err     error
}

// CreateTrace starts an event trace that will be called path. The buffer takes
// bufBytes bytes: [DefaultBuffer] if that is 0 or less, at most [MaxBuffer]; it
// grows if a single record is larger.
//
// It is an error if the folder does not exist or cannot be written to, if path exists
// (nothing is overwritten; wraps [fs.ErrExist]), or if path with [PartSuffix] exists:
// then another writer is at work, or was interrupted.
func CreateTrace(path string, bufBytes int) (*TraceWriter, error) {
	file, err := os.OpenFile(path+PartSuffix, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, traceError(err, "another run writes it or was interrupted: remove it or name another folder")
	}
	if err != nil {
		return nil, traceError(err, "name a folder that exists and can be written to")
	}
	w := newTraceWriter(file, path, bufBytes)
	// Only now, as the temporary file keeps other writers from finishing under this name.
	if _, err := os.Lstat(path); err == nil {
		exists := &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
		return nil, errors.Join(traceError(exists, "remove it or name another folder"), w.Abort())
	}
	return w, nil
}

func newTraceWriter(file *os.File, path string, bufBytes int) *TraceWriter {
	if bufBytes <= 0 {
		bufBytes = DefaultBuffer
	}
	buf := make([]byte, 0, min(bufBytes, MaxBuffer))
	return &TraceWriter{path: path, part: true, file: file, buf: buf}
}

// Add appends one record: LPs, virtual times, real time in seconds since the run
// started, and the model's own data, at most [MaxPayload] bytes, which are copied. Of
// the ids the low 32 bits are stored, of the times the nearest float32.
//
// Add does not allocate, unless the record is larger than the buffer ever was. After
// a failure, and after Close or Abort, it stores nothing: see [TraceWriter.Err].
func (w *TraceWriter) Add(src, dest uint64, send, recv, real float64, payload []byte) {
	room := min(cap(w.buf)-len(w.buf)-headerSize, MaxPayload)
	if len(payload) > room && !w.makeRoom(len(payload)) {
		return
	}
	w.buf = appendRecord(w.buf, &Event{
		Src:     uint32(src),
		Dest:    uint32(dest),
		SendTS:  float32(send),
		RecvTS:  float32(recv),
		RealTS:  float32(real),
		Payload: payload,
	})
	w.records++
	w.bytes += uint64(headerSize + len(payload))
}

// AddRecords appends whole records that another writer has made, as they are in its
// file.
func (w *TraceWriter) AddRecords(records []byte) {
	if w.err != nil || w.file == nil && !w.makeRoom(0) {
		return
	}
	w.flush()
	if w.err == nil {
		_, err := w.file.Write(records)
		w.bytes += uint64(len(records))
		w.fail(err, "free space on the disk or name another folder")
	}
}

// Path returns the final name of the file.
func (w *TraceWriter) Path() string { return w.path }

// makeRoom empties the buffer, so that a record with n bytes of payload fits, and
// tells whether it does.
func (w *TraceWriter) makeRoom(n int) bool {
	if w.file == nil {
		w.fail(w.addError(fs.ErrClosed), "add all records before Close and Abort")
	}
	w.flush() // first, as a failure drops what waits
	if n > MaxPayload {
		w.fail(w.addError(fmt.Errorf("%w (%d bytes)", ErrPayloadSize, n)), "let the model trace less of its message")
	}
	if w.err != nil {
		return false
	}
	w.buf = slices.Grow(w.buf, headerSize+n)
	return true
}

func (w *TraceWriter) flush() {
	if len(w.buf) == 0 {
		return
	}
	_, err := w.file.Write(w.buf)
	w.buf = w.buf[:0]
	w.fail(err, "free space on the disk or name another folder")
}

// Records returns how many records Add accepted. They are all in the file once Close
// returned nil.
func (w *TraceWriter) Records() uint64 { return w.records }

// Bytes returns the length of the accepted records in bytes, payloads included.
func (w *TraceWriter) Bytes() uint64 { return w.bytes }

// Err returns the first failure, nil if there was none. It names the file.
func (w *TraceWriter) Err() error { return w.err }

// Close writes what waits, forces the file to the disk and gives it its final name. It
// returns the first failure since CreateTrace; then the file keeps its temporary
// name, for the user to look at or for Abort to remove. To close again does nothing
// and returns the same.
func (w *TraceWriter) Close() error {
	if w.file == nil {
		return w.err
	}
	w.flush()
	if w.err == nil {
		w.fail(w.file.Sync(), "check the disk")
	}
	w.fail(w.closeFile(), "check the disk")
	if w.err == nil {
		err := os.Rename(w.path+PartSuffix, w.path)
		w.part = err != nil
		w.fail(err, "give the file its name by hand, it is complete")
	}
	return w.err
}

// Abort gives the trace up: it removes the temporary file. After a Close that
// returned nil, and when called again, it does nothing.
func (w *TraceWriter) Abort() error {
	var closeErr error
	if w.file != nil {
		closeErr = w.closeFile()
	}
	if !w.part {
		return nil
	}
	w.part = false
	err := os.Remove(w.path + PartSuffix)
	if err = errors.Join(closeErr, err); err != nil {
		return traceError(err, "remove the file by hand")
	}
	return nil
}

func (w *TraceWriter) closeFile() error {
	err := w.file.Close()
	w.file, w.buf = nil, nil
	return err
}

// fail keeps the first error; later ones are its consequences.
func (w *TraceWriter) fail(err error, fix string) {
	if err != nil && w.err == nil {
		w.err, w.buf = traceError(err, fix), nil
	}
}

func (w *TraceWriter) addError(err error) error {
	return &fs.PathError{Op: "add to", Path: w.path, Err: err}
}

// traceError expects an error that names the file, as those of package os do.
func traceError(err error, fix string) error {
	return fmt.Errorf("ross: event trace: %w: %s", err, fix)
}
