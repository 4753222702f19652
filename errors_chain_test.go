// This file pins what becomes of chains of events without delay that do not end.

package ross

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/world/worldtest"
)

type chainState struct{ N uint64 }

// chained returns a type of four LPs, of which one begins a chain of so many events without
// delay at time 10.5, and the others are at work. In it two LPs send each other events; if more
// is not nil it is asked whether there is another.
func chained(length uint64, more func() bool) Type[chainState, twinMsg] {
	return Type[chainState, twinMsg]{
		Name: "chained",
		Init: func(_ *chainState, lp *LP) {
			if lp.ID() == 2 {
				Send(lp, 2, 10.5, twinMsg{1})
			}
			Send(lp, lp.ID(), 1, twinMsg{})
		},
		Event: func(s *chainState, lp *LP, _ *Bits, m *twinMsg) {
			s.N++
			switch {
			case m.Value == 0:
				Send(lp, lp.ID(), 1, twinMsg{})
			case m.Value <= length && (more == nil || more()):
				Send(lp, lp.ID()^1, 0, twinMsg{m.Value + 1})
			}
		},
	}
}

func TestChainWithoutEndIsAnErrorThatNamesIt(t *testing.T) {
	for _, c := range []struct{ synch, pes, ranks int }{{1, 1, 1}, {2, 2, 1}, {3, 1, 1}, {3, 4, 1}, {5, 2, 1}, {6, 1, 1}, {3, 1, 2}} {
		if testlevel.Is(testlevel.Few) && c.synch != 3 {
			continue
		}
		t.Run(fmt.Sprintf("synch=%d/pes=%d/ranks=%d", c.synch, c.pes, c.ranks), func(t *testing.T) {
			modeltest.Watch(t)
			run := func(length uint64) []error {
				_, errs := runOnRanks(t, worldtest.New(c.ranks, 1, 5), c.ranks, func(_ int, cfg *Config) {
					cfg.Synch, cfg.PEs, cfg.NLP, cfg.End, cfg.MaxChain = Scheduler(c.synch), c.pes, uint64(4/c.pes/c.ranks), 20, 2000
					cfg.ConsLookahead, cfg.MaxMemory = 0, 64<<20
				}, chained(length, nil))
				return errs
			}
			for _, err := range run(2000) {
				require.NoError(t, err)
			}
			for _, err := range run(1 << 40) {
				if c.ranks == 1 { // another rank has the text of it
					require.ErrorIs(t, err, ErrChain)
				}
				require.ErrorContains(t, err, "LP 2 (chained) at time 10.5: sent LP 3 an event (ross.twinMsg) without delay, after a chain of 2000 of them: "+
					"endless chain: give events a delay, or raise --max-chain (0 for no limit) if the chain ends")
			}
		})
	}
}

// TestChainThatFillsMemoryIsNamed has no limit but memory.
func TestChainThatFillsMemoryIsNamed(t *testing.T) {
	for _, synch := range []int{1, 3} {
		cfg := DefaultConfig()
		cfg.Synch, cfg.NLP, cfg.End, cfg.MaxChain, cfg.MaxMemory = Scheduler(synch), 4, 20, 0, 1<<20
		sim, err := New(cfg)
		require.NoError(t, err)
		defer sim.Close()
		require.NoError(t, sim.Define(chained(1<<40, nil)))
		err = sim.Run(t.Context())
		require.ErrorIs(t, err, ErrMemory)
		require.Regexp(t, `LP [23] \(chained\) at time 10.5: sent an event, with \d+ pending, in a chain of \d{4,} events without delay from LP [23] at time 10.5: memory limit reached`, err.Error())
	}
}

// TestStoppedRunNamesTheChainThatItIsIn has somebody lose patience.
func TestStoppedRunNamesTheChainThatItIsIn(t *testing.T) {
	for _, c := range []struct{ synch, pes int }{{1, 1}, {2, 2}, {3, 2}} {
		t.Run(fmt.Sprintf("synch=%d", c.synch), func(t *testing.T) {
			modeltest.Watch(t)
			ctx, cancel := context.WithCancel(t.Context())
			n := 0
			cfg := DefaultConfig()
			cfg.Synch, cfg.PEs, cfg.NLP, cfg.End, cfg.ConsLookahead = Scheduler(c.synch), c.pes, uint64(4/c.pes), 20, 0
			sim, err := New(cfg)
			require.NoError(t, err)
			defer sim.Close()
			require.NoError(t, sim.Define(chained(1<<40, func() bool { // LPs 2 and 3 are on one PE
				if n++; n == 5000 {
					cancel()
				}
				return true
			})))
			err = sim.Run(ctx)
			require.ErrorIs(t, err, context.Canceled)
			require.Regexp(t, `there was a chain of \d{4,} events without delay from LP [23] at time 10.5`, err.Error())
		})
	}
}

// TestChainOfTheFutureIsNoError has an event that comes too early begin an endless chain: it is
// undone.
func TestChainOfTheFutureIsNoError(t *testing.T) {
	modeltest.Watch(t)
	future := newFuture()
	_, err := future.run(t, SaveByDelta, func(c *Config) { c.MaxChain = 3 }, func(lp *LP, open bool) {
		if !open {
			Send(lp, lp.ID(), 0, seed{visitDoor})
		}
	})
	require.NoError(t, err)
}
