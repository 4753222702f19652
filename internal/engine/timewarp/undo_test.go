// This file pins what an optimistic run undoes and commits.

package timewarp_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
)

// What Commit sees of an event in an optimistic run, long after it was handled, and
// what becomes of an event that can be neither undone nor finished.

// ahead is a configuration in which all events are handled before the first is
// committed.
func ahead() ross.Config {
	cfg := rosstest.Small()
	cfg.Synch, cfg.Tuning.GVTInterval, cfg.Tuning.FixedGVT = 3, 1<<20, true
	return cfg
}

func ticks(commit func(lp *ross.LP, m *word)) ross.Type[none] {
	return ross.Type[none]{
		Init: func(_ *none, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, word{N: 1}) },
		Event: ross.On(func(_ *none, lp *ross.LP, m *word) {
			if m.N < 10 {
				ross.Send(lp, lp.ID(), 1, word{N: m.N + 1})
			}
		}).Reverse(func(*none, *ross.LP, *word) {}).Commit(func(_ *none, lp *ross.LP, m *word) { commit(lp, m) }),
	}
}

func TestCommitSeesTheTimeAndTheSignatureOfItsEvent(t *testing.T) {
	n := 0
	rosstest.Run(t, ahead(), ticks(func(lp *ross.LP, m *word) {
		require.EqualValues(t, m.N, lp.Now())
		require.Equal(t, lp.Now(), lp.Signature().Time)
		require.Len(t, lp.Signature().Ties, 1)
		n++
	}))
	require.Equal(t, 40, n)
}

func TestCommitIsNoPartOfTheEventHandledLast(t *testing.T) {
	sim, _ := rosstest.Define(t, ahead(), ticks(func(lp *ross.LP, m *word) {
		if m.N == 3 {
			ross.Send(lp, lp.ID(), 1, word{})
		}
	}))
	err := sim.Run(t.Context())
	require.ErrorIs(t, err, ross.ErrOutsideHandler)
	require.ErrorContains(t, err, "at time 3")
}

func TestEventThatCannotBeUndoneIsNotTriedAgainWithoutMemory(t *testing.T) {
	cfg := ahead()
	cfg.MaxMemory = 4 << 20
	calls := 0
	sim, _ := rosstest.Define(t, cfg, ross.Type[none]{
		Saving: ross.SaveNever,
		Init:   func(_ *none, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, word{N: 1}) },
		Event: ross.On(func(_ *none, lp *ross.LP, _ *word) {
			calls++
			for range 100_000 {
				ross.Send(lp, lp.ID(), 1, word{})
			}
		}),
	})
	require.ErrorIs(t, sim.Run(t.Context()), ross.ErrMemory)
	require.Equal(t, 1, calls)
}

// What Save does where there is nothing to save.

// TestSaveOfStatesWithoutSizeDoesNothing runs types of LPs that have no state, in all
// ways to be undone.
func TestSaveOfStatesWithoutSizeDoesNothing(t *testing.T) {
	type nothing struct{}
	for _, saving := range []ross.Saving{ross.SaveByLog, ross.SaveByDelta, ross.SaveByReverse, ross.SaveNever} {
		model := ross.Type[nothing]{
			Saving: saving,
			Init:   func(_ *nothing, lp *ross.LP) { ross.Send(lp, lp.ID(), rand.Float64(), nothing{}) },
			Event: ross.On(func(s *nothing, lp *ross.LP, m *nothing) {
				ross.Save(lp, s)
				ross.Save(lp, m)
				ross.Send(lp, lp.ID(), 1, nothing{})
			}),
		}
		if saving == ross.SaveByReverse {
			model.Event = model.Event.(ross.EventHandler[nothing, nothing]).Reverse(func(*nothing, *ross.LP, *nothing) {})
		}
		for _, synch := range []int{3, 6} {
			cfg := rosstest.Small()
			cfg.NLP, cfg.NKP, cfg.End, cfg.Synch = 8, 4, 40, ross.Scheduler(synch)
			rosstest.Run(t, cfg, model)
		}
	}
}

// A rollback undoes events in the order in which they were handled, from the last one back: so Reverse finds the
// state and the message as Event has left them. This scheduler handles all events, and then undoes all.
func Example_rollback() {
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.NLP, cfg.End = ross.OptimisticDebug, 1, 3.5
	sim, err := ross.New(cfg)
	if err != nil {
		panic(err)
	}
	defer sim.Close()
	type message struct{ Added int64 }
	err = sim.Define(ross.Type[int64]{
		Init: func(_ *int64, lp *ross.LP) { ross.Send(lp, 0, 1, message{}) },
		Event: ross.On(func(sum *int64, lp *ross.LP, m *message) {
			m.Added = 1 << int(lp.Now()) // for Reverse
			*sum += m.Added
			fmt.Println("Event at", lp.Now(), "leaves", *sum)
			ross.Send(lp, 0, 1, message{})
		}).Reverse(func(sum *int64, _ *ross.LP, m *message) {
			*sum -= m.Added
			fmt.Println("Reverse leaves", *sum)
		}),
	})
	if err == nil {
		err = sim.Run(context.Background())
	}
	if err != nil {
		panic(err)
	}
	// Output:
	// Event at 1 leaves 2
	// Event at 2 leaves 6
	// Event at 3 leaves 14
	// Reverse leaves 6
	// Reverse leaves 2
	// Reverse leaves 0
}

// Short names for what the tests of this package use most.

type (
	none = rosstest.None
	word = rosstest.Word
)
