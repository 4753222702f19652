package bench

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
)

var routerWays = []ross.Saving{ross.SaveByReverse, ross.SaveByLog, ross.SaveByDelta}

// BenchmarkRouter is the cost of undoing events of LPs with large states.
func BenchmarkRouter(b *testing.B) {
	for _, lps := range []int{256, 8192} {
		for _, pes := range []int{1, 2} {
			for _, how := range routerWays {
				r := Router{How: how, LPs: lps, PEs: pes}
				b.Run(r.String(), r.Run)
			}
		}
	}
}

// What is compared does the same, and is undone in each of the ways.
func TestRoutersAgree(t *testing.T) {
	digest := func(how ross.Saving, synch ross.Scheduler) (d uint64) {
		t.Run(how.String(), func(t *testing.T) {
			cfg := ross.DefaultConfig()
			cfg.Synch, cfg.NLP, cfg.End, cfg.Digest = synch, 64, 5, true
			sim, err := ross.New(cfg)
			require.NoError(t, err)
			defer sim.Close()
			require.NoError(t, sim.Define(Router{How: how, LPs: 64}.model()))
			require.NoError(t, sim.Run(context.Background()))
			d = *sim.Stats().Digest
		})
		return d
	}
	want := digest(ross.SaveByReverse, ross.Sequential)
	for _, how := range routerWays {
		require.Equal(t, want, digest(how, ross.RollbackCheck), "%v", how)
	}
}
