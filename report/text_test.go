// This file owns the tests of the text report, most of them against reports that ROSS printed, of the short report
// under each kind of scheduler, and of the figures that follow from others. testdata/<set>/stats.txt is the whole
// output of ROSS, recv_ts.txt the event times of the run in order, as its trace had them.

package report

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/stretchr/testify/require"
)

func TestReportEqualsTheOriginalByteForByte(t *testing.T) {
	for _, set := range allSets {
		t.Run(set, func(t *testing.T) {
			ref := readReference(t, set)
			var b bytes.Buffer
			rewriteHeader(t, &b, ref)
			s := ref.stats()
			require.NoError(t, WriteConfig(&b, s))
			b.WriteString(StartLine(s.Synch))
			rewriteMiddle(t, &b, ref)
			require.NoError(t, WriteEnd(&b, s))
			require.Equal(t, ref.text, b.String())
		})
	}
}

// rewriteHeader reprints what precedes the configuration; the model's own lines
// are passed through.
func rewriteHeader(t *testing.T, b *bytes.Buffer, ref reference) {
	lines := strings.Split(ref.text, "\n")
	now, err := time.Parse(time.ANSIC, lines[2])
	require.NoError(t, err)
	ranks := uint64(parseNumber(t, ref.find(`world size to be (\d+) $`)))
	require.NoError(t, WriteHeader(b, Header{
		Args: strings.Split(strings.TrimSuffix(lines[0], " "), " "),
		Now:  now, Version: ref.find(`^ROSS Version: (.*)$`), Ranks: ranks,
	}))
	_, model, _ := strings.Cut(ref.text, "world size to be "+strings.TrimSpace(ref.find(`world size to be (\d+ )$`))+" \n")
	model, _, _ = strings.Cut(model, "\nROSS Core")
	b.WriteString(model)
}

// rewriteMiddle reprints what lies between StartLine and the closing report;
// what the model's LPs print at the end is passed through.
func rewriteMiddle(t *testing.T, b *bytes.Buffer, ref reference) {
	_, middle, _ := strings.Cut(ref.text, " ***\n\n")
	middle, _, _ = strings.Cut(middle, "\n\t: Running Time")
	progress, after, found := strings.Cut(middle, "*** END")
	require.True(t, found)
	for _, l := range ref.progressLines() {
		require.NoError(t, WriteProgress(b, l))
	}
	require.Equal(t, 2*len(ref.progressLines()), strings.Count(progress, "\n"))
	b.WriteString(EndLine)
	_, after, _ = strings.Cut(after, "\n\n")
	for rank := range uint64(strings.Count(after, "bytes of data missed")) {
		require.NoError(t, WriteMissedBytes(b, rank, 0))
	}
	b.WriteString(regexp.MustCompile(`(?m)^PE \d+: There were .*\n`).ReplaceAllString(after, ""))
}

func TestTheReportSaysHowGVTWasReduced(t *testing.T) {
	for want, s := range map[string]Summary{
		"MPI AllReduce":                                {AllReduceCalls: 9},
		"AllReduce in Shared Memory":                   {AllReduceCalls: 9, SharedReduces: 9},
		"AllReduce in Shared Memory and MPI AllReduce": {AllReduceCalls: 9, SharedReduces: 7},
	} {
		var b bytes.Buffer
		require.NoError(t, WriteEnd(&b, &s))
		require.Contains(t, b.String(), "\nTW GVT Statistics: "+want+"\n")
		require.Regexp(t, `\tTotal All Reduce Calls +9\n`, b.String())
	}
}

func TestTheLineOfTheAVLTreeIsOfTreesAlone(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteEnd(&b, &Summary{Times: PhaseTimes{AVL: 2, Trees: 0.5}}))
	require.Regexp(t, `\tAVL Tree \(insert/delete\) +0\.5000\n`, b.String())
}

