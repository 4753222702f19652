// This file pins which folders are runs, and when what is known of them changes.

package runlist

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
)

func put(t *testing.T, text string, path ...string) {
	t.Helper()
	name := filepath.Join(path...)
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
}

func TestStatisticsBelongToARunAndAloneMakeNone(t *testing.T) {
	root := t.TempDir()
	info := &instr.RunInfo{Version: instr.RunVersion, Model: "m", Begin: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	put(t, "{}", root, "a", "x-statistics.json")
	require.NoError(t, info.Write(filepath.Join(root, "a")))
	put(t, "{}", root, "alone", "x-statistics.json")
	runs, cut, err := Scan(root)
	require.NoError(t, err)
	require.False(t, cut)
	require.Len(t, runs, 1)
	require.Equal(t, []string{"x-statistics.json"}, runs[0].Statistics)
	require.Equal(t, "a", runs[0].Name)
	before := runs[0].Word
	put(t, "{ }", root, "a", "x-statistics.json")
	runs, _, err = Scan(root)
	require.NoError(t, err)
	require.NotEqual(t, before, runs[0].Word)
	require.Equal(t, info.Begin, runs[0].When)
}

func TestAFolderThatIsMissingIsAnError(t *testing.T) {
	_, _, err := Scan(filepath.Join(t.TempDir(), "none"))
	require.ErrorContains(t, err, "name a folder that can be read")
}
