package interval

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
)

// nearestProduct returns n*every, rounded once.
func nearestProduct(n *big.Int, every float64) float64 {
	exact := new(big.Float).SetPrec(2400).SetInt(n)
	f, _ := exact.Mul(exact, big.NewFloat(every)).Float64()
	return f
}

// multiple returns multiple n of an interval, found with numbers of any length.
func multiple(n *big.Int, every float64) float64 {
	at := nearestProduct(n, every)
	text := strconv.FormatFloat(every, 'e', -1, 64)
	digits, power, _ := strings.Cut(text, "e")
	e, _ := strconv.Atoi(power)
	if n := len(strings.Replace(digits, ".", "", 1)); n > 15 || e-(n-1) < -22 || e-(n-1) >= 0 {
		return at
	}
	decimal, _ := new(big.Rat).SetString(text)
	product, _ := decimal.Mul(decimal, new(big.Rat).SetInt(n)).Float64()
	return min(at, product)
}

// leastMultiple is what After should return, found with numbers of any length.
func leastMultiple(now, every float64) float64 {
	ratio := new(big.Float).SetPrec(2400).Quo(big.NewFloat(now).SetPrec(2400), big.NewFloat(every))
	n, _ := ratio.Int(nil)
	n.Sub(n, big.NewInt(2))
	for n.Sign() < 0 || multiple(n, every) <= now {
		n.Add(n, big.NewInt(1))
	}
	return multiple(n, every)
}

func TestNextMultipleIsTheLeastAfterNow(t *testing.T) {
	testlevel.Once(t, "rounding")
	e := 0.7 // floor(3*e/e) is 2
	for _, c := range [][2]float64{
		{734003.2, 0.7}, {0, 0.7}, {0.7, 0.7}, {3 * e, e}, {math.Nextafter(734003.2, 0), 0.7}, {0.3, 0.1}, {5, 5}, {4.9, 5},
		{0, 5e-324}, {5e-324, 5e-324},
		{0.2, 0.1}, {0.30000000000000004, 0.1}, {0.6, 0.3}, {0.8999999999999999, 0.3}, {0.9, 0.3}, {1e9, 0.1}, {1e9, 0.01},
		{1e15, 1.0 / 3}, {3, 1e300}, {0, math.MaxFloat64}, {math.MaxFloat64 / 2, math.MaxFloat64},
	} {
		require.Equal(t, leastMultiple(c[0], c[1]), After(c[0], c[1]), "%v", c)
	}
	seed := testrand.Seed(t)
	r := testrand.Of(seed, 1)
	for range 20000 {
		every := math.Ldexp(r.Float64()+0.5, r.IntN(200)-100)
		if r.IntN(2) == 0 { // a short decimal number
			every, _ = strconv.ParseFloat(strconv.FormatFloat(every, 'e', r.IntN(16), 64), 64)
		}
		n := math.Floor(math.Ldexp(r.Float64(), r.IntN(52)))
		now := n * every
		for range r.IntN(3) {
			now = math.Nextafter(now, now*float64(2*r.IntN(2)))
		}
		require.Equal(t, leastMultiple(now, every), After(now, every), "seed %d: multiples of %v after %v", seed, every, now)
	}
}

func TestMultiplesAreWhatTheyAreCalled(t *testing.T) {
	for _, c := range []struct {
		every float64
		want  []float64 // 0, 1, 2 ... times
	}{
		{0.1, []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7}},
		{0.3, []float64{0, 0.3, 0.6, 0.8999999999999999, 1.2, 1.5, 1.7999999999999998, 2.1}},
		{0.07, []float64{0, 0.07, 0.14, 0.21, 0.28, 0.35}},
		{1.0 / 3, []float64{0, 1.0 / 3, 2.0 / 3, 1, 4.0 / 3, 1.6666666666666665, 2}},
		{2.5, []float64{0, 2.5, 5, 7.5}},
		{60, []float64{0, 60, 120, 180}},
		{1e-9, []float64{0, 1e-9, 2e-9, 3e-9, 4e-9, 5e-9, 6e-9, 7e-9}},
	} {
		l := Of(c.every)
		require.Equal(t, c.every, l.Every())
		for n, want := range c.want {
			require.Equal(t, want, l.Begin(float64(n)), "%d times %g", n, c.every)
		}
	}
	require.Equal(t, 1e9, Of(0.1).Begin(1e10))
	require.Equal(t, 123456789.7, Of(0.1).Begin(1234567897))
	require.Equal(t, math.Inf(1), Of(1e300).Begin(1e10))
	require.Equal(t, 1e300, Of(0.1).Times(math.Ldexp(1, 1000)).Begin(1e300/math.Ldexp(0.1, 1000)),
		"n times the whole is no float")
}

