// This file owns the tests of seeds: their choice, the stream numbers, those made from one number, and the parts of
// replications.

package rng

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/stretchr/testify/require"
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

func TestConsecutiveStreamsAreOneSpacingApart(t *testing.T) {
	seeder := NewSeeder(DefaultSeeds)
	c := DefaultSeeds
	for id := range uint64(70_000) {
		if got := seeder.CLCG4(id); got != (CLCG4{c: c}) {
			t.Fatalf("stream %d starts at %v, want %v", id, got.State(), c)
		}
		for j := range c {
			c[j] = uint32(uint64(c[j]) * components[j].avw % components[j].m)
		}
	}
}

func TestStreamsAreTheirSpacingInDrawsApart(t *testing.T) {
	// 2^72 draws are 2^10 jumps of 2^62.
	seeder := NewSeeder(DefaultCoreSeeds)
	r := newRand(t)
	for range 20 {
		id := r.Uint64N(math.MaxUint64)
		g := seeder.CLCG4(id)
		for range 1 << 10 {
			g.Skip(1 << 62)
		}
		next := seeder.CLCG4(id + 1)
		require.Equal(t, next.State().C, g.State().C, "stream %d", id)
	}
}

func TestStreamNumbersUseAllBits(t *testing.T) {
	seeder := NewSeeder(DefaultSeeds)
	r := newRand(t)
	for range 2000 {
		id := r.Uint64() >> r.IntN(64)
		want := CLCG4{}
		for j, p := range components {
			want.c[j] = uint32(mulMod(uint64(DefaultSeeds[j]), powMod(p.avw, id, p.m), p.m))
		}
		require.Equal(t, want, seeder.CLCG4(id), "stream %d", id)
		stream := seeder.Stream(id)
		require.Equal(t, StreamState{State: want.State()}, stream.State())
	}
}

func TestClampSeeds(t *testing.T) {
	top := Seeds{2147483646, 2147483542, 2147483422, 2147483322}
	for _, c := range []struct {
		name    string
		in      [4]uint64
		want    Seeds
		changed bool
	}{
		{"in range", [4]uint64{1, 2, 3, 4}, Seeds{1, 2, 3, 4}, false},
		{"largest", [4]uint64{2147483646, 2147483542, 2147483422, 2147483322}, top, false},
		{"one too large", [4]uint64{2147483647, 2147483543, 2147483423, 2147483323}, top, true},
		{"beyond 32 bits", [4]uint64{math.MaxUint64, 1 << 32, 1 << 33, 1<<32 + 5}, top, true},
		{"zero", [4]uint64{0, 1, 1, 1}, Seeds{1, 1, 1, 1}, true},
		{"last only", [4]uint64{1, 1, 1, 0}, Seeds{1, 1, 1, 1}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, changed := ClampSeeds(c.in)
			require.Equal(t, c.want, got)
			require.Equal(t, c.changed, changed)
		})
	}
}

func TestNewSeederClampsSeeds(t *testing.T) {
	g := NewSeeder(Seeds{0, math.MaxUint32, 5, 6}).CLCG4(0)
	require.Equal(t, State{C: [4]uint32{1, 2147483542, 5, 6}}, g.State())
}

func TestSeedsOfARun(t *testing.T) {
	models, cores := RunSeeds(1)
	require.Equal(t, [2]Seeds{{1832914245, 1183565955, 658885151, 1992572850},
		{1501900236, 140675199, 749944328, 2085595712}}, [2]Seeds{models, cores}, "results depend on them")
	seen := map[Seeds]bool{}
	check := func(seed uint64) {
		models, cores := RunSeeds(seed)
		for _, s := range []Seeds{models, cores} {
			clamped, changed := ClampSeeds(s.Uint64s())
			if seen[s] || s.Patterned() || changed || clamped != s {
				require.Failf(t, "bad seeds", "seed %d: %v", seed, s)
			}
			seen[s] = true
		}
	}
	for seed := range uint64(5000) {
		check(seed)
		check(math.MaxUint64 - seed)
		check(5000 + seed*0x9e3779b97f4a7c15) // steps of SplitMix64 itself
	}
}

// Neighbouring seeds and replications are not correlated: no draw is a small multiple of the
// draw of the other run, and their joint distribution is that of independent numbers.
func TestNeighbouringRunsAreNotCorrelated(t *testing.T) {
	testlevel.Once(t, "numbers that no build changes")
	one, cores := RunSeeds(1)
	two, _ := RunSeeds(2)
	for name, pair := range map[string][2]Seeds{
		"seeds 1 and 2":                     {one, two},
		"seeds 0 and 2^63":                  {first(RunSeeds(0)), first(RunSeeds(1 << 63))},
		"models and engine":                 {one, cores},
		"replications 0 and 1":              {one, one.Replication(1)},
		"replications 1 and 2":              {one.Replication(1), one.Replication(2)},
		"replications 0 and 1 of ROSS":      {DefaultSeeds, DefaultSeeds.Replication(1)},
		"replications 7 and the last":       {one.Replication(7), one.Replication(MaxReplication)},
		"replication 1 and another seed's":  {one.Replication(1), two.Replication(1)},
		"replication 3 of models and cores": {one.Replication(3), cores.Replication(3)},
	} {
		const cells, draws = 8, 3200
		// Across the streams at their first draw, and along one stream.
		for along := range 2 {
			var counts [cells][cells]float64
			a, b := NewSeeder(pair[0]), NewSeeder(pair[1])
			x, y := a.CLCG4(5), b.CLCG4(5)
			var sums [5]float64
			for id := range uint64(draws) {
				if along == 0 {
					x, y = a.CLCG4(id), b.CLCG4(id)
				}
				u, v := x.Unif(), y.Unif()
				counts[min(int(u*cells), cells-1)][min(int(v*cells), cells-1)]++
				for k := range sums {
					sums[k] += math.Cos(2 * math.Pi * (float64(k)*u - v))
				}
			}
			chi := 0.0
			for _, row := range counts {
				for _, n := range row {
					chi += (n - draws/cells/cells) * (n - draws/cells/cells) / (draws / cells / cells)
				}
			}
			// 63 degrees of freedom: 63 +- 11.2. Each sum is 0 +- sqrt(draws/2).
			require.InDelta(t, cells*cells-1, chi, 5*11.3, name)
			for k := range sums {
				require.Less(t, math.Abs(sums[k]), 4.5*math.Sqrt(draws/2), "%s, factor %d", name, k)
			}
		}
	}
}

