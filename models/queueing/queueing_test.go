// Every scheduler leaves the events, states and statistics that the sequential one leaves, also
// after a restart from a checkpoint.

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/models/rosstest"
	"github.com/ross-go/ross/stats"
)

var tested = modeltest.Program{Name: "queueing", Run: run}

// result is what does not depend on where a run has run.
type result struct{ digest, states, statistics string }

// play runs the program with the words of a line, which must not fail, in a folder of its own for
// the statistics. It also returns what the program printed.
func play(t *testing.T, line string) (result, string) {
	t.Helper()
	dir := t.TempDir()
	var out, errs bytes.Buffer
	line += " --lps=12 --walk=0.25 --digest --statistics=3 --progress=off --stats-path=" + dir + "/s"
	require.Zero(t, run(strings.Fields(line), &out, &errs), "%s: %s", line, &errs)
	require.Empty(t, errs.String())
	files, err := filepath.Glob(dir + "/s*/*statistics.json")
	require.NoError(t, err)
	require.Len(t, files, 1)
	statistics, err := os.ReadFile(files[0])
	require.NoError(t, err)
	return result{
		modeltest.Figure(t, out.String(), "Committed Event Digest"),
		modeltest.Figure(t, out.String(), "Final State Digest"), string(statistics),
	}, out.String()
}

func TestEverySchedulerLeavesTheSame(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, line := range testlevel.Pick([]string{" --end=150 --warm-up=20", " --end=150 --patience=0 --urgent=0", " --end=100 --warm-up=20 --servers=1 --service=0.6 --patience=1"},
		[]string{" --end=80 --warm-up=20"}, []string{" --end=40 --warm-up=20"}) {
		want, out := play(t, "--synch=1"+line)
		require.Contains(t, out, "time in network")
		runs := []string{
			"--synch=3 --pes=2 --nkp=3 --batch=2 --gvt-interval=2", "--synch=6", "--synch=2 --pes=2", "--synch=3 --pes=4 --nkp=2",
			"--synch=5 --pes=2 --nkp=1", "--synch=3 --pes=1 --nkp=12", "--synch=2 --pes=4", "--synch=3 --pes=3 --nkp=1 --batch=1",
		}
		for _, how := range testlevel.Pick(runs, runs[:4], runs[:2]) {
			got, _ := play(t, how+line)
			require.Equal(t, want, got, how+line)
		}
	}
}

func TestAllEventsAreTakenBack(t *testing.T) {
	tested.AllTakenBack(t, "--lps=12 --walk=0.25 --end=30 --warm-up=10 ")
}

// TestRunsThatGoOnElsewhereLeaveTheSame stores a checkpoint while customers wait and timers run.
func TestRunsThatGoOnElsewhereLeaveTheSame(t *testing.T) {
	const line = " --end=60 --warm-up=10 --io-name=half "
	t.Chdir(t.TempDir())
	want, _ := play(t, "--synch=1"+line)
	legs := [][2]string{
		{"--synch=1", "--synch=3 --pes=4 --nkp=2"}, {"--synch=3 --pes=2 --nkp=3 --io-files=2", "--synch=1"},
		{"--synch=2 --pes=3", "--synch=6"}, {"--synch=3 --pes=4 --nkp=1", "--synch=2 --pes=2"},
	}
	for _, leg := range testlevel.Pick(legs, legs[:2], legs[:1]) {
		t.Chdir(t.TempDir())
		first, _ := play(t, leg[0]+line+"--io-virtual-interval=27 --io-keep=1")
		require.Equal(t, want, first, leg[0])
		second, out := play(t, leg[1]+line+"--io-restart=latest")
		require.Contains(t, out, "Restart at time ")
		require.Equal(t, want, second, "%s, then %s", leg[0], leg[1])
	}
}

// TestEveryParameterChangesTheRun shows that the comparisons can fail.
func TestEveryParameterChangesTheRun(t *testing.T) {
	t.Chdir(t.TempDir())
	seen := map[string]string{}
	for _, change := range []string{"", "--servers=3", "--arrivals=0.7", "--service=1.1", "--leave=0.6", "--urgent=0.3", "--patience=4", "--seed=2"} {
		got, _ := play(t, "--end=40 --warm-up=10 "+change)
		require.NotContains(t, seen, got.digest, "%q is %q", change, seen[got.digest])
		seen[got.digest] = change
	}
}

// TestTheTransientMayBeLeftToACheckpoint stores after the transient, and starts from there with
// statistics that begin later: they are those of a run that never stopped.
func TestTheTransientMayBeLeftToACheckpoint(t *testing.T) {
	const stations = 12
	play := func(from, to string, synch ross.Scheduler, pes, nkp int, warmUp, end float64) string {
		p, cfg := defaults()
		require.NoError(t, p.prepare(&cfg))
		p.stations = stations
		sim := rosstest.RunLeg(t, rosstest.Leg{From: from, To: to, Mode: ross.LoadInit, Configure: func(c *ross.Config) {
			c.Synch, c.PEs, c.NLP, c.NKP, c.WarmUp, c.End = synch, pes, uint64(stations/pes), uint64(nkp), warmUp, end
			c.ConsLookahead, c.MaxMemory = cfg.ConsLookahead, 256<<20
		}}, p.network())
		table, err := stats.Collect(sim)
		require.NoError(t, err)
		busy, _ := table.Row("station", "servers busy")
		require.Less(t, busy.Mean, float64(p.servers))
		var text bytes.Buffer
		require.NoError(t, table.WriteJSON(&text))
		return text.String()
	}
	want := play("", "", 1, 1, 4, 60, 120)
	for i, leg := range testlevel.Pick([][4]int{{1, 1, 3, 4}, {3, 2, 1, 1}, {2, 3, 3, 3}, {3, 4, 2, 2}}, [][4]int{{3, 2, 2, 2}}, [][4]int{{1, 1, 3, 2}}) {
		half := filepath.Join(t.TempDir(), "half")
		play("", half, ross.Scheduler(leg[0]), leg[1], 2, float64(10*i), 50)
		require.Equal(t, want, play(half, "", ross.Scheduler(leg[2]), leg[3], 3, 60, 120), "%d", leg)
	}
}
