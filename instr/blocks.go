// This file owns what lets parts of a file be written as whole blocks, from where they are.

package instr

import "unsafe"

// block is what addresses, places and lengths of writes past the page cache are multiples
// of, bytes.
const block = 4096

// mostPeriod is how much a buffer keeps for the next flush at most, bytes.
const mostPeriod = 64 << 10

// periodOf returns the least number of bytes that is a multiple of records of unit bytes
// and of blocks, 0 if that is too much to be kept in a buffer of size bytes.
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

// makeSlice returns an empty slice for n bytes that begins at a block.
func makeSlice(n int) []byte {
	room := make([]byte, n+block)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(room))) % block)
	return room[skip : skip : skip+n]
}

// inBlocks reports whether p can be written at a place as it is.
func inBlocks(p []byte, at int64) bool {
	return at%block == 0 && len(p)%block == 0 && uintptr(unsafe.Pointer(unsafe.SliceData(p)))%block == 0
}
