// Tests of what this package keeps to itself.

package run

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/internal/timewarp"
	"github.com/stretchr/testify/require"
)

func TestARunOfManyLPsBeginsInParallel(t *testing.T) {
	for _, c := range []struct {
		lps       int
		lookahead float64
		begins    settings.Mode
	}{
		{mostSerial, 0.1, settings.Sequential},
		{mostSerial + 1, 0.1, settings.Conservative},
		{mostSerial + 1, 0, settings.Optimistic},
	} {
		s, pe := &Run{}, &PE{}
		s.StopAhead, s.Locals = c.lookahead, []*PE{pe}
		pe.LPs = make([]kernel.LP, c.lps)
		require.Equal(t, c.begins, newAuto(s).now)
	}
}

// unitsOf returns units with the given work on PE at, and the loads of so many PEs.
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
	moved := spread(units, load)
	require.Equal(t, []float64{9, 7}, load, "one of 3; another would be too much")
	require.Len(t, moved, 1)
	units, load = unitsOf(2, map[int][]float64{0: {4, 2, 2}})
	spread(units, load)
	require.Equal(t, []float64{4, 4}, load)
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
		require.Empty(t, spread(units, load), name)
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
		moved := spread(units, load)
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
		b    Balanced
		want string
	}{
		{Balanced{}, ""},
		{Balanced{Latest: []float64{0.5, 0.5}, LPShare: 0.5, KPShare: 0.5}, ""},
		{Balanced{Latest: []float64{0.8, 0.2}, LP: 7, LPShare: 0.8, KPShare: 0.8},
			"LP 7 has 80 % of the work, and its events follow one another: PEs cannot be more than 1.2 times as fast as one; split it into several LPs"},
		{Balanced{Latest: []float64{0.8, 0.2}, LPShare: 0.1, KP: 3, KPPE: 1, KPShare: 0.7},
			"KP 3 of PE 1 has 70 % of the work, and its LPs stay together: give each PE more KPs (--nkp)"},
		{Balanced{Latest: []float64{0.8, 0.2}, LPShare: 0.1, KPPE: 1, KPShare: 0.8, KeepsPEs: true},
			"PE 1 has 80 % of the work, and its KPs cannot move: let all types of LPs say their lookahead (Type.Lookahead)"},
		{Balanced{Latest: []float64{0.8, 0.2}, LPShare: 0.1, KPShare: 0.1}, ""},
	} {
		require.Equal(t, c.want, c.b.remark())
	}
}

// At which results of a round the GVT hook of an optimistic PE fires.

// TestGVTStopsAtTheTriggerAndAtCallsOfTheHook has the PE lower what it reports.
func TestGVTStopsAtTheTriggerAndAtCallsOfTheHook(t *testing.T) {
	arena, err := event.NewArena(8, 16, nil)
	require.NoError(t, err)
	defer arena.Release()
	pe := &PE{}
	pe.Arena, pe.Hook.Bound = arena, gvt.Max
	lowered := func(time float64) float64 {
		b := gvt.Before(time, 0, 0)
		pe.lowerToHook(&b)
		return b.Time()
	}
	require.Equal(t, 9.0, lowered(9))
	pe.Hook.Bound = gvt.Before(7, 0, 0)
	require.Equal(t, 7.0, lowered(9))
	pe.Hook.Calls = []gvt.Bound{gvt.Before(8, 0, 0), gvt.Before(4, 0, 0), gvt.Before(6, 0, 0)}
	require.Equal(t, 4.0, lowered(9))
	require.Equal(t, 3.0, lowered(3))
}

// TestHookDoesNotFireAtAnUnsureBound has the trigger at the bound of an anti-message, which cancels an
// event that may be the last one: whether events are left is known only a round later.
func TestHookDoesNotFireAtAnUnsureBound(t *testing.T) {
	arena, err := event.NewArena(8, 16, nil)
	require.NoError(t, err)
	defer arena.Release()
	var told []bool
	s := &Run{Hooks: Hooks{GVT: func(_ *PE, pastEnd bool) { told = append(told, pastEnd) }}}
	s.Set.Synch = settings.SynchOptimistic
	pe := &PE{Simulation: s}
	pe.Run, pe.Arena, pe.Mode, pe.End = &s.Run, arena, settings.Optimistic, 10
	trigger := func() {
		pe.Hook.Trigger = kernel.Trigger{Kind: kernel.HookAt, Sig: kernel.Signature{Time: 3}}
		pe.Hook.Bound, pe.Bound = gvt.Before(3, 0, 0), gvt.Before(3, 0, 0)
	}
	for _, c := range []struct {
		flags []uint32 // of the rounds
		told  []bool   // what the hook is told, if it fires in the last of them
	}{
		{[]uint32{0}, nil}, // the others undo their events only now
		{[]uint32{0, 0}, []bool{true}},
		{[]uint32{0, timewarp.FlagBusy}, []bool{false}},
		{[]uint32{timewarp.FlagBusy, timewarp.FlagUnsure}, nil},
		{[]uint32{timewarp.FlagBusy, timewarp.FlagUnsure, 0}, []bool{true}},
		{[]uint32{0, timewarp.FlagUnsure, timewarp.FlagUnsure | timewarp.FlagBusy}, []bool{false}},
	} {
		trigger()
		told, pe.Hook.Ready = nil, false
		for _, flags := range c.flags {
			pe.meetHook(flags)
		}
		require.Equal(t, c.told, told, "flags %v", c.flags)
	}
}

