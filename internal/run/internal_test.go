// Tests of what this package keeps to itself: the GVT hook, and what the reports say of moves and processors.

package run

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/engine/timewarp"
	"github.com/ross-go/ross/internal/run/adapt"
)

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
	s := &Engine{Hooks: Hooks{GVT: func(_ *PE, pastEnd bool) { told = append(told, pastEnd) }}}
	s.Set.Synch = settings.SynchOptimistic
	pe := &PE{Engine: s}
	pe.Run, pe.Arena, pe.End = &s.Run, arena, 10
	pe.SetMode(settings.Optimistic)
	trigger := func() {
		pe.Hook.Trigger = kernel.Trigger{Kind: kernel.HookAt, Sig: kernel.Signature{Time: 3}}
		pe.Hook.Bound, pe.Bound = gvt.Before(3, 0, 0), gvt.Before(3, 0, 0)
	}
	for _, c := range []struct {
		flags []uint32 // of the rounds
		told  []bool   // what the hook gets, if it fires in the last of them
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

// TestWhatPEsGotOfTheProcessorsIsKnownOfAllOrNotAtAll, and is not printed otherwise.
func TestWhatPEsGotOfTheProcessorsIsKnownOfAllOrNotAtAll(t *testing.T) {
	for unknown, want := range []int{2, 0} {
		got := share{processorUse: processorUse{6, 9, 1000}, measured: 2, unknown: uint64(unknown)}
		require.Len(t, got.figures(2, 10), want)
	}
	require.Nil(t, (&share{}).figures(2, 10))
}

func TestShortReportSaysWhatMoved(t *testing.T) {
	require.Empty(t, (&adapt.Result{}).Short())
	require.Equal(t, "1 KP moved to other PEs, once; the largest share of the work went from 75 to 50 %",
		(&adapt.Result{Moves: 1, Times: 1, First: []float64{0.75, 0.25}, Latest: []float64{0.5, 0.5}}).Short())
	require.Equal(t, "12 KPs moved to other PEs, 3 times; one PE handled all events for 1.5 s",
		(&adapt.Result{Moves: 12, Times: 3, SerialSeconds: 1.5}).Short())
}

// TestAShortMeasurementIsNotTheWholeRun so that nothing is said of an LP or KP that was busiest for a moment.
func TestAShortMeasurementIsNotTheWholeRun(t *testing.T) {
	limited := adapt.Result{Latest: []float64{0.9, 0.1}, LP: 7, LPShare: 0.9, KP: 3, KPShare: 1}
	hot := limited
	hot.Confirm(0.8, 0.95)
	require.Contains(t, hot.Remark(), "LP 7 has 80 % of the work")
	alike := limited
	alike.Confirm(0.01, 0.21)
	require.Empty(t, alike.Remark())
}

// TestTurnsShortenWhileEventsAreUndone halves and doubles them, within leastBatch and the most.
func TestTurnsShortenWhileEventsAreUndone(t *testing.T) {
	for _, c := range []struct {
		most, first int
		shares      []float64 // of events that are not undone
		want        []int
	}{
		{16, 16, []float64{1, 0.99, 0.97, 0.95, 0.9, 0.5, 0, 0.97, 0.98, 0.99, 1, 1, 1},
			[]int{16, 16, 16, 8, 4, 2, 2, 2, 2, 4, 8, 16, 16}},
		{1, 1, []float64{0.5, 1}, []int{1, 1}},
		{5, 5, []float64{0.5, 0.5, 1, 1}, []int{2, 2, 4, 5}},
	} {
		p := pace{batch: c.first}
		var got []int
		for _, share := range c.shares {
			p.adaptBatch(share, c.most)
			got = append(got, p.batch)
		}
		require.Equal(t, c.want, got, "--batch=%d", c.most)
	}
}

// TestTurnsAreLongWhereEventsAreShort: up to four times --batch, and no longer than 50 us.
func TestTurnsAreLongWhereEventsAreShort(t *testing.T) {
	for _, c := range []struct {
		event float64 // seconds
		batch uint64
		want  int
	}{
		{1e-7, 16, 4}, {7.8e-7, 16, 4}, {1e-6, 16, 3}, {1.5e-6, 16, 2}, {3.2e-6, 16, 1}, {1, 16, 1},
		{1e-6, 1, 4}, {1e-7, 512, 1}, {1e-7, 1 << 62, 1}, {0, 16, 4},
	} {
		require.Equal(t, c.want, longest(c.event, c.batch), "--batch=%d, events of %g s", c.batch, c.event)
	}
}

// TestLargeEventsHaveShortIntervalsOfGVT at first; small ones have four times --gvt-interval * --batch.
func TestLargeEventsHaveShortIntervalsOfGVT(t *testing.T) {
	for inline, want := range map[uintptr]int{8: 4, 72: 4, 200: 2, 456: 1, 1024: 1} {
		arena, err := event.NewArena(inline, 16, nil)
		require.NoError(t, err)
		pe := &PE{}
		pe.Arena = arena
		require.Equal(t, want, pe.leastFactor(), "messages of %d bytes", inline)
		arena.Release()
	}
}

func TestARankIsCrowdedWhileItsThreadWaitsForAProcessor(t *testing.T) {
	var c crowd
	now, waited := time.Now(), 7.0
	look := func(share float64) [2]bool {
		now, waited = now.Add(lookEvery), waited+share*lookEvery.Seconds()
		wanted, known := c.look(now, waited)
		return [2]bool{wanted, known}
	}
	unknown, crowded, free := [2]bool{false, false}, [2]bool{true, true}, [2]bool{false, true}
	require.Equal(t, unknown, look(0.9), "the first look has nothing to compare with")
	require.Equal(t, crowded, look(0.5))
	for range calmLooks - 1 {
		require.Equal(t, unknown, look(0.01))
	}
	require.Equal(t, unknown, look(0.05), "little, but not nothing")
	require.Equal(t, free, look(0.01))
	require.Equal(t, free, look(0))
	require.Equal(t, crowded, look(0.11))
	require.Equal(t, unknown, look(0), "it must be calm for a while again")
	now = now.Add(time.Hour)
	require.Equal(t, unknown, look(1), "what happened in an hour says nothing of now")
}
