//go:build unix

// This file tests outputs that are not ordinary files, which must not be replaced.

package cli

import (
	"bytes"
	"io"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func writeText(w io.Writer) error { _, err := io.WriteString(w, "text"); return err }

func TestLinkStaysAndItsFileIsReplaced(t *testing.T) {
	dir := t.TempDir()
	link, file, dangling := filepath.Join(dir, "link"), filepath.Join(dir, "below", "file"), filepath.Join(dir, "dangling")
	require.NoError(t, os.Mkdir(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(file, []byte("old"), 0o600))
	require.NoError(t, os.Symlink("below/file", link))
	require.NoError(t, os.Symlink("below/new", dangling))
	for path, to := range map[string]string{link: file, dangling: filepath.Join(dir, "below", "new")} {
		require.NoError(t, Write(path, nil, nil, writeText))
		require.Equal(t, "text", read(t, to))
		info, err := os.Lstat(path)
		require.NoError(t, err)
		require.NotZero(t, info.Mode()&os.ModeSymlink, path)
	}
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode(), "nobody else can read it now")
	require.Equal(t, []string{"file", "new"}, files(t, file))
}

func TestFIFOIsWrittenIntoAndStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	link := filepath.Join(filepath.Dir(path), "link")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	require.NoError(t, os.Symlink("fifo", link))
	for _, out := range []string{path, link} {
		for _, aborted := range []bool{false, true} {
			got := make(chan string)
			go func() {
				text, _ := os.ReadFile(path)
				got <- string(text)
			}()
			o, err := Create(out, nil)
			require.NoError(t, err)
			_, err = o.WriteString("text")
			require.NoError(t, err)
			if aborted {
				o.Abort()
				require.Empty(t, <-got)
			} else {
				require.NoError(t, o.Close())
				require.Equal(t, "text", <-got)
			}
			require.Equal(t, []string{"fifo", "link"}, files(t, path))
			info, err := os.Lstat(path)
			require.NoError(t, err)
			require.NotZero(t, info.Mode()&os.ModeNamedPipe)
		}
	}
}

func TestSocketAndFolderAreNoOutputs(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "socket")
	l, err := net.Listen("unix", path)
	require.NoError(t, err)
	defer l.Close()
	for _, out := range []string{path, dir} {
		require.ErrorContains(t, Write(out, nil, nil, writeText), "ross: output: open "+out)
	}
	require.Equal(t, []string{"socket"}, files(t, path))
}

func TestStandardOutputHasSeveralNames(t *testing.T) {
	var stdout bytes.Buffer
	for _, path := range []string{"", "-"} {
		require.NoError(t, Write(path, &stdout, nil, writeText))
		require.Equal(t, io.Discard, Summary(path, &stdout, io.Discard))
	}
	require.Equal(t, "texttext", stdout.String())
	require.NoFileExists(t, "-")

	// A shell has opened a file for standard output, and the name leads to it.
	path := filepath.Join(t.TempDir(), "out")
	file, err := os.Create(path)
	require.NoError(t, err)
	defer file.Close()
	_, err = file.WriteString("before, ")
	require.NoError(t, err)
	require.NoError(t, Write(path, file, nil, writeText))
	require.Equal(t, "before, text", read(t, path))
	require.Equal(t, io.Discard, Summary(path, file, io.Discard))
	require.Equal(t, file, Summary(filepath.Join(path, "other"), file, io.Discard))
}
