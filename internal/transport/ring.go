// Package transport carries keys of events from one PE to another.
//
// A [Ring] is a bounded queue with one producer and one consumer, neither of
// which ever waits: the producer keeps what finds no room, the consumer takes
// what is there (Lamport, "Specifying concurrent program modules", TOPLAS 5(2),
// 1983; with the indices of the other side cached as in FastForward and its
// descendants). An event itself is not copied: it lies in memory that all PEs
// of a process share, and the receiver owns it from the moment it takes the key.
package transport

import (
	"sync/atomic"

	"github.com/ross-go/ross/internal/event"
)

// line keeps what the two sides write apart: processors fetch lines in pairs.
const line = 128

// Ring is a channel from one PE to another. Push is for the producer, Next and
// Take for the consumer. The zero Ring is of no use.
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

// NewRing returns a ring with room for n keys, rounded up to a power of two.
func NewRing(n int) *Ring {
	size := 1
	for size < n {
		size *= 2
	}
	return &Ring{buf: make([]event.Key, size), mask: uint64(size - 1)}
}

// Cap returns how many keys there is room for.
func (r *Ring) Cap() int { return len(r.buf) }

// Push appends as many of the keys as there is room for, and returns how many.
func (r *Ring) Push(keys []event.Key) int {
	tail := r.tail.Load()
	room := uint64(len(r.buf)) - (tail - r.seen)
	if room < uint64(len(keys)) {
		r.seen = r.head.Load()
		room = uint64(len(r.buf)) - (tail - r.seen)
	}
	n := min(room, uint64(len(keys)))
	for i := range n {
		r.buf[(tail+i)&r.mask] = keys[i]
	}
	if n > 0 {
		r.tail.Store(tail + n)
	}
	return int(n)
}

// Next returns keys that wait, the oldest first: all of them, or those up to the
// end of the buffer. They are good until Take.
func (r *Ring) Next() []event.Key {
	head, tail := r.head.Load(), r.tail.Load()
	from := head & r.mask
	return r.buf[from:min(from+tail-head, uint64(len(r.buf)))]
}

// Take gives back the room of the first n keys.
func (r *Ring) Take(n int) { r.head.Store(r.head.Load() + uint64(n)) }
