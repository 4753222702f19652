// This file tests options, files and outputs.

package cli

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
)

func TestOptionsStandBeforeAndAfterFiles(t *testing.T) {
	for _, c := range []struct {
		args, files []string
		x           int
	}{
		{[]string{"a", "--x=3", "b"}, []string{"a", "b"}, 3},
		{[]string{"-x", "3", "-", "a"}, []string{"-", "a"}, 3},
		{[]string{"a", "--", "--x=3", "b"}, []string{"a", "--x=3", "b"}, 0},
		{nil, nil, 0},
	} {
		f := NewFlags("test", "FILE", "Tests.")
		x := f.Int("x", 0, "a `NUMBER`")
		var got []string
		require.Zero(t, f.Main(c.args, io.Discard, io.Discard, func(files []string) error { got = files; return nil }))
		require.Equal(t, c.files, got)
		require.Equal(t, c.x, *x)
	}
}

func TestHelpHasAllOptionsAndTheirDefaults(t *testing.T) {
	for _, arg := range []string{"-h", "--help"} {
		f := NewFlags("test", "FILE", "Tests.")
		f.Int("x", 7, "a `NUMBER` of things")
		f.Bool("y", false, "whether")
		var stdout bytes.Buffer
		require.Zero(t, f.Main([]string{"file", arg}, &stdout, io.Discard, func([]string) error { return errors.New("not to be called") }))
		require.Contains(t, stdout.String(), "usage: rossreader test [options] FILE\n\nTests.\n")
		require.Contains(t, stdout.String(), "  --x=NUMBER\n      a NUMBER of things (default 7)\n  --y\n      whether\n")
	}
}

func TestStatusTellsUsageFromBadFiles(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		says   string
	}{
		{nil, 0, ""},
		{ErrBad, 1, ""},
		{errors.New("ross: broken"), 1, "rossreader test: ross: broken\n"},
		{Usagef("%d files", 3), 2, "rossreader test: 3 files\nrossreader test --help tells more\n"},
	} {
		var stderr bytes.Buffer
		got := NewFlags("test", "", "").Main(nil, io.Discard, &stderr, func([]string) error { return c.err })
		require.Equal(t, c.status, got)
		require.Equal(t, c.says, stderr.String())
	}
}

func TestListsOfIDsHaveRanges(t *testing.T) {
	var s IDs
	require.True(t, s.Contains(99), "no list is all")
	require.NoError(t, s.Set("3,5-7"))
	require.NoError(t, s.Set("18446744073709551615"))
	require.Equal(t, "3,5-7,18446744073709551615", s.String())
	for id, want := range map[uint64]bool{2: false, 3: true, 4: false, 5: true, 6: true, 7: true, 8: false, math.MaxUint64: true} {
		require.Equal(t, want, s.Contains(id), id)
	}
	for _, bad := range []string{"", "a", "1-", "-1", "3-2", "1,,2"} {
		require.Error(t, s.Set(bad), bad)
	}
}

func TestListsOfKinds(t *testing.T) {
	var k Kinds
	require.True(t, k.Contains(instr.KindEvent))
	require.NoError(t, k.Set("vt-model,pe"))
	require.Equal(t, "pe,vt-model", k.String())
	require.True(t, k.Contains(instr.KindPE))
	require.False(t, k.Contains(instr.KindEvent))
	require.Error(t, k.Set("what"))
}

func TestContentOfAFileCanBeSaid(t *testing.T) {
	path := filepath.Join(t.TempDir(), "renamed")
	data := instr.AppendPE(nil, 1, 2, &instr.PEStats{PE: 3})
	require.NoError(t, os.WriteFile(path, data, 0o600))
	f := NewFlags("test", "", "")
	require.Zero(t, f.Main([]string{path, "--content=rt"}, io.Discard, io.Discard, func(files []string) error {
		in, err := f.One(files)
		require.NoError(t, err)
		r, err := in.Open()
		require.NoError(t, err)
		require.Equal(t, instr.RTFile, r.Content())
		return r.Close()
	}))
}

func TestOutputHasItsNameOnlyWhenItIsComplete(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	o, err := Create(path, nil)
	require.NoError(t, err)
	_, err = o.WriteString("text")
	require.NoError(t, err)
	require.NoFileExists(t, path)
	_, err = Create(path, nil)
	require.ErrorIs(t, err, os.ErrExist, "two at a time")
	require.NoError(t, o.Close())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "text", string(text))
	o.Abort() // does nothing after Close
	require.FileExists(t, path)

	o, err = Create(path+"2", nil)
	require.NoError(t, err)
	o.Abort()
	left, err := filepath.Glob(path + "2*")
	require.NoError(t, err)
	require.Empty(t, left)
	_, err = Create(filepath.Join(path, "no folder"), nil)
	require.ErrorContains(t, err, "no folder")
}

func TestOutputThatCannotHaveItsNameIsRemoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	o, err := Create(path, nil)
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(path, "in the way"), 0o700))
	require.ErrorContains(t, o.Close(), path)
	require.NoFileExists(t, path+instr.PartSuffix)
}

func FuzzFloatsReadBackAsTheSame(f *testing.F) {
	for _, v := range []float64{0, 1, -1, 1e-6, 9.9e-7, 1e21, 1e20, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN(), 5e-324} {
		f.Add(math.Float64bits(v))
	}
	f.Fuzz(func(t *testing.T, bits uint64) {
		v := math.Float64frombits(bits)
		got, err := strconv.ParseFloat(FormatFloat(v, 64), 64)
		require.NoError(t, err)
		require.True(t, got == v || got != got && v != v)
		short := math.Float32frombits(uint32(bits))
		got, err = strconv.ParseFloat(FormatFloat(float64(short), 32), 32)
		require.NoError(t, err)
		require.True(t, float32(got) == short || got != got && short != short)
	})
}
