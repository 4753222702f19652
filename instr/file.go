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

// FileOptions say who writes into a [File], and how. All fields may be left zero.
type FileOptions struct {
	Buffers int         // how many: one for each PE of this process
	Size    int         // bytes of each buffer at most (--buffer-size); 0: DefaultBuffer; not more than MaxBuffer
	Unit    int         // bytes of each record, if all have as many; else 0: see Buffer.HandOver
	Limit   *Limit      // of what this file and others take together; nil: none
	Discard bool        // what is collected is thrown away, and no file is made (--disable-output)
	Join    bool        // another rank has created the file, and will publish it
	Shared  bool        // other ranks write into the file too: a flush is written once Place says where
	Failed  func(error) // called once, from the file's goroutine, when writing fails
}

// File is an output file of the instrumentation. PEs put records into buffers of their
// own, which a goroutine writes.
//
// All buffers hand over what they hold from time to time, once in a round of GVT say.
// Flush k is what their k-th hand-overs gave: the bytes of buffer 0, then those of buffer
// 1, ... The file is one flush after the other, as in ROSS, so its bytes do not depend on who
// was faster. The buffers of a flush need not be handed over at the same time.
//
// A failure, of a full disk say, stops the file and not the simulation: it is kept for
// Err, the file is cut back to its last whole flush, and what buffers hand over later is
// thrown away. A file that is shared is not cut: where the failed flush belongs it may hold
// anything.
//
// A process that is killed leaves path+PartSuffix with all that was written, in order. The
// kernel ends a write of a killed process between two pages, so the last record may be
// cut; readers tell where.
type File struct {
	path    string // final name; the records go to path+PartSuffix
	o       FileOptions
	disk    disk
	buffers []*Buffer
	done    chan struct{} // closed by the goroutine when it ends
	direct  *os.File      // past the page cache; nil if nothing goes there
	past    int64         // bytes that went there
	space   int64         // up to where there is disk space, as far as the goroutine knows
	noSpace bool          // the file system does not reserve any

	mu      sync.Mutex // guards what follows
	work    sync.Cond  // there is something to write, or the end has come
	freed   sync.Cond  // slices have become free
	flushes []*flush   // that wait, oldest first
	writing *flush     // no longer among them
	spare   []*flush
	first   uint64 // number of flushes[0]
	end     int64  // where the next flush begins, if nobody else writes
	written int64
	err     error
	swallow bool // what is handed over is thrown away
	ending  bool // nothing more comes
	aborted bool
	part    bool // path+PartSuffix exists and is ours
}

// disk is what is needed of an os.File.
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
// (nothing is overwritten; wraps [fs.ErrExist]), or if path with PartSuffix exists:
// then another run is at work, or was interrupted. With FileOptions.Join it is an error if
// path with PartSuffix does not exist.
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
		return nil, errors.Join(fileError(exists, "remove it or name another folder"), file.Close(), os.Remove(path+PartSuffix))
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
		f.buffers = append(f.buffers, &Buffer{file: f, index: i, size: min(o.Size, MaxBuffer), period: periodOf(o.Unit, min(o.Size, MaxBuffer)), limit: o.Limit})
	}
	return f
}

// Buffer returns buffer i, 0 to FileOptions.Buffers - 1.
func (f *File) Buffer(i int) *Buffer { return f.buffers[i] }

// FlushSize returns the bytes of the oldest flush for which all buffers have been handed
// over and which has no place yet, and whether there is one. It is 0 if nothing was
// collected, and after a failure. Only with FileOptions.Shared.
func (f *File) FlushSize() (int64, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if fl := f.unplaced(); fl != nil {
		return fl.size, true
	}
	return 0, false
}

// Place says where in the file the flush begins that FlushSize told of, bytes. Without
// such a flush it does nothing.
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

// Close waits until all that was handed over is written, forces it to the disk and closes
// the file, which keeps its temporary name. A flush for which some buffers have not
// been handed over is written without them. It returns the first failure since
// Create. To close again does nothing and returns the same.
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

// Publish closes the file, if that was not done, and gives it its final name. After a
// failure the file keeps its temporary name, and the error says so. With
// FileOptions.Join it is the other rank that publishes: nothing is done.
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

// Abort gives the file up: what was not written yet is thrown away, and the file is
// removed, unless it was published, or is another rank's (FileOptions.Join). When called
// again it does nothing.
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

// Cut ends a file that was closed and not published after so many bytes: what all ranks
// have written. Space that was reserved behind it is given back. With FileOptions.Join, or
// if there is no file, it does nothing.
func (f *File) Cut(bytes int64) error {
	if !f.part {
		return nil
	}
	if err := os.Truncate(f.path+PartSuffix, bytes); err != nil {
		return fileError(err, "records after byte "+strconv.FormatInt(bytes, 10)+" may be damaged")
	}
	return nil
}
