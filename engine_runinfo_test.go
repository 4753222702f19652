package ross

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
)

type describedState struct{ _ int64 }

// described runs a small model with one change of the settings, and returns its simulation, closed.
func described(t *testing.T, ctx context.Context, fails bool, change func(c *Config)) *Simulation {
	t.Helper()
	cfg := DefaultConfig()
	cfg.Synch, cfg.NLP, cfg.PEs, cfg.End, cfg.Output, cfg.Args = Optimistic, 4, 2, 20, &discard{}, []string{"dir/described", "--end=20"}
	cfg.TypeMap = func(gid LPID) int { return int(gid) / 3 % 2 }
	change(&cfg)
	sim, err := New(cfg)
	require.NoError(t, err)
	require.Equal(t, "described", sim.RunInfo().Model)
	of := func(name string) Type[describedState, None] {
		return Type[describedState, None]{
			Name: name, Init: func(_ *describedState, lp *LP) { Send(lp, lp.ID(), 1, None{}) },
			Event: func(_ *describedState, lp *LP, _ *Bits, _ *None) {
				if fails && lp.Now() > 10 {
					panic("on\npurpose")
				}
				Send(lp, lp.ID(), 1, None{})
			},
			Reverse: func(*describedState, *LP, *Bits, *None) {},
		}
	}
	require.NoError(t, sim.Define(of("first"), of("second")))
	err = sim.Run(ctx)
	if fails || ctx.Err() != nil {
		require.Error(t, err)
	} else {
		require.NoError(t, err)
	}
	require.NoError(t, sim.Close())
	return sim
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

func TestRunDescribesItselfBesideItsFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	sim := described(t, context.Background(), false, func(c *Config) { c.StatsPath, c.EngineStats, c.Digest = dir, 1, true })
	got, err := instr.ReadRunInfo(dir)
	require.NoError(t, err)
	require.Equal(t, sim.RunInfo(), *got)
	require.Equal(t, instr.RunComplete, got.State)
	require.Equal(t, []string{"dir/described", "--end=20"}, got.Command)
	require.Equal(t, "optimistic", got.Scheduler)
	require.EqualValues(t, 8, got.LPs)
	require.EqualValues(t, 2, got.PEs)
	require.EqualValues(t, 20, *got.EndTime)
	require.Equal(t, "20", got.Options["end"])
	require.Equal(t, []instr.RunType{{Name: "first"}, {Name: "second"}}, got.Types)
	require.Equal(t, []instr.RunTypeRange{{First: 0, Count: 3}, {First: 3, Count: 3, Type: 1}, {First: 6, Count: 2}}, got.TypeRanges)
	require.False(t, got.End.Before(got.Begin))
	st := sim.Stats()
	require.Equal(t, st.NetEvents(), got.Result.NetEvents)
	require.EqualValues(t, 8*19, got.Result.NetEvents)
	require.Len(t, got.Result.Digest, 16)
	again := described(t, context.Background(), false, func(*Config) {})
	require.NotEqual(t, got.ID, again.RunInfo().ID)
}

func TestRunThatDoesNotReachItsEndSaysWhy(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	sim := described(t, ctx, false, func(*Config) {})
	require.Equal(t, instr.RunStopped, sim.RunInfo().State)
	require.Contains(t, sim.RunInfo().Reason, "context canceled")

	sim = described(t, context.Background(), true, func(*Config) {})
	require.Equal(t, instr.RunFailed, sim.RunInfo().State)
	require.Contains(t, sim.RunInfo().Reason, "panic: on")
	require.NotContains(t, sim.RunInfo().Reason, "\n")
}

func TestDescriptionIsWrittenWhereItIsWanted(t *testing.T) {
	base := t.TempDir()
	t.Chdir(base)
	described(t, context.Background(), false, func(*Config) {})
	left, err := os.ReadDir(base)
	require.NoError(t, err)
	for _, f := range left {
		_, err := instr.ReadRunInfo(f.Name())
		require.ErrorIs(t, err, fs.ErrNotExist)
	}
	described(t, context.Background(), false, func(c *Config) { c.StatsPath = "asked" }) // without samples
	_, err = instr.ReadRunInfo("asked")
	require.NoError(t, err)
	for name, path := range map[string]string{"unwritten": "unwritten", instr.DefaultDir: ""} { // samples that are not written
		described(t, context.Background(), false, func(c *Config) { c.StatsPath, c.DisableOutput, c.EngineStats = path, 1, 1 })
		left, err := os.ReadDir(name)
		require.NoError(t, err)
		require.Len(t, left, 1)
		info, err := instr.ReadRunInfo(name)
		require.NoError(t, err)
		require.Equal(t, instr.RunComplete, info.State)
	}

	require.NoError(t, os.WriteFile("file", nil, 0o644))
	sim := described(t, context.Background(), false, func(c *Config) { c.StatsPath = "file/below" })
	require.ErrorContains(t, sim.CollectionError(), "description of the run")
	require.Error(t, errors.Unwrap(sim.CollectionError()))
}
