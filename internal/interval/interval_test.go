package interval

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/testrand"
)

// nearestProduct returns n*every, rounded once.
func nearestProduct(n *big.Int, every float64) float64 {
	exact := new(big.Float).SetPrec(2400).SetInt(n)
	f, _ := exact.Mul(exact, big.NewFloat(every)).Float64()
	return f
}

// leastMultiple is what nextMultiple should return, found with numbers of any length.
func leastMultiple(now, every float64) float64 {
	ratio := new(big.Float).SetPrec(2400).Quo(big.NewFloat(now).SetPrec(2400), big.NewFloat(every))
	n, _ := ratio.Int(nil)
	n.Sub(n, big.NewInt(1))
	for nearestProduct(n, every) <= now {
		n.Add(n, big.NewInt(1))
	}
	return nearestProduct(n, every)
}

func TestNextMultipleIsTheLeastAfterNow(t *testing.T) {
	testlevel.Once(t, "rounding")
	e := 0.7 // floor(3*e/e) is 2
	for _, c := range [][2]float64{
		{734003.2, 0.7}, {0, 0.7}, {0.7, 0.7}, {3 * e, e}, {math.Nextafter(734003.2, 0), 0.7}, {0.3, 0.1}, {5, 5}, {4.9, 5}, {0, 5e-324}, {5e-324, 5e-324},
		{3, 1e300}, {0, math.MaxFloat64}, {math.MaxFloat64 / 2, math.MaxFloat64},
	} {
		require.Equal(t, leastMultiple(c[0], c[1]), After(c[0], c[1]), "%v", c)
	}
	seed := testrand.Seed(t)
	r := testrand.Of(seed, 1)
	for range 20000 {
		every := math.Ldexp(r.Float64()+0.5, r.IntN(200)-100)
		n := math.Floor(math.Ldexp(r.Float64(), r.IntN(52)))
		now := n * every
		for range r.IntN(3) {
			now = math.Nextafter(now, now*float64(2*r.IntN(2)))
		}
		require.Equal(t, leastMultiple(now, every), After(now, every), "seed %d: multiples of %v after %v", seed, every, now)
	}
}

func TestNextMultipleComesAfterNowForAllTimesAndIntervals(t *testing.T) {
	testlevel.Once(t, "rounding")
	seed := testrand.Seed(t)
	r := testrand.Of(seed, 2)
	for range 50000 {
		now, every := math.Float64frombits(r.Uint64()>>1), math.Float64frombits(r.Uint64()>>1)
		if !(now <= math.MaxFloat64 && every <= math.MaxFloat64 && every > 0) {
			continue
		}
		next := After(now, every)
		require.Greater(t, next, now, "seed %d: every %v", seed, every)
		if math.IsInf(next, 1) {
			require.Greater(t, now, math.MaxFloat64-2*every, "seed %d: every %v", seed, every)
			continue
		}
		require.LessOrEqual(t, next-now, max(2*every, math.Nextafter(now, math.Inf(1))-now), "seed %d: every %v, now %v", seed, every, now)
	}
	require.Equal(t, math.Inf(1), After(math.MaxFloat64, 1))
	require.Equal(t, math.Inf(1), After(math.MaxFloat64, math.MaxFloat64))
	require.Equal(t, math.Nextafter(1e9, 2e9), After(1e9, 1e-9), "every float is a multiple")
}

func TestMultiplesUpToATimeAreCounted(t *testing.T) {
	testlevel.Once(t, "rounding")
	require.Equal(t, 0.0, UpTo(0.7, 0.7, 0.7))
	require.Equal(t, 0.0, UpTo(1.3, 0.7, 0.7))
	require.Equal(t, 1.0, UpTo(1.4, 0.7, 0.7))
	require.Equal(t, 3.0, UpTo(3.4, 0.7, 0.7))
	require.Equal(t, 1048576.0, UpTo(734003.2, 0, 0.7))
	require.Equal(t, 0.0, UpTo(5, math.Inf(1), 7))
	require.Equal(t, 1.0, UpTo(math.MaxFloat64, 0, math.MaxFloat64))
}
