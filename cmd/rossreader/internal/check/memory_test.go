// This file tests the rules for samples of memory, and that each belongs to a sample of its PE.

package check

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	rt "github.com/ross-go/ross/cmd/rossreader/internal/readertest"
	"github.com/ross-go/ross/instr"
)

// sampled writes three samples by real time of two PEs, with those of memory as change makes them, and returns the file
// of these. run is what run.json says, nil if it does not exist.
func sampled(t *testing.T, run *instr.RunInfo, change func(i int, ts, real *float64, m *instr.MemoryStats) bool) string {
	t.Helper()
	dir := t.TempDir()
	var pes, data []byte
	for i := range 6 {
		ts, real, m := float64(i/2), float64(i/2)+0.5, instr.MemoryStats{PE: uint32(i % 2), Used: 5, Limit: 9}
		pes = instr.AppendPE(pes, ts, real, &instr.PEStats{PE: m.PE})
		if change(i, &ts, &real, &m) {
			data = instr.AppendMemory(data, ts, real, &m)
		}
	}
	require.NoError(t, os.WriteFile(instr.FileName(dir, "", instr.RTSuffix), pes, 0o600))
	path := instr.FileName(dir, "", instr.MemorySuffix)
	require.NoError(t, os.WriteFile(path, data, 0o600))
	if run != nil {
		require.NoError(t, run.Write(dir))
	}
	return path
}

// whole describes a run that misses nothing.
func whole() *instr.RunInfo {
	return &instr.RunInfo{Version: instr.RunVersion, State: instr.RunComplete, PEs: 2, LPs: 2, Ranks: 1, Result: &instr.RunResult{}}
}

func TestDamageOfSamplesOfMemoryIsFound(t *testing.T) {
	for name, c := range map[string]struct {
		change func(i int, ts, real *float64, m *instr.MemoryStats) bool
		want   string // after the place; "" if nothing is wrong
		run    *instr.RunInfo
	}{
		"nothing": {func(int, *float64, *float64, *instr.MemoryStats) bool { return true }, "", whole()},
		"more in use than the limit": {func(_ int, _, _ *float64, m *instr.MemoryStats) bool {
			m.Used = 100
			return true
		}, "", whole()},
		"virtual time goes back": {func(i int, ts, _ *float64, _ *instr.MemoryStats) bool {
			if i == 4 {
				*ts = 0.5
			}
			return true
		}, "byte 256: memory of pe 0 at 0.5: virtual time: expected 1 as before on this PE, or later, found 0.5\n", nil},
		"real time goes back": {func(i int, _, real *float64, _ *instr.MemoryStats) bool {
			if i == 4 {
				*real = 0.25
			}
			return true
		}, "byte 256: memory of pe 0 at 2: real time: expected 1.5 as before on this PE, or later, found 0.25\n", nil},
		"another limit": {func(i int, _, _ *float64, m *instr.MemoryStats) bool {
			m.Limit += uint64(i / 4)
			return true
		}, "byte 256: memory of pe 0 at 2: limit: expected 9 as before on this PE, found 10\n", nil},
		"another real time than that of the PE": {func(i int, _, real *float64, _ *instr.MemoryStats) bool {
			if i == 3 {
				*real = 1.25
			}
			return true
		}, "byte 192: memory of pe 1 at 1: sample: expected one of the PE at real time 1.25 in ross-stats-rt.bin, found none\n", nil},
		"another virtual time than that of the PE": {func(i int, ts, _ *float64, _ *instr.MemoryStats) bool {
			if i == 5 {
				*ts = 3
			}
			return true
		}, "byte 320: memory of pe 1 at 3: virtual time: expected 2 as in ross-stats-rt.bin, found 3\n", nil},
		"a PE that the run did not have": {func(i int, _, _ *float64, m *instr.MemoryStats) bool {
			if i == 5 {
				m.PE = 2
			}
			return true
		}, "byte 320: memory of pe 2 at 2: PE: expected one of the 2 of the run, found 2\n", whole()},
		"one is missing, and no run.json says that all are there": {func(i int, _, _ *float64, _ *instr.MemoryStats) bool { return i != 2 }, "", nil},
		"one is missing": {func(i int, _, _ *float64, _ *instr.MemoryStats) bool { return i != 2 },
			"byte 192: memory of pe 0 at 2: sample before: expected one at real time 1.5, as in ross-stats-rt.bin, found none\n", whole()},
		"the last is missing": {func(i int, _, _ *float64, _ *instr.MemoryStats) bool { return i != 5 },
			"pe 1: expected its memory also at real time 2.5, as in ross-stats-rt.bin, found none\n", whole()},
		"all are missing": {func(int, *float64, *float64, *instr.MemoryStats) bool { return false },
			"pe 0: expected its memory also at real time 0.5, as in ross-stats-rt.bin, found none\n", whole()},
	} {
		t.Run(name, func(t *testing.T) {
			path := sampled(t, c.run, c.change)
			r := rt.Run(Command, "--all", path)
			require.Empty(t, r.Stderr)
			if c.want == "" {
				require.Regexp(t, `: \d records, nothing wrong\n$`, r.Stdout)
				return
			}
			require.Equal(t, 1, r.Status)
			require.Contains(t, r.Stdout, path+": "+c.want)
		})
	}
}

// TestSamplesOfMemoryAreCheckedWithoutThoseOfPEs: the file beside is not there, not whole, or of another name.
func TestSamplesOfMemoryAreCheckedWithoutThoseOfPEs(t *testing.T) {
	late := func(_ int, _, real *float64, _ *instr.MemoryStats) bool { *real += 100; return true }
	path := sampled(t, nil, late)
	require.Equal(t, 1, rt.Run(Command, path).Status)
	beside := filepath.Join(filepath.Dir(path), "ross-stats-rt.bin")
	data, err := os.ReadFile(beside)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(beside, data[:len(data)-1], 0o600))
	rt.Good(t, Command, path)
	require.NoError(t, os.Rename(beside, beside+instr.PartSuffix))
	rt.Good(t, Command, path)
}
