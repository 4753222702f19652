// This file tests the summaries.

package info

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	rt "github.com/ross-go/ross/cmd/rossreader/internal/readertest"
	"github.com/ross-go/ross/instr"
)

func summaries(t *testing.T, text string) (all []Summary) {
	require.NoError(t, json.Unmarshal([]byte(text), &all))
	return all
}

func TestSumsAreThoseOfTheBytes(t *testing.T) {
	for _, name := range []string{"opt2-gvt.bin", "lp36-gvt.bin", "opt2-rt.bin"} {
		var want Totals
		records := map[string]uint64{}
		from, to := math.Inf(1), 0.0
		for _, r := range rt.Samples(t, rt.File(name)) {
			records[[]string{"pe", "kp", "lp"}[r.Flag]]++
			if r.TS < 1e300 {
				from, to = min(from, r.TS), max(to, r.TS)
			}
			if r.Flag == 0 {
				want.Processed += uint64(r.Words[1])
				want.Aborted += uint64(r.Words[2])
				want.RolledBack += uint64(r.Words[3])
				want.Rollbacks += uint64(r.Words[4])
				want.SecondaryRollbacks += uint64(r.Words[5])
				want.FossilCollects += uint64(r.Words[6])
				want.NetworkSends += uint64(r.Words[8])
				want.NetworkReads += uint64(r.Words[9])
			}
		}
		want.Of, want.Net = "pe", int64(want.Processed-want.RolledBack)
		want.Primary = int64(want.Rollbacks - want.SecondaryRollbacks)
		want.Efficiency = float32(100 * (1 - float64(want.RolledBack)/float64(want.Net)))

		s := summaries(t, rt.Good(t, Command, "--json", rt.File(name)))[0]
		require.InEpsilon(t, want.Efficiency, s.Totals.Efficiency, 1e-6)
		want.Efficiency = s.Totals.Efficiency
		require.Equal(t, &want, s.Totals, name)
		require.Equal(t, records, s.Records)
		require.Equal(t, &Range{from, to}, s.VirtualTime, "the last sample by real time is at no virtual time")
		require.Equal(t, [3]int{2, 4, 8}, [3]int{s.PEs, s.KPs, s.LPs})
		require.Equal(t, name != "lp36-gvt.bin", s.Original)
		require.True(t, s.Whole)
	}
}

func TestTraceIsToldWithItsPayloads(t *testing.T) {
	path := rt.File("cons2-payload-evtrace.bin")
	lps, sizes := map[uint32]bool{}, map[int]uint64{}
	from, to := float32(math.MaxFloat32), float32(0)
	for _, e := range rt.Events(t, path) {
		lps[e.Src], lps[e.Dest] = true, true
		sizes[len(e.Payload)]++
		from, to = min(from, e.Recv), max(to, e.Recv)
	}
	s := summaries(t, rt.Good(t, Command, "--json", path))[0]
	require.Len(t, lps, s.LPs)
	require.EqualValues(t, sizes, s.Payloads["event"])
	require.Equal(t, [2]float32{from, to}, [2]float32{float32(s.VirtualTime.From), float32(s.VirtualTime.To)})
	require.Nil(t, s.Totals)

	text := rt.Good(t, Command, path)
	require.Contains(t, text, "344 event\n")
	require.Contains(t, text, "event: 0 bytes in 20 records, 8 bytes in 324 records\n")
	require.Contains(t, text, "0.50348836 to 59.834557\n")
}

func TestFolderStandsForAllItsFiles(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(rt.Dir, "*.bin"))
	require.NoError(t, err)
	var names, contents []string
	for _, s := range summaries(t, rt.Good(t, Command, rt.Dir, "--json")) {
		names, contents = append(names, s.File), append(contents, s.Content)
		stat, err := os.Stat(s.File)
		require.NoError(t, err)
		require.Equal(t, stat.Size(), s.Bytes)
	}
	require.Equal(t, files, names)
	require.Equal(t, []string{"analysis", "trace", "gvt", "trace", "gvt", "model", "rt"}, contents)
}

