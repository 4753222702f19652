// This file pins the arithmetic of lookaheads: rounding makes no time later than it is.

package run_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/testrand"
)

func TestTimeBehindAndLookaheadMakeNoLaterTime(t *testing.T) {
	testlevel.Once(t, "rounding")
	seed := testrand.Seed(t)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 200000 {
		at := math.Ldexp(1+r.Float64(), r.IntN(120)-60)
		ulp := math.Nextafter(at, math.Inf(1)) - at
		ahead := ulp * float64(r.IntN(20)) / 4
		if r.IntN(2) == 0 {
			ahead = at * r.Float64() * 1.2
		}
		behind := run.TimeBehind(at, ahead)
		require.LessOrEqual(t, behind+ahead, at, "%g and %g", at, ahead)
		if below := at - ahead - 2*ulp; below > 0 {
			require.GreaterOrEqual(t, behind, below, "%g and %g", at, ahead)
		}
	}
}
