// The work that operations cost, counted by the Go ladder under the build tag
// invariants: no clock, and the same on every machine.

//go:build invariants

package pq

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWorkGrowsAsNLogN plays the scripts at two sizes. Each may cost some steps
// times n log n, and the larger size no more of them than the smaller.
func TestWorkGrowsAsNLogN(t *testing.T) {
	const (
		small, large = 1 << 11, 1 << 16
		most         = 6 // steps for each n log2 n
	)
	for _, s := range scripts {
		t.Run(s.name, func(t *testing.T) {
			perNLogN := func(n int) float64 {
				p := newPlayer(t, "go")
				s.play(p, n)
				steps := p.q.back.(*twin).steps + p.q.steps
				t.Logf("n = %d: %.1f steps for each n, %d rungs", n, float64(steps)/float64(n), p.depth)
				return float64(steps) / (float64(n) * math.Log2(float64(n)))
			}
			a, b := perNLogN(small), perNLogN(large)
			require.Less(t, a, float64(most))
			require.Less(t, b, float64(most))
			require.Less(t, b, 1.5*a+0.5)
			require.NotZero(t, a, "nothing is counted")
		})
	}
}
