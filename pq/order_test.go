// The order of events with equal keys: the comparison in C and the one in Go.

package pq_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/pq"
)

// TestTheQueueOrdersEqualKeysAsCompareDoes pushes events that agree in all 96
// bits of their keys, so that the queue has nothing but their signatures to go
// by, and which often share one part of these or another. With the C queue this
// is the test of csrc/order.c against internal/event.
func TestTheQueueOrdersEqualKeysAsCompareDoes(t *testing.T) {
	seed := testrand.Seed(t)
	for _, impl := range pq.Impls() {
		for _, n := range []int{40, 90, 2500} { // a window's worth, one bucket's, a heap's
			t.Run(fmt.Sprintf("%s/n=%d", impl, n), func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, uint64(n)))
				arena, err := event.NewArena(8, 1<<14, nil)
				require.NoError(t, err)
				defer arena.Release()
				q, err := pq.NewEventSet(arena, impl, 0)
				require.NoError(t, err)
				defer q.Close()

				lineages := growTree(t, arena, r)
				var keys []event.Key
				for range n {
					k := addTied(t, arena, r, lineages)
					require.True(t, len(keys) == 0 || k.Same(keys[0]))
					keys = append(keys, k)
					q.Push(k)
				}
				require.NoError(t, q.Check())
				slices.SortFunc(keys, func(x, y event.Key) int {
					if arena.Less(x, y) {
						return -1
					}
					return 1
				})
				for i, want := range keys {
					got, ok := q.Pop()
					require.True(t, ok)
					require.Equal(t, *arena.At(want.Index()), *arena.At(got.Index()), "event %d", i)
					require.Equal(t, want, got)
				}
			})
		}
	}
}

// growTree returns nodes of lineages of which many part late, at equal
// tie-breakers, or not at all.
func growTree(t *testing.T, arena *event.Arena, r *rand.Rand) []uint32 {
	nodes := []uint32{0}
	for range 600 {
		parent := nodes[r.IntN(len(nodes))]
		if r.IntN(3) > 0 {
			parent = nodes[len(nodes)-1]
		}
		node, err := arena.Lines.Extend(parent, float64(r.IntN(3))/4)
		require.NoError(t, err)
		nodes = append(nodes, node)
	}
	return nodes
}

// addTied makes an event of one time and prefix. Parts of its signature are
// drawn from few values, so that each later part decides some of the pairs.
func addTied(t *testing.T, arena *event.Arena, r *rand.Rand, lineages []uint32) event.Key {
	e, i, err := arena.Alloc()
	require.NoError(t, err)
	prio := 0.3
	if r.IntN(4) == 0 {
		prio += 1e-12 // the same prefix
	}
	*e = event.Event{
		Time: 5, Prio: prio, Tie: float64(r.IntN(3)) / 4, Lineage: lineages[r.IntN(len(lineages))],
		Dst: uint32(r.IntN(2)), Src: uint64(r.IntN(2)), SendTime: float64(r.IntN(2)), State: event.Pending,
	}
	return event.KeyOf(e, i)
}
