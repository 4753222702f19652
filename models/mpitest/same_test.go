//go:build linux || (mpi && cgo && !purego)

// This file pins that a run of ranks is that of one process: events, traces of ROSS, reports, statistics, and
// checkpoints, which other numbers of ranks load.

package mpitest

import (
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/report"
	"github.com/ross-go/ross/rio"
)

// lps is how many LPs a simulation has, on however many ranks and PEs.
const lps = 48

// nlp returns the flag that gives a program all its LPs on the given number of PEs.
func nlp(pes int) string {
	return "--nlp=" + strconv.Itoa(lps/pes)
}

// shape is how a run is spread; np 0 is one process without ranks.
type shape struct{ synch, np, pes int }

// args returns the flags of a run with the given number of LPs.
func (s shape) args(lps int) []string {
	return []string{fmt.Sprintf("--synch=%d", s.synch), fmt.Sprintf("--pes=%d", s.pes),
		fmt.Sprintf("--nlp=%d", lps/max(s.np, 1)/s.pes)}
}

func TestDigestOnRanksIsThatOfASequentialRun(t *testing.T) {
	for _, sim := range []struct {
		program string
		synch   int
		args    string
	}{
		{"phold", 3, "--lookahead=0.1 --remote=0.5 --start-events=2 --end=8"},
		{"zerotie", 3, "--end=3"},
		{"stress", 3, "--end=3"},
		{"queueing", 3, "--walk=0.25 --end=20 --warm-up=2"},
		// A window of a conservative run is short, and each is a round of GVT.
		{"zerotie", 2, "--cons-lookahead=0 --end=1.5"},
		{"stress", 2, "--lookahead=0.25 --end=3"},
	} {
		args := append(strings.Fields(sim.args), "--digest")
		one := run(t, 0, sim.program, append(args, "--synch=1", nlp(1))...)
		all := []shape{{sim.synch, 2, 2}, {sim.synch, 3, 1}, {sim.synch, 4, 2}, {sim.synch, 8, 1}}
		for _, s := range testlevel.Pick(all, all[:3], all[:1]) {
			t.Run(fmt.Sprintf("%s/synch=%d/np=%d/pes=%d", sim.program, s.synch, s.np, s.pes), func(t *testing.T) {
				t.Parallel() // starting takes longer than running
				got := run(t, s.np, sim.program, append(s.args(lps), args...)...)
				requireSameEvents(t, one, got)
				require.Equal(t, 1, strings.Count(got, fmt.Sprintf("tw_net_start: Found world size to be %d \n", s.np)), got)
				require.EqualValues(t, s.np*s.pes, count(t, got, "Total PEs"))
				require.EqualValues(t, lps, count(t, got, "Total LPs"))
				sent := count(t, got, "Remote sends")
				require.NotZero(t, sent, "ranks keep to themselves:\n%s", got)
				require.Equal(t, sent, count(t, got, "Remote recvs"))
			})
		}
	}
}

// requireSameEvents requires that two reports are of runs with the same events.
func requireSameEvents(t *testing.T, want, got string) {
	t.Helper()
	for _, label := range []string{"Committed Event Digest", "Net Events Processed"} {
		require.Equal(t, figure(t, want, label), figure(t, got, label), "%s:\n%s", label, got)
	}
}

// onRanks returns a program as testkit wants it, which runs on ranks.
func onRanks(t *testing.T, np int, name string, payload func([]byte) string) testkit.Program {
	return testkit.Program{Name: name, Payload: payload, Run: func(args []string, stdout, stderr io.Writer) int {
		out, status := start(t, ".", np, append([]string{filepath.Join(bin, name)}, args...)...).wait()
		if status != 0 {
			stdout = stderr
		}
		_, _ = io.WriteString(stdout, out)
		return status
	}}
}

// hash is a line of an LP of zerotie, into which mpirun may put what another rank prints.
var hash = regexp.MustCompile(`LPHASH \d+ [0-9a-f]{16}`)

