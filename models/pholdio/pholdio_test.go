// This file pins pholdio: against ROSS, stopped and continued, and its command line.

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/rio"
)

// pholdio against ROSS's: testdata/rio-restart has the event traces of a run to 50
// that stored a checkpoint, of the run that loaded it, and of one straight to 100;
// ckpt is the checkpoint, whose txt file has the command line.

// model is the command line of the traces but for LPs and PEs.
const model = "--remote=0.5 --lookahead=0.05 --end=50 "

func TestStoreLoadAndStraightRunAreThoseOfROSS(t *testing.T) {
	store, load, straight := testkit.Reference(t, set, "store-trace.csv"), testkit.Reference(t, set,
		"load-trace.csv"), testkit.Reference(t, set, "straight-trace.csv")
	for _, synch := range []int{1, 6} {
		t.Run(fmt.Sprintf("synch=%d", synch), func(t *testing.T) {
			t.Chdir(t.TempDir())
			line := model + fmt.Sprintf("--nlp=8 --nkp=2 --synch=%d ", synch)
			require.NoError(t, testkit.Compare(traced(t, line+"--io-store=1"), store))
			require.NoError(t, testkit.Compare(traced(t, line), load))
			require.NoError(t, testkit.Compare(traced(t, line+"--io-store=2 --end=100"), straight))
		})
	}
}

func TestCheckpointOfROSSIsLoadedAsROSSLoadsIt(t *testing.T) {
	load := testkit.Reference(t, set, "load-trace.csv")
	require.Len(t, load, 397)
	original(t)
	for _, more := range []string{"--nkp=2", "--nkp=1", "--nkp=16", "--nkp=2 --synch=6", "--nkp=2 --io-as-ross=0"} {
		require.NoError(t, testkit.Compare(traced(t, model+"--synch=1 --nlp=8 "+more), load), more)
	}
	byDest := testkit.ByDest(load)
	for _, synch := range []int{2, 3, 5} {
		for _, pes := range []int{1, 2, 4, 8} {
			line := model + fmt.Sprintf("--synch=%d --pes=%d --nlp=%d --nkp=2", synch, pes, 8/pes)
			require.NoError(t, testkit.Compare(testkit.ByDest(traced(t, line)), byDest), line)
		}
	}
}

func TestModelIsRightInEveryScheduler(t *testing.T) {
	modeltest.Run(t, modeltest.Model{
		Program: newProgram, Args: "--remote=0.5 --lookahead=0.05 --end=60 --io-store=2", Short: testlevel.Is(testlevel.Few),
		NoRestart: "as in the original, states show how often they were loaded",
	})
}

// TestStoredTimesAreThoseOfROSS compares the times of pending events (ROSS stores all 64 bits),
// from the end of the run. Each is the sum of some fifty draws.
func TestStoredTimesAreThoseOfROSS(t *testing.T) {
	original(t)
	want := pending(t, "pholdio_checkpoint")
	require.NotEmpty(t, want)
	for _, synch := range []int{1, 2, 3} {
		t.Chdir(t.TempDir())
		play(t, model+fmt.Sprintf("--nlp=8 --nkp=2 --synch=%d --io-store=1", synch))
		got := pending(t, "pholdio_checkpoint")
		for i := range got {
			got[i][2] -= 50
		}
		require.ElementsMatch(t, want, got, "synch=%d", synch)
	}
}

// pending returns receiver, sender and time of the events in a checkpoint.
func pending(t *testing.T, name string) (events [][3]float64) {
	t.Helper()
	cp, err := rio.Open(name)
	require.NoError(t, err)
	defer cp.Close()
	for part := range cp.Entries() {
		c, err := cp.Read(part)
		require.NoError(t, err)
		for more, lp := true, (rio.LP{}); more; {
			more, err = c.NextLP(&lp)
			require.NoError(t, err)
		}
		for more, e := true, (rio.Event{}); more; {
			if more, err = c.NextEvent(&e); more {
				events = append(events, [3]float64{float64(e.Dst), float64(e.Src), e.Recv})
			}
			require.NoError(t, err)
		}
	}
	return events
}

// TestNumbersAreThoseOfTheOriginalsTests has 64 LPs, on one or two PEs.
func TestNumbersAreThoseOfTheOriginalsTests(t *testing.T) {
	const label = "Net Events Processed"
	const one, line = "--synch=1 --nlp=64 --nkp=4 ", "--end=100 --lookahead=.05 "
	for _, synch := range []int{3, 2} {
		t.Run(fmt.Sprintf("synch=%d", synch), func(t *testing.T) {
			t.Chdir(t.TempDir())
			two := fmt.Sprintf("--synch=%d --pes=2 --nlp=32 --nkp=2 ", synch)
			stored := play(t, line+two+"--io-store=1")
			require.Equal(t, "6313", testkit.Figure(t, stored, label))
			files, err := filepath.Glob("pholdio_checkpoint.*")
			require.NoError(t, err)
			require.Len(t, files, 4)

			for _, on := range []string{two, one} {
				loaded := play(t, line+on)
				require.Equal(t, "6424", testkit.Figure(t, loaded, label))
				requireDummies(t, stored, loaded)
			}
			for _, on := range []string{two, one} {
				require.Equal(t, "12737", testkit.Figure(t, play(t, line+on+"--io-store=2 --end=200"), label))
			}
		})
	}
}

