// This file owns File: options, names, and the end of a file of records.

package instr

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"sync"
)

const (
	// DefaultBuffer is the size of a buffer in bytes when none is asked for
	// (--buffer-size in ROSS).
	DefaultBuffer = 8_000_000
	// MaxBuffer is the largest size in bytes; requests for more get this one.
	MaxBuffer = 1 << 28
	// PartSuffix follows the name of a file that is not complete yet.
	PartSuffix = ".part"
)

// FileOptions select which buffers write into a [File], and how. All fields may be zero.
type FileOptions struct {
	Buffers int         // number of buffers: one for each PE of this process
	Size    int         // bytes of each buffer at most (--buffer-size); 0: DefaultBuffer; not more than MaxBuffer
	Unit    int         // bytes of each record if all have the same size, else 0: see Buffer.HandOver
	Limit   *Limit      // limit on the size of this file and others together; nil: none
	Discard bool        // records are discarded, and no file is made (--disable-output)
	Join    bool        // another rank has created the file, and will publish it
	Shared  bool        // other ranks also write into the file: a flush is written once Place has set its offset
	Failed  func(error) // called once, from the file's goroutine, when writing fails
}

// File is an output file of the instrumentation. Each PE puts records into its own buffer,
// and a goroutine writes the buffers.
//
// All buffers hand over their contents from time to time, for example once in a round of GVT.
// Flush k consists of their k-th hand-overs: the bytes of buffer 0, then those of buffer 1,
// ... The file is one flush after the other, as in ROSS, so its bytes do not depend on which
// PE was faster. The buffers of a flush need not be handed over at the same time.
//
// A failure, such as a full disk, stops the file but not the simulation: it is kept for Err,
// the file is truncated to its last whole flush, and later hand-overs are discarded. A shared
// file is not truncated: at the place of the failed flush it may hold anything.
//
// A killed process leaves path+PartSuffix with everything that was written, in order. The
// kernel ends a write of a killed process between two pages, so the last record may be
// truncated; readers report where.
type File struct {
	path    string // final name; the records go to path+PartSuffix
	o       FileOptions
	disk    disk
	buffers []*Buffer
	done    chan struct{} // closed by the goroutine when it ends
	direct  *os.File      // writes past the page cache; nil if there are none
	past    int64         // bytes written past the page cache
	space   int64         // end of the disk space known to be reserved
	noSpace bool          // the file system does not reserve space

	mu      sync.Mutex // guards the following fields
	work    sync.Cond  // there is something to write, or nothing more to come
	freed   sync.Cond  // slices have become free
	flushes []*flush   // that are waiting, oldest first
	writing *flush     // the last one that is no longer waiting
	spare   []*flush
	first   uint64 // number of flushes[0]
	end     int64  // where the next flush begins, unless other ranks write
	written int64
	err     error
	swallow bool // hand-overs are discarded
	ending  bool // nothing more comes
	aborted bool
	part    bool // path+PartSuffix exists and is ours
}

// disk has the methods of os.File that a File needs.
type disk interface {
	io.WriterAt
	Truncate(size int64) error
	Sync() error
	Close() error
}

// Create starts a file that will be called path. Until Publish it has [PartSuffix] after
// its name.
//
// It is an error if the folder does not exist or cannot be written to, if path exists
// (nothing is overwritten; wraps [fs.ErrExist]), or if path with PartSuffix exists: then
// another run is writing it, or was interrupted. With FileOptions.Join it is an error if path
// with PartSuffix does not exist.
func Create(path string, o FileOptions) (*File, error) {
	if o.Discard {
		f := newFile(path, nil, o)
		close(f.done)
		return f, nil
	}
	if o.Join {
		file, err := os.OpenFile(path+PartSuffix, os.O_WRONLY, 0)
		if err != nil {
			return nil, fileError(err, "name a folder that all ranks share with --stats-path")
		}
		return start(newFile(path, file, o)), nil
	}
	file, err := os.OpenFile(path+PartSuffix, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, fileError(err, "another run writes it or was interrupted: remove it or name another folder")
	}
	if err != nil {
		return nil, fileError(err, "name a folder that exists and can be written to")
	}
	// Only now, as the temporary file keeps others from finishing under this name.
	if _, err := os.Lstat(path); err == nil {
		exists := &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
		return nil, errors.Join(fileError(exists, "remove it or name another folder"), file.Close(),
			os.Remove(path+PartSuffix))
	}
	f := newFile(path, file, o)
	f.part = true
	return start(f), nil
}

