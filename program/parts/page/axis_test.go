// This file owns the tests of axes.

package page

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testrand"
)

func TestTicksAreRoundNumbersWithTheirValuesAsLabels(t *testing.T) {
	random := testrand.New(t)
	for range 3000 {
		size := math.Pow(10, float64(random.IntN(500)-250))
		low := (random.Float64() - 0.5) * size
		high := low + size*math.Pow(10, -6*random.Float64())
		from, to := around(low, high)
		require.LessOrEqual(t, from, low)
		require.GreaterOrEqual(t, to, high)
		most := 2 + random.IntN(8)
		a := axis{low: from, high: to, from: 300, to: 100}
		all := a.ticks(most, false)
		require.LessOrEqual(t, len(all), most)
		if most > 4 {
			require.GreaterOrEqual(t, len(all), 2)
		}
		for i, tick := range all {
			value, err := strconv.ParseFloat(tick.label, 64)
			require.NoError(t, err)
			if tick.value != 0 {
				require.InEpsilon(t, tick.value, value, 1e-12, tick.label)
			}
			require.GreaterOrEqual(t, a.at(tick.value), 100-1e-6)
			require.LessOrEqual(t, a.at(tick.value), 300+1e-6)
			if i > 0 {
				step := tick.value - all[i-1].value
				mantissa := step / math.Pow(10, math.Floor(math.Log10(step)+1e-6))
				nearest := min(math.Abs(mantissa-1), math.Abs(mantissa-2), math.Abs(mantissa-5))
				require.Less(t, nearest, 1e-3, "%v to %v", low, high)
			}
		}
	}
}

func TestTicksOfKnownAxes(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		most      int
		whole     bool
		want      []string
	}{
		{0, 1, 7, false, []string{"0", "0.2", "0.4", "0.6", "0.8", "1.0"}},
		{0.1, 0.35, 7, false, []string{"0.10", "0.15", "0.20", "0.25", "0.30", "0.35"}},
		{-3, 12, 5, false, []string{"0", "5", "10"}},
		{1, 3, 7, true, []string{"1", "2", "3"}},
		{0, 25e6, 4, false, []string{"0", "1e7", "2e7"}},
		{0, 25e6, 7, false, []string{"0", "5e6", "1e7", "1.5e7", "2e7", "2.5e7"}},
		{-4e-9, 4e-9, 5, false, []string{"-4e-9", "-2e-9", "0", "2e-9", "4e-9"}},
	} {
		var labels []string
		for _, tick := range (axis{low: c.low, high: c.high}).ticks(c.most, c.whole) {
			labels = append(labels, tick.label)
		}
		require.Equal(t, c.want, labels, "%v", c)
	}
}

func TestAnAxisHasZeroWhereItIsNear(t *testing.T) {
	for _, c := range [][4]float64{{1, 3, 0, 3.1}, {-3, -1, -3.1, 0}, {10, 12, 9.9, 12.1}, {-1, 1, -1.1, 1.1},
		{0, 0, -1, 1}, {50, 50, 45, 55}} {
		from, to := around(c[0], c[1])
		require.InDelta(t, c[2], from, 1e-12)
		require.InDelta(t, c[3], to, 1e-12)
	}
}
