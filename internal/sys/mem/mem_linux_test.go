// This file pins the limits of control groups, and what only Linux has.

package mem

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheTightestControlGroupCounts(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	const all, two, one = 1000, "0::/job/step\n", "3:cpu:/x\n4:memory:/job\n"
	require.EqualValues(t, all, cgroupFree(root, two+one, all), "there are none")
	write("memory.max", "max\n")
	write("job/memory.max", "700\n")
	write("job/memory.current", "300\n")
	write("job/memory.stat", "anon 5\ninactive_file 100\n")
	require.EqualValues(t, 500, cgroupFree(root, two, all), "that of the group around it, without what can be dropped")
	write("job/step/memory.max", "400\n")
	require.EqualValues(t, 400, cgroupFree(root, two, all))
	write("memory/memory.limit_in_bytes", "9223372036854771712\n")
	require.EqualValues(t, all, cgroupFree(root, one, all), "no limit")
	write("memory/memory.limit_in_bytes", "600\n")
	write("memory/memory.usage_in_bytes", "700\n")
	write("memory/memory.stat", "total_inactive_file 250\n")
	require.EqualValues(t, 150, cgroupFree(root, one, all), "the root, where the group cannot be seen")
	require.EqualValues(t, 150, cgroupFree(root, strings.Repeat("broken\n", 2)+one+two, all))
}

func TestAFileThatIsMissingSaysNothingAboutMemory(t *testing.T) {
	_, ok := readBytes("/none")
	require.False(t, ok)
}
