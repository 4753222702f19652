// This file pins how far apart names are.

package usage_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/internal/usage"
)

// naive is Distance by its definition.
func naive(a, b string) int {
	switch {
	case a == "" || b == "":
		return len(a) + len(b)
	case a[0] == b[0]:
		return naive(a[1:], b[1:])
	}
	return 1 + min(naive(a[1:], b), naive(a, b[1:]), naive(a[1:], b[1:]))
}

func TestDistanceIsTheLeastNumberOfEdits(t *testing.T) {
	r := rand.New(rand.NewPCG(testrand.Seed(t), 1))
	word := func() string {
		b := make([]byte, r.IntN(7))
		for i := range b {
			b[i] = "abc"[r.IntN(3)]
		}
		return string(b)
	}
	for range 500 {
		a, b := word(), word()
		want, limit := naive(a, b), r.IntN(8)
		require.Equal(t, want, usage.Distance(a, b, math.MaxInt), "%q %q", a, b)
		require.Equal(t, want < limit, usage.Distance(a, b, limit) < limit, "%q %q, limit %d", a, b, limit)
	}
}
