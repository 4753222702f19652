// Package transport carries events from one PE to another. Packages timewarp (rings within a
// process) and world (streams between processes) use it.
//
// A [Ring] is a bounded queue of records of one size, with one producer and one
// consumer. Neither ever waits: the producer keeps what does not fit, and the
// consumer takes what is there. They share only two counters that never decrease, each
// written by one side (Lamport, "Specifying concurrent program modules", TOPLAS 5(2),
// 1983): tail counts what was put in, head what was taken out.
//
//	        head                tail
//	         | mod size          | mod size
//	+---+---+---+---+---+---+---+---+---+
//	|   |   | r | r | r | r | r |   |   |
//	+---+---+---+---+---+---+---+---+---+
//	          Next: oldest first  ^ Put, then Push
//
// The producer remembers the last head that it read, and reads it again only when that
// leaves no room (Lee, Bu and Chandranmenon, "A lock-free, cache-efficient shared ring
// buffer for multi-core architectures", ANCS 2010), so that the cache line of the head
// is seldom transferred; that of the tail is transferred once per batch.
//
// Records are contiguous, so that a processor that reads or writes some prefetches the
// next. Records keep the order in which they were put: an anti-message, which is a
// record like any other here, never overtakes the event that it cancels.
//
// A [StreamWriter] and a [StreamReader] are the ends of a ring of words for messages of
// different lengths, in memory of the caller, which two processes may share. They work
// in the same way, but the counters count words.
package transport

import (
	"math/bits"
	"sync/atomic"
	"unsafe"

	"github.com/ross-go/ross/internal/sys/invariants"
)

// Ring.

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

// room returns how many more records fit, to the producer's knowledge.
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

// StreamWriter and StreamReader, the two ends of a channel of messages of any
// length in the caller's memory, which two processes may share.

// StreamControl is the number of words that the ends of a stream share in addition to those of
// the ring. They are zero at first. They take two cache lines, preferably aligned: the first has
// the tail, which the writer writes, the second the head, which the reader writes.
const StreamControl = 2 * headAt

const headAt = line / 8

// LeastStream is the minimum number of words in a stream's ring.
const LeastStream = 4

// A message is a word of ours, with its length and kind, followed by its words. A message that
// does not fit before the end of the ring begins at the start of the ring, after a gap.
//
// The rules for the memory are these. The writer writes words first, then stores the tail; the
// reader loads the tail, then reads words before it: the store releases what the load acquires.
// The reader reads words first, then stores the head; the writer loads the head, then writes
// words before it, a lap later. Each counter is written by one side and only grows, so an old
// value is safe: it shows fewer messages, or less room. sync/atomic works between processes as
// between threads, because it relies on the processor, and cache lines are the same for both.
const (
	kindMessage = iota
	kindNote
	kindGap
	kindBits = 2
)

// StreamWriter is the producer's end. NewStreamWriter makes one. It is for one goroutine, and
// fills whole cache lines, so that its neighbours in memory do not matter.
type StreamWriter struct {
	shared *atomic.Uint64 // tail, as the reader sees it
	head   *atomic.Uint64
	ring   []uint64
	tail   uint64 // words ever written
	seen   uint64 // the last head that was read
	_      [line - 56]byte
}

// StreamReader is the consumer's end.
type StreamReader struct {
	tail   *atomic.Uint64
	shared *atomic.Uint64 // head, as the writer sees it
	ring   []uint64
	head   uint64 // words ever read
	seen   uint64 // the last tail that was read
	next   uint64 // head after what Next returned
	_      [line - 64]byte
}

// NewStreamWriter returns the writer of the stream in StreamControl words and a ring, whose
// length is a power of two, at least LeastStream. The two processes may map them at different
// addresses.
func NewStreamWriter(control, ring []uint64) StreamWriter {
	tail, head := meeting(control, ring)
	return StreamWriter{shared: tail, head: head, ring: ring}
}

// NewStreamReader returns its reader.
func NewStreamReader(control, ring []uint64) StreamReader {
	tail, head := meeting(control, ring)
	return StreamReader{tail: tail, shared: head, ring: ring}
}

func meeting(control, ring []uint64) (tail, head *atomic.Uint64) {
	if invariants.Enabled {
		n := len(ring)
		invariants.Check(n >= LeastStream && n&(n-1) == 0, "a stream has a ring of %d words", n)
	}
	return AtomicWord(control, 0), AtomicWord(control, headAt)
}

// AtomicWord returns a word of memory for sync/atomic.
func AtomicWord(words []uint64, i int) *atomic.Uint64 {
	return (*atomic.Uint64)(unsafe.Pointer(&words[i]))
}