// TestTracesOfRanksAreThoseOfROSS compares with the references in testdata of the models, as the tests there do.
func TestTracesOfRanksAreThoseOfROSS(t *testing.T) {
	testlevel.Once(t, "what is in files")
	hopAndPriority := func(b []byte) string {
		return fmt.Sprintf("%d,%.9g", int32(binary.LittleEndian.Uint32(b)),
			math.Float32frombits(binary.LittleEndian.Uint32(b[4:])))
	}
	for _, c := range []struct {
		program, set, trace string
		payload             func([]byte) string
	}{
		{"phold", "lookahead01", "trace_by_dest.csv", nil},
		{"zerotie", "zerotie-np1", "trace.csv", hopAndPriority},
	} {
		for _, s := range []shape{{3, 4, 1}, {2, 2, 2}} {
			t.Run(fmt.Sprintf("%s/%+v", c.program, s), func(t *testing.T) {
				t.Chdir("../" + c.program)
				want, report := testkit.Reference(t, c.set, c.trace), testkit.Report(t, c.set)
				if c.program == "zerotie" {
					want = testkit.ByDest(want)
				}
				args := append(s.args(8), "--event-trace=3", "--cons-lookahead=0")
				got, out := onRanks(t, s.np, c.program, c.payload).Like(t, c.set, args...)
				require.NoError(t, testkit.Compare(testkit.ByDest(got), want))
				require.Equal(t, figure(t, report, "Net Events Processed"), figure(t, out, "Net Events Processed"))
				hashes := func(text string) []string { return slices.Sorted(slices.Values(hash.FindAllString(text, -1))) }
				require.Equal(t, hashes(report), hashes(out))
			})
		}
	}
}

// TestROSSsOwnTestsRunOnRanks runs some of them to virtual time 12000, which is after the
// first sample at a virtual time. The test of phold has them all, on threads.
func TestROSSsOwnTestsRunOnRanks(t *testing.T) {
	testlevel.Once(t, "options, with digests as above")
	const until, sum = "--end=12000", "--digest"
	want := run(t, 0, "phold", "--synch=1", "--nlp=16", until, sum)
	for _, c := range testkit.PHOLDCommands("") {
		switch c.Name {
		case "SCHED_Conservative", "SCHED_Realtime", "INST_OptLP", "INST_Model":
			t.Run(c.Name, func(t *testing.T) {
				requireSameEvents(t, want, run(t, c.Ranks, "phold", append(strings.Fields(c.Line), until, sum)...))
			})
		}
	}
}

// table reads ross.csv: the names of the columns, and its only row by name.
func table(t *testing.T, dir string) (names []string, row map[string]string) {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, report.CSVName))
	require.NoError(t, err)
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll() // sees that all rows have as many columns
	require.NoError(t, err)
	require.Len(t, records, 2)
	row = map[string]string{}
	for i, name := range records[0] {
		row[name] = records[1][i]
	}
	return records[0], row
}

// TestResultsAreThoseOfAllRanksOnce has one report, one row, and a file for each PE with its LPs.
func TestResultsAreThoseOfAllRanksOnce(t *testing.T) {
	args := []string{"--lookahead=0.1", "--remote=0.5", "--end=20", "--digest"}
	alone, dir := t.TempDir(), t.TempDir()
	one := runIn(t, alone, 0, "phold", append(args, "--synch=1", "--nlp=32")...)
	out := runIn(t, dir, 2, "phold", append(args, "--synch=3", "--pes=2", "--nlp=8")...)
	requireSameEvents(t, one, out)
	for text, times := range map[string]int{
		"ROSS Version:": 1, "Found world size to be 2": 1, "PHOLD Model Configuration": 1, "ROSS Core Configuration:": 1,
		"*** START PARALLEL": 1, "*** END SIMULATION ***": 1, "TW Library Statistics:": 1,
		"Total GVT Computations": 2, // ROSS prints it twice
	} {
		require.Equal(t, times, strings.Count(out, text), "%q in\n%s", text, out)
	}
	columns, oneRow := table(t, alone)
	names, row := table(t, dir)
	require.Equal(t, columns, names)
	for _, same := range []string{"total_lp", "end_ts", "net_events", "digest"} {
		require.Equal(t, oneRow[same], row[same], same)
	}
	require.Equal(t, "4", row["total_pe"])
	for column, label := range map[string]string{
		"net_events": "Net Events Processed", "events_processed": "Total Events Processed", "events_rb": "Events Rolled Back",
		"remote_sends": "Remote sends", "remote_recvs": "Remote recvs",
	} {
		require.Equal(t, figure(t, out, label), row[column], label)
	}
	require.Equal(t, count(t, out, "Total Events Processed"), count(t, out, "Net Events Processed")+count(t, out,
		"Events Rolled Back"))
	files, err := os.ReadDir(filepath.Join(dir, report.LPStatsDir))
	require.NoError(t, err)
	require.Len(t, files, 4)
	for pe := range 4 {
		text := testkit.Content(t, dir, report.LPStatsDir, fmt.Sprintf("pe_%d.txt", pe))
		require.Equal(t, 8, strings.Count(text, "LPID: "))
		for lp := pe * 8; lp < (pe+1)*8; lp++ {
			require.Equal(t, 1, strings.Count(text, fmt.Sprintf("LPID: %d\t", lp)), "LP %d in\n%s", lp, text)
		}
	}
}

