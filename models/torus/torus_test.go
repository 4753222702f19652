// This file pins runs against the original, and chunks that wait for a credit.

package main

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/program"
)

// Runs have the events and states of the original, in every scheduler.

var tested = testkit.Program{Name: "torus", Run: run, Prints: " ******************"}

const (
	small = "--dims=4,2,2,2,2 --end=170 --mem_factor=1 "
	line  = "--dims=3,2,4 --arrive_rate=50 --end=200 "
)

func TestRunsAreThoseOfTheOriginal(t *testing.T) {
	tested.LikeOriginal(t, "small", "--synch=1 "+small)
	require.Contains(t, tested.LikeOriginal(t, "large", "--synch=1 --end=220"), `
 ****************** 
 total packets finished:         79 and 79; 
 total MPI messages finished:         79; 
 total generate:       574; 
 total hops:           3.924051; 
 average travel time:  115.546654; 
Max latency is 211.812211
`)
}

func TestModelIsRightInEveryScheduler(t *testing.T) {
	all := []string{"", "--traffic=nearest --mpi-message-size=1500", "--traffic=diagonal"}
	for _, more := range testlevel.Pick(all, all[:2], all[1:2]) {
		isRight(t, fullPort, line+more)
	}
}

// isRight requires that a run is right in every scheduler.
func isRight(t *testing.T, full int32, args string) {
	t.Helper()
	modeltest.Run(t, modeltest.Model{Program: func() program.Program { return newProgram(full) }, Args: args, Ranks: 2,
		Short: testlevel.Is(testlevel.Some)})
}

func TestEveryParameterChangesTheRun(t *testing.T) {
	tested.DifferentWith(t, "--end=150 ", line, "--dims=2,3,4 --arrive_rate=50", "--dims=3,2,4 --arrive_rate=60",
		"--dims=3,2,4 --arrive_rate=50 --mpi-message-size=513",
		"--dims=3,2,4 --arrive_rate=50 --link_bandwidth=3", "--dims=3,2,4 --arrive_rate=50 --traffic=nearest",
		"--dims=3,2,4 --arrive_rate=50 --traffic=diagonal", "--dims=3,2,4 --arrive_rate=50 --injection_interval=60")
}

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--dims=4,0", "--dims=4,0: must be 1 to 8 lengths"},
		{"--dims=1,2,3,4,5,6,7,8,9", "must be 1 to 8 lengths"},
		{"--dims=5000,5000", "at most 2^24 nodes"},
		{"--arrive_rate=0", "--arrive_rate=0: must be above 0"},
		{"--link_bandwidth=nan", "--link_bandwidth=NaN: must be above 0"},
		{"--injection_interval=-1", "--injection_interval=-1: must be above 0"},
		{"--mpi-message-size=2000000", "--mpi-message-size=2000000: must be at most 1 MiB"},
		{"--dims=1,1", "--dims=1,1: must have a length above 1"},
		{"--traffic=some", "--traffic=some: must be uniform, nearest or diagonal"},
	})
}

func TestNodesThatWouldSendToThemselvesAreRefused(t *testing.T) {
	for _, c := range [][2]string{
		{"--dims=4,1 --traffic=nearest", "--dims=4,1: must have no length of 1 with --traffic=nearest"},
		{"--dims=3,5 --traffic=diagonal", "--dims=3,5: must have an even length with --traffic=diagonal"},
	} {
		var out, errs bytes.Buffer
		require.Equal(t, 2, run(strings.Fields(c[0]), &out, &errs))
		require.Contains(t, errs.String(), c[1])
	}
}

// TestAMessageIsFinishedWithEachPacket has three packets in a message: like the original, the
// program counts a finished message for each.
func TestAMessageIsFinishedWithEachPacket(t *testing.T) {
	t.Chdir(t.TempDir())
	require.Regexp(t, ` total packets finished: +51 and 51; \n total MPI messages finished: +51; \n`,
		tested.Play(t, "--dims=3,2,4 --mpi-message-size=1500 --end=500 ").Report)
}

func TestRoutesLeadToEachNodeByTheShortestWay(t *testing.T) {
	for _, dims := range []string{"5", "2,3", "4,4,2", "1,6,3"} {
		g, err := parseGrid(dims)
		require.NoError(t, err)
		for from := range g.nodes {
			for to := range g.nodes {
				hops, want := int32(0), int32(0)
				for d, n := range g.size {
					way := (g.coordinates(to)[d] - g.coordinates(from)[d] + n) % n
					want += min(way, n-way)
				}
				for at := from; at != to; hops++ {
					require.LessOrEqual(t, hops, want)
					at = g.neighbour(at, g.route(at, to))
				}
				require.Equal(t, want, hops, "%s: from %d to %d", dims, from, to)
			}
		}
	}
}

func TestLongRunsHaveAsManyEventsAsTheOriginal(t *testing.T) {
	tested.HasEvents(t, "804357", "--end=2000")
	tested.HasEvents(t, "31497", "--dims=4,2,2,2,2 --traffic=nearest --end=2000")
}

// Tests of chunks that wait for a credit, in a torus whose ports are full soon. There is no run of
// the original to compare with.

// crowded is a ring in which each of 12 processes sends at most 7 messages, and all arrive.
const crowded = "--dims=12 --arrive_rate=400 --injection_interval=3000 --end=9000 "

var narrow = testkit.Program{
	Name: "torus", Prints: " ******************",
	Run: func(args []string, stdout, stderr io.Writer) int { return runWith(20, args, stdout, stderr) },
}

func TestChunksWaitForCredits(t *testing.T) {
	t.Chdir(t.TempDir())
	report := narrow.Play(t, crowded+"--synch=1 --trace=trace.csv").Report
	require.Greater(t, strings.Count(testkit.Content(t, "trace.csv"), ",6\n"), 20, "chunks waited")
	found := regexp.MustCompile(`packets finished: +(\d+) and [^:]+: +\d+; \n total generate: +(\d+);`).FindStringSubmatch(
		report)
	require.NotNil(t, found, report)
	require.Equal(t, found[2], found[1], "all packets arrive")
	require.NotEqual(t, tested.Play(t, crowded).Digest, narrow.Play(t, crowded).Digest, "waiting changes the run")
}

func TestStatesShowHowManyChunksWait(t *testing.T) {
	t.Chdir(t.TempDir())
	narrow.Play(t, crowded+"--end=1090 --states=states.txt")
	require.Regexp(t, `node wait=[1-9]`, testkit.Content(t, "states.txt"))
}

func TestWaitingIsUndone(t *testing.T) {
	isRight(t, 20, crowded+testlevel.Pick([]string{""}, []string{""}, []string{"--end=3000"})[0])
}

func TestPacketsOfANodeWithAFullPortEndTheRun(t *testing.T) {
	for _, synch := range []string{"--synch=1", "--synch=3 --pes=2"} {
		t.Chdir(t.TempDir())
		var out, errs bytes.Buffer
		require.Equal(t, 1, runWith(17, strings.Fields(line+synch), &out, &errs))
		require.Regexp(t, `node \d+.* port \d is full when a packet begins: the network is saturated, raise --arrive_rate`,
			errs.String())
	}
}
