// This file tests the trace of a run.

package chrome

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/survey/surveytest"
	"github.com/ross-go/ross/instr"
	lpnames "github.com/ross-go/ross/internal/sys/labels"
)

const samples = 30 // of each PE and KP

func typical() surveytest.Run {
	shape := surveytest.Typical()
	shape.Samples, shape.Events = samples, 2_000
	return shape
}

type traceEvent struct {
	Ph   string
	Name string
	PID  *int
	TID  *int
	TS   *float64
	Dur  float64
	Cat  string
	ID   *uint64
	BP   string
	Args map[string]any

	ts, dur string // as printed
}

// UnmarshalJSON keeps the printed times.
func (e *traceEvent) UnmarshalJSON(data []byte) error {
	type plain traceEvent
	var printed struct{ TS, Dur json.RawMessage }
	if err := json.Unmarshal(data, (*plain)(e)); err != nil {
		return err
	}
	err := json.Unmarshal(data, &printed)
	e.ts, e.dur = string(printed.TS), string(printed.Dur)
	return err
}

// slice is the beginning and the end of a slice: exactly, as the decimal numbers have them, and as a
// viewer computes them in binary.
type slice struct {
	begin, end   *big.Rat
	binary, last float64
}

func sliceOf(e *traceEvent) slice {
	begin, _ := new(big.Rat).SetString(e.ts)
	dur, _ := new(big.Rat).SetString(e.dur)
	return slice{begin, new(big.Rat).Add(begin, dur), *e.TS, *e.TS + e.Dur}
}

// before reports whether s ends before o begins, and within whether s is within o.
func (s slice) before(o slice) bool { return s.end.Cmp(o.begin) <= 0 && s.last <= o.binary }
func (s slice) within(o slice) bool { return s.end.Cmp(o.end) <= 0 && s.last <= o.last }

// run draws files and returns the events, after looking at each.
func run(t *testing.T, args ...string) []traceEvent {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.json")
	var stdout, stderr bytes.Buffer
	require.Zero(t, cli.Run(Command(), append(args, "-o", out), &stdout, &stderr), stderr.String())
	require.Empty(t, stderr.String())
	data, err := os.ReadFile(out)
	require.NoError(t, err)
	events := decode(t, data)
	drawn := 0
	for _, e := range events {
		if isDrawn(&e) {
			drawn++
		}
	}
	require.Contains(t, stdout.String(), fmt.Sprintf("%s: %d events", out, drawn))
	return events
}

// isDrawn reports whether an event counts: metadata and arrows do not.
func isDrawn(e *traceEvent) bool { return !strings.Contains("Msf", e.Ph) }

func decode(t testing.TB, data []byte) []traceEvent {
	t.Helper()
	var trace struct {
		DisplayTimeUnit string
		TraceEvents     []traceEvent
	}
	require.NoError(t, json.Unmarshal(data, &trace))
	require.Equal(t, "ms", trace.DisplayTimeUnit)
	check(t, trace.TraceEvents)
	return trace.TraceEvents
}

// check verifies what the format requires: all fields, time that does not go back on a track,
// and slices that are nested or disjoint.
func check(t testing.TB, events []traceEvent) {
	t.Helper()
	type track struct {
		pid, tid int
		counter  string
	}
	last, open := map[track]int64{}, map[track][]slice{}
	slices, arrows := map[end]bool{}, map[uint64]end{} // arrows that have begun
	names := map[track]bool{}
	for i, e := range events {
		must := func(ok bool, what string) {
			if !ok {
				require.FailNow(t, what, "event %d: %+v", i, e)
			}
		}
		must(e.Name != "" && e.PID != nil && e.TID != nil && e.TS != nil, "a field is missing")
		must(*e.TS >= 0, "time below 0")
		at := track{pid: *e.PID, tid: *e.TID}
		begin := int64(math.Round(*e.TS * 1000))
		here := end{place{*e.PID, *e.TID}, begin}
		switch e.Ph {
		case "M":
			names[at] = true
			continue
		case "C":
			must(len(e.Args) == 1, "a counter has one value")
			at.counter = e.Name
		case "X":
			must(e.Dur > 0, "a slice without length")
			around, own := open[at], sliceOf(&e)
			for len(around) > 0 && around[len(around)-1].before(own) {
				around = around[:len(around)-1]
			}
			must(len(around) == 0 || own.within(around[len(around)-1]), "the slice sticks out of the one around it")
			open[at] = append(around, own)
			slices[here] = true
		case "s", "f":
			must(e.ID != nil && e.Cat != "", "an arrow without a name")
			must(slices[here], "an arrow without a slice at its end")
			from, begun := arrows[*e.ID]
			must(begun == (e.Ph == "f"), "an arrow that begins twice, or not at all")
			must(!begun || from.begin <= begin && e.BP == "e", "an arrow that ends before it begins")
			arrows[*e.ID] = here
			continue
		default:
			must(false, "unknown phase")
		}
		must(names[track{pid: *e.PID, tid: *e.TID}], "the track has no name")
		must(begin >= last[at], "time goes back")
		last[at] = begin
	}
}

