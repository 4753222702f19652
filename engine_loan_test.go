// This file pins loans: memory that a history gets beyond the ceiling, because a handler
// cannot be stopped in the middle.

package ross

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testlevel"
)

// TestHandlerWithManyRecordsMovesThemSeldom has one event send far more events past the end
// than there is memory for records of. What is counted is words that move.
func TestHandlerWithManyRecordsMovesThemSeldom(t *testing.T) {
	testlevel.Once(t, "what memory costs")
	const sends = 1 << 18
	moved, handled := 0, 0
	cfg := DefaultConfig()
	cfg.Synch, cfg.NLP, cfg.End, cfg.MaxMemory = 3, 2, 10, 512<<10
	sim, err := New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(Type[twinState, twinMsg]{
		Saving: SaveByLog,
		Init:   func(_ *twinState, lp *LP) { Send(lp, lp.ID(), 1, twinMsg{}) },
		Event: func(_ *twinState, lp *LP, _ *Bits, _ *twinMsg) {
			h := &lp.k.KP.History
			handled++
			for range sends {
				was := unsafe.SliceData(h.Buf)
				Send(lp, lp.ID(), 100, twinMsg{})
				if unsafe.SliceData(h.Buf) != was {
					moved += h.Head
				}
			}
		},
	}))
	require.NoError(t, sim.Run(t.Context()))
	require.EqualValues(t, 2*sends, sim.r.Stats.EventsPastEnd)
	require.Less(t, moved, 8*sends*handled, "%d times", handled)
	requireNoLoan(t, sim)
}

// TestLoanIsPaidForWhenThereIsMemoryAgain has a history borrow, and then grow within the
// ceiling: all that it has is charged.
func TestLoanIsPaidForWhenThereIsMemoryAgain(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Synch, cfg.NLP, cfg.NKP, cfg.MaxMemory = 3, 2, 1, 4<<20
	sim, err := New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(hungry(2, 0)))
	pe, kp := sim.r.Locals[0], &sim.r.Locals[0].KPs[0]
	before := sim.r.Budget.Used()
	h := &kp.History
	for i := range 8 {
		all := sim.r.Budget.Limit() - sim.r.Budget.Used()
		require.NoError(t, sim.r.Budget.Charge(all))
		h.Head = len(h.Buf)
		require.False(t, kp.Room(100))
		kp.Lend(100 + i)
		h.Head += 100
		lent := h.Lent
		kp.Repay()
		require.Equal(t, lent, h.Lent, "the events need it")
		sim.r.Budget.Give(all)
		require.Equal(t, before+uint64(len(h.Buf)-h.Lent)*8, sim.r.Budget.Used(), "what is not lent is charged")
		switch i % 3 {
		case 0: // it grows, and so it is no loan any more
			require.True(t, kp.Room(len(h.Buf)))
			require.Zero(t, h.Lent)
		case 1: // the events are gone
			h.Head, h.Last, h.Tail = 0, 0, 0
			kp.Repay()
			require.Zero(t, h.Lent)
		}
		require.Equal(t, before+uint64(len(h.Buf)-h.Lent)*8, sim.r.Budget.Used())
	}
	h.Head, h.Last, h.Tail = 0, 0, 0
	pe.Tighten()
	require.Equal(t, before, sim.r.Budget.Used(), "nothing is left of it")
}

// requireNoLoan requires that histories have nothing that is not charged.
func requireNoLoan(t *testing.T, sim *Simulation) {
	t.Helper()
	for _, pe := range sim.r.Locals {
		for i := range pe.KPs {
			require.Zero(t, pe.KPs[i].History.Lent)
		}
	}
}
