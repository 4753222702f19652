// This file tests what is found in damaged files.

package check

import (
	"bytes"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	rt "github.com/ross-go/ross/cmd/rossreader/internal/readertest"
	"github.com/ross-go/ross/instr"
)

func TestFilesOfTheOriginalPass(t *testing.T) {
	for _, args := range [][]string{{rt.Dir}, {"--original", rt.Dir}} {
		text := rt.Good(t, Command, args...)
		require.Equal(t, 7, strings.Count(text, "nothing wrong\n"))
	}
}

// damage is a change of a file and what must be found.
type damage struct {
	name   string
	file   string
	args   string
	change func(b []byte)
	want   []string // ends of findings, after the record's name; all there are
}

// In opt2-gvt.bin each sample is a PE (128 bytes), 2 KPs (68), 4 LPs (72): 552 bytes. The second
// sample of PE 0 begins at 552, at GVT 7.
const gvtSample = 552

func TestDamageIsFound(t *testing.T) {
	add := func(at int, by uint32) func([]byte) {
		return func(b []byte) { rt.PutUint32(b, at, uint32(b[at])|uint32(b[at+1])<<8+by) }
	}
	float := func(at int, v float32) func([]byte) { return func(b []byte) { rt.PutFloat32(b, at, v) } }
	double := func(at int, v float64) func([]byte) { return func(b []byte) { rt.PutFloat64(b, at, v) } }
	set := func(at int, v uint32) func([]byte) { return func(b []byte) { rt.PutUint32(b, at, v) } }
	nan, inf := math.NaN(), math.Inf(1)
	gvt, lp36, vt, model, trace := "opt2-gvt.bin", "lp36-gvt.bin", "cons2-payload-analysis-lps.bin", "opt2-model.bin",
		"opt2-evtrace.bin"
	for _, d := range []damage{
		{"network sends of a PE", gvt, "", add(24+32, 1), []string{
			"network sends: expected 14, the sum over kp records, found 15"}},
		{"network sends of a PE in a file that may be ours", lp36, "", add(24+32, 1), []string{
			"network sends: expected 14, the sum over kp records, found 15",
			"network sends: expected 14, the sum over lp records, found 15"}},
		{"network reads of an LP", gvt, "", add(264+24+28, 100), []string{
			"network reads: expected 108, the sum over lp records, or more, found 8",
			"network reads: expected 104, the sum over lp records, or more, found 4"}},
		{"rollbacks of a KP", gvt, "", add(128+24+20, 1),
			[]string{"rollbacks: expected 5, the sum over kp records, found 4"}},
		{"secondary rollbacks of a PE", gvt, "", add(24+20, 10), []string{
			"secondary rollbacks: expected 2, the sum over kp records, found 12",
			"secondary rollbacks: expected at most all 4 rollbacks, found 12"}},
		{"aborted events", gvt, "", add(24+8, 100), []string{
			"events aborted: expected 0, the sum over kp records, found 100",
			"events aborted: expected at most all 17 events rolled back, found 100"}},
		{"efficiency", gvt, "", float(24+52, 52.8), []string{"efficiency: expected 52.77778, found 52.8"}},
		{"efficiency that is no number", gvt, "", float(24+52, float32(nan)),
			[]string{"efficiency: expected 52.77778, found NaN"}},
		{"a negative time", gvt, "", float(24+64, -1), []string{"time of GVT: expected finite and not negative, found -1"}},
		{"an infinite time", gvt, "", float(24+100, float32(inf)),
			[]string{"time of LZ4: expected finite and not negative, found Inf"}},
		{"time ahead of GVT", gvt, "", float(128+24+36, float32(inf)),
			[]string{"time ahead of GVT: expected finite, found Inf"}},
		{"virtual time of a KP", gvt, "", double(128+8, 4),
			[]string{"virtual time: expected 3 as in the sample's first record, found 4"}},
		{"real time of an LP", gvt, "", double(264+16, 1), []string{
			"real time: expected 2363.698871419 as in the sample's first record, found 1"}},
		{"id of a KP", gvt, "", set(196+24+4, 5), []string{
			"id of the KP: expected 1, found 5",
			"KP of the LP: expected one that has a record in the sample, found 1",
			"record in the sample: expected kp 5 as in the PE's sample before, found kp 1",
			"events rolled back: expected no more than were processed since the start, found 2 more"}},
		{"PE of an LP", gvt, "", set(gvtSample+264+24, 3), []string{
			"PE: expected 0 as in the sample's first record, found 3",
			"place of the LP: expected kp 0 of pe 0 as before, found kp 0 of pe 3",
			"place of the LP: expected kp 0 of pe 3 as before, found kp 0 of pe 0"}},
		{"id of an LP", gvt, "", set(gvtSample+264+24+8, 77), []string{
			"record in the sample: expected lp 0 as in the PE's sample before, found lp 77",
			"record in the sample: expected lp 77 as in the PE's sample before, found lp 0"}},
		{"GVT that goes back", model, "", float(208*2+24+12, 1), []string{
			"GVT: expected 388 as before on this PE, or later, found 1"}},
		{"KP of a model's sample", vt, "", set(8, 3),
			[]string{"place of the LP: expected kp 3 of pe 0 as before, found kp 1 of pe 0"}},
		{"virtual time that comes again", vt, "", double(256+24, 10), []string{
			"virtual time: expected later than 10 as before of this LP, found 10"}},
		{"an event that is sent too late", trace, "", float(24*7+8, 1e9), []string{
			"time of receipt: expected the time of sending, 1000000000, or later, found "}},
		{"real time of an event", trace, "", float(24*7+16, float32(nan)), []string{
			"real time: expected finite and not negative, found NaN"}},
	} {
		t.Run(d.name, func(t *testing.T) {
			path := rt.Copy(t, rt.File(d.file), func(b []byte) []byte { d.change(b); return b })
			r := rt.Run(Command, append(strings.Fields("--all "+d.args), path)...)
			require.Equal(t, 1, r.Status)
			require.Empty(t, r.Stderr)
			lines := strings.Split(strings.TrimSpace(r.Stdout), "\n")
			findings, last := lines[:len(lines)-1], lines[len(lines)-1]
			text := strings.Join(findings, "\n")
			for _, want := range d.want {
				require.Contains(t, text, want)
			}
			for _, line := range findings {
				require.True(t, strings.HasPrefix(line, path+": byte "), line)
			}
			require.Contains(t, last, fmt.Sprintf("findings: %d", len(d.want)), text)
		})
	}
}

