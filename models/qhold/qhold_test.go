// Runs have the events and states of the original, in every scheduler.

package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
)

var tested = testkit.Program{Name: "qhold", Run: run, Prints: "Statistics:"}

// line is a run of some thousand events.
const line = "--lps=24 --population=5 --remote=0.3 --end=1e11 "

func TestRunsAreThoseOfTheOriginal(t *testing.T) {
	require.Contains(t, tested.LikeOriginal(t, "small", "--synch=1 --nlp_per_pe=16 --end=20000000000"), `
Statistics:
globalHash: 15267503129902814464
globalEvents: 2300
globalEventsScheduled: 2556
globalTies: 0
globalZeroDelays: 0
`)
	tested.LikeOriginal(t, "small", "--synch=3 --pes=2 --nlp_per_pe=8 --end=20000000000")
	tested.LikeOriginal(t, "large", "--synch=1 --nlp_per_pe=16 --end=80000000000")
}

func TestModelIsRightInEveryScheduler(t *testing.T) {
	modeltest.Run(t, modeltest.Model{Program: newProgram, Args: line, Ranks: 2, Short: testlevel.Is(testlevel.Some)})
}

func TestEveryParameterChangesTheRun(t *testing.T) {
	tested.DifferentWith(t, "--lps=24 --end=1e10 ", "", "--population=5", "--remote=0.3", "--lookahead=2", "--lps=25")
}

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--nlp=1", "there is one LP"},
		{"--population=5000000000", "--population=5000000000: must be at most 2^32"},
		{"--remote=1.5", "--remote=1.5: must be in [0, 1]"},
		{"--remote=nan", "--remote=NaN"},
		{"--lookahead=-1", "--lookahead=-1: must be at least 0"},
	})
}

func TestLongRunsHaveAsManyEventsAsTheOriginal(t *testing.T) {
	tested.HasEvents(t, "476445", "--nlp_per_pe=16 --end=4e12")
}
