// Runs of several ranks of one machine, which exchange their messages through rings: the
// same digest, also where rings are so small that most messages go around them.

package ross

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/internal/world/worldtest"
)

func TestRanksWithRingsCommitWhatOneCommits(t *testing.T) {
	want := loads["spread"]().digest(t, nil)
	for _, c := range []struct{ ranks, pes, words, machines, synch int }{
		{2, 1, 8192, 1, 3}, {2, 2, 64, 1, 3}, {4, 1, 512, 2, 3}, {2, 1, 256, 1, 2}, {2, 1, 4, 1, 5},
	} {
		t.Run(fmt.Sprintf("ranks=%d/pes=%d/words=%d/machines=%d/synch=%d", c.ranks, c.pes, c.words, c.machines, c.synch), func(t *testing.T) {
			seed := testrand.Seed(t)
			modeltest.Watch(t)
			cluster := worldtest.New(c.ranks, seed, 30).WithRings(c.words, c.machines)
			sims, errs := loads["spread"]().runRanks(t, cluster, c.ranks, func(cfg *Config) {
				cfg.PEs, cfg.Synch, cfg.NKP, cfg.ConsLookahead = c.pes, Scheduler(c.synch), 4, 0.1
			})
			near := uint64(0)
			for rank, err := range errs {
				require.NoError(t, err)
				require.Equal(t, want, *sims[rank].r.Stats.Digest)
				for _, pe := range sims[rank].r.Locals {
					near += pe.Remote.Box.Counts().Near
				}
			}
			if c.words > 4 { // where messages of three words fit there are none
				require.NotZero(t, near)
			}
			requireNoLeak(t, sims...)
		})
	}
}
