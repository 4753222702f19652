// This file owns what is done in place, without packing: deltas of small states, and copies
// and comparisons of short messages.

package delta

import (
	"unsafe"

	"github.com/ross-go/ross/internal/plain"
)

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