func TestHeaderPrintsNotesBetweenVersionAndWorldSize(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteHeader(&b, Header{
		Args:    []string{"phold", "--nlp=8"},
		Now:     time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC),
		Version: "1.0",
		Notes:   []string{"Arguments passed through --args-file:\n--nlp=8\n\n", "RNG Seeds: 1 2 3 4"},
	}))
	require.Equal(t, "phold --nlp=8 \n\nWed Mar  4 05:06:07 2026\n\nROSS Version: 1.0\n\n"+
		"Arguments passed through --args-file:\n--nlp=8\n\nRNG Seeds: 1 2 3 4\n"+
		"tw_net_start: Found world size to be 1 \n", b.String())
}

func TestStartLineNamesTheScheduler(t *testing.T) {
	for synch, mode := range map[int]string{
		0: "SEQUENTIAL SIMULATION",
		1: "SEQUENTIAL SIMULATION",
		2: "PARALLEL CONSERVATIVE SIMULATION",
		3: "PARALLEL OPTIMISTIC SIMULATION WITH SUSPEND LP FEATURE",
		4: "OPTIMISTIC DEBUG SIMULATION",
		5: "PARALLEL OPTIMISTIC SIMULATION WITH SUSPEND LP FEATURE AND REAL TIME GVT",
		6: "SEQUENTIAL ROLLBACK TEST SIMULATION",
	} {
		require.Equal(t, "*** START "+mode+" ***\n\n", StartLine(synch))
	}
}

func endText(t *testing.T, s *Summary) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, WriteEnd(&b, s))
	return b.String()
}

// TestNetEventsCanBeCutOut does what the scripts do that come with PHOLD-IO:
// grep "Net Events" | tr -s ' ' | cut -d' ' -f 4.
func TestNetEventsCanBeCutOut(t *testing.T) {
	digest := uint64(1)
	text := endText(t, &Summary{
		Counters: Counters{EventsProcessed: 6400, EventsRolledBack: 87},
		Ranks:    2, Synch: 2, Digest: &digest,
		Extra: []Figure{{"Peak memory (bytes)", "12"}},
	})
	var hits []string
	for line := range strings.Lines(text) {
		if strings.Contains(line, "Net Events") {
			squeezed := regexp.MustCompile(` +`).ReplaceAllString(strings.TrimSuffix(line, "\n"), " ")
			hits = append(hits, strings.Split(squeezed, " ")[3])
		}
	}
	require.Equal(t, []string{"6313"}, hits)
}

func TestOptionalLinesAppearWhereTheyMeanSomething(t *testing.T) {
	const network = "\nTW Network Statistics:\n" +
		"\tRemote sends                                                 3\n" +
		"\tRemote recvs                                                 4\n"
	const offset = "\tMinimum TS Offset Detected in Conservative Mode    0.250000000\n"
	s := Summary{RemoteSends: 3, RemoteRecvs: 4, MinOffset: 0.25}

	s.Synch, s.Ranks, s.TotalPEs = 3, 1, 2 // PEs of one process use no network
	require.NotContains(t, endText(t, &s), "Network Statistics")
	require.NotContains(t, endText(t, &s), "Minimum TS")
	s.Synch, s.Ranks = 2, 2
	require.Contains(t, endText(t, &s), network)
	require.Contains(t, endText(t, &s), offset)
	s.MinOffset = math.MaxFloat64
	require.Contains(t, endText(t, &s), "Conservative Mode            MAX\n")
}

func TestOwnLinesFollowTheLastOfTheOriginal(t *testing.T) {
	digest := uint64(0xabc)
	s := &Summary{Digest: &digest, Extra: []Figure{{"Peak memory (bytes)", "4096"}, {"Note", "none"}}}
	plain := endText(t, &Summary{})
	require.Equal(t, plain+"\nAdditional Statistics:\n"+
		"\tCommitted Event Digest                             0000000000000abc\n"+
		"\tPeak memory (bytes)                                       4096\n"+
		"\tNote                                                      none\n", endText(t, s))
	require.True(t, strings.HasSuffix(plain, "\tAverage Reduction / GVT                                   -nan\n"))

	s.Digest = nil
	require.NotContains(t, endText(t, s), "Digest")
	require.Contains(t, endText(t, s), "Peak memory")
}

