// Memory that is promised and not there.

//go:build unix

package world_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/ross-go/ross/internal/world"
)

// A file that is shorter than its mapping does what a full /dev/shm does.
func TestMemoryThatIsNotThereIsAnError(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/memory")
	require.NoError(t, err)
	const page = 1 << 16 // of any processor
	require.NoError(t, f.Truncate(2*page))
	memory, err := unix.Mmap(int(f.Fd()), 0, 2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.NoError(t, world.Touched(func() { clear(memory) }))
	require.NoError(t, os.Truncate(f.Name(), page))
	require.ErrorContains(t, world.Touched(func() { clear(memory) }), "less than the system promised")
	require.NoError(t, unix.Munmap(memory))
}
