// Memory that ranks share.

//go:build mpi && cgo && !purego

package mpi_test

import (
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/mpi"
)

// Each rank writes into the segments of all, at a place of its own, and reads what
// others have written into its own: there is one machine.
func TestRanksOfAMachineSeeTheSameMemory(t *testing.T) {
	onRanks(t, []int{1, 2, 4}, mpi.Options{}, func(t *testing.T, w *mpi.World) {
		const words = 5000
		require.Positive(t, mpi.SharedRoom())
		for range 2 { // it can be had again
			s, err := w.Share()
			require.NoError(t, err)
			ranks, own := s.Ranks()
			require.Len(t, ranks, w.Size())
			require.Equal(t, w.Rank(), ranks[own])
			require.True(t, s.Allocate(words))
			clear(s.Segment(own))
			require.NoError(t, w.Barrier())
			for i := range ranks {
				segment := s.Segment(i)
				require.Len(t, segment, words)
				require.Zero(t, uintptr(unsafe.Pointer(&segment[0]))%4096, "it begins with a page")
				for k := 1 + own; k < words; k += len(ranks) {
					segment[k] = uint64(i*words + k)
				}
				atomic.AddUint64(&segment[0], 1000)
			}
			require.NoError(t, w.Barrier())
			mine := s.Segment(own)
			require.EqualValues(t, 1000*len(ranks), mine[0])
			for k := 1; k < words; k++ {
				require.EqualValues(t, own*words+k, mine[k])
			}
			require.NoError(t, w.Barrier())
			s.Free(true)
		}
		left, err := w.Share()
		require.NoError(t, err)
		left.Free(false)
		require.NoError(t, w.Close())
		_, err = w.Share()
		require.ErrorIs(t, err, mpi.ErrClosed)
	})
}
