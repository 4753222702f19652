// Large states: several groups, unchanged ones skipped, and LZ4 over what is
// left.

package delta

import (
	"math/bits"
	"unsafe"

	"github.com/pierrec/lz4/v4"

	"github.com/ross-go/ross/internal/engine/meter"
)

const (
	packMin  = 4096 // length in bytes from which LZ4 is tried; doc.go says why
	packGain = 4    // an LZ4 block is used if it saves at least one part in 4
)

// encodeLarge is Encode for more than one group. The delta is a header, the
// groups that changed, the tail.
func (e *Encoder) encodeLarge(to, before, after unsafe.Pointer, n uintptr) int {
	length := encodeGroups(to, before, after, n&^(wordSize-1))
	if n%wordSize != 0 {
		length = encodeTail(to, before, after, n, length)
	}
	if length == 0 {
		return 0
	}
	kind := ZeroRun
	if length == maxLen(n) {
		kind = Raw
	}
	store(to, 0, uint64(n)<<lowBits|uint64(kind))
	if length >= e.least {
		length = e.pack(to, length)
	}
	return int(length)
}

// encodeGroups writes the groups of n bytes after the header, and returns the
// length including the header, 0 if nothing changed. The low byte of a group is
// the number of unchanged groups before it; an empty group stands for 255 more.
func encodeGroups(to, before, after unsafe.Pointer, n uintptr) uintptr {
	length, skipped := uintptr(wordSize), uintptr(0)
	for at := uintptr(0); at < n; at += groupSize {
		size := min(groupSize, n-at)
		a, b := unsafe.Add(before, at), unsafe.Add(after, at)
		if equal(a, b, size) {
			skipped++
			continue
		}
		for ; skipped > lowMask; skipped -= lowMask {
			store(to, length, lowMask)
			length += wordSize
		}
		length += encodeGroup(unsafe.Add(to, length), a, b, size/wordSize, uint64(skipped))
		skipped = 0
	}
	if length == wordSize {
		return 0
	}
	return length
}

// equal compares with the runtime's comparison, which uses the widest
// instructions.
func equal(a, b unsafe.Pointer, n uintptr) bool {
	return string(unsafe.Slice((*byte)(a), n)) == string(unsafe.Slice((*byte)(b), n))
}

// pack replaces what follows the header of a delta by an LZ4 block, if that
// saves enough, and returns the new length.
func (e *Encoder) pack(to unsafe.Pointer, length uintptr) uintptr {
	if e.packer == nil {
		e.packer = &lz4.CompressorCCompat{Acceleration: e.knob}
	}
	plain := unsafe.Slice((*byte)(unsafe.Add(to, wordSize)), length-wordSize)
	limit := len(plain) - len(plain)/packGain
	room := e.room(len(plain))[:limit]
	begin := e.uses.Begin()
	size, err := e.packer.CompressBlock(plain, room)
	e.uses.End(begin, meter.SampleLZ4)
	if size == 0 || err != nil { // it does not fit
		return length
	}
	copy(plain, e.space[:size])
	store(to, 0, uint64(len(plain))<<lowBits|uint64(LZ4))
	return wordSize + uintptr(size)
}

// unpack returns what pack packed, and whether it is complete.
func (e *Encoder) unpack(delta []byte) (plain []byte, whole bool) {
	header := load(unsafe.Pointer(unsafe.SliceData(delta)), 0)
	plain = e.room(int(header >> lowBits))
	begin := e.uses.Begin()
	size, err := lz4.UncompressBlock(delta[wordSize:], plain)
	e.uses.End(begin, meter.SampleLZ4)
	return plain, err == nil && size == len(plain)
}

// room returns n bytes, which are valid until the next call.
func (e *Encoder) room(n int) []byte {
	if n > len(e.space) {
		e.space = make([]byte, max(n, 2*len(e.space)))
	}
	return e.space[:n]
}

// applyLarge is Apply for more than one group.
func (e *Encoder) applyLarge(delta []byte, state unsafe.Pointer, n uintptr) {
	plain := delta[wordSize:]
	if Form(delta) == LZ4 {
		plain, _ = e.unpack(delta) // complete, as check has verified
	}
	from, end := unsafe.Pointer(unsafe.SliceData(plain)), uintptr(len(plain))
	if n%wordSize != 0 {
		end -= wordSize
		xorTail(state, n, load(from, end))
	}
	words, first := n/wordSize, uintptr(0)
	for at := uintptr(0); at < end; {
		header := load(from, at)
		m := header >> lowBits
		at += wordSize
		first += uintptr(header&lowMask) * groupWords
		if m == 0 {
			continue
		}
		applyGroup(unsafe.Add(from, at), unsafe.Add(state, first*wordSize), min(groupWords, words-first), m)
		at += uintptr(bits.OnesCount64(m)) * wordSize
		first += groupWords
	}
}
