// This file owns StreamWriter and StreamReader, the two ends of a channel of messages
// of any lengths in memory that is given, which may be that of two processes.

package transport

import (
	"sync/atomic"
	"unsafe"

	"github.com/ross-go/ross/internal/invariants"
)

// StreamControl is how many words of memory the ends of a stream need to meet, beside
// those of the ring. They are zero at first. They take two lines, best from the start of
// one on: the first has the tail, which the writer writes, the second the head, which
// the reader does.
const StreamControl = 2 * headAt

const headAt = line / 8

// LeastStream is how many words a stream's ring has at least.
const LeastStream = 4

// A message is a word of ours, its length and kind, and its words, one after the other:
// what does not fit before the end of the ring begins at its start, and a gap is before
// it.
//
// The memory has no other rules than these. The writer writes words first, then stores
// the tail; the reader loads the tail, then reads words before it: the store releases
// what the load acquires. The reader reads words first, then stores the head; the writer
// loads the head, then writes words before it, a lap later. Each counter is written by
// one side, and grows only, so an old value of it is safe: it shows fewer messages, or
// less room. sync/atomic orders other processes as it does other threads: what it
// relies on is the processor's, and lines of memory are the same for both.
const (
	kindMessage = iota
	kindNote
	kindGap
	kindBits = 2
)

// StreamWriter is the producer's end. NewStreamWriter makes one. It is for one
// goroutine, and fills whole lines, so that its neighbours in memory do not matter.
type StreamWriter struct {
	shared *atomic.Uint64 // tail, as the reader sees it
	head   *atomic.Uint64
	ring   []uint64
	tail   uint64 // words ever written
	seen   uint64 // the last head that was looked at
	_      [line - 56]byte
}

// StreamReader is the consumer's end, as StreamWriter is the producer's.
type StreamReader struct {
	tail   *atomic.Uint64
	shared *atomic.Uint64 // head, as the writer sees it
	ring   []uint64
	head   uint64 // words ever read
	seen   uint64 // the last tail that was looked at
	next   uint64 // head behind what Next returned
	_      [line - 64]byte
}

// NewStreamWriter returns the writer of the stream in StreamControl words and a ring, whose
// length is a power of two, LeastStream at least. Both processes may map them at different
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

// Longest returns how many words a message has at most: with the word of ours half of
// the ring, so that an empty ring takes it wherever it begins.
func (w *StreamWriter) Longest() int { return len(w.ring)/2 - 1 }

// Room reports whether a message of n words can be put, which stays so until one is. A note takes
// the room of none.
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

// gap returns how many words are left before the end of the ring, if a message does not
// fit there.
func (w *StreamWriter) gap(n int) uint64 {
	if left := uint64(len(w.ring)) - w.at(); left < uint64(n)+1 {
		return left
	}
	return 0
}

func (w *StreamWriter) at() uint64 { return w.tail & uint64(len(w.ring)-1) }

// Put sends a copy of a message that there is Room for.
func (w *StreamWriter) Put(words []uint64) { w.put(words, kindMessage) }

// Note sends a message without words that Next tells from others.
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

// Look looks for what has been written, and reports whether there is anything to read.
func (r *StreamReader) Look() bool {
	r.seen = r.tail.Load()
	return r.seen != r.head
}

// Next returns the oldest message that the last Look has seen, which is good until
// Take and returned until then. note: it is one. ok: there is any.
func (r *StreamReader) Next() (words []uint64, note, ok bool) {
	if r.head == r.seen {
		return nil, false, false
	}
	mask := uint64(len(r.ring) - 1)
	at := r.head & mask
	first := r.ring[at]
	if first&(1<<kindBits-1) == kindGap { // a message is behind it: they are written at once
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

// Take gives back the room of what Next has returned.
func (r *StreamReader) Take() {
	if invariants.Enabled {
		invariants.Check(r.next > r.head, "a message is taken from a stream that has not been read")
	}
	r.head = r.next
	r.shared.Store(r.head)
}
