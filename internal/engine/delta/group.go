// Groups: up to 56 words of state become one bitmap and the words that changed.
// Everything the package writes consists of groups, so all loops over words are
// here.

package delta

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

const (
	wordSize   = 8
	groupWords = 56 // words of a group: its bitmap leaves a byte of the group's header free
	groupSize  = groupWords * wordSize
	lowBits    = 8 // width of that byte: the form of a small delta, else the unchanged groups skipped
	lowMask    = 1<<lowBits - 1
)

// encodeGroup writes the group of the given words to dst: the header, which is
// the bitmap of the changed words above low, and the XOR of each changed word,
// first word first. It returns the bytes written, 0 when nothing changed.
//
// No branch depends on the data while it compares: 0-x carries when x is not 0,
// and each carry is shifted into the bitmap, two instructions a word. The last
// word comes first, so that the first one ends in bit 0.
func encodeGroup(dst, before, after unsafe.Pointer, words uintptr, low uint64) uintptr {
	m, i := uint64(0), words*wordSize
	for ; i >= 4*wordSize; i -= 4 * wordSize {
		m = shiftIn(m, load(before, i-8)^load(after, i-8))
		m = shiftIn(m, load(before, i-16)^load(after, i-16))
		m = shiftIn(m, load(before, i-24)^load(after, i-24))
		m = shiftIn(m, load(before, i-32)^load(after, i-32))
	}
	for ; i > 0; i -= wordSize {
		m = shiftIn(m, load(before, i-8)^load(after, i-8))
	}
	if m == 0 {
		return 0
	}
	if words > 8 && uintptr(bits.OnesCount64(m)) > 4+words/4 {
		return encodeMany(dst, before, after, words, m, low)
	}
	length := uintptr(wordSize)
	for b := m; b != 0; b &= b - 1 {
		i := uintptr(bits.TrailingZeros64(b)) * wordSize
		store(dst, length, load(before, i)^load(after, i))
		length += wordSize
	}
	store(dst, 0, m<<lowBits|low)
	return length
}

// encodeMany is encodeGroup when processing all words, at 0.5 ns each, is faster
// than finding those that changed, at 1 to 2 ns each. If 7 in 8 changed, it
// stores the others as well, which is worth their memory because the bitmap is
// not needed.
func encodeMany(dst, before, after unsafe.Pointer, words uintptr, m, low uint64) uintptr {
	out, count := unsafe.Add(dst, wordSize), uintptr(bits.OnesCount64(m))
	if count*8 >= words*7 {
		m, count = 1<<words-1, words
		xorInto(out, before, after, words)
	} else {
		collect(out, before, after, m)
	}
	store(dst, 0, m<<lowBits|low)
	return wordSize + count*wordSize
}

func shiftIn(m, x uint64) uint64 {
	_, carry := bits.Sub64(0, x, 0)
	m, _ = bits.Add64(m, m, carry)
	return m
}

// xorInto writes the XOR of all words to dst, which may be the same memory as
// before.
func xorInto(dst, before, after unsafe.Pointer, words uintptr) {
	i, n := uintptr(0), words*wordSize
	for ; i+4*wordSize <= n; i += 4 * wordSize {
		store(dst, i, load(before, i)^load(after, i))
		store(dst, i+8, load(before, i+8)^load(after, i+8))
		store(dst, i+16, load(before, i+16)^load(after, i+16))
		store(dst, i+24, load(before, i+24)^load(after, i+24))
	}
	for ; i < n; i += wordSize {
		store(dst, i, load(before, i)^load(after, i))
	}
}

// collect writes the XOR of the words in bitmap m, without a branch that depends
// on it: words between them are also written, and overwritten by the next. The
// word of the highest bit comes last, so nothing is written beyond it.
func collect(dst, before, after unsafe.Pointer, m uint64) {
	for i, at := uintptr(0), uintptr(0); m != 0; m >>= 1 {
		store(dst, at, load(before, i)^load(after, i))
		at += uintptr(m&1) * wordSize
		i += wordSize
	}
}

// applyGroup undoes the group with bitmap m, whose words are at src, in state.
func applyGroup(src, state unsafe.Pointer, words uintptr, m uint64) {
	count := uintptr(bits.OnesCount64(m))
	switch {
	case count == words:
		xorInto(state, state, src, words)
	case count*4 > words+16:
		distribute(src, state, m)
	default:
		for at := uintptr(0); m != 0; m &= m - 1 {
			i := uintptr(bits.TrailingZeros64(m)) * wordSize
			store(state, i, load(state, i)^load(src, at))
			at += wordSize
		}
	}
}

// distribute is the counterpart of collect: it undoes the words in m, and writes
// those between them unchanged.
func distribute(src, state unsafe.Pointer, m uint64) {
	for i, at := uintptr(0), uintptr(0); m != 0; m >>= 1 {
		bit := m & 1
		store(state, i, load(state, i)^load(src, at)&-bit)
		at += uintptr(bit) * wordSize
		i += wordSize
	}
}

// load and store compile to one instruction each. They are written by bytes,
// because a state may be aligned to less than a word.
func load(p unsafe.Pointer, at uintptr) uint64 {
	return binary.LittleEndian.Uint64((*[wordSize]byte)(unsafe.Add(p, at))[:])
}

func store(p unsafe.Pointer, at uintptr, x uint64) {
	binary.LittleEndian.PutUint64((*[wordSize]byte)(unsafe.Add(p, at))[:], x)
}

// loadTail returns the last n%8 bytes of the n bytes at p as a word.
func loadTail(p unsafe.Pointer, n uintptr) (x uint64) {
	tail := n % wordSize
	if n > wordSize {
		return load(p, n-wordSize) >> (64 - 8*tail)
	}
	for i, b := range unsafe.Slice((*byte)(p), tail) {
		x |= uint64(b) << (8 * i)
	}
	return x
}

// xorTail undoes the change x of the last n%8 bytes of the n bytes at p.
func xorTail(p unsafe.Pointer, n uintptr, x uint64) {
	tail := n % wordSize
	if n > wordSize {
		store(p, n-wordSize, load(p, n-wordSize)^x<<(64-8*tail))
		return
	}
	for i := range unsafe.Slice((*byte)(p), tail) {
		*(*byte)(unsafe.Add(p, i)) ^= byte(x >> (8 * i))
	}
}
