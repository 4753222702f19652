// The work that operations cost, counted by the trees in Go under the build tag
// invariants: no clock, and the same on every machine.

//go:build invariants

package avl

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func stepsOf(t *testing.T, n int, play func(p *player, n int)) float64 {
	p := newPlayer(t, "go", 2*n+1)
	play(p, n)
	require.NoError(t, p.tree.Check())
	steps := float64(p.tree.twin.steps) / float64(p.ops)
	t.Logf("n = %d: %.2f steps for each of %d operations", n, steps, p.ops)
	return steps
}

// TestWorkDoesNotGrow plays the scripts at two sizes: the steps of an operation
// are bounded, and no more when the trees are 64 times as large.
func TestWorkDoesNotGrow(t *testing.T) {
	for _, s := range scripts {
		t.Run(s.name, func(t *testing.T) {
			t.Logf("seed %d", scriptSeed)
			small, large := stepsOf(t, 1<<7, s.play), stepsOf(t, 1<<13, s.play)
			require.Less(t, small, s.most)
			require.Less(t, large, s.most)
			require.Greater(t, large, 1.0, "not all is counted")
		})
	}
}

// TestInsertionInOrderComparesOnce: the rest of its steps look at balances, three
// on average.
func TestInsertionInOrderComparesOnce(t *testing.T) {
	for _, n := range []int{1 << 4, 1 << 10, 1 << 14} {
		p := newPlayer(t, "go", n)
		for id := range n {
			before := p.tree.twin.steps
			p.put(0, uint64(id))
			require.LessOrEqual(t, p.tree.twin.steps-before, uint64(2+math.Log2(float64(n))))
		}
		require.LessOrEqual(t, float64(p.tree.twin.steps), 4*float64(n))
	}
}

func TestWorkInAnyOrderGrowsAsLogN(t *testing.T) {
	for _, n := range []int{1 << 8, 1 << 13} {
		require.Less(t, stepsOf(t, n, wild), 3*math.Log2(float64(n)))
	}
}
