// This file owns the tests of Config.Seed and Config.Replication.

package ross_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/rosstest"
	"github.com/ross-go/ross/rng"
)

func seedDigests(t *testing.T, cfg ross.Config) string {
	t.Helper()
	out := rosstest.Run(t, cfg, rosstest.Walkers())
	require.NoError(t, out.Close())
	var lines []string
	for line := range strings.Lines(out.Report) {
		if strings.Contains(line, "Digest") {
			lines = append(lines, strings.Join(strings.Fields(line), " "))
		}
	}
	require.Len(t, lines, 2)
	return strings.Join(lines, "\n")
}

func TestSeedAndReplicationGiveTheSameRunInEveryScheduler(t *testing.T) {
	seen := map[string]string{}
	for _, set := range [][2]uint64{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}, {1 << 63, rng.MaxReplication}} {
		cfg := rosstest.Small()
		cfg.Seed, cfg.Replication = set[0], set[1]
		want := seedDigests(t, cfg)
		name := fmt.Sprintf("seed %d, replication %d", set[0], set[1])
		require.Empty(t, seen[want], name)
		seen[want] = name
		for _, pes := range []int{1, 2, 4} {
			for _, synch := range []ross.Scheduler{ross.Conservative, ross.Optimistic} {
				other := cfg
				other.Synch, other.PEs, other.NLP = synch, pes, cfg.NLP/uint64(pes)
				require.Equal(t, want, seedDigests(t, other), "%s, synch %d, %d PEs", name, synch, pes)
			}
		}
	}
}

// The streams are those that package rng makes from the two numbers.
func TestStreamsOfSeedAndReplication(t *testing.T) {
	models, cores := rng.RunSeeds(7)
	for replication := range uint64(3) {
		cfg := rosstest.Small()
		cfg.Seed, cfg.Replication, cfg.RNGsPerLP, cfg.End = 7, replication, 2, 0
		var got [4][2]rng.State
		typ := rosstest.Once(func(*ross.LP) {})
		typ.Init = func(_ *none, lp *ross.LP) {
			for i := range got[lp.ID()] {
				got[lp.ID()][i] = lp.Stream(i).CLCG4.State()
			}
		}
		rosstest.Run(t, cfg, typ)
		for gid := range uint64(4) {
			for i := range uint64(2) {
				want := rng.NewSeeder(models.Replication(replication)).CLCG4(2*gid + i)
				require.Equal(t, want.State(), got[gid][i])
			}
		}
		// Of the streams that break ties, a send shows the first number.
		cfg.End = 2
		var tie float64
		rosstest.Run(t, cfg, rosstest.Once(func(lp *ross.LP) { tie = lp.Signature().Ties[0] }))
		core := rosstest.Core(cores.Replication(replication), 2, 4, 1)
		require.Equal(t, core.Unif(), tie)
	}
}

func TestReportNamesSeedAndReplication(t *testing.T) {
	cfg := rosstest.Small()
	plain := rosstest.Run(t, cfg, rosstest.Walkers()).Report
	require.NotContains(t, plain, "Seed")
	require.NotContains(t, plain, "Replication")
	cfg.Seed, cfg.Replication = 12, 34
	require.Contains(t, rosstest.Run(t, cfg, rosstest.Walkers()).Report, "\nSeed: 12\nReplication: 34\n")
}