func TestRunWithoutEventsPrintsNumbers(t *testing.T) {
	text := endText(t, &Summary{})
	require.Equal(t, 1, strings.Count(text, "nan"), "only the average reduction has no value")
	require.NotContains(t, text, "inf")
	require.Contains(t, text, "\tEfficiency                                              100.00 %\n")
	require.Contains(t, text, "at 1.0000 GHz")
}

func TestRealTimeIntervalIsInCyclesAndSeconds(t *testing.T) {
	text := endText(t, &Summary{GVTRealTimeInterval: 40_000_000, ClockRate: 2_500_000_000})
	require.Contains(t, text, "at 2.5000 GHz")
	require.Contains(t, text, "\tGVT Real Time Interval (cycles)                    40000000\n")
	require.Contains(t, text, "\tGVT Real Time Interval (sec)                        0.01600000\n")
}

func TestEndlessRunPrintsItsEndAsC(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteConfig(&b, &Summary{End: math.Inf(1), Mapping: "model defined"}))
	require.Contains(t, b.String(), "\tSimulation End Time                                        inf\n")
	require.Contains(t, b.String(), "\tLP-to-PE Mapping                                   model defined\n")
}

func TestNumbersAreFormattedAsC(t *testing.T) {
	for _, c := range []struct {
		value    float64
		verb     byte
		decimals int
		want     string
	}{
		{0, 'f', 2, "0.00"},
		{-92.279, 'f', 2, "-92.28"},
		{0.125, 'f', 2, "0.12"}, // ties go to even, as in glibc
		{123456789.5, 'f', 1, "123456789.5"},
		{0, 'e', 6, "0.000000e+00"},
		{1.5e-7, 'e', 6, "1.500000e-07"},
		{1e100, 'e', 6, "1.000000e+100"},
		{math.NaN(), 'f', 2, "-nan"},
		{math.Inf(1), 'e', 6, "inf"},
		{math.Inf(-1), 'f', 4, "-inf"},
	} {
		require.Equal(t, c.want, formatC(c.value, c.verb, c.decimals))
	}
}

var errFull = errors.New("no space left")

type fullWriter struct{ writes int }

func (w *fullWriter) Write([]byte) (int, error) { w.writes++; return 0, errFull }

func TestEachPartIsOneWriteAndReportsItsError(t *testing.T) {
	for name, write := range map[string]func(*fullWriter) error{
		"header":   func(w *fullWriter) error { return WriteHeader(w, Header{}) },
		"config":   func(w *fullWriter) error { return WriteConfig(w, &Summary{}) },
		"progress": func(w *fullWriter) error { return WriteProgress(w, ProgressLine{}) },
		"missed":   func(w *fullWriter) error { return WriteMissedBytes(w, 0, 0) },
		"end":      func(w *fullWriter) error { return WriteEnd(w, &Summary{}) },
	} {
		t.Run(name, func(t *testing.T) {
			var w fullWriter
			err := write(&w)
			require.ErrorIs(t, err, errFull)
			require.ErrorContains(t, err, "ross: report")
			require.Equal(t, 1, w.writes)
		})
	}
}

var sequentialSets = []string{
	"lookahead01", "stagger", "startevents4", "ties-default", "ties-remote1", "zerotie-np1",
}

var allSets = append([]string{"opt2-la01"}, sequentialSets...)

// reference is the text of a report, and the test that reads it.
type reference struct {
	t    *testing.T
	text string
}

