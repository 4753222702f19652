// This file owns the tests of studies whose runs start from a checkpoint.

package study

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/stats"
)

// warm stores a checkpoint of the model at time 8, and returns its name.
func warm(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "warm")
	desksBy(t, func(cfg *ross.Config) {
		cfg.End, cfg.Checkpoints.VirtualInterval, cfg.Checkpoints.Name = 9, 8, name
	}, 1).Close()
	return name + "-000000"
}

// desksBy makes one run of the model as a program without this package would.
func desksBy(t *testing.T, configure func(*ross.Config), speed float64) *ross.Simulation {
	t.Helper()
	p := desks()
	cfg := p.Config
	o := p.CommandLine(&cfg)
	_, err := o.Parse([]string{fmt.Sprint("--speed=", speed)})
	require.NoError(t, err)
	configure(&cfg)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	require.NoError(t, p.Build(sim))
	require.NoError(t, sim.Run(context.Background()))
	return sim
}

// TestRunsStartFromACheckpoint compares the table with single runs that branch off, for all ways to share the runs.
func TestRunsStartFromACheckpoint(t *testing.T) {
	name := warm(t)
	line := "--replications=4 --vary=speed=1,2 --warm-up=8 --end=30 --io-other-options --io-restart=" + name
	table := ""
	for _, more := range []string{" --workers=1", " --workers=3", " --synch=3 --pes=2"} {
		path := filepath.Join(t.TempDir(), "t.csv")
		status, out, errs := try(line + more + " --table=" + path)
		require.Zero(t, status, errs)
		require.Contains(t, out, "--io-restart="+name+" (stored at time 8, ")
		require.Equal(t, 1, strings.Count(errs, "option --speed is 1 in it and 2 in this run"), "once")
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		if table == "" {
			table = string(content)
		}
		require.Equal(t, table, string(content))
	}
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	require.NoError(t, err)
	seen := map[float64]bool{}
	for i, speed := range []float64{1, 2} {
		sum := 0.0
		for replication := range uint64(4) {
			sim := desksBy(t, func(cfg *ross.Config) {
				cfg.End, cfg.WarmUp, cfg.Replication = 30, 8, replication
				cfg.Checkpoints.Restart, cfg.Checkpoints.Branch, cfg.Checkpoints.OtherOptions = name, true, true
			}, speed)
			all, err := stats.Collect(sim)
			require.NoError(t, err)
			served, _ := all.Row("desk", "served")
			seen[served.Sum] = true
			sum += served.Sum / 4
			sim.Close()
		}
		require.Equal(t, fmt.Sprint(sum), rows[1+i][slices.Index(rows[0], "served mean")])
	}
	require.Greater(t, len(seen), 4, "runs differ")
}

func TestAJournalBelongsToItsCheckpoint(t *testing.T) {
	name, journal := warm(t), filepath.Join(t.TempDir(), "j")
	line := "--replications=2 --warm-up=8 --end=30 --journal=" + journal + " --io-restart="
	status, out, errs := try(line + name)
	require.Zero(t, status, errs)
	status, again, errs := try(line + name)
	require.Zero(t, status, errs)
	require.Equal(t, out, again)
	status, _, errs = try(line + warm(t))
	require.Equal(t, 1, status)
	require.Contains(t, errs, "belongs to another experiment")
	status, _, errs = try("--replications=2 --io-restart=none/there")
	require.Equal(t, 1, status)
	require.Contains(t, errs, "desks: option --io-restart=none/there: checkpoint: none/there.rio-md: there is no checkpoint of this name")
	status, _, errs = try("--replications=2 --end=8 --io-restart=" + name)
	require.Equal(t, 2, status)
	require.Contains(t, errs, "option --end=8: the checkpoint of --io-restart="+name+" was stored at virtual time 8; give a later end")
}
