package instr

import (
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestRunInfoIsReadAsItWasWritten(t *testing.T) {
	dir, end := t.TempDir(), 100.5
	want := &RunInfo{
		Version: RunVersion, ID: "1", State: RunComplete, Begin: time.Unix(1, 5).UTC(), End: time.Unix(2, 0).UTC(),
		Model: "phold <a&b>", Command: []string{"phold", "--end=1"}, EndTime: &end, LPs: math.MaxUint64,
		Options: map[string]string{"nlp": "8"}, Types: []RunType{{Name: "hub", Trace: "hops:u32"}},
		TypeRanges: []RunTypeRange{{0, 8, 0}}, Result: &RunResult{Runtime: 1.5, Digest: "0123456789abcdef"},
	}
	require.NoError(t, want.Write(dir))
	for _, path := range []string{dir, filepath.Join(dir, RunName)} {
		got, err := ReadRunInfo(path)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1)
}

func TestRunInfoThatCannotBeReadOrWrittenIsAnError(t *testing.T) {
	dir := t.TempDir()
	_, err := ReadRunInfo(dir)
	require.ErrorIs(t, err, fs.ErrNotExist)
	for text, says := range map[string]string{
		"":               "no description of a run",
		"{}":             "version 0 of the description",
		`{"version": 2}`: "use a newer one",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, RunName), []byte(text), 0o644))
		_, err := ReadRunInfo(dir)
		require.ErrorContains(t, err, says, "%q", text)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, RunName), []byte(`{"version": 1, "later": [1]}`), 0o644))
	_, err = ReadRunInfo(dir)
	require.NoError(t, err)
	require.ErrorIs(t, (&RunInfo{}).Write(filepath.Join(dir, "none")), fs.ErrNotExist)
}
