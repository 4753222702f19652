//go:build !invariants && !asan && !race

// This file pins that operations allocate nothing on Go's heap.

package container_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testalloc"
	"github.com/ross-go/ross/models/rosstest"
)

func TestOperationsAllocateNothingInGo(t *testing.T) {
	for _, synch := range []ross.Scheduler{ross.Sequential, ross.Optimistic} {
		cfg := rosstest.Small()
		cfg.Synch = synch
		allocs := -1.0
		rosstest.Run(t, cfg, once(ross.SaveByLog, func(s *stock, lp *ross.LP) {
			all := func() {
				s.Queue.Push(lp, job{})
				s.Queue.Pop(lp)
				s.Stack.Push(lp, 1)
				s.Stack.Pop(lp)
				s.Heap.Push(lp, 1, 1)
				s.Heap.Pop(lp)
				s.Index.Fix(lp, s.Index.Push(lp, 1, job{}), 2)
				s.Index.Push(lp, 1, job{})
				s.Index.Pop(lp)
				s.Index.Remove(lp, s.Index.First(lp))
				*s.Map.Ensure(lp, spot{1, 2})++
				s.Set.Add(lp, 1)
				s.Slab.Remove(lp, s.Slab.Add(lp, job{}))
				s.Bits.Set(lp, 3)
				s.Bits.Unset(lp, 3)
				for range s.Map.All(lp) {
				}
			}
			all()
			for range 2000 { // the history gets its room
				s.Queue.Push(lp, job{})
			}
			allocs = testalloc.PerRun(10, all)
		}))
		require.Zero(t, allocs)
	}
}
