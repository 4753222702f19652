// This file owns Buffer, which holds the records of a PE until they are written; Limit, the limit on the total size of
// a run's files; and the alignment that lets parts of a file be written as whole blocks, without copying.

package instr

import (
	"sync/atomic"
	"unsafe"
)

// firstSlice is the initial size of a buffer, in bytes; it grows as needed.
const firstSlice = 64 << 10

// apart is the padding in bytes that keeps the buffers of PEs in different pages: processors
// prefetch lines up to the end of a page.
const apart = 4096

// Buffer collects the records of one PE. One goroutine uses it at a time. See [File].
type Buffer struct {
	buf         []byte // the records since the last hand-over
	end         int    // how far buf may be filled without further checks, bytes
	records     uint64
	missed      uint64
	missedBytes uint64
	size        int // bytes at most
	period      int // if not 0, each hand-over is a multiple of it, bytes
	file        *File
	index       int
	handed      uint64   // hand-overs so far: the flush that buf will be part of
	room        int      // size of all slices, buf included, bytes
	limit       *Limit   // nil if there is no limit
	drawn       int      // the part of it for buf, bytes
	over        bool     // no more records are accepted
	free        [][]byte // slices not in use; guarded by file.mu
	_           [apart]byte
}

// Reserve returns room for a record of n bytes. The caller must fill all of it before the next
// call of a method, because it is not zeroed. Reserve returns nil if the buffer has no room until
// the next hand-over; the record then counts as missed. It also returns nil once FileOptions.Limit
// is reached, or after Stop.
func (b *Buffer) Reserve(n int) []byte {
	at := len(b.buf)
	if n > b.end-at {
		return b.grow(n)
	}
	b.buf = b.buf[:at+n]
	b.records++
	return b.buf[at : at+n : at+n]
}

// grow is Reserve when the slice is too small, or the bytes drawn from the limit are used up.
func (b *Buffer) grow(n int) []byte {
	at := len(b.buf)
	if b.over {
		return nil
	}
	if n > b.size-at {
		b.missed++
		b.missedBytes += uint64(n)
		return nil
	}
	if b.limit != nil && at+n > b.drawn {
		got := b.limit.draw(at + n - b.drawn)
		if got == 0 {
			b.Stop()
			return nil
		}
		b.drawn += got
	}
	if n > cap(b.buf)-at {
		larger := append(makeSlice(min(max(2*cap(b.buf), at+n, firstSlice), b.size)), b.buf...)
		b.room += cap(larger) - cap(b.buf)
		b.buf = larger
	}
	b.setEnd()
	return b.Reserve(n)
}

func (b *Buffer) setEnd() {
	switch b.end = cap(b.buf); {
	case b.over:
		b.end = len(b.buf)
	case b.limit != nil:
		b.end = min(b.end, b.drawn)
	}
}

// Stop makes the buffer refuse all records from now on, without counting them as missed.
func (b *Buffer) Stop() {
	b.over = true
	b.setEnd()
}

// Used returns how many bytes wait for the next hand-over.
func (b *Buffer) Used() int { return len(b.buf) }

// Size returns the most bytes that it takes between two hand-overs.
func (b *Buffer) Size() int { return b.size }

// Records returns how many records were accepted since the start. Missed records are not counted.
func (b *Buffer) Records() uint64 { return b.records }

// Missed returns how many records were refused since the start for want of room, and
// their bytes.
func (b *Buffer) Missed() (records, bytes uint64) { return b.missed, b.missedBytes }

// HandOver ends this buffer's part of the current flush, and empties the buffer. The file's
// goroutine writes the part once all buffers have handed over theirs. With FileOptions.Unit the
// last records may wait for the next flush, so that parts are whole blocks; HandOverAll leaves
// none.
//
// HandOver waits only if the disk is slower than the simulation; otherwise the buffer continues
// with another slice. All slices together may have twice the buffer's size. HandOver never waits
// for another PE or for [File.Place]: if one of those is late, there are more slices.
func (b *Buffer) HandOver() {
	if b.period > 0 {
		b.handOver(len(b.buf) - len(b.buf)%b.period)
		return
	}
	b.handOver(len(b.buf))
}

// HandOverAll is the last HandOver.
func (b *Buffer) HandOverAll() { b.handOver(len(b.buf)) }

// handOver hands the first n bytes over.
func (b *Buffer) handOver(n int) {
	full, rest := b.buf, b.buf[n:]
	if !b.file.handOver(b, n) {
		b.buf = makeSlice(cap(full))
		b.room += cap(b.buf)
	}
	b.buf = append(b.buf[:0], rest...)
	if b.limit != nil {
		b.drawn -= n
	}
	b.setEnd()
}

// next switches to a free slice, and reports whether there was one. The caller holds the lock.
func (b *Buffer) next() bool {
	f := b.file
	for len(b.free) == 0 && b.room+cap(b.buf) > 2*b.size && (f.writing != nil || f.ready()) {
		f.freed.Wait()
	}
	last := len(b.free) - 1
	if last < 0 {
		return false
	}
	b.buf, b.free = b.free[last], b.free[:last]
	return true
}

// Limit bounds the total size of several files, in bytes. Buffers draw on it ahead of their records
// and return nothing, so the files never exceed it and, unless records are very large, get close to
// it. Once a record finds nothing left, its buffer accepts no more records: a collection ends
// early, but has no holes. A Limit is safe for concurrent use.
type Limit struct {
	left    atomic.Int64
	lot     int64 // what a buffer draws at a time, unless its record needs more
	reached atomic.Bool
	tell    func()
}

// NewLimit returns a limit of the given number of bytes for the given number of buffers. tell,
// unless nil, is called once, by the first buffer that finds nothing left.
func NewLimit(bytes int64, buffers int, tell func()) *Limit {
	l := &Limit{lot: min(bytes/int64(max(buffers, 1))/64, firstSlice), tell: tell}
	l.left.Store(bytes)
	return l
}

// Reached reports whether a record has found nothing left.
func (l *Limit) Reached() bool { return l.reached.Load() }

// draw takes n bytes, or some more if available, and returns how many; 0 if fewer than n are left.
func (l *Limit) draw(n int) int {
	for {
		left := l.left.Load()
		if left < int64(n) {
			if !l.reached.Swap(true) && l.tell != nil {
				l.tell()
			}
			return 0
		}
		if got := min(max(int64(n), l.lot), left); l.left.CompareAndSwap(left, left-got) {
			return int(got)
		}
	}
}

// block is the alignment in bytes of addresses, offsets and lengths of writes past the page
// cache.
const block = 4096

// mostPeriod is the most that a buffer keeps for the next flush, in bytes.
const mostPeriod = 64 << 10

// periodOf returns the least common multiple, in bytes, of a record of unit bytes and a
// block, or 0 if that is too much to keep in a buffer of size bytes.
func periodOf(unit, size int) int {
	if unit <= 0 {
		return 0
	}
	a, b := unit, block
	for b != 0 {
		a, b = b, a%b
	}
	if p := unit / a * block; p <= min(mostPeriod, size/8) {
		return p
	}
	return 0
}

// makeSlice returns an empty slice for n bytes that is aligned to a block.
func makeSlice(n int) []byte {
	room := make([]byte, n+block)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(room))) % block)
	return room[skip : skip : skip+n]
}

// inBlocks reports whether p can be written at an offset without copying.
func inBlocks(p []byte, at int64) bool {
	return at%block == 0 && len(p)%block == 0 && uintptr(unsafe.Pointer(unsafe.SliceData(p)))%block == 0
}
