// This file owns what the tests share: the functions, and the arguments to try.

package libm

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ross-go/ross/internal/testrand"
)

// unary has the functions of one argument by their names in C.
var unary = map[string]func(float64) float64{
	"log": Log, "exp": Exp, "sin": Sin, "cos": Cos, "tgamma": Gamma, "log1p": Log1p, "expm1": Expm1,
}

// borders has numbers at which a function takes another way, or which are special.
var borders = func() (all []float64) {
	for _, x := range []float64{
		0, 1, 2, 3, 4, 10, 64, 512, 1 << 31, 1 << 52, 1 << 53, 1 << 54, 1 << 63, 0x1p-1022, 0x1p-1074, math.MaxFloat64,
		1 - 1./16, 1 + 0x1.09p-4, 0.6875, math.Float64frombits(powOffset), // Log, Pow
		0x1p-54, 0x1p-65, 708, 709.782712893384, 709.7827128933841, 745.1332191019411, 745.1332191019412, 1024, // Exp, Pow
		0x1p-26, 0x1p-27, sinSmall, 0.855469, 2.426265, math.Pi / 4, math.Pi / 2, math.Pi, 2 * math.Pi, 6.28318530718, sinMax, // Sin
		0x1p-53, 0.25, 0.5, // Log1p, Expm1
		0.7316, 0.9, 1.2316, lgammaLeast, 1.5, 1.7316, 2.5, 3.5, 6.5, 11.5, 12, 143, 171.6, 171.7, // Gamma
	} {
		for _, y := range []float64{math.Nextafter(x, 0), x, math.Nextafter(x, math.Inf(1))} {
			all = append(all, y, -y)
		}
	}
	return append(all, math.Inf(1), math.Inf(-1), math.NaN())
}()

// kind is a distribution of arguments.
type kind struct {
	name string
	draw func(*rand.Rand) float64
}

var kinds = []kind{
	{"any bits", anyBits},
	{"0 to 1", (*rand.Rand).Float64},
	{"near 1", func(r *rand.Rand) float64 { return 1 + (r.Float64()-0.5)/4 }},
	{"-800 to 800", func(r *rand.Rand) float64 { return 1600 * (r.Float64() - 0.5) }},
	{"-7 to 7", func(r *rand.Rand) float64 { return 14 * (r.Float64() - 0.5) }},
	{"subnormal", func(r *rand.Rand) float64 { return math.Float64frombits(r.Uint64() >> 12) }},
	{"-10^8 to 10^8", func(r *rand.Rand) float64 { return 2e8 * (r.Float64() - 0.5) }},
	{"integers", func(r *rand.Rand) float64 { return float64(int64(r.Uint64()) >> r.IntN(64)) }},
}

// anyBits makes NaN quiet, since powers of 1 and with 0 are NaN in C, and not 1, if it signals.
func anyBits(r *rand.Rand) float64 {
	x := math.Float64frombits(r.Uint64())
	if math.IsNaN(x) {
		return math.NaN()
	}
	return x
}

// in reports whether the function has a value of x that is to be compared.
func in(name string, x float64) bool {
	switch name {
	case "sin", "cos":
		return !(math.Abs(x) > sinMax)
	case "tgamma":
		return !(x < 1)
	default:
		return true
	}
}

// same reports whether both have the same bits, or are both NaN.
func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
}

// apart is the number of float64 values from a to b.
func apart(a, b float64) uint64 {
	if math.IsNaN(a) || math.IsNaN(b) {
		if math.IsNaN(a) && math.IsNaN(b) {
			return 0
		}
		return math.MaxUint64
	}
	x, y := place(a), place(b)
	return uint64(max(x, y) - min(x, y))
}

// place numbers the float64 values by size.
func place(x float64) int64 {
	bits := int64(math.Float64bits(x))
	if bits < 0 {
		return math.MinInt64 - bits
	}
	return bits
}

// random returns random numbers from a seed of which the log tells.
func random(t testing.TB) *rand.Rand {
	seed := testrand.Seed(t)
	return rand.New(rand.NewPCG(seed, 0))
}
