// The figures of a parallel run are true: they add up, and they are those that the
// model counts itself.

package ross

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
)

func TestFiguresOfAnOptimisticRunAddUp(t *testing.T) {
	for _, pes := range []int{1, 2, 4} {
		t.Run(fmt.Sprintf("pes=%d", pes), func(t *testing.T) {
			modeltest.Watch(t)
			l := spreadLoad()
			commits := make([]uint64, loadLPs)
			l.commit = func(_ *loadState, lp *LP, _ *Bits, _ *loadMsg) { commits[lp.ID()]++ }
			cfg := DefaultConfig()
			cfg.Synch, cfg.PEs, cfg.NLP, cfg.End = 3, pes, uint64(loadLPs/pes), l.end
			cfg.knobs.disturb = harass(t, pes, 0.02)
			sim, err := New(cfg)
			require.NoError(t, err)
			defer sim.Close()
			require.NoError(t, sim.Define(l.lpType()))
			require.NoError(t, sim.Run(context.Background()))
			st := sim.Stats()
			sum, lengths, committed, handled := uint64(0), uint64(0), uint64(0), uint64(0)
			for _, n := range commits {
				sum += n
			}
			for _, pe := range sim.r.Locals {
				require.Zero(t, pe.Uncommitted)
				require.Equal(t, pe.Counts.Processed-pe.Counts.Undone, pe.Counts.Committed)
				committed += pe.Counts.Committed
				for _, n := range pe.Counts.Lengths {
					lengths += n
				}
				for i := range pe.LPs {
					handled += pe.LPs[i].Processed
				}
			}
			require.Equal(t, sum, st.NetEvents())
			require.Equal(t, sum, committed)
			require.Equal(t, handled, st.EventsProcessed)
			require.Positive(t, st.EventsRolledBack)
			require.Equal(t, st.RollBacks(), lengths, "each rollback is in the histogram once")
			if pes > 1 {
				require.Positive(t, st.SendLocRemote)
				require.GreaterOrEqual(t, st.MinOffset, 0.1)
				require.Less(t, st.MinOffset, math.MaxFloat64)
			}
		})
	}
}

func TestStoppedRunHasCommittedExactlyWhatIsBeforeGVT(t *testing.T) {
	modeltest.Watch(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	l := spreadLoad()
	commits := make([]uint64, loadLPs)
	l.commit = func(_ *loadState, lp *LP, _ *Bits, _ *loadMsg) {
		if commits[lp.ID()]++; lp.Now() > 3 {
			cancel()
		}
	}
	cfg := DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.End = 3, 2, loadLPs/2, 1e9
	sim, err := New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(l.lpType()))
	require.ErrorIs(t, sim.Run(ctx), context.Canceled)
	sum, states := uint64(0), uint64(0)
	for gid, n := range commits {
		sum += n
		states += StateOf[loadState](sim.LP(LPID(gid))).handled
	}
	st := sim.Stats()
	require.Equal(t, sum, st.NetEvents())
	require.Equal(t, sum, states, "the states are those of the committed events")
}
