// This file pins the names of the output and what MakeDir does about places that
// are taken.

package instr

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMakeDirMakesFolderAndMissingParents(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ path, want string }{
		{"", "stats-output"},
		{"flat", "flat"},
		{"a/b/c", "a/b/c"},
		{"a/b/d/", "a/b/d"},
		{"a/b/.", "a/b-7-42"},
	} {
		got, err := makeDir(c.path, 7, 42)
		require.NoError(t, err, c.path)
		require.Equal(t, filepath.FromSlash(c.want), got)
		requireDir(t, got)
	}
}

func TestMakeDirPutsDefaultFolderInPathWithoutName(t *testing.T) {
	work := filepath.Join(t.TempDir(), "work")
	require.NoError(t, os.Mkdir(work, 0o755))
	t.Chdir(work)
	for _, c := range []struct{ path, want string }{
		{".", "stats-output"},
		{"..", "../stats-output"},
		{"./", "stats-output-7-42"},
	} {
		got, err := makeDir(c.path, 7, 42)
		require.NoError(t, err, c.path)
		require.Equal(t, filepath.FromSlash(c.want), got)
		requireDir(t, got)
	}
}

func TestMakeDirLeavesExistingFolderAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	for _, want := range []string{dir, dir + "-7-42", dir + "-7-42-2", dir + "-7-42-3"} {
		got, err := makeDir(dir, 7, 42)
		require.NoError(t, err)
		require.Equal(t, want, got)
		requireDir(t, got)
		require.NoError(t, os.WriteFile(filepath.Join(got, "data"), nil, 0o644))
	}
}

func TestMakeDirNamesFreshFolderByProcessAndTime(t *testing.T) {
	dir := t.TempDir()
	got, err := MakeDir(dir)
	require.NoError(t, err)
	require.Regexp(t, "^"+dir+`-\d+-\d{10,}$`, got)
	requireDir(t, got)
}

func TestMakeDirErrorNamesPathThatCannotBeMade(t *testing.T) {
	base := t.TempDir()
	file := filepath.Join(base, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	dangling := filepath.Join(base, "dangling")
	require.NoError(t, os.Symlink(filepath.Join(base, "nowhere"), dangling))
	taken := filepath.Join(base, "taken")
	require.NoError(t, os.Mkdir(taken, 0o755))
	require.NoError(t, os.WriteFile(taken+"-7-42", nil, 0o644))

	long := filepath.Join(base, strings.Repeat("n", 300))

	for _, c := range []struct {
		name, path, named string
		is                error
	}{
		{"file in the way", file, file, fs.ErrExist},
		{"file as parent", file + "/out", file + "/out", syscall.ENOTDIR},
		{"file as grandparent", file + "/a/out", file + "/a/out", syscall.ENOTDIR},
		{"link to nothing", dangling, dangling, fs.ErrExist},
		{"file in the way of the fresh name", taken, taken + "-7-42", fs.ErrExist},
		{"name no system takes", base + "/a\x00b", base + "/a\x00b", syscall.EINVAL},
		{"name too long", long, long, syscall.ENAMETOOLONG},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, err := makeDir(c.path, 7, 42)
			require.ErrorIs(t, err, c.is)
			require.ErrorContains(t, err, "ross: output folder "+c.named+": ")
			require.ErrorContains(t, err, "--stats-path")
			require.Empty(t, dir)
		})
	}
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Empty(t, data)
}

func TestFileNameJoinsFolderPrefixAndSuffix(t *testing.T) {
	for _, c := range []struct{ dir, prefix, suffix, want string }{
		{"stats-output", "", TraceSuffix, "stats-output/ross-stats-evtrace.bin"},
		{"a/b/", "run.1", "gvt", "a/b/run.1-gvt.bin"},
		{"", "p", TraceSuffix, "p-evtrace.bin"},
	} {
		require.Equal(t, filepath.FromSlash(c.want), FileName(c.dir, c.prefix, c.suffix))
	}
}

func requireDir(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.True(t, info.IsDir(), path)
}