func TestTextHasTheSameNumbers(t *testing.T) {
	text := rt.Good(t, Command, rt.File("opt2-gvt.bin"))
	for _, line := range []string{
		"gvt, written by the original ROSS\n", "111504 bytes, whole\n", "202 pe, 404 kp, 808 lp\n", "2 PEs, 4 KPs, 8 LPs\n",
		"3 to 395\n", "10010\n", "6830, 0 of them aborted\n", "3180\n", "-114.78 %\n", "556: 272 primary, 284 secondary\n",
		"2245 sends, 2245 reads\n",
	} {
		require.Contains(t, text, line)
	}
}

func TestCutFileIsToldUpToWhereItIsGood(t *testing.T) {
	path := rt.Copy(t, rt.File("opt2-gvt.bin"), func(b []byte) []byte { return b[:1000] })
	good := 0
	for _, r := range rt.Samples(t, rt.File("opt2-gvt.bin")) {
		if end := r.Offset + 24 + 4*len(r.Words); end <= 1000 {
			good = end
		}
	}
	r := rt.Run(Command, "--json", path)
	require.Equal(t, 1, r.Status)
	s := summaries(t, r.Stdout)[0]
	require.False(t, s.Whole)
	require.EqualValues(t, good, s.Bytes)
	require.Contains(t, s.Error, path)

	r = rt.Run(Command, path, rt.File("opt2-rt.bin"))
	require.Equal(t, 1, r.Status)
	require.Contains(t, r.Stdout, "not whole")
	require.Contains(t, r.Stdout, "437 pe", "the files after it are described all the same")
}

func TestFilesOfARunThatWasKilledAreToldUpToTheCut(t *testing.T) {
	dir := t.TempDir()
	path := func(suffix string) string { return instr.FileName(dir, "", suffix) + instr.PartSuffix }
	trace := instr.AppendEvent(nil, &instr.Event{RecvTS: 1})
	trace = instr.AppendEvent(trace, &instr.Event{RecvTS: 2, Payload: []byte("payload")})
	require.NoError(t, os.WriteFile(path(instr.TraceSuffix), trace[:len(trace)-3], 0o600))
	samples := instr.AppendPE(nil, 1, 1, &instr.PEStats{Processed: 5})
	require.NoError(t, os.WriteFile(path(instr.GVTSuffix), samples, 0o600))
	require.NoError(t, os.WriteFile(path(instr.RTSuffix), samples[:50], 0o600))

	r := rt.Run(Command, dir)
	require.Equal(t, 1, r.Status)
	require.Empty(t, r.Stderr)
	require.Regexp(t, `evtrace\.bin\.part
  content          trace
  size             24 bytes are good
  not complete     .*
  records          1 event
  not whole        ross: event trace: .*evtrace\.bin\.part: record at byte 24: .* after 28 of the record's 31 bytes: .*
`, r.Stdout)
	require.Regexp(t, `gvt\.bin\.part
  content          gvt
  size             128 bytes, whole
  not complete     .*
  records          1 pe
  seen`, r.Stdout)
	require.Regexp(t, `records          none
  not whole        .*rt\.bin\.part: record at byte 0: .* after 50 of the record's 128 bytes`, r.Stdout)

	r = rt.Run(Command, path(instr.GVTSuffix), "--json")
	require.Zero(t, r.Status, "its records are whole")
	s := summaries(t, r.Stdout)[0]
	require.True(t, s.Part)
	require.True(t, s.Whole)
}

func TestFileWithoutRecordsIsWhole(t *testing.T) {
	text := rt.Good(t, Command, rt.Write(t, "ross-stats-gvt.bin", nil))
	require.Contains(t, text, "0 bytes, whole")
	require.Contains(t, text, "records          none")
}

