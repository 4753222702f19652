// This file tests options, files, outputs and the text of numbers.

package cli

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
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
		require.Equal(t, c.status,
			try(f, c.args, io.Discard, io.Discard, func(files []string) error { got = files; return nil }), c.args)
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
		require.Zero(t, try(f, []string{"file", arg}, &stdout, io.Discard,
			func([]string) error { return errors.New("not to be called") }))
		require.Contains(t, stdout.String(), "Tests.\n\nusage: rossreader test [options] FILE\n")
		require.Contains(t, stdout.String(),
			"      --x NUMBER          a NUMBER of things (default 7)\n      --y                 whether\n")
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
	for id, want := range map[uint64]bool{2: false, 3: true, 4: false, 5: true, 6: true, 7: true, 8: false,
		math.MaxUint64: true} {
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

func TestDamagedDescriptionOfARunIsNamedWithItsPlace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, instr.RunName)
	for text, want := range map[string]string{
		`{"version": 1, "id": "ab`: "damaged at byte 24: unexpected end of JSON input",
		`{"version": 1, }`:         "damaged at byte 16: invalid character '}'",
		`{"version": "one"}`:       "damaged at byte 17: json: cannot unmarshal string",
		``:                         "damaged at byte 0: unexpected end of JSON input",
	} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := (&Flags{}).Inputs([]string{dir})
		require.ErrorIs(t, err, ErrNoFiles)
		require.ErrorContains(t, err, "ross: input: "+path+": no description of a run, "+want)
		require.ErrorContains(t, err, "restore it, or make the run again")
	}
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
			for range 2 { // it is reported once
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

func FuzzFloatsReadBackAsTheSame(f *testing.F) {
	for _, v := range []float64{0, 1, -1, 1e-6, 9.9e-7, 1e21, 1e20, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN(),
		5e-324} {
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

func Example() {
	f := NewFlags("count", "FILE", "count records", "Counts the records of a file.")
	var kinds Kinds
	f.Var(&kinds, "kind", "only these kinds: `LIST`")
	count := f.Command(func(files []string, stdout, _ io.Writer) error {
		in, err := f.One(files)
		if err != nil {
			return err
		}
		n := 0
		err = in.Each(func(r *instr.Record) error {
			if kinds.Contains(r.Kind) {
				n++
			}
			return nil
		})
		fmt.Fprintln(stdout, n, "records")
		return err
	})
	args := []string{"../../../../instr/testdata/opt2-rt.bin", "--kind=pe,kp"}
	fmt.Println("status", Run(count, args, os.Stdout, os.Stderr))
	// Output:
	// 1311 records
	// status 0
}

func writeText(w io.Writer) error { _, err := io.WriteString(w, "text"); return err }

func TestLinkStaysAndItsFileIsReplaced(t *testing.T) {
	dir := t.TempDir()
	link, file, dangling := filepath.Join(dir, "link"), filepath.Join(dir, "below", "file"), filepath.Join(dir, "dangling")
	require.NoError(t, os.Mkdir(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(file, []byte("old"), 0o600))
	require.NoError(t, os.Symlink("below/file", link))
	require.NoError(t, os.Symlink("below/new", dangling))
	for path, to := range map[string]string{link: file, dangling: filepath.Join(dir, "below", "new")} {
		require.NoError(t, Write(path, nil, nil, writeText))
		require.Equal(t, "text", read(t, to))
		info, err := os.Lstat(path)
		require.NoError(t, err)
		require.NotZero(t, info.Mode()&os.ModeSymlink, path)
	}
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode(), "nobody else can read it now")
	require.Equal(t, []string{"file", "new"}, files(t, file))
}

func TestFIFOIsWrittenIntoAndStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	link := filepath.Join(filepath.Dir(path), "link")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	require.NoError(t, os.Symlink("fifo", link))
	for _, out := range []string{path, link} {
		for _, aborted := range []bool{false, true} {
			got := make(chan string)
			go func() {
				text, _ := os.ReadFile(path)
				got <- string(text)
			}()
			o, err := Create(out, nil)
			require.NoError(t, err)
			_, err = o.WriteString("text")
			require.NoError(t, err)
			if aborted {
				o.Abort()
				require.Empty(t, <-got)
			} else {
				require.NoError(t, o.Close())
				require.Equal(t, "text", <-got)
			}
			require.Equal(t, []string{"fifo", "link"}, files(t, path))
			info, err := os.Lstat(path)
			require.NoError(t, err)
			require.NotZero(t, info.Mode()&os.ModeNamedPipe)
		}
	}
}

func TestSocketAndFolderAreNoOutputs(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "socket")
	l, err := net.Listen("unix", path)
	require.NoError(t, err)
	defer l.Close()
	for _, out := range []string{path, dir} {
		require.ErrorContains(t, Write(out, nil, nil, writeText), "ross: output: open "+out)
	}
	require.Equal(t, []string{"socket"}, files(t, path))
}

func TestStandardOutputHasSeveralNames(t *testing.T) {
	var stdout bytes.Buffer
	for _, path := range []string{"", "-"} {
		require.NoError(t, Write(path, &stdout, nil, writeText))
		require.Equal(t, io.Discard, Summary(path, &stdout, io.Discard))
	}
	require.Equal(t, "texttext", stdout.String())
	require.NoFileExists(t, "-")

	// A shell has opened a file for standard output, and the name leads to it.
	path := filepath.Join(t.TempDir(), "out")
	file, err := os.Create(path)
	require.NoError(t, err)
	defer file.Close()
	_, err = file.WriteString("before, ")
	require.NoError(t, err)
	require.NoError(t, Write(path, file, nil, writeText))
	require.Equal(t, "before, text", read(t, path))
	require.Equal(t, io.Discard, Summary(path, file, io.Discard))
	require.Equal(t, file, Summary(filepath.Join(path, "other"), file, io.Discard))
}