// Longest returns the maximum number of words in a message: with our word it is half of the ring,
// so that it fits into an empty ring wherever it begins.
func (w *StreamWriter) Longest() int { return len(w.ring)/2 - 1 }

// Room reports whether a message of n words can be put; if so, it stays so until a message is
// put. A note needs the room of a message of 0 words.
func (w *StreamWriter) Room(n int) bool {
	if n > w.Longest() {
		return false
	}
	need := uint64(n) + 1 + w.gap(n)
	if w.free() < need {
		w.seen = w.head.Load()
	}
	return w.free() >= need
}

func (w *StreamWriter) free() uint64 { return uint64(len(w.ring)) - (w.tail - w.seen) }

// gap returns the number of words left before the end of the ring if a message does not fit
// there.
func (w *StreamWriter) gap(n int) uint64 {
	if left := uint64(len(w.ring)) - w.at(); left < uint64(n)+1 {
		return left
	}
	return 0
}

func (w *StreamWriter) at() uint64 { return w.tail & uint64(len(w.ring)-1) }

// Put sends a copy of a message, for which there must be Room.
func (w *StreamWriter) Put(words []uint64) { w.put(words, kindMessage) }

// Note sends a message without words, which Next distinguishes from others.
func (w *StreamWriter) Note() { w.put(nil, kindNote) }

func (w *StreamWriter) put(words []uint64, kind uint64) {
	if invariants.Enabled {
		invariants.Check(w.Room(len(words)), "%d words put into a stream that has no room for them", len(words))
	}
	if gap := w.gap(len(words)); gap > 0 {
		w.ring[w.at()] = gap<<kindBits | kindGap
		w.tail += gap
	}
	at := w.at()
	w.ring[at] = uint64(len(words))<<kindBits | kind
	copy(w.ring[at+1:], words)
	w.tail += uint64(len(words)) + 1
	w.shared.Store(w.tail)
}

// Look checks what has been written, and reports whether there is anything to read.
func (r *StreamReader) Look() bool {
	r.seen = r.tail.Load()
	return r.seen != r.head
}

// Next returns the oldest message that the last Look saw. It is valid until Take, and Next
// returns the same message until then. note is true if it is a note, ok if there is one.
func (r *StreamReader) Next() (words []uint64, note, ok bool) {
	if r.head == r.seen {
		return nil, false, false
	}
	mask := uint64(len(r.ring) - 1)
	at := r.head & mask
	first := r.ring[at]
	if first&(1<<kindBits-1) == kindGap { // a message follows the gap: both are written together
		r.head += first >> kindBits
		at, first = r.head&mask, r.ring[r.head&mask]
	}
	n := first >> kindBits
	r.next = r.head + n + 1
	if invariants.Enabled {
		invariants.Check(r.next <= r.seen, "a message of %d words is in %d words of a stream", n, r.seen-r.head)
	}
	return r.ring[at+1 : at+1+n : at+1+n], first&(1<<kindBits-1) == kindNote, true
}

// Take frees the room of what Next returned.
func (r *StreamReader) Take() {
	if invariants.Enabled {
		invariants.Check(r.next > r.head, "a message is taken from a stream that has not been read")
	}
	r.head = r.next
	r.shared.Store(r.head)
}

// Tables of peers: most are never met.

// pagePeers is the number of peers of a page.
const pagePeers = 64

// Table has a pointer for each of many peers. It takes an eighth of a byte for each of them, and 512
// bytes for each 64 neighbours with at least one that is set.
type Table[T any] struct{ pages []*[pagePeers]*T }

// NewTable makes a table for n peers, without any of them set.
func NewTable[T any](n uint64) Table[T] {
	return Table[T]{make([]*[pagePeers]*T, (n+pagePeers-1)/pagePeers)}
}

// At returns the pointer for a peer, nil before it is set.
func (t *Table[T]) At(peer uint32) *T {
	if page := t.pages[peer/pagePeers]; page != nil {
		return page[peer%pagePeers]
	}
	return nil
}

// Set sets the pointer for a peer.
func (t *Table[T]) Set(peer uint32, p *T) {
	page := &t.pages[peer/pagePeers]
	if *page == nil {
		*page = new([pagePeers]*T)
	}
	(*page)[peer%pagePeers] = p
}

// All calls yield for each peer that is set, in the order of peers, until it returns false.
func (t *Table[T]) All(yield func(peer uint32, p *T) bool) {
	for i, page := range t.pages {
		if page == nil {
			continue
		}
		for j, p := range page {
			if p != nil && !yield(uint32(i*pagePeers+j), p) {
				return
			}
		}
	}
}
