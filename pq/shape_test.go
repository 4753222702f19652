// The shape of the ladder: bounded in depth, and the same in C and in Go.

package pq

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/csrc"
)

// maxDepth is what the deepest script needs, with room: a rung divides its
// span by the number of its buckets, so depth is some log of 2^63.
const maxDepth = 8

// shape is where the keys of a queue are.
type shape struct {
	window, staged uint32
	far            uint64
	rungs          int
	boundTS        uint64
	boundLo        uint64
}

func shapeOf(q *EventSet) shape {
	return shape{q.w.n, q.w.staged, q.w.far, q.Depth(), q.w.boundTS, q.w.boundLo}
}

// TestTheLadderStaysShallow also requires that C and Go have the same shape
// after every operation, so that counts of one hold for the other.
func TestTheLadderStaysShallow(t *testing.T) {
	for _, s := range scripts {
		t.Run(s.name, func(t *testing.T) {
			var shapes []shape
			p := newPlayer(t, "go")
			p.seen = func(q *EventSet) { shapes = append(shapes, shapeOf(q)) }
			s.play(p, 1<<13)
			require.NoError(t, p.q.Check())
			require.LessOrEqual(t, p.depth, maxDepth)
			t.Logf("depth %d", p.depth)
			if !csrc.Enabled {
				return
			}
			at := 0
			p = newPlayer(t, "c")
			p.seen = func(q *EventSet) {
				if got := shapeOf(q); got != shapes[at] {
					t.Fatalf("after %d operations: C has %+v, Go %+v", at+1, got, shapes[at])
				}
				at++
			}
			s.play(p, 1<<13)
			require.Len(t, shapes, at)
		})
	}
}
