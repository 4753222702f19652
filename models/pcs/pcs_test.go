// Runs have the events and states of the original, in every scheduler.

package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
)

var tested = testkit.Program{Name: "pcs", Run: run, Prints: "Call Attempts"}

// small and line are runs of some thousand events.
const (
	small = "--cells-x=8 --cells-y=8 --end=600 "
	line  = "--cells-x=5 --cells-y=4 --end=3000 "
)

func TestRunsAreThoseOfTheOriginal(t *testing.T) {
	require.Contains(t, tested.LikeOriginal(t, "small", "--synch=1 "+small), `
Call Attempts......................................1753
Channel Blocks.....................................1
Busy Lines.........................................568
Handoff Blocks.....................................0
Portables In.......................................1024
Portables Out......................................0
Blocking Probability...............................0.000844
`)
	tested.LikeOriginal(t, "large", "--synch=1 --cells-x=32 --cells-y=32 --end=600")
}

func TestModelIsRightInEveryScheduler(t *testing.T) {
	modeltest.Run(t, modeltest.Model{Program: newProgram, Args: line, Ranks: 2, Short: testlevel.Is(testlevel.Some)})
}

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--cells-x=0", "--cells-x=0, --cells-y=64: must be 1 to 65536"},
		{"--cells-y=65537", "--cells-y=65537: must be 1 to 65536"},
	})
}

func TestLongRunsHaveAsManyEventsAsTheOriginal(t *testing.T) {
	tested.HasEvents(t, "627203", "--cells-x=32 --cells-y=32 --end=10000")
}
