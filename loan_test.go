// This file pins loans: memory that a history gets beyond the ceiling, because a handler
// cannot be stopped in the middle.

package ross

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/effort"
)

// TestHandlerWithManyRecordsMovesThemSeldom has one event send far more events past the end
// than there is memory for records of. What is counted is words that move.
func TestHandlerWithManyRecordsMovesThemSeldom(t *testing.T) {
	effort.Once(t, "what memory costs")
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
			h := &lp.kp.hist
			handled++
			for range sends {
				was := unsafe.SliceData(h.buf)
				Send(lp, lp.ID(), 100, twinMsg{})
				if unsafe.SliceData(h.buf) != was {
					moved += h.head
				}
			}
		},
	}))
	require.NoError(t, sim.Run(t.Context()))
	require.EqualValues(t, 2*sends, sim.stats.EventsPastEnd)
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
	pe, kp := sim.pes[0], &sim.pes[0].kps[0]
	before := sim.budget.Used()
	h := &kp.hist
	for i := range 8 {
		all := sim.budget.Limit() - sim.budget.Used()
		require.NoError(t, sim.budget.Charge(all))
		h.head = len(h.buf)
		require.False(t, kp.room(100))
		kp.lend(100 + i)
		h.head += 100
		sim.budget.Give(all)
		require.Equal(t, before+uint64(len(h.buf)-h.lent)*8, sim.budget.Used(), "what is not lent is charged")
		switch i % 3 {
		case 0: // it grows, and so it is no loan any more
			require.True(t, kp.room(len(h.buf)))
			require.Zero(t, h.lent)
		case 1: // the events are gone
			h.head, h.last, h.tail = 0, 0, 0
			kp.repay()
			require.Zero(t, h.lent)
		}
		require.Equal(t, before+uint64(len(h.buf)-h.lent)*8, sim.budget.Used())
	}
	h.head, h.last, h.tail = 0, 0, 0
	pe.tighten()
	require.Equal(t, before, sim.budget.Used(), "nothing is left of it")
}

// requireNoLoan requires that histories have nothing that is not charged.
func requireNoLoan(t *testing.T, sim *Simulation) {
	t.Helper()
	for _, pe := range sim.pes {
		for i := range pe.kps {
			require.Zero(t, pe.kps[i].hist.lent)
		}
	}
}
