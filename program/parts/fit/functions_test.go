// This file tests the incomplete gamma function: its values, and how many steps it takes.

package fit

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/rng"
)

// TestShareOfAGammaDistributionIsKnown has values that were computed with 45 digits, by the series of the function.
func TestShareOfAGammaDistributionIsKnown(t *testing.T) {
	for _, c := range []struct{ a, x, want float64 }{
		{0.5, 0.1464466094067262, 4.1162757476269708e-1},
		{0.5, 0.5, 6.826894921370859e-1},
		{0.5, 2.621320343559643, 9.7796020471878175e-1},
		{2.5, 2.5, 5.8411981300449208e-1},
		{2.5, 5.66227766016838, 9.5468850856184779e-1},
		{50.0, 35.85786437626905, 1.4661655202476578e-2},
		{50.0, 57.071067811865476, 8.4207788277402716e-1},
		{99.0, 99.0, 5.133658023307904e-1},
		{99.0, 113.9248115565993, 9.2836676225812504e-1},
		{100.0, 54.0, 1.3946152395469094e-8},
		{100.0, 56.0, 7.4699461115748346e-8},
		{100.0, 90.0, 1.5822098918643017e-1},
		{100.0, 100.0, 5.1329879827914866e-1},
		{100.0, 120.0, 9.7213626010947934e-1},
		{100.0, 144.0, 9.999546942783523e-1},
		{100.0, 146.0, 9.9997660585211559e-1},
		{1000.0, 841.886116991581, 6.4528195904468667e-8},
		{1000.0, 1000.0, 5.0420524418021551e-1},
		{1000.0, 1031.6227766016839, 8.4138418842872086e-1},
		{12345.6, 12012.26773333504, 1.2455242742343619e-3},
		{12345.6, 12373.377688888748, 5.997933295772372e-1},
		{1000000.0, 998000.0, 2.2696114006736803e-2},
		{1000000.0, 1000000.0, 5.0013298076087259e-1},
		{1000000.0, 1001500.0, 9.3313889576410224e-1},
		{100000000.0, 100007500.0, 7.7337703937094632e-1},
		{10000000000.0, 9999950000.0, 3.0853841888948717e-1},
	} {
		got := gammaShare(c.a, c.x)
		require.InEpsilon(t, c.want, got, 3e-12, "shape %v, %v", c.a, c.x)
		if c.a >= many && c.a < 1e8 { // later the distance to the mean has lost digits
			require.InDelta(t, c.want, got, 1e-15, "shape %v, %v", c.a, c.x)
		}
	}
	for _, a := range []float64{0.01, 3, 99, 100, 1e6, 1e12} {
		require.Equal(t, []float64{0, 0, 1, 1}, []float64{gammaShare(a, -1), gammaShare(a, 0), gammaShare(a, 1e300),
			gammaShare(a, math.Inf(1))})
	}
}

// TestSharesRiseWhereTheMethodChanges goes through the shapes and numbers at which another one is used.
func TestSharesRiseWhereTheMethodChanges(t *testing.T) {
	for _, a := range []float64{0.5, 20, 99.99, 100, 1e3, 1e4} {
		before := 0.0
		for i := range 4000 {
			x := a * 2 * float64(i) / 4000
			share := gammaShare(a, x)
			require.GreaterOrEqual(t, share, before-1e-13, "shape %v, %v", a, x)
			before = max(before, share)
		}
	}
	for _, z := range []float64{-3, -1, 0, 1, 3} { // shapes so near to one another have nearly the same shares
		below, above := many*(1-1e-9), many*(1+1e-9)
		require.InDelta(t, gammaShare(below, below+z*math.Sqrt(below)), gammaShare(above, above+z*math.Sqrt(above)), 1e-9)
	}
}

// TestTheShareOfANumberTakesFewSteps counts the terms of series and fractions.
func TestTheShareOfANumberTakesFewSteps(t *testing.T) {
	most := 0
	for a := 1e-3; a < 1e13; a *= 1.37 {
		for z := -40.0; z <= 40; z += 0.25 {
			_, steps := gammaSteps(a, a+z*math.Sqrt(a))
			most = max(most, steps)
		}
		for x := a / 1000; x < 1000*a; x *= 1.1 {
			_, steps := gammaSteps(a, x)
			most = max(most, steps)
		}
	}
	require.LessOrEqual(t, most, 200)
}

// TestDataThatVaryLittleHaveAGammaDistribution fits time stamps: the distribution has a shape of 10^10 then.
func TestDataThatVaryLittleHaveAGammaDistribution(t *testing.T) {
	for _, mean := range []float64{1e3, 1e5} {
		s := rng.NewSeeder(rng.DefaultSeeds).Stream(7)
		data := make([]float64, 1000)
		for i := range data {
			data[i] = s.NormalSD(mean, 1)
		}
		r, err := All(data)
		require.NoError(t, err)
		distances := map[string]float64{}
		for i := range r.Fits {
			distances[r.Fits[i].Name] = r.Fits[i].Distance
		}
		require.InDelta(t, distances["normal"], distances["gamma"], 1e-3)
	}
}