// requireDummies requires that each LP printed once what it stored, and found it
// again.
func requireDummies(t *testing.T, stored, loaded string) {
	t.Helper()
	var puts, gets []string
	for lp := range 64 {
		is := fmt.Sprintf("Dummy %d on %d", lp+lp/32*100, lp)
		puts, gets = append(puts, "Storing "+is), append(gets, "Found "+is)
	}
	found := lines(loaded, "Found Dummy")
	slices.Sort(found) // PEs load side by side
	slices.Sort(gets)
	require.Equal(t, gets, found)
	printed := lines(stored, "Storing Dummy")
	slices.Sort(printed)
	slices.Sort(puts)
	require.Equal(t, puts, printed)
	require.Empty(t, lines(loaded, "Storing Dummy"))
}

// A run that was stopped and went on is the run that was not, wherever either part
// of it ran.

const digest = "Committed Event Digest"

// line is a run of 24 LPs.
const line = "--digest --lps=24 --start-events=2 --remote=0.5 --lookahead=0.05 "

func TestRunsThatGoOnElsewhereAreTheRunThatWasNotStopped(t *testing.T) {
	t.Chdir(t.TempDir())
	want := testkit.Figure(t, play(t, line+"--io-store=2 --end=100"), digest)
	for _, c := range [][2]string{
		{"--nkp=4", "--synch=3 --pes=4 --nkp=1"},
		{"--synch=2 --pes=4 --nkp=6 --io-files=2", "--synch=5 --pes=3 --nkp=4"},
		{"--synch=3 --pes=2 --nkp=8 --io-files=1 --io-compress", "--synch=6 --nkp=4"},
	} {
		stored := testkit.Figure(t, play(t, line+c[0]+" --io-store=1 --end=50"), digest)
		require.NotEqual(t, want, stored)
		loaded := play(t, line+c[1]+" --io-as-ross=0 --end=100")
		require.Equal(t, want, testkit.Figure(t, loaded, digest), "stored with %s, loaded with %s", c[0], c[1])
	}
}

// TestCheckpointsOfARunningSimulationAreStoredWithoutAWord that the program's own has, which is not there.
func TestCheckpointsOfARunningSimulationAreStoredWithoutAWord(t *testing.T) {
	t.Chdir(t.TempDir())
	stored := play(t,
		line+"--synch=3 --pes=2 --io-store=2 --end=100 --io-name=midway --io-virtual-interval=40 --gvt-interval=1")
	require.NotContains(t, stored, "Dummy")
	require.NoFileExists(t, "pholdio_checkpoint.rio-md")
	loaded := play(t, line+"--io-name=midway --io-restart=latest --io-as-ross=0 --end=100")
	require.Contains(t, loaded, "from checkpoint midway")
	require.NotContains(t, loaded, "Dummy")
	require.Equal(t, testkit.Figure(t, stored, digest), testkit.Figure(t, loaded, digest))
}

// What the program refuses, before anything has run.

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--io-store=3", "--io-store=3: must be 0, 1 or 2"},
		{"--lookahead=1.5", "--lookahead=1.5: must be in [0, 1]"},
		{"--lookahead=nan", "must be in [0, 1]"},
		{"--mean=0.5", "--mean=0.5: must be finite and at least --lookahead, which is 1"},
		{"--mean=inf", "must be finite"},
		{"--remote=-0.1", "--remote=-0.1: must be in [0, 1]"},
		{"--mult=-1", "--mult=-1: must be in [0, 1e6]"},
		{"--start-events=5000000000", "must be at most 2^30"},
		{"--synch=4", "--synch=4: undoes all events and has nothing to store"},
	})
}

func TestRunWithoutItsCheckpointEndsAtOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	require.Equal(t, 1, run([]string{"--end=10"}, &out, &errs))
	require.Regexp(t, "pholdio_checkpoint.* there is no checkpoint of this name", errs.String())
	play(t, "--io-store=1 --nlp=8 --end=10")
	require.Equal(t, 1, run([]string{"--end=20", "--nlp=9"}, &out, &errs))
	require.Contains(t, errs.String(), "it has 8 LPs, the simulation has 9")
}

// How the tests run the program: several times, in a new folder.

const set = "rio-restart"

var tested = testkit.Program{Name: "pholdio", Run: run}

// play runs the program, which must not fail, and returns what it printed.
func play(t *testing.T, line string) string {
	t.Helper()
	var out, errs bytes.Buffer
	require.Zero(t, run(strings.Fields(line), &out, &errs), "%s: %s", line, &errs)
	require.Empty(t, errs.String())
	return out.String()
}

// traced runs the program and returns the committed events.
func traced(t *testing.T, line string) []testkit.Record {
	t.Helper()
	require.NoError(t, os.RemoveAll("stats-output")) // else the run takes another name
	play(t, line+" --event-trace=3")
	got, err := testkit.ReadBinary("stats-output/ross-stats-evtrace.bin", nil)
	require.NoError(t, err)
	return got
}

// original goes to a folder that has only the checkpoint that ROSS stored.
func original(t *testing.T) {
	t.Helper()
	from, err := filepath.Abs(filepath.Join("testdata", set, "ckpt"))
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	require.NoError(t, os.CopyFS(".", os.DirFS(from)))
}

// lines returns the lines of a report that begin with a word.
func lines(report, word string) []string {
	return regexp.MustCompile(`(?m)^`+word+` .*$`).FindAllString(report, -1)
}
