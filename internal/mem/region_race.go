// The memory behind Region in a build with the race detector. The detector watches the
// heap of Go and the variables of the program, and nothing else. So regions are parts of one
// large variable there: then it sees what PEs do to events, lineages and blocks. The checks of
// unsafe pointers, which come with the detector, know the heap and variables with pointers only:
// arithmetic in a region is no more restricted than it is outside of Go's memory.

//go:build race

package mem

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"unsafe"
)

// zoneSize is how many bytes all regions of a program have together. Linkers take 2 GB of
// variables at most, and the program has some too. What is not used costs no memory.
const zoneSize = 3 << 29

// zone is where the regions are. It is a variable, not a part of the heap, because the
// collector would take a heap of this size for a reason to run seldom.
var (
	zone   [zoneSize + hugePage]byte
	zoneMu sync.Mutex
	pieces []piece // ascending
)

var errZone = fmt.Errorf("a build with -race has %d MiB for all that lies outside the Go heap", zoneSize>>20)

// leastPiece is what a region may have as long as there is as much.
const leastPiece = 2 * hugePage

// piece is the part of the zone that a region has.
type piece struct {
	from, to  uintptr  // addresses, multiples of hugePage
	committed [][]byte // what may have been written to
}

// most is what Available returns at most.
const most = zoneSize

// Zoned reports whether regions are cut to fit a zone, which no setting makes larger.
const Zoned = true

// reserve returns a part of the zone that has room for what Reserve wants, which asks for up to
// hugePage more, to align it: the parts are aligned. A region gets an eighth of what is
// free, or leastPiece, because nobody says how many others there will be.
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

// commit notes that b will be written to.
func commit(b []byte) error {
	zoneMu.Lock()
	defer zoneMu.Unlock()
	p := &pieces[pieceOf(b)]
	p.committed = append(p.committed, b)
	return nil
}

// release zeroes a region, as the next one with its memory expects, and gives it back. To the
// detector that is a write: whoever still works with the region is found.
func release(b []byte) {
	zoneMu.Lock()
	committed := pieces[pieceOf(b)].committed
	zoneMu.Unlock()
	for _, part := range committed {
		runtime.RaceWriteRange(unsafe.Pointer(&part[0]), len(part)) // clear says nothing
		clear(part)
	}
	zoneMu.Lock()
	defer zoneMu.Unlock()
	i := pieceOf(b)
	pieces = slices.Delete(pieces, i, i+1)
}

// pieceOf returns which piece b is in.
func pieceOf(b []byte) int {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return slices.IndexFunc(pieces, func(p piece) bool { return p.from <= at && at < p.to })
}
