// This file tests options, files and outputs.

package cli

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
)

// try runs a subcommand called test with body.
func try(f *Flags, args []string, stdout, stderr io.Writer, body func(files []string) error) int {
	return Run(f.Command(func(files []string, _, _ io.Writer) error { return body(files) }), args, stdout, stderr)
}

func TestOptionsStandBeforeAndAfterFiles(t *testing.T) {
	for _, c := range []struct {
		args, files []string
		x           int
	}{
		{[]string{"a", "--x=3", "b"}, []string{"a", "b"}, 3},
		{[]string{"-x", "3", "-", "a"}, []string{"-", "a"}, 3},
		{[]string{"a", "--", "--x=3", "b"}, []string{"a", "--x=3", "b"}, 0},
		{[]string{"a", "-x", "3", "--", "b"}, []string{"a", "b"}, 3},
		{[]string{"a", "b", "--x", "3"}, []string{"a", "b"}, 3},
		{nil, []string{}, 0},
	} {
		f := NewFlags("test", "FILE", "tests", "Tests.")
		x := f.IntP("x", "x", 0, "a `NUMBER`")
		var got []string
		require.Zero(t, try(f, c.args, io.Discard, io.Discard, func(files []string) error { got = files; return nil }))
		require.Equal(t, c.files, got)
		require.Equal(t, c.x, *x)
	}
}

func TestLongOptionsMayHaveOneDash(t *testing.T) {
	for _, c := range []struct {
		args, files []string
		out         string
		status      int
	}{
		{[]string{"-original", "a"}, []string{"a"}, "", 0},
		{[]string{"a", "-output=b", "-o", "c"}, []string{"a"}, "c", 0},
		{[]string{"-o", "-x", "--", "-original"}, []string{"-original"}, "-x", 0},
		{[]string{"-nonsense", "a"}, nil, "", 2},
	} {
		f := NewFlags("test", "FILE", "tests", "Tests.")
		out := f.StringP("output", "o", "", "a `FILE`")
		f.Bool("original", false, "whether")
		var got []string
		require.Equal(t, c.status, try(f, c.args, io.Discard, io.Discard, func(files []string) error { got = files; return nil }), c.args)
		require.Equal(t, c.files, got)
		require.Equal(t, c.out, *out)
	}
}

func TestHelpHasAllOptionsAndTheirDefaults(t *testing.T) {
	for _, arg := range []string{"-h", "--help"} {
		f := NewFlags("test", "FILE", "tests", "Tests.")
		f.Int("x", 7, "a `NUMBER` of things")
		f.Bool("y", false, "whether")
		var stdout bytes.Buffer
		require.Zero(t, try(f, []string{"file", arg}, &stdout, io.Discard, func([]string) error { return errors.New("not to be called") }))
		require.Contains(t, stdout.String(), "Tests.\n\nusage: rossreader test [options] FILE\n")
		require.Contains(t, stdout.String(), "      --x NUMBER          a NUMBER of things (default 7)\n      --y                 whether\n")
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
		{Usagef("%d files", 3), 2, "rossreader test: 3 files\nfor more, see rossreader test --help\n"},
	} {
		var stderr bytes.Buffer
		got := try(NewFlags("test", "", "", ""), nil, io.Discard, &stderr, func([]string) error { return c.err })
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
	f := NewFlags("test", "", "", "")
	require.Zero(t, try(f, []string{path, "--content=rt"}, io.Discard, io.Discard, func(files []string) error {
		in, err := f.One(files)
		require.NoError(t, err)
		r, err := in.Open()
		require.NoError(t, err)
		require.Equal(t, instr.RTFile, r.Content())
		return r.Close()
	}))
}

func TestFolderStandsForTheFilesOfARun(t *testing.T) {
	dir := t.TempDir()
	want := []string{"a-model.bin", "killed-rt.bin.part", "ross-stats-evtrace.bin", "ross-stats-gvt.bin"}
	for _, name := range append(want, "a-model.bin.part", "notes.bin", "x-gvt.csv", "report.html.part") {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder-gvt.bin"), 0o700))
	inputs, err := NewFlags("test", "", "", "").Inputs([]string{dir})
	require.NoError(t, err)
	var got []string
	for _, in := range inputs {
		got = append(got, filepath.Base(in.Name))
	}
	require.Equal(t, want, got)
	_, err = NewFlags("test", "", "", "").Inputs([]string{t.TempDir()})
	require.ErrorIs(t, err, ErrNoFiles)
	_, err = NewFlags("test", "", "", "").Inputs([]string{filepath.Join(dir, "not there")})
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestDamagedFileEndsThereIfThatIsAllowed(t *testing.T) {
	data := instr.AppendPE(nil, 1, 2, &instr.PEStats{PE: 3})
	path := filepath.Join(t.TempDir(), "ross-stats-gvt.bin.part")
	require.NoError(t, os.WriteFile(path, append(data, data[:50]...), 0o600))
	for _, args := range [][]string{{path}, {path, "--partial"}, {path, "--partial", "--content=gvt"}} {
		f := NewFlags("test", "", "", "")
		f.AllowPartial()
		var stderr bytes.Buffer
		records := 0
		status := try(f, args, io.Discard, &stderr, func(files []string) error {
			in, err := f.One(files)
			require.NoError(t, err)
			for range 2 { // it is told once
				err = in.Each(func(*instr.Record) error { records++; return nil })
				require.Equal(t, len(args) == 1, err != nil)
			}
			return err
		})
		require.Equal(t, StatusBad, status)
		require.Equal(t, 2, records)
		require.Regexp(t, `^rossreader test: ross: .*gvt\.bin\.part: record at byte 128: .*\n$`, stderr.String())
	}
}
