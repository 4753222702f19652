// Checks of deltas, for builds with invariants: Apply must be given what Encode
// wrote for a state of this size.

package delta

import (
	"math/bits"
	"unsafe"

	"github.com/ross-go/ross/internal/sys/invariants"
)

// check panics unless delta, which is not empty, fits a state of n bytes.
func (e *Encoder) check(delta []byte, n uintptr) {
	kind, length := Form(delta), uintptr(len(delta))
	invariants.Check(kind >= Raw && kind <= LZ4 && length > wordSize,
		"delta of %d bytes and kind %d for a state of %d bytes", length, kind, n)
	invariants.Check(kind == LZ4 || (kind == Raw) == (length == maxLen(n)),
		"delta of %d bytes of at most %d, and kind %d", length, maxLen(n), kind)
	words, tail := n/wordSize, int(roundUp(n)-n/wordSize*wordSize)
	if words > groupWords {
		plain := e.checkHeader(delta, n)
		invariants.Check(len(plain) >= tail, "%d bytes where a tail is", len(plain))
		checkGroups(plain[:len(plain)-tail], words)
		return
	}
	invariants.Check(kind != LZ4, "an LZ4 block for a state of %d bytes", n)
	_, size := checkGroup(delta, words)
	invariants.Check(size+tail == len(delta), "a group of %d bytes and a tail of %d in a delta of %d", size, tail, length)
}

// checkHeader is check of the header of a large delta. It returns the groups
// and the tail.
func (e *Encoder) checkHeader(delta []byte, n uintptr) []byte {
	size := load(unsafe.Pointer(unsafe.SliceData(delta)), 0) >> lowBits
	if Form(delta) != LZ4 {
		invariants.Check(size == uint64(n), "delta of a state of %d bytes for one of %d", size, n)
		return delta[wordSize:]
	}
	invariants.Check(size <= uint64(maxLen(n)), "LZ4 block of %d bytes for a state of %d", size, n)
	plain, whole := e.unpack(delta)
	invariants.Check(whole, "broken LZ4 block of %d bytes", len(delta))
	return plain
}

// checkGroups panics unless groups end where they should and lie within the words
// of a state.
func checkGroups(groups []byte, words uintptr) {
	for first := uintptr(0); len(groups) > 0; {
		skipped := uintptr(groups[0])
		first += skipped * groupWords
		invariants.Check(first < words, "a group at word %d of %d", first, words)
		header, size := checkGroup(groups, words-first)
		groups = groups[size:]
		if header>>lowBits != 0 {
			first += groupWords
			continue
		}
		invariants.Check(skipped == lowMask && len(groups) > 0, "an empty group that skips %d", skipped)
	}
}

// checkGroup panics unless groups begin with one of at most the given words. It
// returns its header, and its length in bytes.
func checkGroup(groups []byte, words uintptr) (header uint64, size int) {
	invariants.Check(len(groups) >= wordSize, "%d bytes where a group begins", len(groups))
	header = load(unsafe.Pointer(unsafe.SliceData(groups)), 0)
	m := header >> lowBits
	size = wordSize + bits.OnesCount64(m)*wordSize
	invariants.Check(uintptr(bits.Len64(m)) <= words && size <= len(groups),
		"group %#x for %d words, with %d bytes left", m, words, len(groups))
	return header, size
}
