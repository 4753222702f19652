// This file pins the times at which checkpoints of a short interval are due.

package checkpoint_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/engine/settings"
)

// TestCheckpointsAreDueAtDecimalMultiples has the intervals that a time series has (internal/num/interval).
func TestCheckpointsAreDueAtDecimalMultiples(t *testing.T) {
	for _, parts := range []float64{10, 100, 1000} {
		r, _ := storingOf(t, func(c *settings.Settings) { c.Checkpoints.VirtualInterval = 1 / parts })
		for k := 1.0; k < 3000; k++ {
			require.Equal(t, k/parts, r.Virtual)
			require.True(t, r.Begins(r.Virtual))
			r.Begin(r.Virtual)
		}
		require.Zero(t, r.Late.LeftOut)
	}
}
