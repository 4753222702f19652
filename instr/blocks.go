// This file owns the alignment that lets parts of a file be written as whole blocks,
// without copying.

package instr

import "unsafe"

// block is the alignment in bytes of addresses, offsets and lengths of writes past the page
// cache.
const block = 4096

// mostPeriod is the most that a buffer keeps for the next flush, in bytes.
const mostPeriod = 64 << 10

// periodOf returns the least common multiple, in bytes, of a record of unit bytes and a
// block, or 0 if that is too much to keep in a buffer of size bytes.
func periodOf(unit, size int) int {
	if unit <= 0 {
		return 0
	}
	a, b := unit, block
	for b != 0 {
		a, b = b, a%b
	}
	if p := unit / a * block; p <= min(mostPeriod, size/8) {
		return p
	}
	return 0
}

// makeSlice returns an empty slice for n bytes that is aligned to a block.
func makeSlice(n int) []byte {
	room := make([]byte, n+block)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(room))) % block)
	return room[skip : skip : skip+n]
}

// inBlocks reports whether p can be written at an offset without copying.
func inBlocks(p []byte, at int64) bool {
	return at%block == 0 && len(p)%block == 0 && uintptr(unsafe.Pointer(unsafe.SliceData(p)))%block == 0
}
