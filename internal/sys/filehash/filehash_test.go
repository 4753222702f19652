package filehash

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAFileOfManyBlocks(t *testing.T) {
	text, path := bytes.Repeat([]byte("ross"), 1<<18), filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, text, 0o600))
	h, err := Of(path)
	require.NoError(t, err)
	require.Equal(t, Hash{int64(len(text)), fmt.Sprintf("%x", sha256.Sum256(text))}, h)
}

func TestTheFirstFileThatCanBeReadCounts(t *testing.T) {
	folder, errNone := t.TempDir(), errors.New("no name")
	noName := func() (string, error) { return "", errNone }
	noFile := func() (string, error) { return filepath.Join(folder, "none"), nil }
	notAFile := func() (string, error) { return folder, nil } // it opens, and cannot be read
	h, err := first(noName, noFile, notAFile, os.Executable)
	require.NoError(t, err)
	own, err := Executable()
	require.NoError(t, err)
	require.Equal(t, own, h)
	_, err = first(notAFile, noFile)
	require.ErrorIs(t, err, os.ErrNotExist)
	h, err = first(noFile, noName)
	require.ErrorIs(t, err, errNone)
	require.Zero(t, h)
	h, err = first(noFile, notAFile)
	require.ErrorIs(t, err, syscall.EISDIR, "what reading says")
	require.Zero(t, h)
}

// What the program costs at a start: one of 30 MB, read anew each time.
func BenchmarkOf(b *testing.B) {
	const size = 30_000_000
	path := filepath.Join(b.TempDir(), "program")
	require.NoError(b, os.WriteFile(path, make([]byte, size), 0o600))
	b.SetBytes(size)
	for b.Loop() {
		_, err := Of(path)
		require.NoError(b, err)
	}
}

func ExampleOf() {
	h, err := Of(os.DevNull)
	fmt.Println(h.Size, h.SHA256[:8], err)
	// Output: 0 e3b0c442 <nil>
}
