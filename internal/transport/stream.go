// This file owns StreamWriter and StreamReader, the two ends of a channel of messages of any
// length in the caller's memory, which two processes may share.

package transport

import (
	"sync/atomic"
	"unsafe"

	"github.com/ross-go/ross/internal/invariants"
)

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
// returns the same message until then. note says that it is a note, ok that there is one.
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
