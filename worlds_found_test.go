// What worlds have found, each as a test of its own.

package ross_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/world/worldtest"
	"github.com/ross-go/ross/stats"
)

// tallied is a state that begins with a statistic.
type tallied struct {
	Delays stats.Tally
	Count  stats.Counter
	Events uint64
}

// TestAnEventThatPanicsRecordsNothing has an event panic after it has recorded. The engine undoes it, and
// keeps a note of the panic where the recordings were.
func TestAnEventThatPanicsRecordsNothing(t *testing.T) {
	for _, saving := range []ross.Saving{ross.SaveByDelta, ross.SaveByLog} {
		cfg := ross.DefaultConfig()
		cfg.Synch, cfg.NLP, cfg.End, cfg.MaxMemory = ross.Optimistic, 1, 20, 64<<20
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		require.NoError(t, sim.Define(ross.Type[tallied, hop]{
			Name: "tallied", Saving: saving,
			Init: func(_ *tallied, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, hop{}) },
			Event: func(s *tallied, lp *ross.LP, _ *ross.Bits, m *hop) {
				ross.Save(lp, &s.Events)
				s.Events++
				for range 3 {
					s.Count.Inc(lp)
					s.Delays.Add(lp, 1)
				}
				if s.Events == 9 {
					panic("on purpose")
				}
				ross.Send(lp, lp.ID(), 1, *m)
			},
		}))
		require.ErrorIs(t, sim.Run(context.Background()), ross.ErrPanic)
		s := ross.StateOf[tallied](sim.LP(0))
		require.Equal(t, uint64(24), s.Delays.Count(), saving)
		require.Equal(t, uint64(24), s.Count.Count(), saving)
		require.NoError(t, sim.Close())
	}
}

type hop struct{ N uint64 }

// TestAllPEsLeaveWhenTheirRankLosesTheOthers has ranks of several PEs that talk through rings, in which a
// PE does not find out by itself that another rank is gone.
func TestAllPEsLeaveWhenTheirRankLosesTheOthers(t *testing.T) {
	m := worldModel{LPs: 16, Population: 3, Kinds: []worldKind{{Undo: byDelta}}, Streams: 1, End: 1e6, Lookahead: 0.25, Remote: 0.5}
	for order := range uint64(20) {
		for _, synch := range []ross.Scheduler{ross.Conservative, ross.Optimistic} {
			w := worldRun{
				Order: order, Synch: synch, Ranks: 2, PEs: 2, NKP: 2, Batch: 4, GVT: 4, PQ: "go", Memory: 64 << 20,
				RingWords: 64, Machines: 1, Fault: rankDies, FaultAt: 400 + 50*order,
			}
			o := w.play(t, &m, t.TempDir(), false)
			require.True(t, errors.Is(o.Err, worldtest.ErrAborted), fmt.Sprint(order, o.Err))
		}
	}
}
