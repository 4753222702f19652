// This file pins that ranks agree on Config.Seed and Config.Replication.

package ross

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/internal/world/worldtest"
)

func TestSeedAndReplicationAreTheSameOnAllRanks(t *testing.T) {
	run := func(ranks int, configure func(rank int, c *Config)) (digest uint64, errs []error) {
		seed := testrand.Seed(t)
		sims, errs := runOnRanks(t, worldtest.New(ranks, seed, 20), ranks, func(rank int, c *Config) {
			c.NLP, c.Synch, c.End, c.Digest, c.MaxMemory = uint64(8/ranks), Optimistic, 10, true, 64<<20
			c.Seed, c.Replication = 7, 3
			configure(rank, c)
		}, gossip(8))
		if errs[0] == nil {
			digest = *sims[0].Stats().Digest
		}
		closeAll(sims)
		return digest, errs
	}
	one, errs := run(1, func(int, *Config) {})
	require.NoError(t, errs[0])
	two, errs := run(2, func(int, *Config) {})
	require.NoError(t, errs[0])
	require.Equal(t, one, two)
	other, errs := run(1, func(_ int, c *Config) { c.Replication = 4 })
	require.NoError(t, errs[0])
	require.NotEqual(t, one, other)

	for want, configure := range map[string]func(*Config){
		"rank 1 differs from rank 0: option --seed: 8 there, 7 on rank 0":        func(c *Config) { c.Seed = 8 },
		"rank 1 differs from rank 0: option --replication: 4 there, 3 on rank 0": func(c *Config) { c.Replication = 4 },
	} {
		_, errs := run(2, func(rank int, c *Config) {
			if rank == 1 {
				configure(c)
			}
		})
		for _, err := range errs {
			require.ErrorContains(t, err, want)
		}
	}
}
