// This file owns Buffer: where a PE puts its records until they are written.

package instr

// firstSlice is how much a buffer takes at first, bytes; it grows as it is used.
const firstSlice = 64 << 10

// apart keeps the buffers of PEs in different pages, bytes: processors fetch lines ahead
// of what they use, up to the end of a page.
const apart = 4096

// Buffer collects the records of one PE. One goroutine uses it at a time. See [File].
type Buffer struct {
	buf         []byte // the records since the last hand-over
	end         int    // how far buf may be filled without looking further, bytes
	records     uint64
	missed      uint64
	missedBytes uint64
	size        int // bytes at most
	period      int // what is handed over is a multiple of it, if it is not 0, bytes
	file        *File
	index       int
	handed      uint64   // hand-overs so far: the flush that buf will be part of
	room        int      // what all slices take, buf included, bytes
	limit       *Limit   // nil if there is none
	drawn       int      // what of it is for buf, bytes
	over        bool     // no more records are taken
	free        [][]byte // those of no use now; guarded by file.mu
	_           [apart]byte
}

// Reserve returns room for a record of n bytes, to be filled wholly before the next call
// of a method: it is not zeroed. It returns nil if the buffer has no such room until the
// next hand-over; then the record is counted as missed. It also returns nil once FileOptions.Limit
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

// grow is Reserve where the slice is too small, or what was drawn is used up.
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

// Size returns how many bytes it takes at most between two hand-overs.
func (b *Buffer) Size() int { return b.size }

// Records returns how many records were taken since the start, those missed not
// among them.
func (b *Buffer) Records() uint64 { return b.records }

// Missed returns how many records were refused since the start for want of room, and
// their bytes.
func (b *Buffer) Missed() (records, bytes uint64) { return b.missed, b.missedBytes }

// HandOver ends the part that this buffer has in the current flush, and empties it. The
// file's goroutine writes the part once all buffers have handed over theirs. With
// FileOptions.Unit the last records may wait for the next flush, so that parts are whole
// blocks; HandOverAll leaves none.
//
// It waits only if the disk is slower than the simulation: until then the buffer goes on
// with another slice. All slices together may have twice its size. It never waits for
// another PE, nor for [File.Place], though: there are more of them if one of those is late.
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

// next goes on with a free slice, and reports whether there was one. The caller has the lock.
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
