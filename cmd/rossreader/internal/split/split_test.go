// This file tests the division of files, and what cannot be divided.

package split

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	rt "github.com/ross-go/ross/cmd/rossreader/internal/readertest"
	"github.com/ross-go/ross/instr"
)

// mixed returns the records of a file that mixes: all, those of the engine, those of models. One
// record of an LP has the 48 bytes of the original.
func mixed(t *testing.T) (all, engine, models []byte) {
	long, err := os.ReadFile(rt.File("opt2-rt.bin"))
	require.NoError(t, err)
	long = long[:rt.Samples(t, rt.File("opt2-rt.bin"))[7].Offset]
	for i := range 3 {
		own := instr.AppendVTModel(nil, &instr.VTModel{LP: uint64(i), TS: float64(i), RealTime: 1,
			Payload: make([]byte, 5*i)})
		all, engine, models = append(append(all, own...), long...), append(engine, long...), append(models, own...)
	}
	return all, engine, models
}

func TestAFileThatMixesIsDividedIntoItsRecords(t *testing.T) {
	all, engine, models := mixed(t)
	in, dir := rt.Write(t, "my-run-analysis-lps.bin", all), filepath.Join(t.TempDir(), "new", "parts")
	printed := rt.Good(t, Command, in, "-o", dir)
	for name, want := range map[string][]byte{"my-run-vt.bin": engine, "my-run-analysis-lps.bin": models} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got), name)
		require.Contains(t, printed, filepath.Join(dir, name)+": ")
		r, err := instr.Open(filepath.Join(dir, name))
		require.NoError(t, err)
		for _, err := range r.All() {
			require.NoError(t, err)
		}
		require.NoError(t, r.Close())
	}
	was, err := os.ReadFile(in)
	require.NoError(t, err)
	require.True(t, bytes.Equal(all, was), "the input has changed")
}

func TestAFileOfOneKindMakesOneFile(t *testing.T) {
	dir := t.TempDir()
	rt.Good(t, Command, rt.File("cons2-payload-analysis-lps.bin"), "-o", dir)
	require.FileExists(t, filepath.Join(dir, "cons2-payload-analysis-lps.bin"))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

func TestWhatCannotBeDividedIsTold(t *testing.T) {
	all, _, _ := mixed(t)
	cut := rt.Write(t, "a-analysis-lps.bin", all[:len(all)-3])
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{cut, "-o", t.TempDir()}, 1, "unexpected EOF"},
		{[]string{rt.File("opt2-evtrace.bin"), "-o", t.TempDir()}, 1,
			"holds an event trace, and no samples at virtual times"},
		{[]string{rt.File("opt2-model.bin"), "-o", t.TempDir()}, 1, "holds samples of models by GVT or real time"},
		{[]string{rt.Write(t, "a-memory.bin", instr.AppendMemory(nil, 1, 1, &instr.MemoryStats{})), "-o", t.TempDir()}, 1,
			"holds samples of memory, and no samples at virtual times"},
		{[]string{rt.Write(t, "b-analysis-lps.bin", nil), "-o", t.TempDir()}, 1, "no records"},
		{[]string{cut}, 2, "name one with -o"},
		{[]string{"-", "--content=analysis", "-o", "x"}, 2, "standard input cannot be read twice"},
		{[]string{cut, "-o", filepath.Dir(cut)}, 1, "is one of the files to read"},
	} {
		r := rt.Run(Command, c.args...)
		require.Equal(t, c.status, r.Status, c.args)
		require.Contains(t, r.Stderr, c.want)
		if c.status == 1 && c.args[2] != filepath.Dir(cut) {
			entries, err := os.ReadDir(c.args[2])
			require.NoError(t, err)
			require.Empty(t, entries, c.args)
		}
	}
	dir := t.TempDir()
	r := rt.Run(Command, cut, "-o", dir, "--partial")
	require.Equal(t, 1, r.Status)
	require.FileExists(t, filepath.Join(dir, "a-vt.bin"))
}
