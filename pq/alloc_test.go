// Allocations of the queue. Assertions and AddressSanitizer allocate on their
// own, so builds with them do not have this test.

//go:build !invariants && !asan

package pq_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/pq"
	"github.com/ross-go/ross/pq/pqtest"
)

func TestNoAllocationPerEvent(t *testing.T) {
	for _, impl := range pq.Impls() {
		h := pqtest.NewHarness(t, impl)
		q := h.Queue
		push := func(time float64) {
			e, i, err := h.Arena.Alloc()
			require.NoError(t, err)
			e.Time, e.Prio, e.State = time, 1, event.Pending
			q.Push(event.KeyOf(e, i))
		}
		for i := range 5000 {
			push(float64(i%97) / 97)
		}
		hold := func() {
			k, _ := q.Pop()
			h.Free(k)
			push(k.Time() + 0.3 + float64(k.TS%1000)/1000)
		}
		for range 40000 { // until pools and buckets have their size
			hold()
		}
		require.Zero(t, testing.AllocsPerRun(20000, hold), impl)
	}
}
