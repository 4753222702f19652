// Disk space that was reserved and not used.

package instr

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

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
