package atomicfile_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/sys/atomicfile"
)

func TestEachErrorOfAFileHasItsRemedy(t *testing.T) {
	for errno, want := range map[error]string{
		syscall.EMFILE: "ulimit -n", syscall.ENFILE: "end other programs", syscall.ENOSPC: "make room",
		syscall.EDQUOT: "quota",
		syscall.EROFS:  "not read-only", syscall.EACCES: "permissions", syscall.EPERM: "permissions",
		syscall.ENOTDIR: "is a file",
		syscall.EISDIR:  "is a folder", syscall.ENAMETOOLONG: "shorter", syscall.ENOENT: "otherwise",
		errors.New("other"): "otherwise",
	} {
		for _, err := range []error{errno, &fs.PathError{Op: "open", Path: "x", Err: errno}, fmt.Errorf("more: %w", errno)} {
			require.Contains(t, atomicfile.Remedy(err, "otherwise"), want, "%v", err)
		}
	}
}

func TestWhatCannotBeWrittenIsKnownBefore(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	require.NoError(t, os.WriteFile("file", []byte("stays"), 0o600))
	require.NoError(t, os.Symlink(filepath.Join(dir, "none", "target"), "dangling"))
	require.NoError(t, os.Symlink("target", "link"))
	for path, want := range map[string]error{
		"new": nil, "file": nil, "link": nil, "/dev/null": nil,
		"none/new": fs.ErrNotExist, "file/new": syscall.ENOTDIR, ".": syscall.EISDIR, "dangling": fs.ErrNotExist,
		strings.Repeat("n", 300): syscall.ENAMETOOLONG,
	} {
		err := atomicfile.Check(path)
		require.ErrorIs(t, err, want, path)
		if written := atomicfile.Write(path, func(w io.Writer) error { return nil }); want == nil {
			require.NoError(t, written, path)
		} else {
			require.Error(t, written, path)
			require.NotContains(t, err.Error(), ".part")
		}
	}
	require.NoError(t, atomicfile.CheckFolder("a/b/c"))
	require.DirExists(t, "a/b/c")
	require.ErrorIs(t, atomicfile.CheckFolder("file/b"), syscall.ENOTDIR)
	left, err := filepath.Glob("*.part")
	require.NoError(t, err)
	require.Empty(t, left)
	left, err = filepath.Glob("a/b/c/.*")
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestWriteReplacesAFileWhenItIsWhole(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("file", []byte("old"), 0o640))
	fails := errors.New("fails")
	err := atomicfile.Write("file", func(w io.Writer) error { _, _ = io.WriteString(w, "half"); return fails })
	require.ErrorIs(t, err, fails)
	requireContent(t, "file", "old")
	require.NoError(t,
		atomicfile.Write("file", func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }))
	requireContent(t, "file", "new")
	info, err := os.Stat("file")
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o640), info.Mode().Perm())
	files, err := os.ReadDir(".")
	require.NoError(t, err)
	require.Len(t, files, 1)
}

func requireContent(t *testing.T, path, want string) {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, want, string(b))
}
