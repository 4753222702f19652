// This file owns the tests of seeds made from one number, and of the parts of replications.

package rng

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testlevel"
)

func TestSeedsOfARun(t *testing.T) {
	models, cores := RunSeeds(1)
	require.Equal(t, [2]Seeds{{1832914245, 1183565955, 658885151, 1992572850}, {1501900236, 140675199, 749944328, 2085595712}}, [2]Seeds{models, cores}, "results depend on them")
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
