// This file pins plans: which KPs move to which PE, and what limits a run; and under which scheduler a run with auto
// begins.

package adapt

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/testing/testrand"
)

// unitsOf returns units with the given work on PE at, and the loads of that number of PEs.
func unitsOf(pes int, of map[int][]float64) (all []unit, load []float64) {
	load = make([]float64, pes)
	for at := range pes {
		for _, w := range of[at] {
			all, load[at] = append(all, unit{at: at, work: w}), load[at]+w
		}
	}
	return all, load
}

func TestPlanMakesLoadsAlike(t *testing.T) {
	units, load := unitsOf(2, map[int][]float64{0: {3, 3, 3, 3}, 1: {1, 1, 1, 1}})
	moved := spread(units, load, nil)
	require.Equal(t, []float64{9, 7}, load, "one of 3; another would be too much")
	require.Len(t, moved, 1)
	units, load = unitsOf(2, map[int][]float64{0: {4, 2, 2}})
	spread(units, load, nil)
	require.Equal(t, []float64{4, 4}, load)
}

func TestKPsMoveWithinADomainFirst(t *testing.T) {
	two := []int{0, 0, 1, 1} // two sockets of two PEs each
	units, load := unitsOf(4, map[int][]float64{0: {2, 2, 2}, 1: {2}, 2: {4}, 3: {3}})
	spread(units, load, two)
	require.Equal(t, []float64{4, 4, 4, 3}, load, "PE 3 has less than PE 1 would leave, but PE 1 is nearer")
	units, load = unitsOf(4, map[int][]float64{0: {2, 2, 2}, 1: {1.5}, 2: {4.5}, 3: {1}})
	spread(units, load, two)
	require.Equal(t, []float64{4, 3.5, 4.5, 1}, load, "the least of all is on the other socket")
	units, load = unitsOf(4, map[int][]float64{0: {2, 2, 2}, 1: {1.5}, 2: {4.5}, 3: {1}})
	spread(units, load, nil)
	require.Equal(t, []float64{4, 1.5, 4.5, 3}, load, "without domains it is the first choice")
}

func TestAPlanKnowsWhichPEsAreNear(t *testing.T) {
	o := Outcome{PEOf: []int{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3},
		Events: []float64{20, 20, 20, 15, 0, 0, 45, 0, 0, 10, 0, 0}}
	for _, c := range []struct {
		domains []int
		to      int
	}{{nil, 3}, {[]int{0, 0, 1, 1}, 1}, {[]int{0, 1, 0, 1}, 3}} {
		b := NewBalance(Options{PEs: 4, KPs: 3, Domains: c.domains}, &Result{})
		require.Equal(t, []Move{{KP: 0, To: c.to}}, b.plan(&o, &span{useful: []float64{6, 1.5, 4.5, 1}}), "%v", c.domains)
	}
}

func TestKPsLeaveADomainThatIsFull(t *testing.T) {
	two := []int{0, 0, 1, 1}
	units, load := unitsOf(4, map[int][]float64{0: {1, 1, 1, 1, 1, 1}, 1: {1, 1, 1, 1, 1, 1}, 2: {1, 1}, 3: {1, 1}})
	spread(units, load, two)
	require.Equal(t, []float64{4, 4, 4, 4}, load)
	units, load = unitsOf(4, map[int][]float64{0: {5, 5}, 1: {3.5}, 2: {1}, 3: {1}})
	spread(units, load, two)
	require.Equal(t, []float64{5, 3.5, 5, 2}, load, "PE 1 would have 8.5; and PE 2 gives to PE 3 what it had")
}

func TestPlanLeavesWhatCannotBeImproved(t *testing.T) {
	for name, of := range map[string]map[int][]float64{
		"one hot KP":          {0: {10}, 1: {1, 1}},
		"alike":               {0: {1, 1, 1.01}, 1: {1, 1, 1}},
		"much too light ones": {0: {10, 0.001, 0.001}, 1: {1}},
		"nothing":             {},
	} {
		units, load := unitsOf(2, of)
		before := slices.Clone(load)
		require.Empty(t, spread(units, load, nil), name)
		require.Equal(t, before, load, name)
	}
}

