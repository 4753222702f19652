// This file pins the buckets: nothing is lost between them.

package report

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSpreadIsEvenAndLosesNothing(t *testing.T) {
	g := newGrid(10, 20, 5)
	row := g.row()
	g.spread(row, 11, 15, 8)
	require.InDeltaSlice(t, []float64{2, 4, 2, 0, 0}, row, 1e-12)
	g.spread(row, 19, 20, 3)
	g.spread(row, 13, 13, 7) // no time, no rate
	require.InDeltaSlice(t, []float64{2, 4, 2, 0, 3}, row, 1e-12)
	dice := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		g, row := newGrid(0, 1, 1+dice.IntN(50)), []float64(nil)
		row = g.row()
		from, to := dice.Float64(), dice.Float64()
		g.spread(row, min(from, to), max(from, to), 1)
		sum := 0.0
		for _, x := range row {
			sum += x
		}
		require.InDelta(t, 1, sum, 1e-9)
	}
}

func TestNoTimeMakesNoBuckets(t *testing.T) {
	for _, to := range []float64{1, 0, math.Inf(1), math.Inf(-1), math.NaN()} {
		g := newGrid(1, to, 10)
		require.Empty(t, g.row(), to)
		g.spread(nil, 0, 1, 1)
	}
}

func TestRowsAreSharedByNeighbours(t *testing.T) {
	for n := 1; n < 300; n++ {
		for i := range n {
			row := share(i, n, maxRows)
			require.True(t, firstOf(row, n, maxRows) <= i && i < firstOf(row+1, n, maxRows), "%d of %d", i, n)
		}
	}
	for n := uint64(1); n < 300; n++ {
		traffic := newTraffic(5, n)
		for id := uint64(5); id < 5+n; id++ {
			first, last := traffic.ids(traffic.row(id))
			require.True(t, first <= id && id <= last, "%d of %d", id, n)
		}
	}
}