func TestFindingNamesFileByteAndRecord(t *testing.T) {
	path := rt.Copy(t, rt.File("opt2-gvt.bin"), func(b []byte) []byte {
		rt.PutFloat32(b, gvtSample+196+24+40, 1)
		return b
	})
	r := rt.Run(Command, path)
	require.Contains(t, r.Stdout, fmt.Sprintf("%s: byte %d: kp 1 of pe 0 at 7: efficiency: expected ", path,
		gvtSample+196))
}

func TestTimeThatGoesBackIsFound(t *testing.T) {
	samples := rt.Samples(t, rt.File("opt2-gvt.bin"))
	for _, c := range []struct {
		what  string
		field int
	}{{"virtual time", 8}, {"real time", 16}} {
		path := rt.Copy(t, rt.File("opt2-gvt.bin"), func(b []byte) []byte {
			for _, r := range samples { // all of the third sample, so that it agrees with itself
				if r.Words[0] == 0 && r.TS == 11 {
					rt.PutFloat64(b, r.Offset+c.field, 1)
				}
			}
			return b
		})
		r := rt.Run(Command, path)
		require.Equal(t, 1, r.Status)
		require.Contains(t, r.Stdout, c.what+": expected ")
		require.Contains(t, r.Stdout, " as before on this PE, or later, found 1\n")
		require.Contains(t, r.Stdout, "findings: 1\n")
	}
}

func TestMoreRolledBackThanProcessedIsFound(t *testing.T) {
	// Events of LP 0, its KP, and PE 0, in the first sample: the sums still agree.
	path := rt.Copy(t, rt.File("lp36-gvt.bin"), func(b []byte) []byte {
		for at, words := range map[int][2]int{24: {4, 12}, 128 + 24: {8, 16}, 264 + 24: {12, 20}} {
			for _, w := range words {
				b[at+w] += 60
			}
		}
		rolledBack := b[264+24+20]
		b[264+24+12], b[128+24+8], b[24+4] = b[264+24+12]-81, b[128+24+8]-81, b[24+4]-81
		require.Greater(t, rolledBack, b[264+24+12])
		return b
	})
	r := rt.Run(Command, "--all", path)
	require.Equal(t, 1, r.Status)
	require.Contains(t, r.Stdout,
		"lp 0 on kp 0 of pe 0 at 3: events rolled back: expected no more than were processed since the start, found ")
}