func start(f *File) *File {
	if len(f.buffers) > 0 && f.buffers[0].period > 0 {
		f.direct = openDirect(f.path + PartSuffix)
	}
	takeSpare()
	go f.run()
	return f
}

func newFile(path string, d disk, o FileOptions) *File {
	if o.Size <= 0 {
		o.Size = DefaultBuffer
	}
	f := &File{path: path, o: o, disk: d, done: make(chan struct{}), swallow: o.Discard}
	f.work.L, f.freed.L = &f.mu, &f.mu
	for i := range o.Buffers {
		f.buffers = append(f.buffers, &Buffer{file: f, index: i, size: min(o.Size, MaxBuffer),
			period: periodOf(o.Unit, min(o.Size, MaxBuffer)), limit: o.Limit})
	}
	return f
}

// Buffer returns buffer i, 0 to FileOptions.Buffers - 1.
func (f *File) Buffer(i int) *Buffer { return f.buffers[i] }

// FlushSize returns the size in bytes of the oldest flush for which all buffers have been
// handed over and Place was not called, and whether there is one. The size is 0 if nothing
// was collected, and after a failure. Only with FileOptions.Shared.
func (f *File) FlushSize() (int64, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if fl := f.unplaced(); fl != nil {
		return fl.size, true
	}
	return 0, false
}

// Place sets the offset in bytes of the flush that FlushSize reported. If there is no such
// flush, it does nothing.
func (f *File) Place(offset int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if fl := f.unplaced(); fl != nil {
		fl.at, fl.placed = offset, true
		f.advance()
	}
}

func (f *File) unplaced() *flush {
	for _, fl := range f.flushes {
		if f.o.Shared && !fl.placed && fl.handed == len(f.buffers) {
			return fl
		}
	}
	return nil
}

// Err returns the first failure, nil if there was none. It names the file.
func (f *File) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// Bytes returns how many bytes this process has written, in whole flushes.
func (f *File) Bytes() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.written
}

// Close waits until everything handed over is written, forces it to the disk and closes the
// file, which keeps its temporary name. A flush for which some buffers have not been handed
// over is written without them. It returns the first failure since Create. Further calls do
// nothing and return the same error.
func (f *File) Close() error {
	f.finish(false)
	return f.Err()
}

func (f *File) finish(abort bool) {
	f.mu.Lock()
	if !f.ending {
		f.ending, f.aborted = true, abort
		if abort {
			f.stop()
		}
		f.advance()
		f.work.Signal()
	}
	f.mu.Unlock()
	<-f.done
}

// Publish closes the file, if it is not closed, and gives it its final name. After a failure
// the file keeps its temporary name, and the error says so. With FileOptions.Join the other
// rank publishes, and Publish does nothing.
func (f *File) Publish() error {
	err := f.Close()
	if !f.part {
		return err
	}
	if err != nil {
		return fmt.Errorf("%w (what was written before is in %s)", err, f.path+PartSuffix)
	}
	if err := os.Rename(f.path+PartSuffix, f.path); err != nil {
		return fileError(err, "give the file its name by hand, it is complete")
	}
	f.part = false
	return nil
}

// Abort discards everything not yet written, and removes the file unless it was published or
// is another rank's (FileOptions.Join). Further calls do nothing.
func (f *File) Abort() error {
	f.finish(true)
	if !f.part {
		return nil
	}
	f.part = false
	if err := os.Remove(f.path + PartSuffix); err != nil {
		return fileError(err, "remove the file by hand")
	}
	return nil
}

// Cut truncates a file that was closed and not published to the given size, which is what all
// ranks have written, and releases the space reserved behind it. With FileOptions.Join, or if
// there is no file, it does nothing.
func (f *File) Cut(bytes int64) error {
	if !f.part {
		return nil
	}
	if err := os.Truncate(f.path+PartSuffix, bytes); err != nil {
		return fileError(err, "records after byte "+strconv.FormatInt(bytes, 10)+" may be damaged")
	}
	return nil
}
