// This file assembles parts into flushes, and owns the goroutine that writes them, for which Go gets one more
// processor.

package instr

import (
	"errors"
	"io/fs"
	"runtime"
	"slices"
	"sync"
)

// flush is what all buffers hand over for one flush.
type flush struct {
	parts  [][]byte // of the buffers, in their order; nil if empty
	size   int64    // bytes of all
	handed int      // how many have handed over
	placed bool     // at is set
	at     int64    // its offset in the file, if other ranks also write
}

// handOver puts the first n bytes of b into its current flush, and gives it another slice
// unless there is nothing to write. It reports whether there was a slice.
func (f *File) handOver(b *Buffer, n int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ending {
		return true
	}
	k := int(b.handed - f.first)
	b.handed++
	for k >= len(f.flushes) {
		f.flushes = append(f.flushes, f.newFlush())
	}
	fl := f.flushes[k]
	fl.handed++
	if n == 0 || f.swallow {
		f.advance()
		return true
	}
	fl.parts[b.index] = b.buf[:n]
	fl.size += int64(n)
	f.advance()
	return b.next()
}

func (f *File) newFlush() *flush {
	if last := len(f.spare) - 1; last >= 0 {
		fl := f.spare[last]
		f.spare = f.spare[:last]
		return fl
	}
	return &flush{parts: make([][]byte, len(f.buffers))}
}

// complete reports whether all parts of a flush are handed over, and its offset is known.
func (f *File) complete(fl *flush) bool {
	if f.o.Shared {
		return fl.placed
	}
	return fl.handed == len(f.buffers) || f.ending
}

// ready reports whether the goroutine has something to write.
func (f *File) ready() bool {
	return len(f.flushes) > 0 && f.flushes[0].size > 0 && f.complete(f.flushes[0])
}

// advance drops empty flushes, and wakes the goroutine if it has something to write.
// The caller holds the lock.
func (f *File) advance() {
	for len(f.flushes) > 0 && f.flushes[0].size == 0 && f.complete(f.flushes[0]) {
		f.recycle(f.pop())
	}
	if f.writing == nil && f.ready() {
		f.work.Signal()
	}
}

// pop removes the oldest waiting flush.
func (f *File) pop() *flush {
	fl := f.flushes[0]
	f.flushes = slices.Delete(f.flushes, 0, 1)
	f.first++
	return fl
}

func (f *File) recycle(fl *flush) {
	f.empty(fl)
	*fl = flush{parts: fl.parts}
	f.spare = append(f.spare, fl)
}

// empty returns the parts of a flush to their buffers.
func (f *File) empty(fl *flush) {
	for i, part := range fl.parts {
		if part != nil {
			f.buffers[i].free = append(f.buffers[i].free, part[:0])
			fl.parts[i] = nil
		}
	}
	fl.size = 0
}

// run is the goroutine: it writes one flush after the other until Close or Abort.
func (f *File) run() {
	defer close(f.done)
	defer leaveSpare()
	f.mu.Lock()
	defer f.mu.Unlock()
	for !f.ending || f.ready() {
		if f.ready() {
			f.writeOldest()
		} else {
			f.work.Wait()
		}
	}
	for _, fl := range f.flushes {
		if fl.size > 0 {
			f.fail(&fs.PathError{Op: "write", Path: f.path + PartSuffix, Err: errNoPlace}, "agree on it before the end")
		}
	}
	if f.err == nil && !f.aborted {
		f.fail(f.giveBack(), "check the disk")
		f.fail(f.disk.Sync(), "check the disk")
	}
	f.fail(f.disk.Close(), "check the disk")
	if f.direct != nil {
		_ = f.direct.Close() // what it wrote is in the file
	}
}

var errNoPlace = errors.New("the last flush has no place")

// writeOldest writes the oldest flush. The caller holds the lock, which is released during
// the write.
func (f *File) writeOldest() {
	fl := f.pop()
	begin := f.end
	if f.o.Shared {
		begin = fl.at
	}
	f.writing = fl
	f.mu.Unlock()
	err := f.write(fl, begin)
	f.mu.Lock()
	f.writing = nil
	if err == nil {
		f.end = begin + fl.size
		f.written += fl.size
	}
	f.recycle(fl)
	f.fail(err, "free space on the disk or name another folder with --stats-path")
	f.advance()
	f.freed.Broadcast()
}

// write writes the parts of a flush one after the other, or none of them.
func (f *File) write(fl *flush, begin int64) error {
	f.makeSpace(begin, begin+fl.size)
	at := begin
	for _, part := range fl.parts {
		if len(part) == 0 || f.writeBlocks(part, at) {
			at += int64(len(part))
			continue
		}
		if _, err := f.disk.WriteAt(part, at); err != nil {
			if !f.o.Shared {
				_ = f.disk.Truncate(begin) // if this fails too, readers report the truncated record
			}
			return err
		}
		at += int64(len(part))
	}
	return nil
}

// leastDirect is the least size in bytes that is worth writing past the page cache.
const leastDirect = 128 << 10

// writeBlocks writes a part past the page cache if possible, and reports whether it did. If
// the file system refuses, the usual write reports why.
func (f *File) writeBlocks(part []byte, at int64) bool {
	if f.direct == nil || len(part) < leastDirect || !inBlocks(part, at) {
		return false
	}
	if _, err := f.direct.WriteAt(part, at); err != nil {
		return false
	}
	f.past += int64(len(part))
	return true
}

// Space is reserved in steps that grow with the file, bytes.
const (
	leastStep = 1 << 20
	mostStep  = 256 << 20
)

// makeSpace reserves disk space up to end for a write from begin on. If there is no space, the
// write itself will fail.
func (f *File) makeSpace(begin, end int64) {
	for end > f.space && !f.noSpace {
		from := max(f.space, begin)
		step := min(max(from, end-from, leastStep), max(mostStep, end-from))
		f.noSpace = !allocate(f.disk, from, step)
		f.space = from + step
	}
}

// giveBack releases the space behind the end of the file.
func (f *File) giveBack() error {
	if f.space <= f.end || f.o.Shared { // other ranks may still write: see Cut
		return nil
	}
	return f.disk.Truncate(f.end)
}

// fail keeps the first failure. From then on, waiting and later parts are discarded. The
// goroutine calls it with the lock held.
func (f *File) fail(err error, fix string) {
	if err == nil || f.err != nil {
		return
	}
	err = fileError(err, fix)
	f.err = err
	f.stop()
	if f.o.Failed != nil {
		f.mu.Unlock()
		f.o.Failed(err)
		f.mu.Lock()
	}
}

// stop throws away what waits and what comes. The caller holds the lock.
func (f *File) stop() {
	f.swallow = true
	for _, fl := range f.flushes {
		f.empty(fl)
	}
	f.freed.Broadcast()
}

// spare counts the goroutines that write files. PEs never give up Go's processors
// (GOMAXPROCS), so a writer would wait milliseconds for one. While there are writers, Go has
// one processor more; the operating system gives it time as needed.
var spare struct {
	sync.Mutex
	users, before int
}

func takeSpare() {
	spare.Lock()
	defer spare.Unlock()
	if spare.users++; spare.users == 1 {
		spare.before = runtime.GOMAXPROCS(0)
		runtime.GOMAXPROCS(spare.before + 1)
	}
}

func leaveSpare() {
	spare.Lock()
	defer spare.Unlock()
	if spare.users--; spare.users == 0 && runtime.GOMAXPROCS(0) == spare.before+1 { // otherwise it was changed elsewhere
		runtime.GOMAXPROCS(spare.before)
	}
}
