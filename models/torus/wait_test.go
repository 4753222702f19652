// Tests of chunks that wait for a credit, in a torus whose ports are full soon. There is no run of
// the original to compare with.

package main

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
)

// crowded is a ring in which each of 12 processes sends at most 7 messages, all of which arrive.
const crowded = "--dims=12 --arrive_rate=400 --injection_interval=3000 --end=9000 "

var narrow = modeltest.Program{
	Name: "torus", Prints: " ******************",
	Run: func(args []string, stdout, stderr io.Writer) int { return runWith(20, args, stdout, stderr) },
}

func TestChunksWaitForCredits(t *testing.T) {
	t.Chdir(t.TempDir())
	report := narrow.Play(t, crowded+"--synch=1 --trace=trace.csv").Report
	require.Greater(t, strings.Count(modeltest.Content(t, "trace.csv"), ",6\n"), 20, "chunks waited")
	found := regexp.MustCompile(`packets finished: +(\d+) and [^:]+: +\d+; \n total generate: +(\d+);`).FindStringSubmatch(report)
	require.NotNil(t, found, report)
	require.Equal(t, found[2], found[1], "all packets arrive")
	require.NotEqual(t, tested.Play(t, crowded).Digest, narrow.Play(t, crowded).Digest, "waiting changes the run")
}

func TestStatesShowHowManyChunksWait(t *testing.T) {
	t.Chdir(t.TempDir())
	narrow.Play(t, crowded+"--end=1090 --states=states.txt")
	require.Regexp(t, `node wait=[1-9]`, modeltest.Content(t, "states.txt"))
}

func TestWaitingIsUndone(t *testing.T) {
	narrow.SameInEveryScheduler(t, crowded)
	narrow.AllTakenBack(t, crowded)
	narrow.SameAfterRestart(t, crowded)
}

func TestPacketsOfANodeWithAFullPortEndTheRun(t *testing.T) {
	for _, synch := range []string{"--synch=1", "--synch=3 --pes=2"} {
		t.Chdir(t.TempDir())
		var out, errs bytes.Buffer
		require.Equal(t, 1, runWith(17, strings.Fields(line+synch), &out, &errs))
		require.Regexp(t, `node \d+.* port \d is full when a packet begins: the network is saturated, raise --arrive_rate`, errs.String())
	}
}
