// Allocations of the pool on the Go heap. Assertions and AddressSanitizer
// allocate on their own, so builds with them do not have this test.

//go:build !invariants && !asan

package buddy_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/buddy"
)

func TestNoAllocationPerBlock(t *testing.T) {
	for _, impl := range buddy.Impls() {
		p, err := buddy.NewCharged(impl, 20, 1<<30, nil)
		require.NoError(t, err)
		defer p.Close()
		r := rand.New(rand.NewPCG(1, 2))
		live := make([]held, 500)
		replace := func() {
			b := &live[r.IntN(len(live))]
			if b.p != nil {
				p.Free(b.p, b.n)
			}
			b.n = 1 + uintptr(r.UintN(10000))
			b.p, _ = p.Alloc(b.n)
		}
		for range 5000 { // until the pool has its size
			replace()
		}
		require.Zero(t, testing.AllocsPerRun(5000, replace), impl)
		require.NoError(t, p.Check())
	}
}