// A plan never makes the most loaded PE worse, and its loads are those of its units.
func TestPlansOfRandomLoads(t *testing.T) {
	rng := rand.New(rand.NewPCG(testrand.Seed(t), 0))
	for range 2000 {
		pes, of := 2+rng.IntN(6), map[int][]float64{}
		for range rng.IntN(60) {
			at := rng.IntN(1 + rng.IntN(pes))
			of[at] = append(of[at], rng.ExpFloat64())
		}
		units, load := unitsOf(pes, of)
		was, at := slices.Max(load), make([]int, len(units))
		for i := range units {
			at[i] = units[i].at
		}
		var domains []int
		if rng.IntN(2) == 0 {
			for pe := range pes {
				domains = append(domains, pe*(1+rng.IntN(3))/pes)
			}
		}
		moved := spread(units, load, domains)
		require.LessOrEqual(t, slices.Max(load), was+1e-9)
		sums := make([]float64, pes)
		for i := range units {
			sums[units[i].at] += units[i].work
			require.Equal(t, at[i] != units[i].at, slices.Contains(moved, i))
		}
		require.InDeltaSlice(t, sums, load, 1e-9)
		if len(units) > 0 && slices.Max(load) > enough*sum(load)/float64(pes) { // what is left cannot be divided further
			heaviest := 0.0
			for i := range units {
				heaviest = max(heaviest, units[i].work)
			}
			require.LessOrEqual(t, slices.Max(load)-slices.Min(load), 2*heaviest+1e-9)
		}
	}
}

func TestWhatLimitsARunIsNamed(t *testing.T) {
	for _, c := range []struct {
		b    Result
		want string
	}{
		{Result{}, ""},
		{Result{Latest: []float64{0.5, 0.5}, LPShare: 0.5, KPShare: 0.5}, ""},
		{Result{Latest: []float64{0.8, 0.2}, LP: 7, LPShare: 0.8, KPShare: 0.8},
			"LP 7 has 80 % of the work, and its events follow one another: PEs cannot be more than 1.2 times as fast as one; split it into several LPs"},
		{Result{Latest: []float64{0.8, 0.2}, LPShare: 0.1, KP: 3, KPPE: 1, KPShare: 0.7},
			"KP 3 of PE 1 has 70 % of the work, and its LPs stay together: give each PE more KPs (--nkp)"},
		{Result{Latest: []float64{0.8, 0.2}, LPShare: 0.1, KPPE: 1, KPShare: 0.8, KeepsPEs: true},
			"PE 1 has 80 % of the work, and its KPs cannot move: let all types of LPs say their lookahead (Type.Lookahead)"},
		{Result{Latest: []float64{0.8, 0.2}, LPShare: 0.1, KPShare: 0.1}, ""},
	} {
		require.Equal(t, c.want, c.b.Remark())
	}
}

func TestARunOfManyLPsBeginsInParallel(t *testing.T) {
	for _, c := range []struct {
		lps          uint64
		conservative bool
		begins       settings.Mode
	}{
		{mostSerial, true, settings.Sequential},
		{mostSerial + 1, true, settings.Conservative},
		{mostSerial + 1, false, settings.Optimistic},
	} {
		require.Equal(t, c.begins, NewAuto(AutoOptions{NumLPs: c.lps, Conservative: c.conservative}).First().Mode)
	}
}

// A run of few LPs begins sequentially, since most runs are short; one of very many begins in parallel.
func ExampleNewAuto() {
	few := NewAuto(AutoOptions{NumLPs: 1000, Conservative: true})
	many := NewAuto(AutoOptions{NumLPs: 1 << 20, Conservative: true})
	fmt.Println(few.First().Mode == settings.Sequential, many.First().Mode == settings.Conservative)
	// Output: true true
}
