// A disk that is full, as the kernel has it.

package run_test

import (
	"bytes"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
)

// inProcess runs a test in a process of its own, since what it does is done to the whole
// process, with the file in which go test notes what tests open. It reports whether this
// is that process.
func inProcess(t *testing.T) bool {
	t.Helper()
	const here = "ROSS_TEST_IN_PROCESS"
	if os.Getenv(here) != "" {
		return true
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), here+"=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "--- PASS: "+t.Name())
	return false
}

// limitFiles lets no file of the process grow beyond the given number of bytes.
func limitFiles(t *testing.T, bytes uint64) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ)
	var was syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was))
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: bytes, Max: was.Max}))
	t.Cleanup(func() {
		require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was))
		signal.Reset(syscall.SIGXFSZ)
	})
}

func TestAFullDiskEndsTheCollectionOnly(t *testing.T) {
	if !inProcess(t) {
		return
	}
	want := plainDigestTo(t, collectEnd)
	dir := filepath.Join(t.TempDir(), "stats")
	limitFiles(t, 500_001)
	report, sim := collected(t, dir, func(c *ross.Config) { c.BufferFree = 0 })
	require.Equal(t, want, *runOf(sim).Stats.Digest)
	require.Equal(t, 1, strings.Count(report, "the collection ends here, and the simulation goes on"), report)
	require.Contains(t, report, dir)
	require.Contains(t, report, syscall.EFBIG.Error())
	require.ErrorIs(t, sim.CollectionError(), syscall.EFBIG)
	for _, suffix := range []string{instr.TraceSuffix, instr.GVTSuffix} {
		name := instr.FileName(dir, "", suffix)
		require.NoFileExists(t, name)
		info, err := os.Stat(name + instr.PartSuffix)
		require.NoError(t, err)
		require.Positive(t, info.Size())
		r, err := instr.Open(name + instr.PartSuffix)
		require.NoError(t, err)
		for _, err := range r.All() {
			require.NoError(t, err, "whole records are left")
		}
		require.NoError(t, r.Close())
	}
}

func TestAFullDiskOfRanksLeavesWholeFlushes(t *testing.T) {
	if !inProcess(t) {
		return
	}
	dir := filepath.Join(t.TempDir(), "stats")
	l := spreadLoad()
	l.end = collectEnd
	limitFiles(t, 500_001)
	var report bytes.Buffer
	sims := checkRanks(t, l, 2, func(c *ross.Config) {
		c.Synch, c.Output, c.StatsPath, c.EventTrace, c.BufferFree = 3, &report, dir, int(ross.TraceCommitted), 0
	})
	require.Equal(t, 1, strings.Count(report.String(), "the files are truncated to what all ranks have written"), report.String())
	require.Contains(t, report.String(), syscall.EFBIG.Error())
	for _, sim := range sims {
		require.ErrorContains(t, sim.CollectionError(), syscall.EFBIG.Error())
	}
	name := instr.FileName(dir, "", instr.TraceSuffix)
	require.NoFileExists(t, name)
	events, err := instr.ReadTrace(name + instr.PartSuffix)
	require.NoError(t, err)
	require.NotEmpty(t, events)
	for _, e := range events {
		require.Greater(t, e.RecvTS, float32(0), "no hole")
	}
}

func TestAFullDiskCostsACheckpointAndNotTheRun(t *testing.T) {
	if !inProcess(t) {
		return
	}
	want := plainDigestTo(t, collectEnd)
	for _, synch := range []int{1, 2, 3} {
		prefix := filepath.Join(t.TempDir(), "run")
		limitFiles(t, 20_001)
		var report bytes.Buffer
		l := spreadLoad()
		l.end = collectEnd
		digest, sims := runLeg(t, leg{configure: func(c *ross.Config) {
			shape{synch: synch, pes: 1, nkp: 4, files: 1, lookahead: 0.1}.on(loadLPs, l.end)(c)
			c.Output, c.IOName, c.IOInterval = &report, prefix, 1e-9
		}}, l.lpType())
		require.Equal(t, want, digest)
		require.ErrorIs(t, sims[0].CheckpointError(), syscall.EFBIG)
		require.Contains(t, report.String(), "the simulation goes on without this checkpoint")
		require.Contains(t, report.String(), prefix+"-000000")
		left, err := filepath.Glob(prefix + "*")
		require.NoError(t, err)
		require.Empty(t, left, "nothing half-written is left")
		require.ErrorIs(t, sims[0].StoreCheckpoint(prefix, ross.ByFormula), syscall.EFBIG)
	}
}
