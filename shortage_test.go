// Memory: at its ceiling optimism is throttled to what fits, and only a run that
// the sequential scheduler could not do either ends with an error.

package ross

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// hungry is a model whose events cost much memory while they can be rolled back:
// a delta of 400 bytes each.
type hungryState struct{ words [50]uint64 }

func hungry(pes int) Type[hungryState, loadMsg] {
	const lps = 256
	return Type[hungryState, loadMsg]{
		Name: "hungry",
		Init: func(_ *hungryState, lp *LP) {
			for range 64 {
				Send(lp, lp.ID(), lp.RNG().Exponential(1), loadMsg{})
			}
		},
		Event: func(s *hungryState, lp *LP, _ *Bits, m *loadMsg) {
			for i := range s.words {
				s.words[i] += m.value + uint64(i)
			}
			dst := lp.ID()
			if pes > 1 && lp.RNG().Unif() < 0.2 {
				dst = LPID(lp.RNG().Integer(0, lps-1))
			}
			Send(lp, dst, lp.RNG().Exponential(1), loadMsg{value: m.value + 1})
		},
	}
}

// runHungry runs the model in so much memory, 0 for plenty. Nothing but memory
// holds optimism back: GVT is never due.
func runHungry(t *testing.T, synch, pes int, memory uint64) (*Simulation, error) {
	t.Helper()
	cfg := DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP, cfg.End, cfg.Digest = synch, pes, uint64(256/pes), 4, 30, true
	cfg.FixedGVT, cfg.GVTInterval = true, 1<<40
	cfg.MaxMemory = memory
	if memory == 0 {
		cfg.MaxMemory = 1 << 30
	}
	sim, err := New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	if err := sim.Define(hungry(2)); err != nil {
		return sim, err
	}
	return sim, sim.Run(context.Background())
}

func TestOptimismIsThrottledToTwiceTheMemoryOfASequentialRun(t *testing.T) {
	seq, err := runHungry(t, 1, 1, 0)
	require.NoError(t, err)
	need := seq.budget.Peak() + seq.queueBytes()
	free, err := runHungry(t, 3, 1, 0)
	require.NoError(t, err)
	require.Greater(t, free.budget.Peak(), 50*need, "the run does not need much memory")
	for _, pes := range []int{1, 2, 4} {
		t.Run(fmt.Sprintf("pes=%d", pes), func(t *testing.T) {
			watch(t)
			sim, err := runHungry(t, 3, pes, max(2*need, minMemory))
			require.NoError(t, err)
			require.Equal(t, seq.stats.Digest, sim.stats.Digest)
			require.LessOrEqual(t, sim.budget.Peak(), sim.cfg.MaxMemory)
			shortages := uint64(0)
			for _, pe := range sim.pes {
				shortages += pe.counts.shortages
			}
			require.Positive(t, shortages)
			t.Logf("need %d, limit %d, unlimited %d, %d shortages, %d GVTs", need, sim.cfg.MaxMemory, free.budget.Peak(), shortages, sim.stats.NumGVT)
			requireNoLeak(t, sim)
		})
	}
}
