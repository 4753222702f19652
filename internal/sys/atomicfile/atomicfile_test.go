//go:build unix

package atomicfile

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLinksAreFollowedToTheFileThatIsReplaced(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.Mkdir(at("below"), 0o700))
	require.NoError(t, os.WriteFile(at("below/file"), nil, 0o600))
	require.NoError(t, os.Symlink("below/file", at("relative")))
	require.NoError(t, os.Symlink(at("relative"), at("twice")))
	require.NoError(t, os.Symlink("../new", at("below/dangling")))
	require.NoError(t, os.Symlink("round", at("round")))
	require.NoError(t, os.MkdirAll(at("deep/er"), 0o700))
	require.NoError(t, os.Symlink("../up", at("deep/er/link")))
	require.NoError(t, os.Symlink("deep/er", at("folder")))
	for name, want := range map[string]Place{
		"below/file":     {Path: at("below/file"), Perm: 0o600},
		"relative":       {Path: at("below/file"), Perm: 0o600},
		"twice":          {Path: at("below/file"), Perm: 0o600},
		"below/dangling": {Path: at("new")},
		"folder/link":    {Path: at("deep/up")},
		"not there":      {Path: at("not there")},
	} {
		got, err := Of(at(name))
		require.NoError(t, err, name)
		require.Equal(t, want, got, name)
	}
	for _, name := range []string{"round", "below", "below/file/in a file"} {
		_, err := Of(at(name))
		require.ErrorContains(t, err, at(name))
	}
}

func TestWhatIsNoFileIsWrittenStraightInto(t *testing.T) {
	dir := t.TempDir()
	fifo, link, socket := filepath.Join(dir, "fifo"), filepath.Join(dir, "link"), filepath.Join(dir, "socket")
	require.NoError(t, syscall.Mkfifo(fifo, 0o600))
	require.NoError(t, os.Symlink("fifo", link))
	for _, path := range []string{fifo, link} {
		got, err := Of(path)
		require.NoError(t, err)
		require.Equal(t, Place{Path: path, Straight: true}, got)
	}
	got, err := Of(os.DevNull)
	require.NoError(t, err)
	require.True(t, got.Straight, "a device")
	l, err := net.Listen("unix", socket)
	require.NoError(t, err)
	defer l.Close()
	_, err = Of(socket)
	require.ErrorContains(t, err, socket+": it is a socket")
}