func first(s, _ Seeds) Seeds { return s }

// The mean over replications varies as that of independent numbers: correlation among them would
// make confidence intervals too narrow or too wide.
func TestTheMeanOverReplicationsVariesAsThatOfIndependentNumbers(t *testing.T) {
	testlevel.Once(t, "numbers that no build changes")
	const runs, replications = 2000, 100
	squares := 0.0
	for seed := range uint64(runs) {
		models, _ := RunSeeds(seed)
		sum := 0.0
		for number := range uint64(replications) {
			g := NewSeeder(models.Replication(number)).CLCG4(seed % 7)
			sum += (g.Unif() - 0.5) * math.Sqrt(12)
		}
		squares += sum * sum / replications
	}
	// The square of a normal number has the variance 2.
	require.InDelta(t, 1, squares/runs, 4*math.Sqrt(2./runs))
}

// A replication is a jump along the stream.
func TestReplicationsAreJumps(t *testing.T) {
	r := newRand(t)
	require.Equal(t, DefaultSeeds, DefaultSeeds.Replication(0))
	require.Equal(t, DefaultSeeds, DefaultSeeds.Replication(MaxReplication+1))
	for range 20 {
		id, number := r.Uint64N(1<<40), r.Uint64N(1<<14)
		g := NewSeeder(DefaultSeeds).CLCG4(id)
		g.Skip(int64(number) * ReplicationDraws)
		part := NewSeeder(DefaultSeeds.Replication(number)).CLCG4(id)
		require.Equal(t, g.State().C, part.State().C)
	}
	half := NewSeeder(DefaultSeeds.Replication(3)).CLCG4(9)
	half.Skip(ReplicationDraws / 2)
	require.Equal(t, half.State().C, new(NewSeeder(DefaultSeeds.Replication(3).Branch()).CLCG4(9)).State().C)
	// The part after the last one is the next stream.
	last := NewSeeder(DefaultSeeds.Replication(MaxReplication)).CLCG4(9)
	require.Zero(t, last.Count())
	last.Skip(ReplicationDraws)
	next := NewSeeder(DefaultSeeds).CLCG4(10)
	require.Equal(t, next.State().C, last.State().C)
}

// The parts are disjoint if the cycle is long enough for all of them, since the place of each
// is known: this computes the length of the cycle.
func TestTheCycleHasRoomForAllStreamsAndReplications(t *testing.T) {
	order, all := big.NewInt(1), big.NewInt(1)
	for _, p := range components {
		// a is a primitive root: a^((m-1)/q) is not 1 for any prime divisor q of m-1.
		n := p.m - 1
		for q, rest := uint64(2), n; rest > 1; q++ {
			if rest%q != 0 {
				continue
			}
			for rest%q == 0 {
				rest /= q
			}
			require.NotEqual(t, uint64(1), powMod(p.a, n/q, p.m), "%d, divisor %d", p.m, q)
		}
		length := new(big.Int).SetUint64(n)
		common := new(big.Int).GCD(nil, nil, order, length)
		order.Mul(order, new(big.Int).Div(length, common))
		all.Mul(all, length)
	}
	require.Equal(t, int64(504), new(big.Int).Div(all, order).Int64(), "cycles")
	require.Equal(t, 116, order.BitLen(), "the cycle is longer than 2^115")

	streams := new(big.Int).Rsh(order, 72)
	require.Positive(t, streams.Cmp(big.NewInt(1<<43)))
	require.Equal(t, uint64(1)<<(72-48), uint64(MaxReplication+1))

	// The places of parts at the ends of the ranges, on the cycle, are as far apart as parts are.
	var places []*big.Int
	for _, id := range []uint64{0, 1, 1<<43 - 2, 1<<43 - 1} {
		for _, number := range []uint64{0, 1, MaxReplication - 1, MaxReplication} {
			place := new(big.Int).Lsh(new(big.Int).SetUint64(id), 72)
			place.Add(place, new(big.Int).Lsh(new(big.Int).SetUint64(number), 48))
			places = append(places, place.Mod(place, order))
		}
	}
	slices.SortFunc(places, (*big.Int).Cmp)
	places = append(places, new(big.Int).Add(places[0], order))
	for i, place := range places[1:] {
		require.GreaterOrEqual(t, new(big.Int).Sub(place, places[i]).Cmp(big.NewInt(ReplicationDraws)), 0)
	}
}