// readReference returns the report of a set, as a ROSS with RIO prints it:
// zerotie-np1 was built without, and lacks the two lines that others have.
func readReference(t *testing.T, set string) reference {
	t.Helper()
	const after = "\tBuddy system                                            0.0000\n"
	const rio = "\tRIO Loading                                             0.0000\n" +
		"\tRIO LP Init                                             0.0000\n"
	text := testkit.Content(t, "testdata", set, "stats.txt")
	if !strings.Contains(text, "\tRIO ") {
		text = strings.Replace(text, after, after+rio, 1)
	}
	return reference{t, text}
}

// find returns the first group of pattern's first match.
func (r reference) find(pattern string) string {
	r.t.Helper()
	m := regexp.MustCompile(`(?m)` + pattern).FindStringSubmatch(r.text)
	require.NotNil(r.t, m, "no match for %s", pattern)
	return m[1]
}

func (r reference) figure(label string) string {
	r.t.Helper()
	return r.find(`^\t` + regexp.QuoteMeta(label) + ` +([-0-9.a-z]+)(?: %)?$`)
}

func (r reference) count(label string) uint64 {
	r.t.Helper()
	v, err := strconv.ParseUint(r.figure(label), 10, 64)
	require.NoError(r.t, err)
	return v
}

func (r reference) number(label string) float64 {
	r.t.Helper()
	return parseNumber(r.t, r.figure(label))
}

func parseNumber(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return v
}

// stats returns the Stats that print as the reference. Figures that follow from
// others are left to Stats, except that the running time, rounded in print,
// comes from the event rate.
func (r reference) stats() *Summary {
	r.t.Helper()
	s := &Summary{
		Counters: Counters{
			EventsProcessed: r.count("Total Events Processed"), EventsAborted: r.count("Events Aborted (part of RBs)"),
			EventsRolledBack: r.count("Events Rolled Back"),
			PrimaryRollBacks: r.count("Primary Roll Backs "), SecondaryRollBacks: r.count("Secondary Roll Backs "),
		},
		Synch: 1,
		Ranks: r.count("Total PEs"), TotalPEs: r.count("Total PEs"), TotalLPs: r.count("Total LPs"),
		End: r.number("Simulation End Time"), Mapping: r.figure("LP-to-PE Mapping"),
		ModelEvents: r.count("Model events"), NetworkEvents: r.count("Network events"), TotalEvents: r.count("Total events"),
		PEEventTies:    r.count("Event Ties Detected in PE Queues"),
		SendLocRemote:  r.count("Total Remote (shared mem) Events Processed"),
		SendNetRemote:  r.count("Total Remote (network) Events Processed"),
		FossilCollects: r.count("Fossil Collect Attempts"), NumGVT: r.count("Total GVT Computations"),
		EventsPastEnd:   r.count("Total Events Scheduled Past End Time"),
		EventsAllocated: r.count("Events Allocated"),
		MemoryAllocated: r.count("Memory Allocated")*1024 + 1023, MemoryWasted: r.count("Memory Wasted") * 1024,
		Sizes: StructSizes{
			PE: r.count("PE struct"), KP: r.count("KP struct"), LP: r.count("LP struct"),
			LPModel: r.count("LP Model struct"), LPRNGs: r.count("LP RNGs"), TotalLP: r.count("Total LP"),
			Event: r.count("Event struct"), EventWithModel: r.count("Event struct with Model"),
		},
		Times: r.times(),

		GVTInterval: r.count("GVT Interval"), GVTRealTimeInterval: r.count("GVT Real Time Interval (cycles)"),
		Batch: r.count("Batch Size"), ForcedGVT: r.count("Forced GVT"), AllReduceCalls: r.count("Total All Reduce Calls"),
	}
	s.KPsPerPE = uint64(parseNumber(r.t, r.find(`KPs \((\d+)\)`)))
	s.Runtime = r.number("Net Events Processed") / r.number("Event Rate (events/sec)")
	if strings.Contains(r.text, "PARALLEL OPTIMISTIC") {
		s.Synch = 3
	}
	if s.Ranks > 1 {
		s.RemoteSends, s.RemoteRecvs = r.count("Remote sends"), r.count("Remote recvs")
	}
	return s
}

