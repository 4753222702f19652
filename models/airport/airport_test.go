// Runs have the events and states of the original, in every scheduler.

package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
)

var tested = testkit.Program{Name: "airport", Run: run, Prints: "Airport Model Statistics:"}

// line is a run of some thousand events.
const line = "--nplanes=2 --mean=3 --end=40 "

func TestRunsAreThoseOfTheOriginal(t *testing.T) {
	require.Contains(t, tested.LikeOriginal(t, "small", "--synch=1 --end=30 --nplanes=1"),
		"\tNumber of planes                                          1024\n")
	require.Contains(t, tested.LikeOriginal(t, "large", "--synch=1 --end=250 --nplanes=2 --mean=3"),
		"\tAverage Waiting Time                                    4.4836\n\tNumber of airports                                        1024\n\tNumber of planes                                          2048\n")
}

func TestModelIsRightInEveryScheduler(t *testing.T) {
	modeltest.Run(t, modeltest.Model{Program: newProgram, Args: line, Ranks: 2, Short: testlevel.Is(testlevel.Some)})
}

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--nplanes=65537", "--nplanes=65537: must be at most 65536"},
		{"--mean=0", "--mean=0: must be above 0"},
		{"--mean=nan", "--mean=NaN"},
		{"--lookahead=-1", "--lookahead=-1: must be at least 0"},
		{"--lps=3", "--lps"},
	})
}

func TestLongRunsHaveAsManyEventsAsTheOriginal(t *testing.T) {
	tested.HasEvents(t, "209885", "--nplanes=1 --end=3000")
}
