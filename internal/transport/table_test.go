package transport

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func TestATableHasWhatWasSet(t *testing.T) {
	table := NewTable[int](1000)
	values := map[uint32]int{0: 5, 63: 6, 64: 7, 999: 8}
	for at, v := range values {
		table.Set(at, &v)
	}
	got := map[uint32]int{}
	for at, p := range table.All {
		got[at] = *p
		require.Same(t, p, table.At(at))
	}
	require.Equal(t, values, got)
	require.Nil(t, table.At(1))
	require.Nil(t, table.At(700))
}

// TestATableOfManyPeersIsSmall counts the bytes of a table for 4,096 ranks, with 24 of them met: less
// than a byte for each rank, and 512 for each page of those met.
func TestATableOfManyPeersIsSmall(t *testing.T) {
	const n = 4096
	table := NewTable[int](n)
	for peer := range uint32(24) {
		table.Set(peer*7, new(int))
	}
	bytes := uintptr(len(table.pages)) * unsafe.Sizeof(table.pages[0])
	require.LessOrEqual(t, bytes, uintptr(n/8))
	for _, page := range table.pages {
		if page != nil {
			bytes += unsafe.Sizeof(*page)
		}
	}
	require.LessOrEqual(t, bytes, uintptr(n))
}
