// This file owns the tests of special arguments, and of those that have no result.

package libm

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSpecialArguments(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct {
		name string
		x, y float64
	}{
		{"log", 0, -inf}, {"log", zero, -inf}, {"log", 1, 0}, {"log", -1, nan}, {"log", -inf, nan}, {"log", inf, inf},
		{"log", 0x1p-1074, -0x1.74385446d71c3p9}, {"log", nan, nan},
		{"exp", 0, 1}, {"exp", zero, 1}, {"exp", inf, inf}, {"exp", -inf, 0}, {"exp", nan, nan}, {"exp", 710, inf},
		{"exp", 1e308, inf}, {"exp", -746, 0}, {"exp", -1e308, 0}, {"exp", -745, 0x1p-1074}, {"exp", 1e-300, 1},
		{"sin", 0, 0}, {"sin", zero, zero}, {"sin", inf, nan}, {"sin", nan, nan}, {"sin", 1e9, nan}, {"sin", -1e9, nan},
		{"cos", 0, 1}, {"cos", inf, nan}, {"cos", nan, nan}, {"cos", 1e9, nan},
		{"tgamma", 1, 1}, {"tgamma", 2, 1}, {"tgamma", 5, 24}, {"tgamma", 6, 120}, {"tgamma", 11, 3628800}, {"tgamma", inf, inf},
		{"tgamma", 172, inf}, {"tgamma", 1e300, inf}, {"tgamma", 0.999, nan}, {"tgamma", -inf, nan}, {"tgamma", nan, nan},
		{"log1p", 0, 0}, {"log1p", zero, zero}, {"log1p", -1, -inf}, {"log1p", -2, nan}, {"log1p", inf, inf},
		{"log1p", nan, nan}, {"log1p", 1e-300, 1e-300}, {"log1p", -inf, nan}, {"log1p", 1e300, Log(1e300)},
		{"expm1", 0, 0}, {"expm1", zero, zero}, {"expm1", inf, inf}, {"expm1", -inf, -1}, {"expm1", nan, nan},
		{"expm1", -1e-300, -1e-300}, {"expm1", 1000, inf}, {"expm1", -1000, -1},
	} {
		if got := unary[c.name](c.x); !same(got, c.y) {
			t.Errorf("%s(%v) is %v, not %v", c.name, c.x, got, c.y)
		}
	}
}

// TestSpecialPowers compares with package math, which has the same rules.
func TestSpecialPowers(t *testing.T) {
	var all []float64
	for _, x := range []float64{0, 1, math.Inf(1), math.NaN(), 0.5, 2, 3, 1<<53 - 1, 1 << 53, 1 << 62, 1e300, 1e-300} {
		all = append(all, x, -x)
	}
	for _, x := range all {
		for _, y := range all {
			if got, want := Pow(x, y), math.Pow(x, y); apart(got, want) > 1 || math.Signbit(got) != math.Signbit(want) && want == want {
				t.Errorf("pow(%v, %v) is %v, not %v", x, y, got, want)
			}
		}
	}
}

func TestPowersOfNegativeNumbers(t *testing.T) {
	for _, c := range [][3]float64{
		{-2, 3, -8}, {-2, 4, 16}, {-2, -3, -0.125}, {-0.5, 1074, 0x1p-1074}, {-0.5, 1073, -0x1p-1073},
		{-2, 1023, -0x1p1023}, {-2, 1025, math.Inf(-1)}, {-2, 1026, math.Inf(1)}, {-1, 1<<53 - 1, -1}, {-1, 1 << 53, 1},
		{-0.5, 1077, math.Copysign(0, -1)}, {-0.5, 1078, 0}, {-3, 0x1p70, math.Inf(1)}, {-1e-310, 3, math.Copysign(0, -1)},
	} {
		if got := Pow(c[0], c[1]); !same(got, c[2]) {
			t.Errorf("pow(%v, %v) is %v, not %v", c[0], c[1], got, c[2])
		}
	}
	require.True(t, math.IsNaN(Pow(-2, 0.5)))
	require.True(t, math.IsNaN(Pow(-2, math.Nextafter(2, 3))))
}
