// Thanks to the jump pointers of lineages, comparing two chains visits O(log
// length) nodes. The test counts them on the pointers themselves, in the way
// Compare follows them.

package event

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEveryAncestorIsALogarithmAway(t *testing.T) {
	a, err := NewArena(8, 1<<16, nil)
	require.NoError(t, err)
	defer a.Release()
	l := a.Lines
	const length = 50000
	chain := []uint32{0}
	for range length {
		node, err := l.Extend(chain[len(chain)-1], 0.5)
		require.NoError(t, err)
		chain = append(chain, node)
	}
	steps := func(i, depth uint32) (n int) {
		for at := l.at(i); at.Depth > depth; n++ {
			if i = at.Parent; l.at(at.Jump).Depth >= depth {
				i = at.Jump
			}
			at = l.at(i)
		}
		return n
	}
	most := 0
	for depth := uint32(0); depth <= length; depth += 7 {
		require.Equal(t, chain[depth], l.climb(chain[length], depth))
		most = max(most, steps(chain[length], depth), steps(chain[depth], 0), steps(chain[depth], depth/3))
	}
	require.LessOrEqual(t, float64(most), 3*math.Log2(length), "steps from a node to an ancestor")
}

// TestNodesOfOneDepthJumpEquallyFar is what lets Compare climb two chains in
// step until they meet.
func TestNodesOfOneDepthJumpEquallyFar(t *testing.T) {
	a, err := NewArena(8, 1<<16, nil)
	require.NoError(t, err)
	defer a.Release()
	l := a.Lines
	jump := map[uint32]uint32{}
	for range 20 {
		node := uint32(0)
		for range 500 {
			node, err = l.Extend(node, 0.5)
			require.NoError(t, err)
			n := l.at(node)
			to, known := jump[n.Depth]
			require.True(t, !known || to == l.at(n.Jump).Depth)
			jump[n.Depth] = l.at(n.Jump).Depth
		}
	}
}
