// This file tests journals of other programs. They are copies of the test program with a byte more,
// which Linux runs.

package experiment

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ross-go/ross/internal/testlevel"
	"github.com/stretchr/testify/require"
)

// versionVariable makes the test below run an experiment of that version.
const versionVariable = "ROSS_TEST_VERSION"

func TestAJournalOfAnotherProgramIsRefusedUnlessTheVersionIsEqual(t *testing.T) {
	var runs atomic.Int32
	if path := os.Getenv(journalVariable); path != "" {
		e := sweep(path, &runs)
		e.Version = os.Getenv(versionVariable)
		do(t, e)
		t.Logf("runs: %d", runs.Load())
		return
	}
	testlevel.Once(t, "which journals belong to a program")
	executable, err := os.Executable()
	require.NoError(t, err)
	content, err := os.ReadFile(executable)
	require.NoError(t, err)
	dir := t.TempDir()
	programs := map[string]string{"this": executable, "same": filepath.Join(dir, "same"), "other": filepath.Join(dir, "other")}
	require.NoError(t, os.WriteFile(programs["same"], content, 0o755))
	require.NoError(t, os.WriteFile(programs["other"], append(content, 0), 0o755))
	run := func(program, path, version string) (string, error) {
		cmd := exec.Command(programs[program], "-test.v", "-test.run=^TestAJournalOfAnotherProgramIsRefusedUnlessTheVersionIsEqual$")
		cmd.Env = append(os.Environ(), journalVariable+"="+path, versionVariable+"="+version)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for _, c := range []struct {
		first, second   string
		version, change string
		want            string
	}{
		{"this", "same", "", "", "runs: 0"},
		{"this", "other", "", "", "its results are those of another program, with hash "},
		{"other", "this", "", "", "name another journal, or remove this one; if both programs are of the same model, replace the journal's first line by {"},
		{"this", "other", "1", "1", "runs: 0"},
		{"this", "other", "1", "2", "its version is 1, and that of this one is 2"},
		{"this", "this", "1", "", "its version is 1, and that of this one is "},
	} {
		path := filepath.Join(t.TempDir(), "sweep.jsonl")
		out, err := run(c.first, path, c.version)
		require.NoError(t, err, out)
		require.Contains(t, out, "runs: 8")
		before, err := os.ReadFile(path)
		require.NoError(t, err)
		out, err = run(c.second, path, c.change)
		require.Equal(t, c.want == "runs: 0", err == nil, out)
		require.Contains(t, out, c.want)
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, before, after)
	}
}

func TestAJournalIsMovedToAnotherProgramByItsFirstLine(t *testing.T) {
	// The error of a journal of another program has the line.
	var runs atomic.Int32
	path := filepath.Join(t.TempDir(), "sweep.jsonl")
	want := do(t, sweep(path, &runs))
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	head, records, _ := strings.Cut(string(whole), "\n")
	hash, err := thisProgram()
	require.NoError(t, err)
	other := resealed(head, hash, "0123456789abcdef")
	require.NoError(t, os.WriteFile(path, []byte(other+records), 0o666))
	_, err = sweep(path, &runs).Do(t.Context())
	require.ErrorContains(t, err, "with hash 0123456789ab, and this one has "+hash[:12]+": ")
	_, line, _ := strings.Cut(err.Error(), "first line by ")
	line, _, _ = strings.Cut(line, ", and set Version")
	require.NoError(t, os.WriteFile(path, []byte(line+"\n"+records), 0o666))
	runs.Store(0)
	require.Equal(t, want, do(t, sweep(path, &runs)))
	require.Zero(t, runs.Load())
}