func count(events []traceEvent, ph, name string) (n int) {
	for _, e := range events {
		if e.Ph == ph && e.Name == name {
			n++
		}
	}
	return n
}

func named(t *testing.T, events []traceEvent, thread string) (found []traceEvent) {
	t.Helper()
	for _, m := range events {
		if m.Name != "thread_name" || m.Args["name"] != thread {
			continue
		}
		for _, e := range events {
			if *e.PID == *m.PID && *e.TID == *m.TID && isDrawn(&e) {
				found = append(found, e)
			}
		}
	}
	return found
}

func TestTraceHasATrackForEachPEAndKP(t *testing.T) {
	events := run(t, typical().Write(t))
	names := map[string]int{}
	for _, e := range events {
		if e.Ph == "M" && e.Args["name"] != nil {
			names[e.Args["name"].(string)]++
		}
	}
	for pe := range 4 {
		require.Equal(t, 1, names[fmt.Sprintf("PE %d", pe)])
	}
	for kp := range 8 {
		require.Equal(t, 4, names[fmt.Sprintf("KP %d", kp)])
		require.Equal(t, 4, names[fmt.Sprintf("KP %d events", kp)])
	}
	require.Equal(t, 4, names["activity"])
	require.Len(t, names, 4+8+8+1)
	for _, counter := range []string{"GVT", "queue size", "efficiency"} {
		require.Equal(t, 4*samples, count(events, "C", counter), counter)
	}
	require.Equal(t, 4*(samples+1), count(events, "C", "event rate"), "one more, which ends the last")
	require.Equal(t, 4*samples, count(events, "C", "KP 3 ahead of GVT"))
	require.Equal(t, 4*8*samples, count(events, "X", "rollbacks"))
}

func TestRollbacksOfAKPAreSlicesWithTheirCounts(t *testing.T) {
	shape := surveytest.Run{}
	var data []byte
	for n, rollbacks := range []uint32{0, 5, 0} {
		data = instr.AppendKP(data, 1, float64(n+1), &instr.KPStats{
			PE: 3, KP: 1, Processed: 30, RolledBack: 2 * rollbacks, Rollbacks: rollbacks, SecondaryRollbacks: 2,
		})
	}
	events := named(t, run(t, shape.Put(t, t.TempDir(), instr.GVTSuffix, data)), "KP 1")
	require.Equal(t, 1, count(events, "X", "rollbacks"))
	for _, e := range events {
		if e.Ph == "X" {
			require.Equal(t, 1e6, *e.TS)
			require.Equal(t, 1e6, e.Dur)
			require.Equal(t, map[string]any{
				"processed": 30.0, "rolled_back": 10.0, "primary": 3.0, "secondary": 2.0, "efficiency": 50.0,
			}, e.Args)
		}
	}
}

// When in a sample the parts of its time were is not known: they are no slices.
func TestPartsOfTheTimeOfAPEAreSharesOfTheSample(t *testing.T) {
	var data []byte
	data = instr.AppendPE(data, 1, 1, &instr.PEStats{EventProcess: 0.5, Rollback: 0.125, CancelQ: 0.125, NetRead: 0.0625})
	data = instr.AppendPE(data, 2, 2, &instr.PEStats{EventProcess: 3, GVT: 1}) // more than there was
	events := run(t, surveytest.Run{}.Put(t, t.TempDir(), instr.GVTSuffix, data))
	got := map[string][]float64{}
	for _, e := range events {
		switch {
		case e.Ph == "X":
			require.Equal(t, "sample", e.Name)
			got[e.Name] = append(got[e.Name], *e.TS, e.Dur)
		case e.Ph == "C" && e.Args["percent"] != nil && e.Name != "efficiency":
			name, _, _ := strings.Cut(e.Name, ",")
			require.Equal(t, float64(len(got[name]))*1e6, *e.TS)
			got[name] = append(got[name], e.Args["percent"].(float64))
		}
	}
	require.Equal(t, map[string][]float64{
		"sample":            {0, 1e6, 1e6, 1e6},
		"event processing":  {50, 75, 0},
		"rollback":          {25, 0, 0},
		"network":           {6.25, 0, 0},
		"GVT":               {0, 25, 0},
		"fossil collection": {0, 0, 0},
		"event queue":       {0, 0, 0},
		"rest of the time":  {18.75, 0, 0},
	}, got)
}