func (r reference) times() PhaseTimes {
	r.t.Helper()
	return PhaseTimes{
		Init: r.number("Initialization"), PQ: r.number("Priority Queue (enq/deq)"), Trees: r.number("AVL Tree (insert/delete)"),
		LZ4: r.number("LZ4 (de)compression"), Buddy: r.number("Buddy system"),
		RIOLoad: r.number("RIO Loading"), RIOLPInit: r.number("RIO LP Init"),
		EventProcess: r.number("Event Processing"), EventCancel: r.number("Event Cancel"),
		EventAbort: r.number("Event Abort"),
		GVT:        r.number("GVT"), FossilCollect: r.number("Fossil Collect"),
		PrimaryRollback: r.number("Primary Rollbacks"),
		NetRead:         r.number("Network Read"), NetOther: r.number("Other Network"),
		InstComp: r.number("Instrumentation (computation)"), InstWrite: r.number("Instrumentation (write)"),
		Total: r.number("Total Time (Note: Using Running Time above for Speedup)"),
	}
}

var progressPattern = regexp.MustCompile(
	`^GVT #(\d+): simulation (\d+)% complete, max event queue size (\d+) \(GVT = ([0-9.]+)\) at (.*)\.$`)

// progressLine reads the two texts of a progress line; ok is false for others.
func (r reference) progressLine(line, next string) (l ProgressLine, ok bool) {
	r.t.Helper()
	m := progressPattern.FindStringSubmatch(line)
	if m == nil {
		return l, false
	}
	now, err := time.Parse(time.ANSIC, m[5])
	require.NoError(r.t, err)
	size, found := strings.CutPrefix(next, "AVL tree size: ")
	require.True(r.t, found, "after %q comes %q", line, next)
	number := func(text string) uint64 { return uint64(parseNumber(r.t, text)) }
	return ProgressLine{
		GVTNumber: number(m[1]), Percent: int(number(m[2])), MaxQueue: number(m[3]),
		GVT: parseNumber(r.t, m[4]), Now: now, AVLSize: number(size),
	}, true
}

// progressLines returns the progress lines of the reference in order.
func (r reference) progressLines() []ProgressLine {
	r.t.Helper()
	var found []ProgressLine
	lines := strings.Split(r.text, "\n")
	for i, line := range lines[:len(lines)-1] {
		if l, ok := r.progressLine(line, lines[i+1]); ok {
			found = append(found, l)
		}
	}
	return found
}

func shortText(t *testing.T, s *Summary, x *Short) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, WriteShort(&b, s, x))
	for line := range strings.Lines(b.String()) {
		require.NotContains(t, line, "NaN")
	}
	return b.String()
}

func TestShortReportOfOneRankDoesNotNameRanks(t *testing.T) {
	require.Contains(t, shortText(t, &Summary{Synch: 1, Ranks: 1}, &Short{Peak: 3 << 19, Limit: 2 << 30}),
		"Memory      1.5 MiB used at most, of 2.0 GiB\n")
}

func TestShortReportOfAnOptimisticRun(t *testing.T) {
	events, states := uint64(0x2a), uint64(0xfedc)
	s := &Summary{Synch: 3, Ranks: 2, TotalPEs: 4, TotalLPs: 1000, End: 1e6, Runtime: 2, NumGVT: 1203, Digest: &events,
		StateDigest: &states,
		Counters: Counters{EventsProcessed: 1234567, EventsRolledBack: 234567, PrimaryRollBacks: 1,
			SecondaryRollBacks: 2000}}
	require.Equal(t, `Run         phold: 1,000 LPs on 4 PEs of 2 ranks, optimistic (--synch=3), until time 1e+06
Rate        500,000 net events/s, in 2.0000 s
Net events  1,000,000 events, of 1,234,567 processed
Efficiency  76.54 %: 234,567 events rolled back
Rollbacks   2,001: 1 by stragglers, 2,000 by cancelled events; 117.2 events each
GVT         1,203 computations, 12.5 % of the time of a PE at most
Memory      1.5 MiB used at most on all ranks, of 2.0 GiB
Digest      000000000000002a of committed events, 000000000000fedc of final states
Remark      one
Remark      two
`, shortText(t, s, &Short{Program: "phold", Scheduler: "3", RollbackLength: 117.2, GVTShare: 0.125, Peak: 3 << 19, Limit: 2 << 30, Remarks: []string{"one", "two"}}))
}

