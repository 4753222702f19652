// This file pins failures that Linux can be made to give: a device that is always full, a limit on the size of
// files, a folder that refuses even the superuser; and disk space that was reserved and not used.

package instr

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func init() {
	limitFiles = func(bytes uint64) {
		_ = syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: bytes, Max: bytes})
	}
}

func TestDeviceThatIsFullIsKeptAsErrorThatNamesFile(t *testing.T) {
	path := newPath(t)
	require.NoError(t, os.WriteFile(path+PartSuffix, nil, 0o644))
	fd, err := syscall.Open("/dev/full", syscall.O_WRONLY|syscall.O_CLOEXEC, 0)
	require.NoError(t, err)
	told := 0
	f := newFile(path, os.NewFile(uintptr(fd), path+PartSuffix), FileOptions{Buffers: 2, Failed: func(error) { told++ }})
	f.part = true
	start(f)
	run(f, 20, 10, 10)
	err = f.Close()
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.ErrorContains(t, err, path+PartSuffix)
	require.Equal(t, 1, told)
	require.Zero(t, f.Bytes())
	require.ErrorIs(t, f.Publish(), syscall.ENOSPC)
	require.NoFileExists(t, path)
	require.NoError(t, f.Abort())
	require.NoFileExists(t, path+PartSuffix)
}

func TestFileThatMayNotGrowHoldsItsFirstFlushes(t *testing.T) {
	const flush = killBuffers * killRecords * (16 + killMore)
	for _, limit := range []int{flush / 2, 3 * flush, 3*flush + 1, 4*flush - 1} {
		path := newPath(t)
		line := child(t, path, 10, limit)
		require.Contains(t, line, "ross: instrumentation file: write "+path+PartSuffix+": file too large")
		require.NoFileExists(t, path)
		require.True(t, slices.Equal(ran(killBuffers, limit/flush, killRecords), readLabels(t, path+PartSuffix)))
	}
}

func TestCreateErrorNamesFolderThatRefuses(t *testing.T) {
	_, err := Create("/proc/x-gvt.bin", FileOptions{Buffers: 1})
	require.ErrorContains(t, err, "/proc/x-gvt.bin")
}

func TestMakeDirErrorNamesParentThatRefuses(t *testing.T) {
	const path = "/proc/ross-stats"
	_, err := MakeDir(path)
	require.ErrorContains(t, err, path)
	_, err = MakeDir(filepath.Join(path, "out"))
	require.ErrorContains(t, err, filepath.Join(path, "out"))
}

func TestSpaceBehindTheEndIsGivenBack(t *testing.T) {
	for _, shared := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "f.bin")
		f, err := Create(path, FileOptions{Buffers: 1, Size: 1 << 20, Shared: shared})
		require.NoError(t, err)
		const flushes, size = 5, 600_001
		for i := range flushes {
			b := f.Buffer(0)
			clear(b.Reserve(size))
			b.HandOver()
			if shared {
				f.Place(int64(i) * size)
			}
		}
		require.NoError(t, f.Close())
		if shared {
			require.NoError(t, f.Cut(flushes*size))
		}
		require.NoError(t, f.Publish())
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.EqualValues(t, flushes*size, info.Size())
		blocks := info.Sys().(*syscall.Stat_t).Blocks * 512
		require.Less(t, blocks, int64(flushes*size+64<<10))
		require.True(t, f.noSpace || f.space > flushes*size, "there was some to give back, if the file system reserves any")
	}
}
