// What Commit sees of an event in an optimistic run, long after it was handled, and
// what becomes of an event that can be neither undone nor finished.

package timewarp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/rosstest"
)

// ahead is a configuration in which all events are handled before the first is
// committed.
func ahead() ross.Config {
	cfg := rosstest.Small()
	cfg.Synch, cfg.GVTInterval, cfg.FixedGVT = 3, 1<<20, true
	return cfg
}

func ticks(commit func(lp *ross.LP, m *word)) ross.Type[none, word] {
	return ross.Type[none, word]{
		Init: func(_ *none, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, word{N: 1}) },
		Event: func(_ *none, lp *ross.LP, _ *ross.Bits, m *word) {
			if m.N < 10 {
				ross.Send(lp, lp.ID(), 1, word{N: m.N + 1})
			}
		},
		Reverse: func(*none, *ross.LP, *ross.Bits, *word) {},
		Commit:  func(_ *none, lp *ross.LP, _ *ross.Bits, m *word) { commit(lp, m) },
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
	sim, _ := rosstest.Define(t, cfg, ross.Type[none, word]{
		Saving: ross.SaveNever,
		Init:   func(_ *none, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, word{N: 1}) },
		Event: func(_ *none, lp *ross.LP, _ *ross.Bits, _ *word) {
			calls++
			for range 100_000 {
				ross.Send(lp, lp.ID(), 1, word{})
			}
		},
	})
	require.ErrorIs(t, sim.Run(t.Context()), ross.ErrMemory)
	require.Equal(t, 1, calls)
}
