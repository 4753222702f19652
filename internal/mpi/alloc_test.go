// Nothing is allocated for a message or a reduction.

//go:build mpi && cgo && !purego && !invariants && !asan && !race

package mpi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/mpi"
	"github.com/ross-go/ross/internal/testalloc"
)

func TestMessagesAndReductionsAllocateNothing(t *testing.T) {
	onRanks(t, []int{1}, mpi.Options{}, func(t *testing.T, w *mpi.World) {
		m := mailboxes(t, w, 1)[0]
		r, err := w.Reduction()
		require.NoError(t, err)
		words, sum := make([]uint64, 4096), uint64(0)
		allocs := testalloc.PerRun(1000, func() {
			for _, n := range []int{9, len(words)} {
				for want := m.Received() + 1; !m.Post(0, 0, words[:n]) || m.Received() < want; {
					if _, err := m.Poll(func(_ int, words []uint64) { sum += words[0] }); err != nil {
						t.Error(err)
					}
				}
			}
			if err := r.Start(&mpi.Record{Balance: int64(sum)}); err != nil {
				t.Error(err)
			}
			if _, err := r.Wait(); err != nil {
				t.Error(err)
			}
		})
		for m.Received() < m.Sent() || !m.Idle() {
			_, err := m.Poll(func(int, []uint64) {})
			require.NoError(t, err)
		}
		require.Zero(t, allocs)
	})
}