func TestShortReportHasNoFigureThatMeansNothing(t *testing.T) {
	zero := uint64(0)
	for _, c := range []struct {
		s    Summary
		x    Short
		want string
	}{
		{Summary{Synch: 1, TotalPEs: 1, TotalLPs: 1, End: 0.5}, Short{Program: "p", Scheduler: "1"},
			"Run Rate Net Memory"},
		{Summary{Synch: 2, TotalPEs: 2, NumGVT: 1}, Short{}, "Run Rate Net GVT Memory"},
		{Summary{Synch: 4, TotalPEs: 1, Digest: &zero, StateDigest: &zero,
			Counters: Counters{EventsProcessed: 9, EventsRolledBack: 9}}, Short{Check: "9 events"}, "Run Memory Check"},
		{Summary{Synch: 6, TotalPEs: 1, Digest: &zero}, Short{Check: "9 events"}, "Run Rate Net Memory Digest Check"},
		{Summary{Synch: auto, TotalPEs: 2}, Short{Chosen: "sequential"}, "Run Scheduler Rate Net Memory"},
		{Summary{Synch: 3, TotalPEs: 2}, Short{Failed: true}, "Run Ended Rate Net Efficiency Rollbacks Memory"},
	} {
		var labels []string
		for line := range strings.Lines(shortText(t, &c.s, &c.x)) {
			if line[0] != ' ' { // not the rest of a long line
				labels = append(labels, strings.Fields(line)[0])
			}
		}
		require.Equal(t, c.want, strings.Join(labels, " "))
	}
}

func TestNumbersAreGrouped(t *testing.T) {
	require.Equal(t, "0 LPs", Count(0, "LP"))
	require.Equal(t, "1 LP", Count(1, "LP"))
	require.Equal(t, "999 LPs", Count(999, "LP"))
	require.Equal(t, "1,000 LPs", Count(1000, "LP"))
	require.Equal(t, "18,446,744,073,709,551,615 LPs", Count(1<<64-1, "LP"))
	require.Equal(t, "1023 B", Binary(1023))
	require.Equal(t, "16777216.0 TiB", Binary(1<<64-1))
}

func TestDerivedFigures(t *testing.T) {
	s := Summary{
		Counters: Counters{EventsProcessed: 500, EventsRolledBack: 100, PrimaryRollBacks: 7, SecondaryRollBacks: 5},
		TotalPEs: 6, Ranks: 3, KPsPerPE: 16,
		SendLocRemote: 40, SendNetRemote: 10, Runtime: 0.5, NumGVT: 4, AllReduceCalls: 10,
	}
	require.EqualValues(t, 96, s.TotalKPs())
	require.EqualValues(t, 2, s.PEsPerRank())
	require.EqualValues(t, 12, s.RollBacks())
	require.EqualValues(t, 400, s.NetEvents())
	require.Equal(t, 800.0, s.EventRate())
	require.Equal(t, 75.0, s.Efficiency())
	require.Equal(t, 10.0, s.PercentLocRemote())
	require.Equal(t, 2.5, s.PercentNetRemote())
	require.Equal(t, 2.5, s.AverageReduction())
}

