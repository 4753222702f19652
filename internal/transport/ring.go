// This file owns Ring.

package transport

import (
	"math/bits"
	"sync/atomic"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/invariants"
)

// line keeps what the two sides write apart, bytes: processors fetch lines in
// pairs.
const line = 128

// Ring is a channel from one PE to another. Push is for the producer's
// goroutine, Next and Take are for the consumer's. NewRing makes one.
type Ring struct {
	_    [line]byte
	tail atomic.Uint64 // keys ever pushed
	seen uint64        // the producer's knowledge of head
	_    [line - 16]byte
	head atomic.Uint64 // keys ever taken
	_    [line - 8]byte
	buf  []event.Key
	mask uint64
}

// NewRing returns a ring with room for n keys, rounded up to a power of two, 1
// at least.
func NewRing(n int) *Ring {
	size := uint64(1) << bits.Len64(uint64(max(n, 1)-1))
	return &Ring{buf: make([]event.Key, size), mask: size - 1}
}

// Cap returns how many keys there is room for.
func (r *Ring) Cap() int { return len(r.buf) }

// Push appends as many of the keys as there is room for, the first ones, and
// returns how many.
func (r *Ring) Push(keys []event.Key) int {
	tail := r.tail.Load()
	n := uint64(len(keys))
	if r.room(tail) < n {
		r.seen = r.head.Load()
		n = min(n, r.room(tail))
	}
	if n == 0 {
		return 0
	}
	from := tail & r.mask
	if k := copy(r.buf[from:], keys[:n]); uint64(k) < n {
		copy(r.buf, keys[k:n])
	}
	r.tail.Store(tail + n)
	return int(n)
}

// room returns how many keys there is room for, as far as the producer knows.
func (r *Ring) room(tail uint64) uint64 { return uint64(len(r.buf)) - (tail - r.seen) }

// Next returns keys that wait, the oldest first: all of them, or those up to the
// end of the buffer, then the rest after Take. None wait if there are none. They
// are good until Take.
func (r *Ring) Next() []event.Key {
	head := r.head.Load()
	from := head & r.mask
	to := min(from+r.tail.Load()-head, uint64(len(r.buf)))
	return r.buf[from:to:to]
}

// Take gives back the room of the first n keys, at most as many as Next
// returned.
func (r *Ring) Take(n int) {
	head := r.head.Load()
	if invariants.Enabled {
		waiting := r.tail.Load() - head
		invariants.Check(uint64(n) <= waiting, "%d keys taken from a ring of %d", n, waiting)
	}
	r.head.Store(head + uint64(n))
}
