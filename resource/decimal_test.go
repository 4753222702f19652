// This file tests decimal against numbers of any length.

package resource

import (
	"math"
	"math/big"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
)

// rational returns a number as a fraction.
func rational(d decimal) *big.Rat {
	x := new(big.Int).SetUint64(d.high)
	x.Add(x.Lsh(x, 64), new(big.Int).SetUint64(d.low))
	all, _ := new(big.Rat).SetString(x.String() + "e" + strconv.FormatInt(d.power, 10))
	return all
}

func TestDecimalsAreTheShortestOnes(t *testing.T) {
	r := testrand.New(t)
	numbers := []float64{0, 1, 0.1, 0.3, 1.0 / 3, 5e-324, 2.2e-308, math.MaxFloat64, 1 << 53, 1<<53 + 2, 1e15 + 0.5,
		123.456, 1e22, 1e23}
	for range testlevel.Times(20000, 2000) {
		numbers = append(numbers, math.Float64frombits(r.Uint64()%0x7ff0000000000000), math.Ldexp(r.Float64(), r.IntN(60)-20),
			math.Round(r.Float64()*1e6)/1000)
	}
	for _, x := range numbers {
		d := decimalOf(x)
		want, _ := new(big.Rat).SetString(strconv.FormatFloat(x, 'g', -1, 64))
		if rational(d).Cmp(want) != 0 || d.float() != x {
			t.Fatalf("%v became %v, which is next to %v", x, d, d.float())
		}
	}
}

// TestSumsOfDecimalsAreExact adds and takes away numbers of up to 17 digits, next to one another in size.
func TestSumsOfDecimalsAreExact(t *testing.T) {
	r := testrand.New(t)
	for range testlevel.Times(300, 30) {
		sum, want := decimal{}, new(big.Rat)
		var in []float64
		for range 200 {
			x := math.Ldexp(r.Float64(), r.IntN(20)-10)
			if r.IntN(3) == 0 {
				x = math.Round(x*100) / 100
			}
			if n := len(in); n > 0 && r.IntN(2) == 0 {
				at := r.IntN(n)
				x, in[at] = in[at], in[n-1]
				in = in[:n-1]
				sum = sum.minus(decimalOf(x))
				want.Sub(want, rational(decimalOf(x)))
			} else {
				in = append(in, x)
				sum = sum.plus(decimalOf(x))
				want.Add(want, rational(decimalOf(x)))
			}
			next, _ := want.Float64()
			if rational(sum).Cmp(want) != 0 || sum.float() != next {
				t.Fatalf("%v, which is next to %v, and not %v, next to %v", rational(sum), sum.float(), want, next)
			}
		}
	}
}

func TestSumsOfDecimalsLoseTheLeastDigits(t *testing.T) {
	huge, tiny := decimalOf(1e300), decimalOf(1e-300)
	require.Equal(t, 1e300, huge.plus(tiny).float())
	require.Equal(t, 1e300, tiny.plus(huge).float())
	require.Equal(t, 1e300, huge.minus(tiny).float())
	require.Equal(t, decimal{}, tiny.minus(huge))
	require.Equal(t, decimal{}, huge.minus(huge))
	require.Equal(t, 1e-300, decimal{power: 200}.plus(tiny).float())
	require.Equal(t, 1e-300, huge.minus(huge).plus(tiny).float())
	require.Equal(t, math.Inf(1), decimalOf(math.MaxFloat64).plus(decimalOf(math.MaxFloat64)).float())
	sum := decimalOf(1e-20) // 38 digits and more
	for range 200 {
		sum = sum.plus(sum)
	}
	require.InEpsilon(t, 1e-20*math.Ldexp(1, 200), sum.float(), 1e-15)
	// 2^127 - 1
	require.Equal(t, 1e38, decimal{high: 1<<63 - 1, low: math.MaxUint64}.minus(decimalOf(7.014118346046923e+37)).float())
}