func TestEfficiencyIsANumberForEveryRun(t *testing.T) {
	for _, c := range []struct {
		name              string
		processed, undone uint64
		want              float64
	}{
		{"no events", 0, 0, 100},
		{"nothing undone", 10, 0, 100},
		{"as much undone as stayed", 10, 5, 0},
		{"more undone than stayed", 12, 9, -200},
		{"all undone", 10, 10, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := Summary{Counters: Counters{EventsProcessed: c.processed, EventsRolledBack: c.undone}}
			require.Equal(t, c.want, s.Efficiency())
		})
	}
}

func TestTheShortReportHasLinesThatAreRead(t *testing.T) {
	var b strings.Builder
	remark := strings.Repeat("words and more words ", 20)
	long := strings.Repeat("x", 150)
	require.NoError(t, WriteShort(&b, &Summary{Synch: 3, TotalPEs: 2}, &Short{Remarks: []string{remark + "end", long}}))
	text := b.String()
	for _, line := range strings.Split(text, "\n") {
		require.True(t, utf8.RuneCountInString(line) <= 100 || strings.HasSuffix(line, long), line)
	}
	_, after, _ := strings.Cut(text, "Remark")
	require.Equal(t, strings.Fields(remark+"end Remark "+long), strings.Fields(after), "all words are there")
}

// Events that the end of a run that failed leaves undecided are no rollbacks: 100 stayed, 50 were rolled back, and
// 400 had been handled when it failed.
func TestEfficiencyOfARunThatFailedIsThatUntilThen(t *testing.T) {
	s := Summary{Synch: 3, TotalPEs: 2,
		Counters: Counters{EventsProcessed: 550, EventsRolledBack: 450, EventsUndecided: 400, PrimaryRollBacks: 5}}
	require.Equal(t, 50.0, s.Efficiency())
	require.EqualValues(t, 100, s.NetEvents())
	var b strings.Builder
	require.NoError(t, WriteShort(&b, &s, &Short{Failed: true}))
	require.Contains(t, b.String(), "Efficiency  50.00 %: 50 events rolled back, and 400 not decided when the run ended\n")
}

func TestNothingIsDividedByZeroButTheAverageReduction(t *testing.T) {
	s := Summary{TotalPEs: 2, SendLocRemote: 1, SendNetRemote: 1}
	require.Zero(t, s.EventRate())
	require.Zero(t, s.PercentLocRemote())
	require.Zero(t, s.PercentNetRemote())
	require.EqualValues(t, 2, s.PEsPerRank())
	require.True(t, math.IsNaN(s.AverageReduction()))
}

func TestEachCounterIsAddedToItself(t *testing.T) {
	var a, b, want Counters
	for i := range reflect.TypeFor[Counters]().NumField() {
		reflect.ValueOf(&a).Elem().Field(i).SetUint(1 << i)
		reflect.ValueOf(&b).Elem().Field(i).SetUint(1 << (2*i + 20))
		reflect.ValueOf(&want).Elem().Field(i).SetUint(1<<i + 1<<(2*i+20))
	}
	a.Add(&b)
	require.Equal(t, want, a)
}

// The times of the trace are float32, so that their last printed digit may
// differ from the report's.
func TestSequentialLinesComeWhereTheOriginalsDo(t *testing.T) {
	for _, set := range sequentialSets {
		t.Run(set, func(t *testing.T) {
			ref := readReference(t, set)
			var got []ProgressLine
			p := NewProgress(ref.number("Simulation End Time"), SequentialReportInterval)
			for line := range strings.Lines(testkit.Content(t, "testdata", set, "recv_ts.txt")) {
				gvt := parseNumber(t, strings.TrimSpace(line))
				if gvt >= p.NextDue() && p.Due(gvt) {
					got = append(got, ProgressLine{Percent: p.Percent(gvt), GVT: gvt})
				}
			}
			want := ref.progressLines()
			require.NotEmpty(t, want)
			require.Len(t, got, len(want))
			for i, l := range want {
				require.Equal(t, l.Percent, got[i].Percent, "line %d", i)
				require.InDelta(t, l.GVT, got[i].GVT, 0.6e-4, "line %d", i)
			}
		})
	}
}
