// This file owns the proof by comparison that divider divides, and the
// measurement that justifies it.

package mapping

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// hardDivisors are where rounding goes wrong first: on and around powers of two,
// and some for each direction of rounding in between.
func hardDivisors() []uint64 {
	ds := []uint64{7, 10, 14, 19, 21, 28, 641, 6700417, math.MaxUint64}
	for shift := range 64 {
		p := uint64(1) << shift
		for _, d := range []uint64{p - 1, p, p + 1} {
			if d != 0 {
				ds = append(ds, d)
			}
		}
	}
	return ds
}

func requireDivides(t *testing.T, d, n uint64) {
	t.Helper()
	v := newDivider(d)
	if got := v.quo(n); got != n/d {
		require.Failf(t, "wrong quotient", "%d / %d = %d, got %d", n, d, n/d, got)
	}
}

// requireDividesAround tests both sides of multiples of d, where an inexact
// multiplier shows first, up to the greatest number allowed.
func requireDividesAround(t *testing.T, d, multiple uint64) {
	t.Helper()
	const greatest = math.MaxUint64 - 1
	base := multiple * d
	for _, n := range []uint64{base - 1, base, base + 1, greatest / d * d, greatest/d*d - 1, greatest, 0} {
		if n <= greatest {
			requireDivides(t, d, n)
		}
	}
}

func TestDividerEqualsDivisionForHardDivisors(t *testing.T) {
	for _, d := range hardDivisors() {
		for _, multiple := range []uint64{0, 1, 2, 3, math.MaxUint64/d - 1, math.MaxUint64 / d} {
			requireDividesAround(t, d, multiple)
		}
	}
}

func TestDividerEqualsDivisionForAllSmallNumbers(t *testing.T) {
	for d := uint64(1); d <= 300; d++ {
		for n := range uint64(1000) {
			requireDivides(t, d, n)
		}
	}
}

func TestDividerEqualsDivisionForRandomNumbers(t *testing.T) {
	r := newRand(t)
	for range 100_000 {
		d := max(1, r.Uint64()>>r.UintN(64))
		requireDividesAround(t, d, r.Uint64())
		requireDivides(t, d, min(r.Uint64()>>r.UintN(64), math.MaxUint64-1))
	}
}

// The chain through sum makes it latency that is measured, as on the path of an
// event, where the next load waits for the quotient.
func BenchmarkDivide(b *testing.B) {
	d := uint64(1000 + rand.N(1000)) // unknown to the compiler
	v := newDivider(d)
	b.Run("impl=hardware", func(b *testing.B) {
		var sum uint64
		for i := range uint64(b.N) {
			sum = (sum ^ i<<20) / d
		}
		sink = sum
	})
	b.Run("impl=multiply", func(b *testing.B) {
		var sum uint64
		for i := range uint64(b.N) {
			sum = v.quo(sum ^ i<<20)
		}
		sink = sum
	})
}

var sink uint64