// The remarks of the short report: they name what to change, and are true.

func TestNumbersInAdviceAreRoundAndNotTooLarge(t *testing.T) {
	for x, want := range map[float64]float64{0.050014924612915124: 0.05, 0.05: 0.05, 0.0999: 0.099, 1: 1, 12.75: 12, 3e-300: 3e-300, 1e300: 1e300, 0.3: 0.3, 0.7: 0.7} {
		got := roundedDown(x)
		require.LessOrEqual(t, got, x)
		require.InEpsilon(t, want, got, 1e-9)
	}
	for _, x := range []float64{0, math.Inf(1), math.SmallestNonzeroFloat64} {
		require.LessOrEqual(t, roundedDown(x), x)
	}
}

func TestRemarkOnProcessorsSaysWhatThePEsGot(t *testing.T) {
	for _, c := range []struct {
		had, waited float64
		unknown     uint64
		lacked      bool
	}{{9, 0.5, 0, false}, {9, 8, 0, true}, {9, 8, 1, false}, {0.1, 0.9, 0, false}, {0, 0, 0, false}} {
		got := share{usage: usage{c.had, c.waited, 9}, measured: 2, unknown: c.unknown}
		require.Equal(t, c.lacked, got.lacked(10), "%+v", c)
	}
	got := share{usage: usage{6, 9, 1000}, measured: 2}
	require.Equal(t, "the PEs got 0.6 of 2 processors, and waited for 0.9 more: other programs use them, or the process may use no more; use fewer PEs (--pes), or a machine that has them free",
		got.remark(2, 10, 0))
	require.Equal(t, "PEs were idle 61 % of the time, and waited for each other: the PEs got 0.6 of 2 processors, and waited for 0.9 more: other programs use them, or the process may use no more; use fewer PEs (--pes), or a machine that has them free",
		got.remark(2, 10, 61))
	require.Equal(t, "the run got 0.6 of 1 processor, and waited for 0.9 more: other programs use them, or the process may use no more", got.remark(1, 10, 0))
	require.Nil(t, (&share{}).figures(2, 10))
}

func TestShortReportSaysWhatMoved(t *testing.T) {
	require.Empty(t, (&Balanced{}).short())
	require.Equal(t, "1 KP moved to other PEs, once; the largest share of the work went from 75 to 50 %",
		(&Balanced{Moves: 1, Times: 1, First: []float64{0.75, 0.25}, Latest: []float64{0.5, 0.5}}).short())
	require.Equal(t, "12 KPs moved to other PEs, 3 times; one PE handled all events for 1.5 s", (&Balanced{Moves: 12, Times: 3, SerialSeconds: 1.5}).short())
}

// TestAShortMeasurementIsNotTheWholeRun so that nothing is said of an LP or KP that was busiest for a moment.
func TestAShortMeasurementIsNotTheWholeRun(t *testing.T) {
	limited := Balanced{Latest: []float64{0.9, 0.1}, LP: 7, LPShare: 0.9, KP: 3, KPShare: 1}
	hot := limited
	hot.confirm(0.8, 0.95)
	require.Contains(t, hot.remark(), "LP 7 has 80 % of the work")
	alike := limited
	alike.confirm(0.01, 0.21)
	require.Empty(t, alike.remark())
}

func TestRemarkOnMemoryNamesTheBuffersThatTakeMuch(t *testing.T) {
	const plain = "memory was short, which slows optimism down: raise --max-memory"
	require.Equal(t, plain, shortOfMemory(9, 1<<20, 64<<20))
	require.Equal(t, plain, shortOfMemory(0, 8<<20, 64<<20), "it was short at no time")
	require.Equal(t, plain+", or collect less: buffers of the instrumentation take up to 8.0 MiB of 64.0 MiB (--buffer-size)", shortOfMemory(9, 8<<20, 64<<20))
}
