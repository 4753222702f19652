// This file pins the virtual times of the checkpoints of a sequential run.

package checkpoint_test

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/rosstest"
	"github.com/ross-go/ross/rio"
)

// A sequential run meets every multiple of the interval, however short it is.
func TestSequentialRunStoresAtTheVirtualTimesAskedFor(t *testing.T) {
	for _, synch := range []int{1, 6} {
		prefix := filepath.Join(t.TempDir(), "run")
		rosstest.RunLeg(t, rosstest.Leg{Configure: func(c *ross.Config) {
			rosstest.Walk(3, 100)(c)
			c.Synch, c.IOVirtualInterval, c.IOName, c.IOKeep = ross.Scheduler(synch), 33, prefix, 5
		}}, rosstest.Walkers())
		name, err := rio.Latest(prefix)
		require.NoError(t, err)
		c, err := rio.Open(name)
		require.NoError(t, err)
		at := c.Info().Clock
		require.NoError(t, c.Close())
		require.GreaterOrEqual(t, at, 33.0) // later ones find the first being written
		require.Zero(t, math.Mod(at, 33), "%g", at)
	}
}