func TestMissingRecordIsFound(t *testing.T) {
	path := rt.Copy(t, rt.File("opt2-gvt.bin"), func(b []byte) []byte {
		lp := gvtSample + 264 + 3*72 // the last of the sample
		return append(b[:lp:lp], b[lp+72:]...)
	})
	r := rt.Run(Command, path)
	require.Equal(t, 1, r.Status)
	require.Contains(t, r.Stdout, "records in the sample: expected 7 as in the PE's sample before, found 6")
}

func TestRecordsInTheWrongOrderAreFound(t *testing.T) {
	path := rt.Copy(t, rt.File("opt2-gvt.bin"), func(b []byte) []byte {
		kp, lp := bytes.Clone(b[196:264]), bytes.Clone(b[264:336])
		copy(b[196:], lp)
		copy(b[196+72:], kp)
		return b
	})
	r := rt.Run(Command, path)
	require.Contains(t, r.Stdout, "order in the sample: expected PE, KPs, LPs, found kp after lp")
}

func TestFileThatIsCutIsFoundWithTheByte(t *testing.T) {
	for _, name := range []string{"opt2-gvt.bin", "opt2-rt.bin", "opt2-model.bin", "opt2-evtrace.bin",
		"cons2-payload-analysis-lps.bin"} {
		path := rt.Copy(t, rt.File(name), func(b []byte) []byte { return b[:len(b)-1] })
		r := rt.Run(Command, path)
		require.Equal(t, 1, r.Status)
		require.Contains(t, r.Stdout, path+": record at byte ")
		require.Contains(t, r.Stdout, "findings: ")
	}
}

func TestOptimisticTraceIsNotCommitted(t *testing.T) {
	rt.Good(t, Command, "--committed", rt.File("cons2-payload-evtrace.bin"))
	path := rt.Copy(t, rt.File("cons2-payload-evtrace.bin"), func(b []byte) []byte {
		for _, e := range rt.Events(t, rt.File("cons2-payload-evtrace.bin"))[200:] {
			if e.Dest == 6 {
				rt.PutFloat32(b, e.Offset+8, 0)
				rt.PutFloat32(b, e.Offset+12, 0.001)
				break
			}
		}
		return b
	})
	rt.Good(t, Command, path)
	r := rt.Run(Command, "--committed", path)
	require.Equal(t, 1, r.Status)
	require.Contains(t, r.Stdout, "event for lp 6: order of committed events: expected a time of receipt of ")
	require.Contains(t, r.Stdout, "findings: 1\n")
}

func TestBlocksOfAnExactTraceFitToItsRecords(t *testing.T) {
	var good []byte
	for i := range 4 {
		x := instr.Exact{SendTS: 1.1, RecvTS: 2.2 + float64(i), Tie: 0.5, Message: 1, What: instr.ExactUndone}
		e := instr.Event{Src: 1, Dest: 2, SendTS: float32(x.SendTS), RecvTS: float32(x.RecvTS),
			Payload: make([]byte, instr.ExactSize)}
		instr.PutExact(e.Payload, &x)
		good = instr.AppendEvent(good, &e)
	}
	path := rt.Write(t, "ross-stats-evtrace.bin", good)
	info := instr.RunInfo{Version: 1, LPs: 4, Exact: instr.ExactLayout, Messages: []string{"a", "b"}}
	require.NoError(t, info.Write(filepath.Dir(path)))
	rt.Good(t, Command, path)
	bad := slices.Clone(good)
	rt.PutFloat64(bad, 72+24+8, 2.3)
	bad[2*72+24+44], bad[3*72+24+46] = 2, 3
	require.NoError(t, os.WriteFile(path, bad, 0o600))
	findings, last := lines(t, "--all", path)
	require.Equal(t, []string{
		path + ": byte 72: event for lp 2: exact times: expected 1.1 and 3.2, rounded, found 1.1 and 2.3",
		path + ": byte 144: event for lp 2: type of the message: expected below 2, as run.json has them, found 2",
		path + ": byte 216: event for lp 2: what is recorded: expected 0, 1 or 2, found 3",
	}, findings)
	require.Contains(t, last, "findings: 3")
}

