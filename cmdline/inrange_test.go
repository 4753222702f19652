package cmdline_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmdline"
	"github.com/ross-go/ross/internal/usage"
)

func TestBoundsAreInTheirRange(t *testing.T) {
	for _, x := range []float64{1e-9, 1, 1e9} {
		require.NoError(t, cmdline.InRange("rate", x, 1e-9, 1e9))
	}
	for _, x := range []float64{0, -1, math.NaN(), math.Inf(1), math.Nextafter(1e9, 2e9)} {
		err := cmdline.InRange("rate", x, 1e-9, 1e9)
		require.ErrorIs(t, err, usage.Err)
		require.ErrorContains(t, err, ": must be in [1e-09, 1e+09]")
	}
	require.NoError(t, cmdline.InRange("n", 4096, 1, 4096))
	require.ErrorContains(t, cmdline.InRange("n", 16777217, 1, 16777216), "option --n=16777217: must be in [1, 16777216]")
}