func TestSumsAreOfKPsOrLPsWhereThereAreNoPEs(t *testing.T) {
	var kps, lps []byte
	for pe := range uint32(2) {
		kps = instr.AppendKP(kps, 1, 2, &instr.KPStats{PE: pe, Processed: 10, RolledBack: 4, Rollbacks: 3,
			SecondaryRollbacks: 1})
		lps = instr.AppendLP(lps, 1, 2, &instr.LPStats{PE: pe, LP: 1<<32 - 1 - pe, Processed: 5})
	}
	s := summaries(t, rt.Good(t, Command, "--json", rt.Write(t, "ross-stats-gvt.bin", append(kps, lps...))))[0]
	require.Equal(t, &Totals{Of: "kp", Processed: 20, RolledBack: 8, Net: 12, Rollbacks: 6, Primary: 4,
		SecondaryRollbacks: 2, Efficiency: instr.Efficiency(20, 8)}, s.Totals)
	require.Equal(t, 2, s.LPs)
	s = summaries(t, rt.Good(t, Command, "--json", rt.Write(t, "ross-stats-gvt.bin", lps)))[0]
	require.Equal(t, "lp", s.Totals.Of)
	require.EqualValues(t, 10, s.Totals.Net)
}

func TestMemoryIsToldWithTheMostInUse(t *testing.T) {
	var data []byte
	for i, used := range []uint64{5, 7, 6} {
		data = instr.AppendMemory(data, float64(i), float64(i), &instr.MemoryStats{PE: uint32(i % 2), Used: used, Limit: 9})
	}
	path := rt.Write(t, "ross-stats-memory.bin", data)
	text := rt.Good(t, Command, path)
	for _, line := range []string{"content          memory\n", "192 bytes, whole\n", "3 memory\n", "2 PEs, 0 KPs, 0 LPs\n",
		"memory           at most 7 of 9 bytes in use in a process\n"} {
		require.Contains(t, text, line)
	}
	s := summaries(t, rt.Good(t, Command, path, "--json"))[0]
	require.Equal(t, &Memory{Used: 7, Limit: 9}, s.Memory)
	require.Nil(t, s.Totals)
}

func TestManySizesOfPayloadsAreToldAsARange(t *testing.T) {
	var data []byte
	for size := range 20 {
		data = instr.AppendEvent(data, &instr.Event{RealTS: 1, Payload: make([]byte, size)})
	}
	require.Contains(t, rt.Good(t, Command, rt.Write(t, "a-evtrace.bin", data)), "event: 20 sizes from 0 to 19 bytes")
}

func TestStandardInputNeedsItsContent(t *testing.T) {
	data, err := os.ReadFile(rt.File("opt2-evtrace.bin"))
	require.NoError(t, err)
	defer func(old io.Reader) { cli.Stdin = old }(cli.Stdin)
	cli.Stdin = bytes.NewReader(data)
	require.Contains(t, rt.Good(t, Command, "-", "--content=trace"), "3225 event")

	r := rt.Run(Command, "-")
	require.Equal(t, 2, r.Status)
	require.Contains(t, r.Stderr, "--content")
}

func TestWhatCannotBeReadIsNamed(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{nil, 2, "no file"},
		{[]string{"--nonsense", "x"}, 2, "nonsense"},
		{[]string{"missing.bin"}, 1, "missing.bin"},
		{[]string{t.TempDir()}, 1, "no instrumentation files in this folder"},
		{[]string{"--content=what", "x"}, 2, "must be gvt, rt, vt, analysis, model, trace or memory"},
	} {
		r := rt.Run(Command, c.args...)
		require.Equal(t, c.status, r.Status, c.args)
		require.Contains(t, r.Stderr, c.says)
	}
}

func Example() {
	cli.Run(Command(), []string{"../../../../instr/testdata/opt2-model.bin"}, os.Stdout, os.Stderr)
	// Output:
	// ../../../../instr/testdata/opt2-model.bin
	//   content          model
	//   size             20384 bytes, whole
	//   records          392 model
	//   seen             2 PEs, 4 KPs, 8 LPs
	//   virtual time     6 to 19988
	//   real time        2384.823328996 to 2385.98829173 s
	//   payload          model: 4 bytes in 392 records
}