func TestFindingsBeyondTheLimitAreCounted(t *testing.T) {
	path := rt.Copy(t, rt.File("opt2-evtrace.bin"), func(b []byte) []byte {
		for at := 0; at < 24*50; at += 24 {
			rt.PutFloat32(b, at+16, -1)
		}
		return b
	})
	for limit, want := range map[string]string{"": "findings: 50, 30 of them not printed", "--max=3": "50, 47 of them",
		"--max=50": "50\n"} {
		r := rt.Run(Command, append(strings.Fields("--all "+limit), path)...)
		require.Contains(t, r.Stdout, want)
		require.Equal(t, map[string]int{"": 20, "--max=3": 3, "--max=50": 50}[limit],
			strings.Count(r.Stdout, "real time: expected"))
	}
}

// lines returns what check prints about a file: findings, and the last line.
func lines(t *testing.T, args ...string) (findings []string, last string) {
	r := rt.Run(Command, args...)
	require.Equal(t, 1, r.Status)
	all := strings.Split(strings.TrimSpace(r.Stdout), "\n")
	return all[:len(all)-1], all[len(all)-1]
}

func TestACauseIsNamedBeforeItsConsequences(t *testing.T) {
	trace := rt.File("cons2-payload-evtrace.bin") // events of 24 bytes and 8 of payload
	for name, c := range map[string]struct {
		file   string
		change func(b []byte) []byte
		want   []string // beginnings of the findings after the path
	}{
		"a wrong size of a payload": {trace, func(b []byte) []byte {
			rt.PutUint32(b, 32*5+20, 40) // with the next event in it
			return b
		}, []string{"byte 160: event for lp 2: size of the payload: expected 8 bytes as before for this LP, found 40"}},
		"a wrong size after which nothing can be read": {trace, func(b []byte) []byte {
			rt.PutUint32(b, 32*5+16, math.Float32bits(-1))
			rt.PutUint32(b, 32*5+20, 3)
			return b
		}, []string{"byte 160: event for lp 2: size of the payload: expected 8 bytes as before for this LP, found 3",
			"record at byte 187: payload is larger than 16 MiB"}},
		"a truncated sample": {rt.File("opt2-gvt.bin"), func(b []byte) []byte { return b[:gvtSample*5+200] },
			[]string{fmt.Sprintf("record at byte %d: ", gvtSample*5+196)}},
		"a sample that is not complete": {rt.File("opt2-gvt.bin"), func(b []byte) []byte { return b[:gvtSample*5+196] },
			[]string{fmt.Sprintf("byte %d: pe ", gvtSample*5)}},
		"two wrong values far from each other": {trace, func(b []byte) []byte {
			rt.PutFloat32(b, 32*3+16, -1)
			rt.PutFloat32(b, 32*4+16, -1)
			rt.PutFloat32(b, 32*150+16, -2)
			return b
		}, []string{"byte 96: ", "byte 4800: "}},
	} {
		t.Run(name, func(t *testing.T) {
			path := rt.Copy(t, c.file, c.change)
			findings, last := lines(t, path)
			all, allLast := lines(t, "--all", "--max=10000", path)
			require.Len(t, findings, len(c.want), "%s\n%s", findings, last)
			for i, want := range c.want {
				require.Contains(t, findings[i], path+": "+want)
			}
			require.Equal(t, findings[0], all[0], "the cause is first in either case")
			require.Greater(t, len(all), len(findings))
			require.Contains(t, last, fmt.Sprintf("findings: %d, %d of them probably consequences: --all prints them", len(all),
				len(all)-len(findings)))
			require.True(t, strings.HasSuffix(allLast, fmt.Sprintf("findings: %d", len(all))), allLast)
		})
	}
}

func TestFileWithoutRecordsPasses(t *testing.T) {
	require.Contains(t, rt.Good(t, Command, rt.Write(t, "ross-stats-gvt.bin", nil)), "0 records, nothing wrong")
}

func TestStandardInputAndUsage(t *testing.T) {
	data, err := os.ReadFile(rt.File("opt2-rt.bin"))
	require.NoError(t, err)
	old := cli.Stdin
	defer func() { cli.Stdin = old }()
	cli.Stdin = bytes.NewReader(data)
	require.Contains(t, rt.Good(t, Command, "-", "--content=rt"), "stdin: 3059 records, nothing wrong")
	require.Equal(t, 2, rt.Run(Command).Status)
	require.Equal(t, 2, rt.Run(Command, "--max=-1", rt.Dir).Status)
	require.Equal(t, 1, rt.Run(Command, filepath.Join(t.TempDir(), "missing")).Status)
}

