// Checks of deltas, for builds with invariants: what Apply is handed is what
// Encode wrote for a state of this size.

package delta

import (
	"math/bits"
	"unsafe"

	"github.com/ross-go/ross/internal/invariants"
)

// check panics unless delta, which is not empty, fits a state of n bytes.
func (e *Encoder) check(delta []byte, n uintptr) {
	kind, words := Form(delta), n/wordSize
	invariants.Check(kind >= Raw && kind <= LZ4 && len(delta) > wordSize && uintptr(len(delta)) <= maxLen(n),
		"delta of %d bytes and kind %d for a state of %d bytes", len(delta), kind, n)
	plain := delta
	if words > groupWords {
		plain = e.checkLarge(delta, n)
	} else {
		{
			invariants.Check(kind != LZ4, "an LZ4 block for a state of %d bytes", n)
		}
	}
	if n%wordSize != 0 {
		plain = plain[:len(plain)-wordSize]
	}
	checkGroups(plain, words)
}

// checkLarge is check of the header of a large delta. It returns the groups.
func (e *Encoder) checkLarge(delta []byte, n uintptr) []byte {
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

// checkGroups panics unless plain is groups that end where it ends and lie
// within the words of a state.
func checkGroups(plain []byte, words uintptr) {
	for first := uintptr(0); len(plain) > 0; {
		invariants.Check(len(plain) >= wordSize, "%d bytes where a group begins", len(plain))
		header := load(unsafe.Pointer(unsafe.SliceData(plain)), 0)
		m := header >> lowBits
		if words > groupWords {
			first += uintptr(header&lowMask) * groupWords
		}
		length := wordSize + bits.OnesCount64(m)*wordSize
		invariants.Check(first+uintptr(bits.Len64(m)) <= words && length <= len(plain),
			"group %#x at word %d of %d, with %d bytes left", m, first, words, len(plain))
		plain = plain[length:]
		if m != 0 {
			first += groupWords
		}
	}
}
