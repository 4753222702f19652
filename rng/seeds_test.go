// This file owns the tests of the choice of seeds.

package rng

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testlevel"
)

// The reason for Patterned: multiples of seeds draw multiples, and sums of seeds draw
// sums, modulo 1, in every stream and at every step.
func TestStreamsAreLinearInTheirSeeds(t *testing.T) {
	r := newRand(t)
	for range 20 {
		var s, k, other, sum [4]uint64
		factor := 1 + r.Uint64N(20)
		for j := range s {
			s[j], other[j] = 1+r.Uint64N(1<<26), 1+r.Uint64N(1<<26)
			k[j], sum[j] = factor*s[j], s[j]+other[j]
		}
		id := r.Uint64()
		stream := func(seeds [4]uint64) CLCG4 {
			clamped, changed := ClampSeeds(seeds)
			require.False(t, changed)
			return NewSeeder(clamped).CLCG4(id)
		}
		a, b, ak, ab := stream(s), stream(other), stream(k), stream(sum)
		for range 100 {
			ua, ub := a.Unif(), b.Unif()
			requireSameFraction(t, float64(factor)*ua, ak.Unif())
			requireSameFraction(t, ua+ub, ab.Unif())
		}
	}
}

func requireSameFraction(t *testing.T, want, got float64) {
	t.Helper()
	apart := math.Abs(got - (want - math.Floor(want)))
	require.Less(t, min(apart, 1-apart), 1e-13, "%g and %g", want, got)
}

func TestPatternsOfSeeds(t *testing.T) {
	testlevel.Once(t, "numbers that no build changes")
	clamped, _ := ClampSeeds([4]uint64{1 << 40, 1 << 41, 1 << 42, 1 << 43})
	for _, s := range []Seeds{
		{1, 1, 1, 1}, {7, 7, 7, 7}, {123456789, 123456789, 123456789, 123456789},
		{1, 2, 3, 4}, {4, 3, 2, 1}, {5, 10, 15, 20}, {100, 101, 102, 103}, {12345, 12345 + 678, 12345 + 2*678, 12345 + 3*678},
		{5000, 1000, 9000, 2000}, {1e7, 3e7, 2e7, 5e7}, {1, 22, 3, 44},
		{2 * 11111111, 2 * 22222222, 2 * 33333333, 2 * 44444444}, DefaultSeeds, DefaultCoreSeeds, clamped,
	} {
		require.True(t, s.Patterned(), "%v", s)
	}
	for _, s := range []Seeds{
		{1, 22, 333, 4444}, {1, 1, 1, 100}, {1000, 1000, 1000, 1001}, {11111111, 22222222, 33333333, 44444445},
	} {
		require.False(t, s.Patterned(), "%v", s)
	}
	r := newRand(t)
	for range 10_000 {
		var s Seeds
		for j := range s {
			s[j] = uint32(1 + r.Uint64N(components[j].m-1))
		}
		if s.Patterned() {
			require.Failf(t, "a pattern", "%v", s)
		}
	}
}

func TestSeedsOfReplications(t *testing.T) {
	// The first numbers of SplitMix64 that starts at 0, as its authors publish them.
	want := [4]uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec}
	for j, s := range SeedsOf(0) {
		require.Equal(t, 1+want[j]%(components[j].m-1), uint64(s))
	}
	seen := map[Seeds]bool{}
	for n := range uint64(10_000) {
		s := SeedsOf(n)
		clamped, changed := ClampSeeds(s.Uint64s())
		if seen[s] || s.Patterned() || changed || clamped != s {
			require.Failf(t, "bad seeds", "replication %d: %v", n, s)
		}
		seen[s] = true
	}
}

// Replications that differ are not correlated, in the first draws of the first LPs either,
// where seeds of a pattern show it most.
func TestReplicationsAreNotCorrelated(t *testing.T) {
	const draws = 2000
	for _, pair := range [][2]Seeds{{SeedsOf(1), SeedsOf(2)}, {SeedsOf(2), SeedsOf(3)}, {SeedsOf(0), DefaultSeeds}} {
		for k := 1.0; k <= 4; k++ { // does one draw k times what the other does?
			sum := 0.0
			for id := range uint64(draws) {
				a, b := NewSeeder(pair[0]).CLCG4(id), NewSeeder(pair[1]).CLCG4(id)
				sum += math.Cos(2 * math.Pi * (k*a.Unif() - b.Unif()))
			}
			require.Less(t, math.Abs(sum)/draws, 0.1, "%v, factor %g", pair, k)
		}
	}
	a, b, sum := NewSeeder(Seeds{7, 7, 7, 7}), NewSeeder(Seeds{14, 14, 14, 14}), 0.0
	for id := range uint64(draws) {
		x, y := a.CLCG4(id), b.CLCG4(id)
		sum += math.Cos(2 * math.Pi * (2*x.Unif() - y.Unif()))
	}
	require.InDelta(t, 1, sum/draws, 1e-9, "what the test looks for is there where seeds are multiples")
}