func TestEventsAreOnTheTrackOfTheirKP(t *testing.T) {
	shape := typical()
	events := run(t, shape.Write(t))
	total := 0
	for kp := range 8 {
		for _, e := range named(t, events, fmt.Sprintf("KP %d events", kp)) {
			require.Equal(t, "X", e.Ph)
			var lp int
			_, err := fmt.Sscanf(e.Name, "LP %d", &lp)
			require.NoError(t, err)
			require.Equal(t, kp, lp/shape.LPs%shape.KPs)
			require.Equal(t, lp/(shape.LPs*shape.KPs)+1, *e.PID)
			total++
		}
	}
	require.Equal(t, shape.Events, total)
}

// arrowsOf returns the arrows as pairs of the names of slices.
func arrowsOf(events []traceEvent) (pairs []string) {
	names, from := map[end]string{}, map[uint64]string{}
	at := func(e *traceEvent) end { return end{place{*e.PID, *e.TID}, int64(math.Round(*e.TS * 1000))} }
	for i := range events {
		switch e := &events[i]; e.Ph {
		case "X":
			names[at(e)] = fmt.Sprint(e.Name, " at ", e.Args["received"])
		case "s":
			from[*e.ID] = names[at(e)]
		case "f":
			pairs = append(pairs, from[*e.ID]+" -> "+names[at(e)])
		}
	}
	return pairs
}

func TestArrowsLeadFromAnEventToThoseThatItSent(t *testing.T) {
	var data []byte
	for _, e := range []instr.Event{
		{Src: 7, Dest: 1, SendTS: 0, RecvTS: 1.5, RealTS: 1},   // sent by Init
		{Src: 1, Dest: 2, SendTS: 1.5, RecvTS: 2.1, RealTS: 2}, // by the first
		{Src: 3, Dest: 1, SendTS: 1.7, RecvTS: 3, RealTS: 9},   // by one that comes later in the file
		{Src: 1, Dest: 3, SendTS: 1.5, RecvTS: 1.7, RealTS: 2},
		{Src: 3, Dest: 4, SendTS: 1.7, RecvTS: 4, RealTS: 1.5}, // by an event with a later real time
		{Src: 5, Dest: 5, SendTS: 6, RecvTS: 6, RealTS: 10},    // not by itself
		{Src: 6, Dest: 6, SendTS: 5, RecvTS: 7, RealTS: 10},    // by one that the trace does not have
	} {
		data = instr.AppendEvent(data, &e)
	}
	path := surveytest.Run{}.Put(t, t.TempDir(), instr.TraceSuffix, data)
	require.ElementsMatch(t, []string{
		"LP 1 at 1.5 -> LP 2 at 2.1", "LP 3 at 1.7 -> LP 1 at 3", "LP 1 at 1.5 -> LP 3 at 1.7",
	}, arrowsOf(run(t, path)))
	require.Empty(t, arrowsOf(run(t, path, "--no-arrows")))
	var stdout bytes.Buffer
	require.Zero(t, cli.Run(Command(), []string{path, "-o", filepath.Join(t.TempDir(), "x")}, &stdout, io.Discard))
	require.Contains(t, stdout.String(), "x: 7 events, and 3 arrows\n1 arrows are left out")
}

func TestEventsAtTheSameTimeFollowEachOther(t *testing.T) {
	var data []byte
	for i := range 50 {
		data = instr.AppendEvent(data, &instr.Event{Src: 1, Dest: 1, SendTS: float32(i), RecvTS: float32(i + 1),
			RealTS: 2000})
	}
	events := run(t, surveytest.Run{}.Put(t, t.TempDir(), instr.TraceSuffix, data))
	require.Len(t, arrowsOf(events), 49)
	begins := map[float64]bool{}
	for _, e := range named(t, events, "LP 1") {
		require.False(t, begins[*e.TS], "two slices begin at %v", *e.TS)
		begins[*e.TS] = true
	}
}

func TestEventsOfLPsWithoutKPHaveAProcessOfTheirOwn(t *testing.T) {
	var data []byte
	for lp := range 200 {
		data = instr.AppendEvent(data, &instr.Event{Dest: uint32(lp), RealTS: float32(lp + 1)})
	}
	events := run(t, surveytest.Run{}.Put(t, t.TempDir(), instr.TraceSuffix, data))
	require.Len(t, named(t, events, "LP 127"), 1)
	require.Len(t, named(t, events, "other LPs"), 200-ownTracks)
}

