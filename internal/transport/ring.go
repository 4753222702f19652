// This file owns Ring.

package transport

import (
	"math/bits"
	"sync/atomic"

	"github.com/ross-go/ross/internal/invariants"
)

// line, in bytes, separates what the two sides write: processors fetch cache lines
// in pairs.
const line = 128

// Ring is a channel of records from one PE to another. Room, Put and Push are for
// the producer's goroutine, Next and Take for the consumer's. NewRing makes one.
type Ring struct {
	_     [line]byte
	tail  atomic.Uint64 // records ever pushed
	seen  uint64        // the last head that the producer read
	_     [line - 16]byte
	head  atomic.Uint64 // records ever taken
	_     [line - 8]byte
	buf   []uint64
	words uint64 // of a record
	mask  uint64
	_     [line]byte
}

// NewRing returns a ring with room for n records, at least 1, rounded up to a power
// of two, of the given number of words each.
func NewRing(n, words int) *Ring {
	size := uint64(1) << bits.Len64(uint64(max(n, 1)-1))
	return &Ring{buf: make([]uint64, size*uint64(words)), words: uint64(words), mask: size - 1}
}

// Cap returns the capacity in records.
func (r *Ring) Cap() int { return int(r.mask + 1) }

// Room returns how many more records fit, at most n.
func (r *Ring) Room(n int) int {
	tail := r.tail.Load()
	if r.room(tail) < uint64(n) {
		r.seen = r.head.Load()
	}
	return int(min(uint64(n), r.room(tail)))
}

// room returns how many more records fit, as far as the producer knows.
func (r *Ring) room(tail uint64) uint64 { return r.mask + 1 - (tail - r.seen) }

// Put returns the place for the record after the next k ones. There must be room for
// more than k.
func (r *Ring) Put(k int) []uint64 {
	tail := r.tail.Load() + uint64(k)
	if invariants.Enabled {
		invariants.Check(tail-r.seen <= r.mask, "record %d put into a ring that has no room for it", k)
	}
	from := (tail & r.mask) * r.words
	return r.buf[from : from+r.words : from+r.words]
}

// Touch writes to the place of Put(k), if there is known to be room, so that the
// processor has the cache line by the time of Put. The consumer was the last to read
// it.
func (r *Ring) Touch(k int) {
	if tail := r.tail.Load(); uint64(k) < r.room(tail) {
		r.buf[((tail+uint64(k))&r.mask)*r.words] = 0
	}
}

// Push passes n more records, which have been put, to the consumer.
func (r *Ring) Push(n int) { r.tail.Store(r.tail.Load() + uint64(n)) }

// Empty reports whether there are no records.
func (r *Ring) Empty() bool { return r.head.Load() == r.tail.Load() }

// Next returns the waiting records, the oldest first: all of them, or those up to
// the end of the buffer, and the rest after Take. The result is empty only if no
// record waits. The records are valid until Take.
func (r *Ring) Next() []uint64 {
	head := r.head.Load()
	from := head & r.mask
	to := min(from+r.tail.Load()-head, r.mask+1)
	return r.buf[from*r.words : to*r.words : to*r.words]
}

// Take frees the room of the first n records, at most as many as Next returned.
func (r *Ring) Take(n int) {
	head := r.head.Load()
	if invariants.Enabled {
		waiting := r.tail.Load() - head
		invariants.Check(uint64(n) <= waiting, "%d records taken from a ring of %d", n, waiting)
	}
	r.head.Store(head + uint64(n))
}
