// This file tests the text of numbers.

package cli

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func FuzzFloatsReadBackAsTheSame(f *testing.F) {
	for _, v := range []float64{0, 1, -1, 1e-6, 9.9e-7, 1e21, 1e20, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN(), 5e-324} {
		f.Add(math.Float64bits(v))
	}
	f.Fuzz(func(t *testing.T, bits uint64) {
		v := math.Float64frombits(bits)
		got, err := strconv.ParseFloat(FormatFloat(v, 64), 64)
		require.NoError(t, err)
		require.True(t, got == v || got != got && v != v)
		short := math.Float32frombits(uint32(bits))
		got, err = strconv.ParseFloat(FormatFloat(float64(short), 32), 32)
		require.NoError(t, err)
		require.True(t, float32(got) == short || got != got && short != short)
	})
}
