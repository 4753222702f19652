// This file pins at which results of a round the GVT hook of an optimistic PE fires.

package run

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/internal/timewarp"
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
