// This file pins that no byte of a checkpoint can change, come or go without an error that
// names the file.

package rio

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var tiny = shape{parts: 2, lps: 2, events: 3, streams: 1, state: 4, msg: 3, files: 1}

// requireRefused opens and verifies a checkpoint, and requires an error of the right kind that
// names the file.
func requireRefused(t *testing.T, name, file string, what ...any) error {
	err := Verify(name)
	require.Error(t, err, what...)
	require.ErrorContains(t, err, file+": ", what...)
	known := errors.Is(err, ErrDamaged) || errors.Is(err, ErrForeign) || errors.Is(err, ErrVersion) || errors.Is(err, ErrNone)
	require.True(t, known, "%v: %v", what, err)
	return err
}

// dataFilesOf returns the paths of the files of a checkpoint but the texts.
func dataFilesOf(t *testing.T, name string) []string {
	var paths []string
	for _, f := range filesOf(t, name) {
		if !strings.HasSuffix(f, ".txt") && !strings.HasSuffix(f, ".rio-labels") {
			paths = append(paths, filepath.Join(filepath.Dir(name), f))
		}
	}
	return paths
}

func TestChangedByteIsFoundInEachFile(t *testing.T) {
	for _, compress := range []bool{false, true} {
		name := makeContent(seeded(1), tiny).saved(t, compress)
		for _, path := range dataFilesOf(t, name) {
			whole, err := os.ReadFile(path)
			require.NoError(t, err)
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			require.NoError(t, err)
			for i, b := range whole {
				for _, bits := range []byte{1, 0xFF} {
					_, err := f.WriteAt([]byte{b ^ bits}, int64(i))
					require.NoError(t, err)
					requireRefused(t, name, path, path, i, bits)
				}
				_, err = f.WriteAt([]byte{b}, int64(i))
				require.NoError(t, err)
			}
			require.NoError(t, f.Close())
			require.NoError(t, Verify(name))
		}
	}
}

func TestFileThatEndsAnywhereOrGoesOnIsRefused(t *testing.T) {
	name := makeContent(seeded(2), tiny).saved(t, true)
	for _, path := range dataFilesOf(t, name) {
		whole, err := os.ReadFile(path)
		require.NoError(t, err)
		for size := len(whole) - 1; size >= 0; size-- {
			require.NoError(t, os.Truncate(path, int64(size)))
			requireRefused(t, name, path, path, size)
		}
		for _, more := range []byte{0, 1} {
			require.NoError(t, os.WriteFile(path, append(whole[:len(whole):len(whole)], more), 0o644))
			requireRefused(t, name, path, path, "and", more)
		}
		require.NoError(t, os.WriteFile(path, whole, 0o644))
		require.NoError(t, Verify(name))
	}
}

func TestMissingFileIsNamed(t *testing.T) {
	name := makeContent(seeded(3), small).saved(t, false)
	for _, path := range dataFilesOf(t, name) {
		require.NoError(t, os.Rename(path, path+".away"))
		err := requireRefused(t, name, path, path)
		require.Equal(t, path == name+".rio-md", errors.Is(err, ErrNone))
		require.NoError(t, os.Mkdir(path, 0o755))
		require.ErrorIs(t, Verify(name), ErrForeign)
		require.NoError(t, os.Remove(path))
		require.NoError(t, os.Rename(path+".away", path))
	}
}

func TestFilesOfTwoCheckpointsDoNotMix(t *testing.T) {
	c := makeContent(seeded(4), small)
	a, b := c.saved(t, false), c.saved(t, false)
	for _, path := range dataFilesOf(t, a) {
		own, err := os.ReadFile(path)
		require.NoError(t, err)
		other, err := os.ReadFile(b + strings.TrimPrefix(path, a))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, other, 0o644))
		found := path
		if path == a+".rio-md" {
			found = a + ".rio-data-0" // the first that does not belong to it
		}
		err = requireRefused(t, a, found, path)
		require.ErrorContains(t, err, "the manifest belongs to checkpoint ")
		require.NoError(t, os.WriteFile(path, own, 0o644))
	}
	require.NoError(t, os.Rename(a+".rio-data-1", a+".rio-data-x"))
	require.NoError(t, os.Rename(a+".rio-data-0", a+".rio-data-1"))
	require.NoError(t, os.Rename(a+".rio-data-x", a+".rio-data-0"))
	requireRefused(t, a, a+".rio-data-0")
}

func TestForeignAndUnknownFilesAreToldApart(t *testing.T) {
	name := makeContent(seeded(5), tiny).saved(t, false)
	for _, path := range dataFilesOf(t, name) {
		whole, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, c := range []struct {
			at    int
			bytes string
			kind  error
		}{
			{0, "hi all, ", ErrForeign},
			{0, "\x7fELF", ErrForeign},
			{8, "\x01\x02\x03\x04", ErrVersion},
			{12, "\x02", ErrVersion},
		} {
			changed := append([]byte{}, whole...)
			copy(changed[c.at:], c.bytes)
			require.NoError(t, os.WriteFile(path, changed, 0o644))
			require.ErrorIs(t, requireRefused(t, name, path), c.kind)
		}
		require.NoError(t, os.WriteFile(path, whole, 0o644))
	}
	for _, foreign := range []string{"some text that is no checkpoint", strings.Repeat("24 bytes of lowercase...", 3), strings.Repeat("\xFF", 48)} {
		require.NoError(t, os.WriteFile(name+".rio-md", []byte(foreign), 0o644))
		require.ErrorIs(t, requireRefused(t, name, name+".rio-md"), ErrForeign)
	}
	_, err := Open(filepath.Join(t.TempDir(), "none"))
	require.ErrorIs(t, err, ErrNone)
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestErrorTellsFileOffsetAndBothChecksums(t *testing.T) {
	name := makeContent(seeded(6), tiny).saved(t, false)
	path := name + ".rio-data-0"
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	b[len(b)-1]++
	require.NoError(t, os.WriteFile(path, b, 0o644))
	require.Regexp(t, `^ross: checkpoint: .*ck\.rio-data-0: offset 40: partition 0: CRC-32C is [0-9a-f]{8}, the manifest has [0-9a-f]{8}: the file was damaged: load another checkpoint$`,
		Verify(name).Error())
}