func TestOriginalFilesMakeTraces(t *testing.T) {
	for _, name := range []string{"opt2-evtrace.bin", "cons2-payload-evtrace.bin"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join("..", "..", "..", "..", "instr", "testdata", name)
			trace, err := instr.ReadTrace(path)
			require.NoError(t, err)
			instants := 0
			for _, e := range run(t, path) {
				if e.Ph == "X" {
					instants++
					require.Less(t, *e.TS, 1e6, "time begins with the first record")
				}
			}
			require.Len(t, trace, instants)
		})
	}
}

func TestLargeRunsAreThinned(t *testing.T) {
	shape := typical()
	dir := shape.Write(t)
	handled := func(events []traceEvent) (sum float64) {
		for _, e := range events {
			if e.Name == "sample" {
				sum += e.Args["processed"].(float64)
			}
		}
		return sum
	}
	whole := handled(run(t, dir, "--max-events=0"))
	require.NotZero(t, whole)
	for _, most := range []int{1, 100, 2_000, 6_000} {
		events := run(t, dir, fmt.Sprintf("--max-events=%d", most))
		drawn := 0
		for _, e := range events {
			if isDrawn(&e) {
				drawn++
			}
		}
		// Of each PE and KP what is left over in the end is drawn, and an end of its rate and of its times.
		require.LessOrEqual(t, drawn, most+4*(perPESample+perPEEnd)+32*perKPSample+1, most)
		require.Equal(t, whole, handled(events), "no count is lost")
	}
}

func TestNumbersThatJSONHasNotAreLeftOut(t *testing.T) {
	var data []byte
	bad := []float64{math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, -1}
	for _, real := range append(bad, 1, 2) {
		for _, x := range bad {
			if math.IsNaN(x) || math.IsNaN(real) { // which is no record
				continue
			}
			data = instr.AppendPE(data, x, real, &instr.PEStats{EventProcess: float32(x), Efficiency: float32(x)})
			data = instr.AppendKP(data, x, real, &instr.KPStats{TimeAheadGVT: float32(x), Rollbacks: 1, SecondaryRollbacks: 2})
		}
	}
	run(t, surveytest.Run{}.Put(t, t.TempDir(), instr.RTSuffix, data))
}

func TestFilesOfOneRunBySeveralClocksHaveTracksOfTheirOwn(t *testing.T) {
	dir := typical().Write(t)
	data := instr.AppendPE(nil, math.MaxFloat64, 0.5, &instr.PEStats{Processed: 1})
	surveytest.Run{}.Put(t, dir, instr.RTSuffix, data)
	events := run(t, dir)
	require.NotEmpty(t, named(t, events, "activity (by GVT)"))
	require.NotEmpty(t, named(t, events, "activity (by real time)"))
	require.Zero(t, count(events, "C", "GVT (by real time)"), "the run is over then")
}

func TestTraceIsCompressedByItsName(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.json.gz")
	require.Zero(t, cli.Run(Command(), []string{"-o", out, typical().Write(t)}, io.Discard, io.Discard))
	f, err := os.Open(out)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	data, err := io.ReadAll(z)
	require.NoError(t, err)
	require.NotEmpty(t, decode(t, data))
}

func TestEmptyFilesMakeAnEmptyTrace(t *testing.T) {
	require.Empty(t, run(t, surveytest.Run{}.Put(t, t.TempDir(), instr.GVTSuffix, nil)))
}

func TestMistakesAreToldAndLeaveNoFile(t *testing.T) {
	dir := typical().Write(t)
	input := instr.FileName(dir, "", instr.GVTSuffix)
	whole, err := os.ReadFile(input)
	require.NoError(t, err)
	cut := surveytest.Run{}.Put(t, t.TempDir(), instr.GVTSuffix, whole[:len(whole)-1])
	other := surveytest.Run{}.Put(t, t.TempDir(), instr.GVTSuffix, whole)
	out := filepath.Join(t.TempDir(), "out.json")
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{2, "no file: name files of a run, its folder", []string{"-o", out}},
		{2, "name a file with -o", []string{dir}},
		{2, "-colour", []string{"-colour", dir, "-o", out}},
		{2, "cannot be read twice", []string{"-", "--content=gvt", "-o", out}},
		{1, "no-such", []string{"no-such", "-o", out}},
		{1, "no instrumentation files", []string{t.TempDir(), "-o", out}},
		{1, cut, []string{cut, "-o", out}},
		{1, "is of the same kind", []string{dir, other, "-o", out}},
		{1, "is one of the files to read", []string{dir, "-o", input}},
		{1, "output", []string{dir, "-o", filepath.Join(out, "in", "a", "file")}},
	} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, c.code, cli.Run(Command(), c.args, &stdout, &stderr), c.args)
		require.Contains(t, stderr.String(), c.want)
		require.True(t, strings.HasPrefix(stderr.String(), "rossreader trace: "), stderr.String())
		require.Empty(t, stdout.String())
	}
	left, err := os.ReadDir(filepath.Dir(out))
	require.NoError(t, err)
	require.Empty(t, left)
	after, err := os.ReadFile(input)
	require.NoError(t, err)
	require.Equal(t, whole, after)
}

