// This file owns Buffer, which holds the records of a PE until they are written.

package instr

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
	limit       *Limit   // nil if there is none
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
