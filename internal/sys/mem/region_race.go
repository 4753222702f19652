// The memory behind Region in a build with the race detector. The detector only watches the Go
// heap and the variables of the program. In such a build regions are therefore parts of one
// large variable, so that it sees what PEs do to events, lineages and blocks. The checks of
// unsafe pointers, which come with the detector, only know the heap and variables with pointers:
// arithmetic in a region is as free as outside of Go's memory.

//go:build race

package mem

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"unsafe"
)

// zoneSize is the total size in bytes of all regions of a program. Linkers accept at most 2 GB
// of variables, and the program has others. Unused parts cost no memory.
const zoneSize = 3 << 29

// zone holds the regions. It is a variable, not part of the heap, because with a heap of this
// size the collector would seldom run.
var (
	zone   [zoneSize + hugePage]byte
	zoneMu sync.Mutex
	pieces []piece // ascending
)

var errZone = fmt.Errorf("a build with -race has %d MiB for all memory outside the Go heap", zoneSize>>20)

// leastPiece is the size that a region gets as long as there is that much.
const leastPiece = 2 * hugePage

// piece is the part of the zone that a region occupies.
type piece struct {
	from, to  uintptr  // addresses, multiples of hugePage
	committed [][]byte // the part that may have been written
}

// most is the maximum result of Available.
const most = zoneSize

// Zoned reports whether regions must fit into a zone, whose size is fixed.
const Zoned = true

// reserve returns a part of the zone for Reserve, which requests up to hugePage more than it
// needs, for alignment: the parts are aligned. A region gets an eighth of what is free, or
// leastPiece, because the number of later regions is unknown.
func reserve(n uintptr) ([]byte, error) {
	size := roundUp(n, hugePage)
	if n >= 2*hugePage {
		size = roundUp(n-(hugePage-pageSize), hugePage)
	}
	zoneMu.Lock()
	defer zoneMu.Unlock()
	start := roundUp(uintptr(unsafe.Pointer(&zone)), hugePage)
	place, from, free := -1, uintptr(0), uintptr(zoneSize)
	end := start
	for i := range len(pieces) + 1 {
		next := start + zoneSize
		if i < len(pieces) {
			next = pieces[i].from
			free -= pieces[i].to - pieces[i].from
		}
		if place < 0 && next-end >= size {
			place, from = i, end
		}
		if i < len(pieces) {
			end = pieces[i].to
		}
	}
	if place < 0 || size > max(free/8, leastPiece) {
		return nil, errZone
	}
	pieces = slices.Insert(pieces, place, piece{from: from, to: from + size})
	return zone[from-uintptr(unsafe.Pointer(&zone)):][:size], nil
}

// commit records that b will be written.
func commit(b []byte) error {
	zoneMu.Lock()
	defer zoneMu.Unlock()
	p := &pieces[pieceOf(b)]
	p.committed = append(p.committed, b)
	return nil
}

// release zeroes a region, as its next user expects, and frees it. To the detector this is a
// write, so it finds any code that still uses the region.
func release(b []byte) {
	zoneMu.Lock()
	committed := pieces[pieceOf(b)].committed
	zoneMu.Unlock()
	for _, part := range committed {
		runtime.RaceWriteRange(unsafe.Pointer(&part[0]), len(part)) // the detector does not see clear
		clear(part)
	}
	zoneMu.Lock()
	defer zoneMu.Unlock()
	i := pieceOf(b)
	pieces = slices.Delete(pieces, i, i+1)
}

// pieceOf returns the piece that contains b.
func pieceOf(b []byte) int {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return slices.IndexFunc(pieces, func(p piece) bool { return p.from <= at && at < p.to })
}