// TestStatisticsOfRanksAreThoseOfASequentialRun with all bits, and so are those of three ranks that continue what two
// have stored.
func TestStatisticsOfRanksAreThoseOfASequentialRun(t *testing.T) {
	dir := t.TempDir()
	args := strings.Fields(
		"--lps=48 --end=120 --digest --warm-up=20 --statistics=5 --quantiles=0.25,0.9 --stats-prefix=s --io-name=ranks")
	one := runIn(t, dir, 0, "queueing", append(args, "--stats-path=one")...)
	for _, more := range []string{
		"--synch=3 --pes=2 --io-virtual-interval=50 --stats-path=two",
		"--synch=3 --pes=1 --io-restart=latest --stats-path=three",
	} {
		name := more[strings.LastIndex(more, "=")+1:]
		got := runIn(t, dir, map[string]int{"two": 2, "three": 3}[name], "queueing", append(args, strings.Fields(more)...)...)
		require.Equal(t, figure(t, one, "Committed Event Digest"), figure(t, got, "Committed Event Digest"))
		require.Equal(t, figure(t, one, "Final State Digest"), figure(t, got, "Final State Digest"))
		require.Equal(t, testkit.Table(t, one), testkit.Table(t, got))
		require.Equal(t, testkit.Content(t, dir, "one/s-statistics-lps.csv"),
			testkit.Content(t, dir, name, "s-statistics-lps.csv"))
	}
}

// TestCheckpointsOfRanksLoadOnOtherRanks has checkpoints of a run, and those that pholdio stores after one.
func TestCheckpointsOfRanksLoadOnOtherRanks(t *testing.T) {
	once(t, "what is in files")
	const running = "--io-interval=1e-6 --gvt-interval=1 --io-name=ranks --io-keep=100 --end=40"
	for i, c := range []struct {
		program, args string
		store, load   shape
		storing       string
		loading       string
	}{
		{"phold", "--lookahead=0.1", shape{3, 2, 2}, shape{3, 0, 1}, running + " --io-files=2 --io-compress",
			"--io-restart=latest --io-name=ranks"},
		{"stress", "--nkp=5", shape{3, 3, 1}, shape{3, 2, 2}, running + " --io-files=2",
			"--io-restart=latest --io-name=ranks"},
		{"zerotie", "--nkp=3", shape{3, 2, 1}, shape{3, 3, 1}, running, "--io-restart=latest --io-name=ranks"},
		{"pholdio", "--lookahead=0.1 --remote=0.5", shape{2, 2, 1}, shape{3, 3, 1}, "--io-store=1 --io-files=2 --end=20",
			"--io-as-ross=0"},
		{"pholdio", "--lookahead=0.1 --remote=0.5", shape{1, 0, 1}, shape{3, 2, 2}, "--io-store=1 --end=20",
			"--io-as-ross=0"},
	} {
		if testlevel.Is(testlevel.Few) && i > 1 {
			continue
		}
		t.Run(fmt.Sprintf("%s/%+v to %+v", c.program, c.store, c.load), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			args := append(strings.Fields(c.args), "--digest", "--end=40")
			straight := append(args, "--synch=1", nlp(1))
			if c.program == "pholdio" {
				straight = append(straight, "--io-store=2")
			}
			one := run(t, 0, c.program, straight...)
			stored := runIn(t, dir, c.store.np, c.program, slices.Concat(args, c.store.args(lps), strings.Fields(c.storing))...)
			if strings.HasPrefix(c.storing, running) {
				requireSameEvents(t, one, stored)
				numbers, err := rio.Numbers(filepath.Join(dir, "ranks"))
				require.NoError(t, err)
				require.NotEmpty(t, numbers)
				require.Equal(t, fmt.Sprint(len(numbers)), figure(t, stored, "Checkpoints Stored"))
			}
			again := runIn(t, dir, c.load.np, c.program, slices.Concat(args, c.load.args(lps), strings.Fields(c.loading))...)
			require.Equal(t, figure(t, one, "Committed Event Digest"), figure(t, again, "Committed Event Digest"))
			require.LessOrEqual(t, count(t, again, "Net Events Processed"), count(t, one, "Net Events Processed"))
		})
	}
}