func FuzzCheckNeverPanics(f *testing.F) {
	suffixes := []string{"gvt", "model", "evtrace", "analysis-lps"} // by the length of the data
	for i, name := range []string{"opt2-gvt.bin", "opt2-model.bin", "opt2-evtrace.bin", "cons2-payload-analysis-lps.bin"} {
		data, err := os.ReadFile(rt.File(name))
		require.NoError(f, err)
		f.Add(data[:1200+i])
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		suffix := suffixes[len(data)%4]
		path := filepath.Join(dir, "a-"+suffix+".bin")
		require.NoError(t, os.WriteFile(path, data, 0o600))
		r := rt.Run(Command, path)
		require.Equal(t, r.Status == 0, strings.Contains(r.Stdout, "nothing wrong"))
	})
}

// sampled writes three samples by real time of two PEs, with those of memory as change makes them, and returns the file
// of these. run is the content of run.json, nil if it does not exist.
func sampled(t *testing.T, run *instr.RunInfo,
	change func(i int, ts, real *float64, m *instr.MemoryStats) bool) string {
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
	return &instr.RunInfo{Version: instr.RunVersion, State: instr.RunComplete, PEs: 2, LPs: 2, Ranks: 1,
		Result: &instr.RunResult{}}
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
		"one is missing, and no run.json states that all are there": {func(i int, _, _ *float64, _ *instr.MemoryStats) bool {
			return i != 2
		}, "", nil},
		"one is missing": {func(i int, _, _ *float64, _ *instr.MemoryStats) bool { return i != 2 },
			"byte 192: memory of pe 0 at 2: sample before: expected one at real time 1.5, as in ross-stats-rt.bin, found none\n",
			whole()},
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

// TestSamplesOfMemoryAreCheckedWithoutThoseOfPEs: the file next to it is not there, not whole, or of another name.
func TestSamplesOfMemoryAreCheckedWithoutThoseOfPEs(t *testing.T) {
	late := func(_ int, _, real *float64, _ *instr.MemoryStats) bool { *real += 100; return true }
	path := sampled(t, nil, late)
	require.Equal(t, 1, rt.Run(Command, path).Status)
	rtFile := filepath.Join(filepath.Dir(path), "ross-stats-rt.bin")
	data, err := os.ReadFile(rtFile)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(rtFile, data[:len(data)-1], 0o600))
	rt.Good(t, Command, path)
	require.NoError(t, os.Rename(rtFile, rtFile+instr.PartSuffix))
	rt.Good(t, Command, path)
}

func Example() {
	path := "../../../../instr/testdata/lp36-gvt.bin"
	cli.Run(Command(), []string{path}, os.Stdout, os.Stderr)

	data, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	data[24+4]-- // the number of events that PE 0 processed
	stdin := cli.Stdin
	cli.Stdin = bytes.NewReader(data)
	defer func() { cli.Stdin = stdin }()
	cli.Run(Command(), []string{"-", "--content=gvt"}, os.Stdout, os.Stderr)
	// Output:
	// ../../../../instr/testdata/lp36-gvt.bin: 1414 records, nothing wrong
	// stdin: byte 0: pe 0 at 3: events processed: expected 53, the sum over kp records, found 52
	// stdin: 1414 records, findings: 3, 2 of them probably consequences: --all prints them
}

func TestDamagedDescriptionOfTheRunIsFound(t *testing.T) {
	dir := t.TempDir()
	b, err := os.ReadFile(filepath.Join(rt.Dir, "opt2-gvt.bin"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "opt2-gvt.bin"), b, 0o600))
	rt.Good(t, Command, dir)
	path := filepath.Join(dir, instr.RunName)
	require.NoError(t, os.WriteFile(path, []byte(`{"version": 1, "id`), 0o600))
	r := rt.Run(Command, dir)
	require.Equal(t, 1, r.Status)
	require.Contains(t, r.Stdout, path+": no description of a run, damaged at byte 18: unexpected end of JSON input\n")
	require.Contains(t, r.Stdout, "nothing wrong")
}
