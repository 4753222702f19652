// This file owns the reading of reports that ROSS printed, for the tests that
// compare with them: testdata/<set>/stats.txt is its whole output,
// recv_ts.txt the event times of the run in order, as its trace had them.

package report

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
)

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
	text := modeltest.Content(t, "testdata", set, "stats.txt")
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
func (r reference) stats() *Stats {
	r.t.Helper()
	s := &Stats{
		Counters: Counters{
			EventsProcessed: r.count("Total Events Processed"), EventsAborted: r.count("Events Aborted (part of RBs)"),
			EventsRolledBack: r.count("Events Rolled Back"),
			PrimaryRollBacks: r.count("Primary Roll Backs "), SecondaryRollBacks: r.count("Secondary Roll Backs "),
		},
		Synch: 1,
		Ranks: r.count("Total PEs"), TotalPEs: r.count("Total PEs"), TotalLPs: r.count("Total LPs"),
		End: r.number("Simulation End Time"), Mapping: r.figure("LP-to-PE Mapping"),
		ModelEvents: r.count("Model events"), NetworkEvents: r.count("Network events"), TotalEvents: r.count("Total events"),
		PEEventTies:   r.count("Event Ties Detected in PE Queues"),
		SendLocRemote: r.count("Total Remote (shared mem) Events Processed"), SendNetRemote: r.count("Total Remote (network) Events Processed"),
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
		Init: r.number("Initialization"), PQ: r.number("Priority Queue (enq/deq)"), AVL: r.number("AVL Tree (insert/delete)"),
		LZ4: r.number("LZ4 (de)compression"), Buddy: r.number("Buddy system"),
		RIOLoad: r.number("RIO Loading"), RIOLPInit: r.number("RIO LP Init"),
		EventProcess: r.number("Event Processing"), EventCancel: r.number("Event Cancel"), EventAbort: r.number("Event Abort"),
		GVT: r.number("GVT"), FossilCollect: r.number("Fossil Collect"), PrimaryRollback: r.number("Primary Rollbacks"),
		NetRead: r.number("Network Read"), NetOther: r.number("Other Network"),
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
