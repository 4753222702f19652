// Checkpoints of the same run, made by different schedulers on any number of PEs, have no
// differences.

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
)

// storeRun runs the model to a time and returns the name of the checkpoint stored then.
func storeRun(t *testing.T, synch, pes int, end float64) string {
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP, cfg.End, cfg.ConsLookahead = ross.Scheduler(synch), pes, uint64(numLPs/pes), 3, end, 0.1
	cfg.IOFiles, cfg.IOCompress, cfg.Digest = uint64(pes), pes > 1, true
	cfg.TypeMap = func(gid ross.LPID) int { return int(gid & 1) }
	cfg.Output = io.Discard
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(hops()...))
	require.NoError(t, sim.InitIO())
	require.NoError(t, sim.Run(context.Background()))
	name := filepath.Join(t.TempDir(), "ck")
	require.NoError(t, sim.StoreCheckpoint(name, ross.ByFormula))
	return name
}

func TestCheckpointsOfTheSameRunAreEqual(t *testing.T) {
	first := storeRun(t, 1, 1, 20)
	for _, c := range []struct{ synch, pes int }{{1, 1}, {2, 2}, {3, 1}, {3, 4}, {5, 2}} {
		var stdout, stderr bytes.Buffer
		name := storeRun(t, c.synch, c.pes, 20)
		require.Zero(t, run([]string{"checkpoint", "verify", name}, &stdout, &stderr), "%s%s", &stdout, &stderr)
		require.Zero(t, run([]string{"checkpoint", "diff", first, name}, &stdout, &stderr), "synch=%d on %d PEs: %s%s", c.synch, c.pes, &stdout, &stderr)
		require.Contains(t, stdout.String(), fmt.Sprintf("equal: %d LPs, %d events\n", numLPs, 4*numLPs))
	}
	var stdout, stderr bytes.Buffer
	require.Equal(t, 1, run([]string{"checkpoint", "diff", first, storeRun(t, 3, 2, 21)}, &stdout, &stderr))
	require.Contains(t, stdout.String(), "\nvirtual time: 20 | 21\n")
}
