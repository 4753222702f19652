// This file owns Encoder: deltas of states of any size, and their forms. It encodes small states, which need
// no packing, and states of one group; large.go encodes larger ones.

package delta

import (
	"unsafe"

	"github.com/pierrec/lz4/v4"

	"github.com/ross-go/ross/internal/engine/meter"
	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/internal/sys/plain"
)

// Encoder makes and applies deltas. It is not safe for concurrent use: each PE has
// its own. It keeps no pointer to a state or a delta.
type Encoder struct {
	packer *lz4.CompressorCCompat // 48 KiB, from the first try of LZ4 on
	space  []byte                 // a large delta, packed or unpacked
	knob   int
	least  uintptr // length of a delta in bytes from which LZ4 is tried

	uses *meter.Sampler // of LZ4, see Measure
}

// New returns an Encoder whose LZ4 runs with acceleration knob (--lz4-knob,
// g_tw_lz4_knob in ROSS), 1 to 65537: higher values are faster and compress less.
// Values outside the range are replaced by the nearest inside.
func New(knob int) *Encoder { return &Encoder{knob: knob, least: packMin, uses: new(meter.Sampler)} }

// Measure has the Encoder time its uses of LZ4, which takes a microsecond or more, in a Sampler.
func (e *Encoder) Measure(uses *meter.Sampler) { e.uses = uses }

// MaxLen returns the maximum length in bytes of the delta of a state of n >= 0
// bytes; it is a multiple of 8.
func MaxLen(n int) int { return int(maxLen(uintptr(n))) }

func maxLen(n uintptr) uintptr {
	length := wordSize + roundUp(n)
	if words := n / wordSize; words > groupWords {
		length += (words + groupWords - 1) / groupWords * wordSize
	}
	return length
}

func roundUp(n uintptr) uintptr { return (n + wordSize - 1) &^ (wordSize - 1) }

// Encode writes to dst the delta from which Apply restores the n bytes at before,
// given those at after, and returns its length in bytes: 0 if they are equal
// (tw_snapshot_delta in ROSS). dst has at least MaxLen(n) bytes; all may be
// written. Encode does not write the states or read beyond their n bytes; they may
// have any alignment.
func (e *Encoder) Encode(dst []byte, before, after unsafe.Pointer, n uintptr) int {
	if invariants.Enabled {
		invariants.Check(uintptr(len(dst)) >= maxLen(n), "a delta of %d bytes into %d", n, len(dst))
	}
	to := unsafe.Pointer(unsafe.SliceData(dst))
	if n > groupSize || n%wordSize != 0 {
		return e.encodeOdd(to, before, after, n)
	}
	length := encodeGroup(to, before, after, n/wordSize, uint64(ZeroRun))
	if length == wordSize+n {
		*(*byte)(to) = byte(Raw)
	}
	return int(length)
}

// encodeOdd is Encode for states of more than one group or with a tail.
func (e *Encoder) encodeOdd(to, before, after unsafe.Pointer, n uintptr) int {
	words := n / wordSize
	if words > groupWords {
		return e.encodeLarge(to, before, after, n)
	}
	length := encodeTail(to, before, after, n, encodeGroup(to, before, after, words, uint64(ZeroRun)))
	if length == maxLen(n) {
		*(*byte)(to) = byte(Raw)
	}
	return int(length)
}

// encodeTail appends the last n%8 bytes to a delta of length bytes, as a word that
// is present whenever anything changed.
func encodeTail(to, before, after unsafe.Pointer, n, length uintptr) uintptr {
	x := loadTail(before, n) ^ loadTail(after, n)
	if length == 0 {
		if x == 0 {
			return 0
		}
		store(to, 0, uint64(ZeroRun))
		length = wordSize
	}
	store(to, length, x)
	return length + wordSize
}

// Apply restores the state before the event in the n bytes at state, which must be
// the state after the event from which delta was made (tw_snapshot_restore in ROSS).
func (e *Encoder) Apply(delta []byte, state unsafe.Pointer, n uintptr) {
	if len(delta) == 0 {
		return
	}
	if invariants.Enabled {
		e.check(delta, n)
	}
	words, from := n/wordSize, unsafe.Pointer(unsafe.SliceData(delta))
	if words > groupWords {
		e.applyLarge(delta, state, n)
		return
	}
	applyGroup(unsafe.Add(from, wordSize), state, words, load(from, 0)>>lowBits)
	if n%wordSize != 0 {
		xorTail(state, n, load(from, uintptr(len(delta))-wordSize))
	}
}

// What is done in place, without packing: deltas of small states, and copies
// and comparisons of short messages.

// smallSize is the size in bytes up to which a state is not worth packing. doc.go says why.
const smallSize = 64

// IsSmall reports whether a state of n bytes has deltas by Begin and End. All words of such a
// state are stored: finding those that changed would take longer than storing the others.
func IsSmall(n uintptr) bool { return n <= smallSize && n%wordSize == 0 && n > 0 }

// Begin copies the small state of n bytes to dst, which has 8 + n bytes.
func Begin(dst, state unsafe.Pointer, n uintptr) {
	store(dst, 0, (1<<(n/wordSize)-1)<<lowBits|uint64(Raw))
	copyWords(unsafe.Add(dst, wordSize), state, n)
}

// End turns the copy that Begin made into the delta that restores the state, from what has
// become of it. If nothing changed, the delta restores that.
func End(dst, state unsafe.Pointer, n uintptr) {
	xorInto(unsafe.Add(dst, wordSize), unsafe.Add(dst, wordSize), state, n/wordSize)
}

// Copy copies n bytes, which do not overlap.
func Copy(to, from unsafe.Pointer, n uintptr) {
	if n <= smallSize && n%wordSize == 0 {
		copyWords(to, from, n)
		return
	}
	plain.CopyBytes(to, from, n)
}

// Same reports whether two values of n bytes are equal.
func Same(a, b unsafe.Pointer, n uintptr) bool {
	if n > smallSize || n%wordSize != 0 {
		return equal(a, b, n)
	}
	x := uint64(0)
	for i := uintptr(0); i < n; i += wordSize {
		x |= load(a, i) ^ load(b, i)
	}
	return x == 0
}

// copyWords is faster than a call of the general copy for a few words.
func copyWords(to, from unsafe.Pointer, n uintptr) {
	if n == smallSize {
		*(*[smallSize]byte)(to) = *(*[smallSize]byte)(from)
		return
	}
	for i := uintptr(0); i < n; i += wordSize {
		store(to, i, load(from, i))
	}
}

// Forms: the encodings of a delta, for statistics and tests.

// Kind is the encoding of a delta.
type Kind uint8

// The kinds of deltas. A delta begins with its kind.
const (
	None    Kind = iota // nothing changed: the empty delta
	Raw                 // the XOR of all words
	ZeroRun             // bitmaps, and the XOR of the words that changed
	LZ4                 // an LZ4 block of one of the two
)

// Form returns the encoding of a delta that Encode wrote.
func Form(delta []byte) Kind {
	if len(delta) == 0 {
		return None
	}
	return Kind(delta[0])
}

// String returns the name of k.
func (k Kind) String() string {
	if k > LZ4 {
		return "unknown"
	}
	return [...]string{"none", "raw", "zero-run", "lz4"}[k]
}