func TestHelpIsNoMistake(t *testing.T) {
	var stdout bytes.Buffer
	require.Zero(t, cli.Run(Command(), []string{"--help"}, &stdout, io.Discard))
	require.Contains(t, stdout.String(), "ui.perfetto.dev")
}

// Whatever the bytes are, the trace is one.
func FuzzTraceIsOneWhateverTheFileSays(f *testing.F) {
	typical := surveytest.Run{PEs: 2, KPs: 2, LPs: 1, Samples: 2, SlowPE: -1, ThrashingPE: -1}.Write(f)
	data, err := os.ReadFile(instr.FileName(typical, "", instr.GVTSuffix))
	require.NoError(f, err)
	f.Add(data, false)
	f.Add(instr.AppendEvent(nil, &instr.Event{RealTS: float32(math.Inf(1))}), true)
	f.Fuzz(func(t *testing.T, data []byte, events bool) {
		suffix := instr.GVTSuffix
		if events {
			suffix = instr.TraceSuffix
		}
		dir := t.TempDir()
		in, out := surveytest.Run{}.Put(t, dir, suffix, data), filepath.Join(dir, "out.json")
		if cli.Run(Command(), []string{in, "-o", out}, io.Discard, io.Discard) != 0 {
			require.NoFileExists(t, out)
			return
		}
		got, err := os.ReadFile(out)
		require.NoError(t, err)
		decode(t, got)
	})
}

func TestFilesOfAKilledRunAreDrawnUpToTheCut(t *testing.T) {
	dir := t.TempDir()
	data := instr.AppendEvent(instr.AppendEvent(nil, &instr.Event{RealTS: 1}), &instr.Event{RealTS: 2})
	cut := surveytest.Run{}.Put(t, dir, instr.TraceSuffix, data[:len(data)-1])
	require.NoError(t, os.Rename(cut, cut+instr.PartSuffix))
	out := filepath.Join(dir, "out.json")
	var stderr bytes.Buffer
	require.Equal(t, 1, cli.Run(Command(), []string{dir, "-o", out}, io.Discard, &stderr))
	require.NoFileExists(t, out)
	stderr.Reset()
	require.Equal(t, 1, cli.Run(Command(), []string{dir, "-o", out, "--partial"}, io.Discard, &stderr))
	require.Equal(t, 1, strings.Count(stderr.String(), cut+instr.PartSuffix+": record at byte 24: "), stderr.String())
	drawn, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, 1, count(decode(t, drawn), "X", "LP 0"))
}

func TestEventsAreNamedByTheLabelsOfLPs(t *testing.T) {
	dir := typical().Write(t)
	unnamed := count(run(t, dir), "X", "LP 3")
	require.NotZero(t, unnamed)
	f, err := os.Create(filepath.Join(dir, instr.DefaultPrefix+instr.LabelsSuffix))
	require.NoError(t, err)
	require.NoError(t, lpnames.Write(f, 4, func(id uint64) string {
		if id == 3 {
			return `router "3"`
		}
		return ""
	}))
	require.NoError(t, f.Close())
	events := run(t, dir)
	require.Equal(t, unnamed, count(events, "X", `LP 3 "router \"3\""`))
	require.Zero(t, count(events, "X", "LP 3"))
	require.NotZero(t, count(events, "X", "LP 2"))
}

func ExampleRun() {
	defer os.Remove("run.json.gz")
	cli.Run(Command(), []string{filepath.Join("..", "..", "..", "..", "instr", "testdata", "opt2-evtrace.bin"), "-o",
		"run.json.gz"}, os.Stdout, os.Stdout)
	// Output:
	// run.json.gz: 3225 events, and 2931 arrows
	// 286 arrows are left out, since the event that was sent has an earlier real time: traces of committed events (--event-trace=3) have that of the commitment
}
