// This file owns the tests of Student's t distribution.

package experiment

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testlevel"
)

// The rows are those of the table that every textbook has (NIST/SEMATECH e-Handbook, 1.3.6.7.2).
func TestQuantilesAreThoseOfTheTables(t *testing.T) {
	columns := []float64{0.90, 0.95, 0.975, 0.99, 0.995, 0.999}
	for degrees, row := range map[float64][]float64{
		1: {3.078, 6.314, 12.706, 31.821, 63.657, 318.309}, 2: {1.886, 2.920, 4.303, 6.965, 9.925, 22.327},
		3: {1.638, 2.353, 3.182, 4.541, 5.841, 10.215}, 4: {1.533, 2.132, 2.776, 3.747, 4.604, 7.173},
		5: {1.476, 2.015, 2.571, 3.365, 4.032, 5.893}, 9: {1.383, 1.833, 2.262, 2.821, 3.250, 4.297},
		10: {1.372, 1.812, 2.228, 2.764, 3.169, 4.144}, 19: {1.328, 1.729, 2.093, 2.539, 2.861, 3.579},
		30: {1.310, 1.697, 2.042, 2.457, 2.750, 3.385}, 60: {1.296, 1.671, 2.000, 2.390, 2.660, 3.232},
		100: {1.290, 1.660, 1.984, 2.364, 2.626, 3.174}, math.Inf(1): {1.282, 1.645, 1.960, 2.326, 2.576, 3.090},
	} {
		for i, want := range row {
			require.InDelta(t, want, StudentT(columns[i], degrees), 0.00051, "p %g, %g degrees", columns[i], degrees)
			require.InDelta(t, -want, StudentT(1-columns[i], degrees), 0.00051)
		}
	}
}

// With 1, 2 and 4 degrees the quantile has a closed form.
func TestQuantilesAreExactWhereAFormulaExists(t *testing.T) {
	for _, p := range []float64{0.50001, 0.6, 0.75, 0.9, 0.975, 0.999, 1 - 1e-6, 1 - 1e-9} {
		q := 1 - p // as the code has it, rounded
		require.InEpsilon(t, 1/math.Tan(math.Pi*q), StudentT(p, 1), 1e-10, "%g", p)
		require.InEpsilon(t, (1-2*q)*math.Sqrt(2/(4*q*(1-q))), StudentT(p, 2), 1e-10, "%g", p)
		root := math.Sqrt(4 * q * (1 - q))
		require.InEpsilon(t, 2*math.Sqrt(math.Cos(math.Acos(root)/3)/root-1), StudentT(p, 4), 1e-7, "%g", p)
	}
	require.InEpsilon(t, -3.18309886183791e11, StudentT(1e-12, 1), 1e-12)
	require.InDelta(t, math.Pi*1e-9, StudentT(0.5+1e-9, 1), 1e-9)
}

// The tail is the integral of the density, computed here by Simpson's rule, and the quantile is its
// inverse.
func TestTheTailIsTheIntegralOfTheDensity(t *testing.T) {
	testlevel.Once(t, "what one goroutine computes")
	for _, degrees := range []float64{1, 1.5, 2, 3, 7, 30, 399, 401, 1000, 9999} {
		for _, x := range []float64{0.001, 0.3, 1, 1.96, 4} {
			const steps = 4000
			sum := studentDensity(0, degrees) + studentDensity(x, degrees)
			for i := 1; i < steps; i++ {
				sum += float64(2+2*(i%2)) * studentDensity(x*float64(i)/steps, degrees)
			}
			tail := studentTail(x, degrees)
			require.InDelta(t, 0.5-sum*x/steps/3, tail, 1e-11, "t %g, %g degrees", x, degrees)
			require.InDelta(t, x, StudentT(1-tail, degrees), 1e-9, "t %g, %g degrees", x, degrees)
		}
	}
	for p := 0.55; p < 1; p += 0.05 { // towards the normal distribution
		require.InDelta(t, StudentT(p, math.Inf(1)), StudentT(p, 1e13), 1e-9)
		require.InDelta(t, StudentT(p, manyDegrees), StudentT(p, manyDegrees+1e-6), 1e-10, "the series continues the fraction")
	}
}

func TestArgumentsOfQuantilesOutOfRange(t *testing.T) {
	require.Zero(t, StudentT(0.5, 3))
	require.Equal(t, math.Inf(1), StudentT(1, 3))
	require.Equal(t, math.Inf(-1), StudentT(0, 3))
	for _, c := range [][2]float64{{-0.1, 3}, {1.1, 3}, {math.NaN(), 3}, {0.9, 0}, {0.9, -1}, {0.9, math.NaN()}} {
		require.True(t, math.IsNaN(StudentT(c[0], c[1])))
	}
	for _, degrees := range []float64{1e-3, 0.1, 1e300} { // they end
		require.Positive(t, StudentT(0.975, degrees))
	}
}
