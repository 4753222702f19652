// This file pins failures that need special files of Linux: a device that is
// always full, and a folder that refuses even the superuser.

package instr

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMakeDirErrorNamesParentThatRefuses(t *testing.T) {
	const path = "/proc/ross-stats"
	_, err := MakeDir(path)
	require.ErrorContains(t, err, path)
	_, err = MakeDir(filepath.Join(path, "out"))
	require.ErrorContains(t, err, filepath.Join(path, "out"))
}

func TestCreateTraceErrorNamesFolderThatRefuses(t *testing.T) {
	_, err := CreateTrace("/proc/x-evtrace.bin", 0)
	require.ErrorContains(t, err, "/proc/x-evtrace.bin")
}

// fullDisk returns a writer whose every write fails for want of space. A file stands
// where its temporary file would be.
func fullDisk(t *testing.T, bufBytes int) (w *TraceWriter, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "full-evtrace.bin")
	require.NoError(t, os.WriteFile(path+PartSuffix, nil, 0o644))
	fd, err := syscall.Open("/dev/full", syscall.O_WRONLY|syscall.O_CLOEXEC, 0)
	require.NoError(t, err)
	return newTraceWriter(os.NewFile(uintptr(fd), path+PartSuffix), path, bufBytes), path
}

func TestFullDiskIsKeptAsErrorThatNamesFile(t *testing.T) {
	w, path := fullDisk(t, 2*headerSize)
	for range 2 {
		w.Add(1, 2, 0, 1, 0, nil)
		require.NoError(t, w.Err())
	}
	for range 3 {
		w.Add(1, 2, 0, 1, 0, nil)
		require.ErrorIs(t, w.Err(), syscall.ENOSPC)
	}
	require.EqualValues(t, 2, w.Records())
	require.EqualValues(t, 2*headerSize, w.Bytes())

	first := w.Err()
	require.ErrorContains(t, first, path)
	require.ErrorContains(t, first, "free space")
	require.Equal(t, first, w.Close())
	require.Equal(t, first, w.Close())
	require.NoFileExists(t, path)
	require.FileExists(t, path+PartSuffix)

	require.NoError(t, w.Abort())
	require.NoFileExists(t, path+PartSuffix)
	_, err := os.Stat("/dev/full")
	require.NoError(t, err)
}

func TestFullDiskAtCloseIsReported(t *testing.T) {
	w, path := fullDisk(t, 0)
	w.Add(1, 2, 0, 1, 0, nil)
	require.NoError(t, w.Err())
	require.ErrorIs(t, w.Close(), syscall.ENOSPC)
	require.NoFileExists(t, path)
}

func TestFailureToForceTraceToDiskIsReported(t *testing.T) {
	w, path := fullDisk(t, 0)
	require.ErrorIs(t, w.Close(), syscall.EINVAL, "a device cannot be synced")
	require.ErrorContains(t, w.Err(), path)
	require.NoFileExists(t, path)
}
