// A hook fires at any signature as it does in a sequential run, and what
// it may ask a conservative run for.

package run_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
)

func TestHookAtSignatureThatNoEventHas(t *testing.T) {
	inf := math.Inf(1)
	for i, sig := range []ross.Signature{
		{Time: 3, Priority: 2},
		{Time: 3, Priority: inf, Ties: []float64{0.5}},
		{Time: 3, Priority: math.Nextafter(1, 2)},
		{Time: 3, Priority: -1, Ties: []float64{0.5}},
		{Time: 3, Priority: -inf},
		{Time: 3, Priority: 0.5, Ties: []float64{3, 0.25}},
		{Time: 3, Priority: 1, Ties: []float64{2}},
		{Time: 3, Priority: 1, Ties: []float64{inf, -1}},
		{Time: 3, Priority: 1, Ties: []float64{-1, 0.5}},
		{Time: 3, Priority: 1, Ties: []float64{0.5, -1, 2}},
		{Time: 3, Priority: 1, Ties: []float64{0.5, 7}},
		{Time: 3, Priority: 1},
		{Time: 0, Priority: 2},
		{Time: -1, Priority: 2},
		{Time: math.Copysign(0, -1), Priority: math.Copysign(0, -1)},
		{Time: inf, Priority: 2},
		{Time: gardenEnd, Priority: 2},
	} {
		if testlevel.Is(testlevel.Few) && i%4 != 1 {
			continue
		}
		g := garden{whole: true}
		set := func(c *ross.Config) { c.HookTrigger, c.NKP = ross.HookAtSignature(sig), 1 }
		want, digest, left := walk(t, g, set, water)
		for _, synch := range []int{2, 3} {
			t.Run(fmt.Sprintf("%v/synch=%d", sig, synch), func(t *testing.T) {
				modeltest.Watch(t)
				got, d, l := walk(t, g, func(c *ross.Config) {
					set(c)
					c.Synch, c.PEs, c.NLP, c.GVTInterval, c.ConsLookahead = ross.Scheduler(synch), 2, gardenLPs/2, 4, 0
				}, water)
				require.Equal(t, want, got)
				require.Equal(t, digest, d)
				require.Equal(t, left, l)
			})
		}
	}
}

func TestTriggerThatIsNoNumberIsAnError(t *testing.T) {
	for part, sig := range map[string]ross.Signature{
		"time":        {Time: math.NaN()},
		"priority":    {Time: 1, Priority: math.NaN()},
		"tie-breaker": {Time: 1, Ties: []float64{0.5, math.NaN()}},
	} {
		cfg := ross.DefaultConfig()
		cfg.NLP, cfg.HookTrigger = 4, ross.HookAtSignature(sig)
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		defer sim.Close()
		g := garden{}
		err = sim.Define(g.lpType())
		if err == nil {
			err = sim.Run(t.Context())
		}
		require.ErrorIs(t, err, ross.ErrHook)
		require.ErrorContains(t, err, "called at "+part+" NaN: trigger is past: give a number")
	}
}

// TestHookOfAConservativeRunAsksForTimesThatAreNotYetHandled has a hook that fires at a GVT
// ask for the time at which it fires next.
func TestHookOfAConservativeRunAsksForTimesThatAreNotYetHandled(t *testing.T) {
	const ahead = 0.5
	run := func(delay float64) (times []float64, err error) {
		cfg := ross.DefaultConfig()
		cfg.Synch, cfg.PEs, cfg.NLP, cfg.End, cfg.ConsLookahead, cfg.GVTInterval, cfg.Batch = 2, 2, 4, 20, ahead, 1, 1
		cfg.HookTrigger = ross.HookEvery(4)
		every := [2]bool{true, true}
		cfg.GVTHook = func(pe *ross.PE, pastEnd bool) {
			if pastEnd {
				return
			}
			if every[pe.ID()] {
				pe.SetHookTrigger(ross.HookAt(pe.GVT() + delay))
				every[pe.ID()] = false
				return
			}
			for i := range engineOf(pe).LPs {
				if engineOf(pe).LPs[i].Now >= pe.GVT() {
					panic(fmt.Sprintf("LP %d has handled an event at %g, and GVT is %g", engineOf(pe).LPs[i].ID, engineOf(pe).LPs[i].Now, pe.GVT()))
				}
			}
			if pe.ID() == 0 {
				times = append(times, pe.GVT())
			}
			pe.SetHookTrigger(ross.HookEvery(3))
			every[pe.ID()] = true
		}
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		defer sim.Close()
		require.NoError(t, sim.Define(ross.Type[plot, seed]{
			Init: func(_ *plot, lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Unif(), seed{1}) },
			Event: func(_ *plot, lp *ross.LP, _ *ross.Bits, m *seed) {
				ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 7)), ahead+lp.RNG().Unif(), seed{m.Kind + 1})
			},
		}))
		return times, sim.Run(t.Context())
	}
	modeltest.Watch(t)
	times, err := run(ahead)
	require.NoError(t, err)
	require.NotEmpty(t, times)
	if _, err = run(ahead / 64); err != nil { // what it asks for may be behind
		require.ErrorIs(t, err, ross.ErrHook)
		require.ErrorContains(t, err, "a conservative PE has handled all events before")
		require.ErrorContains(t, err, "GVT + 0.5 is always late enough")
	}
}
