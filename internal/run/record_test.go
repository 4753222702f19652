// Records of runs: the digests of LPs are the same in all schedulers and add up to those of the run, and the folder is
// sealed when the simulation is closed.

package run_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/testing/rosstest"
)

// roam is a model of 12 LPs that send to each other.
func roam() ross.Type[rosstest.Sum] {
	return ross.Type[rosstest.Sum]{
		Name: "roam",
		Init: func(_ *rosstest.Sum, lp *ross.LP) {
			ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), rosstest.Word{})
		},
		Event: ross.On(func(s *rosstest.Sum, lp *ross.LP, m *rosstest.Word) {
			s.N++
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 11)), lp.RNG().Exponential(1), *m)
		}),
	}
}

// recorded returns the digests of the LPs of a run, whose record is whole.
func recorded(t *testing.T, cfg ross.Config) []instr.LPDigest {
	t.Helper()
	cfg.Record, cfg.Digest, cfg.NLP, cfg.LPs = ross.RecordLPs, false, 0, 12
	cfg.Instruments.Path = filepath.Join(t.TempDir(), "result")
	sim, _ := rosstest.Define(t, cfg, roam())
	require.NoError(t, sim.Run(t.Context()))
	require.NoError(t, os.WriteFile(filepath.Join(cfg.Instruments.Path, "mine.csv"), []byte("1\n"), 0o600))
	_, _, err := instr.CheckSealed(cfg.Instruments.Path)
	require.ErrorIs(t, err, instr.ErrNotSealed, "until it is closed")
	require.NoError(t, sim.Close())
	info, changed, err := instr.CheckSealed(cfg.Instruments.Path)
	require.NoError(t, err)
	require.Empty(t, changed)
	require.Contains(t, info.Record.Files, "mine.csv", "what the program writes before it closes the simulation")
	require.NotEmpty(t, info.Record.Build.SHA256)
	all, err := instr.ReadLPDigests(filepath.Join(cfg.Instruments.Path, "ross-stats"+instr.DigestsSuffix))
	require.NoError(t, err)
	require.Len(t, all, 12)
	events, states := instr.SumLPDigests(all)
	require.Equal(t, info.Result.Digest, fmt.Sprintf("%016x", events))
	require.Equal(t, info.Result.StateDigest, fmt.Sprintf("%016x", states))
	return all
}

func TestDigestsOfLPsDoNotDependOnTheScheduler(t *testing.T) {
	cfg := rosstest.Small()
	cfg.Synch = ross.Sequential
	want := recorded(t, cfg)
	for _, d := range want {
		require.NotZero(t, d.Events)
		require.NotZero(t, d.State)
	}
	for _, synch := range []ross.Scheduler{ross.Optimistic, ross.RollbackCheck} {
		cfg.Synch, cfg.PEs = synch, 1
		if synch == ross.Optimistic {
			cfg.PEs = 3
		}
		require.Equal(t, want, recorded(t, cfg), synch)
	}
	cfg.Seed = 2
	require.NotEqual(t, want, recorded(t, cfg))
}

func TestARunWithoutARecordHasNone(t *testing.T) {
	cfg := rosstest.Small()
	cfg.NLP, cfg.LPs = 0, 12
	cfg.Instruments.Path = filepath.Join(t.TempDir(), "result")
	sim, _ := rosstest.Define(t, cfg, roam())
	require.NoError(t, sim.Run(t.Context()))
	require.NoError(t, sim.Close())
	info, err := instr.ReadRunInfo(cfg.Instruments.Path)
	require.NoError(t, err)
	require.Nil(t, info.Record)
	require.Nil(t, info.Seal)
	files, err := os.ReadDir(cfg.Instruments.Path)
	require.NoError(t, err)
	require.Len(t, files, 1)
}