func TestPartsOfIntervalsBeginAtTheSum(t *testing.T) {
	for k := 1.0; k < 2000; k++ {
		require.LessOrEqual(t, Of(0.2).Within(k, Of(0.1)), (2*k+1)/10)
		require.Greater(t, Of(0.2).Within(k, Of(0.1)), math.Nextafter(math.Nextafter((2*k+1)/10, 0), 0))
		require.Equal(t, 24*k+7.5, Of(24).Within(k, Of(7.5)))
	}
	require.Equal(t, 0.3, Of(0.2).Within(1, Of(0.1)), "and not 0.30000000000000004")
	require.Equal(t, 123456789.3, Of(0.2).Within(617283946, Of(0.1)))
	require.Equal(t, 0.1, Of(0.2).Within(0, Of(0.1)))
	require.Equal(t, math.Inf(1), Of(1e300).Within(1e10, Of(1)))
}

// TestEachTimeIsInItsInterval looks at multiples, computed in each way, and at the floats around them.
func TestEachTimeIsInItsInterval(t *testing.T) {
	testlevel.Once(t, "rounding")
	seed := testrand.Seed(t)
	r := testrand.Of(seed, 3)
	in := func(l Length, n, at float64) {
		k, begin, end := l.Around(at)
		if !(begin <= at && at < end) || k < far && (begin != l.Begin(k) || end != l.Begin(k+1)) || n >= 0 && n != k {
			t.Fatalf("seed %d: %v is in interval %v of %v, from %v to %v", seed, at, k, l.Every(), begin, end)
		}
	}
	for _, c := range []struct{ whole, parts float64 }{
		{1, 10}, {1, 100}, {1, 1e9}, {3, 10}, {7, 10}, {1, 3}, {2, 3}, {1, 7}, {11, 10}, {5, 100}, {123456789, 1e6}, {1, 1},
		{60, 1}, {1, 1e22}, {1, 1024},
	} {
		for _, k := range []float64{1, 2, 1 << 30} {
			every := c.whole / c.parts
			l := Of(every).Times(k)
			ns := []float64{1e9 / l.Every(), 1e15 / l.Every(), 1 << 51, 1 << 52}
			for n := range 1000 {
				ns = append(ns, float64(n))
			}
			for range testlevel.Times(5000, 500) {
				ns = append(ns, math.Ldexp(r.Float64(), r.IntN(53)))
			}
			for _, n := range ns {
				n = math.Floor(n)
				at := n * l.Every()
				if n < 1<<51 { // their intervals are wider than the distance of floats
					in(l, n, at)
					in(l, n, l.Begin(n))
					if n*k*c.whole < 1<<53 {
						in(l, n, n*k*c.whole/c.parts)
					}
					if n > 0 {
						in(l, n-1, math.Nextafter(l.Begin(n), 0))
					}
				}
				in(l, -1, at)
				in(l, -1, math.Nextafter(at, math.Inf(1)))
			}
		}
		in(Of(c.whole/c.parts), -1, 1e9)
		in(Of(c.whole/c.parts), -1, 1e15)
		in(Of(c.whole/c.parts), -1, math.MaxFloat64)
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
		require.LessOrEqual(t, next-now, max(2*every, math.Nextafter(now, math.Inf(1))-now), "seed %d: every %v, now %v",
			seed, every, now)
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
	require.Equal(t, 2.0, UpTo(0.3, 0.1, 0.1))
	require.Equal(t, 9.0, UpTo(1, 0.1, 0.1))
	require.Equal(t, 0.0, UpTo(5, math.Inf(1), 7))
	require.Equal(t, 1.0, UpTo(math.MaxFloat64, 0, math.MaxFloat64))
}
