// This file pins that a run which starts from a checkpoint has the points of one that was not stopped.

package collect_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/models/rosstest"
)

// TestRestartedRunHasThePointsOfTheRunThatWasNotStopped stops runs at points, and between them.
func TestRestartedRunHasThePointsOfTheRunThatWasNotStopped(t *testing.T) {
	const end = 20.0
	run := func(every float64, g rosstest.Leg, end float64) (points []float64) {
		typ := rosstest.Walkers()
		typ.PointSize = 8
		typ.Point = func(_ *rosstest.Walker, lp *ross.LP, _ *ross.Bits, _ []byte) {
			if lp.ID() == 0 {
				points = append(points, lp.Now())
			}
		}
		g.Mode, g.Configure = ross.LoadInit, func(c *ross.Config) {
			rosstest.Walk(2, end)(c)
			c.ModelStats, c.VTInterval, c.StatsPath = settings.SampleByVT, every, filepath.Join(t.TempDir(), "stats")
		}
		require.NoError(t, rosstest.RunLeg(t, g, typ).Close())
		return points
	}
	for _, every := range []float64{0.7, 0.1, 1, 7.3, 30} {
		want := run(every, rosstest.Leg{}, end)
		stops := []float64{10, 3 * every, 0.5 * every, 1e-9}
		if len(want) > 3 {
			stops = append(stops, want[2], want[3], want[len(want)-1])
		}
		for _, stop := range stops {
			if stop >= end {
				continue
			}
			cp := filepath.Join(t.TempDir(), "half")
			got := append(run(every, rosstest.Leg{To: cp}, stop), run(every, rosstest.Leg{From: cp}, end)...)
			require.Equal(t, want, got, "every %g, stopped at %v", every, stop)
		}
	}
}
