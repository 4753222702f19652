// This file tests outputs: when they get their names, and which files are not
// replaced.

package cli

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
)

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// files returns the names in the folder of path.
func files(t *testing.T, path string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestOutputHasItsNameOnlyWhenItIsComplete(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	o, err := Create(path, nil)
	require.NoError(t, err)
	_, err = o.WriteString("text")
	require.NoError(t, err)
	require.NoFileExists(t, path)
	require.NoError(t, o.Close())
	require.Equal(t, "text", read(t, path))
	o.Abort() // does nothing after Close
	require.Equal(t, []string{"out"}, files(t, path))

	o, err = Create(path, nil)
	require.NoError(t, err)
	_, err = o.Write(bytes.Repeat([]byte("x"), 1<<20))
	require.NoError(t, err)
	o.Abort()
	require.Equal(t, "text", read(t, path))
	require.Equal(t, []string{"out"}, files(t, path))
	_, err = Create(filepath.Join(path, "no folder"), nil)
	require.ErrorContains(t, err, "no folder")
}

func TestTwoProgramsThatWriteTheSameFileDoNotMix(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	var both [2]*Output
	for i := range both {
		var err error
		both[i], err = Create(path, nil)
		require.NoError(t, err)
	}
	for _, i := range []int{0, 1, 0, 1} {
		_, err := both[i].WriteString([]string{"first", "second"}[i])
		require.NoError(t, err)
		require.NoError(t, both[i].Flush())
	}
	require.NoError(t, both[0].Close())
	require.Equal(t, "firstfirst", read(t, path))
	require.NoError(t, both[1].Close())
	require.Equal(t, "secondsecond", read(t, path))
}

func TestWhatAnInterruptedProgramLeftIsNotInTheWay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	left, err := Create(path, nil)
	require.NoError(t, err)
	require.NoError(t, left.file.Close())
	require.NoError(t, os.WriteFile(path+instr.PartSuffix, []byte("old"), 0o600))
	require.NoError(t, Write(path, nil, nil, func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }))
	require.Equal(t, "new", read(t, path))
	require.Equal(t, "old", read(t, path+instr.PartSuffix))
}

func TestOutputThatCannotHaveItsNameIsRemoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	o, err := Create(path, nil)
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(path, "in the way"), 0o700))
	require.ErrorContains(t, o.Close(), path)
	require.Equal(t, []string{"out"}, files(t, path))
}

func TestFileThatIsReadIsNotReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ross-stats-gvt.bin")
	require.NoError(t, os.WriteFile(path, []byte("data"), 0o600))
	inputs, err := NewFlags("test", "", "", "").Inputs([]string{path})
	require.NoError(t, err)
	other := filepath.Join(filepath.Dir(path), ".", "link")
	require.NoError(t, os.Symlink(path, other))
	for _, out := range []string{path, other} {
		err := Write(out, nil, inputs, func(io.Writer) error { return nil })
		require.ErrorIs(t, err, ErrIsInput)
		require.ErrorContains(t, err, out)
	}
	require.Equal(t, "data", read(t, path))
	require.Len(t, files(t, path), 2)
}

func TestErrorOfTheDrawingLeavesTheFileBefore(t *testing.T) {
	for _, name := range []string{"out", "out.gz"} {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
		broken := errors.New("broken")
		err := Write(path, nil, nil, func(w io.Writer) error {
			_, err := w.Write(bytes.Repeat([]byte("x"), 1<<20))
			require.NoError(t, err)
			return broken
		})
		require.Equal(t, broken, err)
		require.Equal(t, "old", read(t, path))
		require.Equal(t, []string{name}, files(t, path))
	}
}

func TestErrorOfTheDiskIsToldAsOne(t *testing.T) {
	for _, name := range []string{"out", "out.gz"} {
		path := filepath.Join(t.TempDir(), name)
		o, err := Create(path, nil)
		require.NoError(t, err)
		require.NoError(t, o.file.Close()) // so that writing fails
		_, err = o.WriteString("text")
		require.NoError(t, err)
		err = o.Close()
		require.ErrorIs(t, err, os.ErrClosed)
		require.ErrorContains(t, err, "ross: output: write "+path)
		require.Empty(t, files(t, path))
	}
}

func TestOutputIsCompressedByItsName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.gz")
	text := bytes.Repeat([]byte("text"), 100_000)
	require.NoError(t, Write(path, nil, nil, func(w io.Writer) error { _, err := w.Write(text); return err }))
	z, err := gzip.NewReader(bytes.NewReader([]byte(read(t, path))))
	require.NoError(t, err)
	got, err := io.ReadAll(z)
	require.NoError(t, err)
	require.True(t, bytes.Equal(text, got))
}
