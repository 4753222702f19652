// Seeds, replications, and random streams that a model does more with than draw.

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

// Random streams that a model does more with than draw.

// setsStreams returns a model whose handlers do something to the stream of their LP now and then.
func setsStreams(declared bool, do func(lp *ross.LP)) ross.Type[rosstest.Sum, rosstest.Word] {
	return ross.Type[rosstest.Sum, rosstest.Word]{
		Name: "sets", SetsStreams: declared,
		Init: func(_ *rosstest.Sum, lp *ross.LP) {
			lp.RNG().SetState(lp.RNG().State()) // in Init nothing is to be undone
			ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), rosstest.Word{})
		},
		Event: func(s *rosstest.Sum, lp *ross.LP, _ *ross.Bits, _ *rosstest.Word) {
			if s.N++; lp.RNG().Unif() < 0.2 {
				do(lp)
			}
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 3)), lp.RNG().Exponential(1), rosstest.Word{})
		},
	}
}

// setsItself gives the stream of an LP a state that it draws.
func setsItself(lp *ross.LP) {
	st := lp.RNG().State()
	st.C[0] = uint32(lp.RNG().Integer(1, 1e9))
	st.Count = 0
	lp.RNG().SetState(st)
}

// farAhead skips more draws than a handler makes.
func farAhead(lp *ross.LP) { lp.RNG().Skip(1 << 40) }

func TestStreamsThatAModelSetsAreRestored(t *testing.T) {
	little := func(lp *ross.LP) { lp.RNG().Skip(-1 << 15) }
	reverse := func(lp *ross.LP) { lp.RNG().Reverse(); lp.RNG().Reverse() }
	for name, model := range map[string]struct {
		declared bool
		do       func(lp *ross.LP)
	}{
		"SetState": {true, setsItself},
		"Skip":     {true, farAhead},
		"little":   {false, little},
		"Reverse":  {false, reverse},
		"both":     {true, reverse},
	} {
		t.Run(name, func(t *testing.T) {
			var want string
			for _, c := range []struct{ synch, pes, streams int }{{1, 1, 1}, {3, 1, 1}, {3, 3, 1}, {2, 2, 1}, {6, 1, 1}, {1, 1, 2}, {3, 3, 2}} {
				cfg := rosstest.Small()
				cfg.NLP, cfg.TotalLPs, cfg.End = 0, 9, 60
				cfg.Synch, cfg.PEs, cfg.NKP, cfg.Batch, cfg.GVTInterval = ross.Scheduler(c.synch), c.pes, 2, 2, 2
				cfg.RNGsPerLP = uint64(c.streams)
				cfg.ConsLookahead = 1e-9
				out := rosstest.Run(t, cfg, setsStreams(model.declared, model.do))
				st := out.Stats()
				if c.synch == 1 {
					want = fmt.Sprintf("%x", *st.Digest)
				}
				require.Equal(t, want, fmt.Sprintf("%x", *st.Digest), "%v", c)
			}
		})
	}
}

func TestStreamsThatCannotBeRestoredAreAnError(t *testing.T) {
	for name, do := range map[string]func(lp *ross.LP){"SetState": setsItself, "Skip": farAhead} {
		t.Run(name, func(t *testing.T) {
			cfg := rosstest.Small()
			rosstest.Run(t, cfg, setsStreams(false, do))
			cfg.Synch = ross.Optimistic
			out := rosstest.Try(t, cfg, setsStreams(false, do))
			require.ErrorIs(t, out.Err, ross.ErrModel)
			require.ErrorContains(t, out.Err, "set its random stream in a handler, or skipped 2^15 draws or more of it")
			require.ErrorContains(t, out.Err, "set SetsStreams of the type")
			cfg.RNGsPerLP = 2 // whose states are kept
			rosstest.Run(t, cfg, setsStreams(false, do))
		})
	}
}
