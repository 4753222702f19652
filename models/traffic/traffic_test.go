// Runs have the events and states of the original, in every scheduler.

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
)

var tested = testkit.Program{Name: "traffic", Run: run, Prints: "Number of Arivals"}

const (
	small = "--cells-x=8 --cells-y=8 --vps-x=4 --vps-y=4 --end=2 "
	large = "--cells-x=32 --cells-y=32 --vps-x=8 --vps-y=8 "
	line  = "--cells-x=6 --cells-y=4 --vps-x=3 --vps-y=2 --end=20 " // in which lanes are full
)

func TestRunsAreThoseOfTheOriginal(t *testing.T) {
	tested.LikeOriginal(t, "fixed-small", "--synch=1 "+small)
}

func TestRunsWithDriftAreThoseOfTheOriginal(t *testing.T) {
	require.Contains(t, tested.LikeOriginal(t, "small", "--synch=1 --drift "+small),
		"\nNumber of Arivals: 964\nNumber of Cars reached their dest: 0\n")
	tested.LikeOriginal(t, "large", "--synch=1 --drift --end=2.2 "+large)
}

// TestGridsNeedNotBeSquare has grids that no run of the original at hand has. The hashes are those of
// the events and states that an independent program leaves, which follows the same description.
func TestGridsNeedNotBeSquare(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range [][3]string{
		{"--cells-x=6 --cells-y=4 --vps-x=3 --vps-y=2", "999a39b0f169", "f8928093df75"},
		{"--cells-x=6 --cells-y=4 --vps-x=3 --vps-y=2 --drift", "7b3812c99ff6", "c67c66c068fe"},
		{"--cells-x=4 --cells-y=6 --vps-x=1 --vps-y=3", "c3ad1020a94f", "bc432ea1d70f"},
		{"--cells-x=4 --cells-y=6 --vps-x=1 --vps-y=3 --drift", "8e211284be63", "37f41cf3f25f"},
	} {
		tested.Play(t, "--synch=1 --end=8 --trace=trace.csv --states=states.txt "+c[0])
		for i, file := range []string{"trace.csv", "states.txt"} {
			sum := sha256.Sum256([]byte(testkit.Content(t, file)))
			require.Equal(t, c[1+i], hex.EncodeToString(sum[:6]), "%s: %s", c[0], file)
		}
	}
}

func TestModelIsRightInEveryScheduler(t *testing.T) {
	for _, more := range testlevel.Pick([]string{"", "--drift"}, []string{"", "--drift"}, []string{"--drift"}) {
		modeltest.Run(t, modeltest.Model{Program: newProgram, Args: line + more, Ranks: 2,
			Short: testlevel.Is(testlevel.Some)})
	}
}

func TestEveryParameterChangesTheRun(t *testing.T) {
	tested.DifferentWith(t, "--end=3 ", "--cells-x=8 --cells-y=4 --vps-x=4 --vps-y=2",
		"--cells-x=4 --cells-y=8 --vps-x=4 --vps-y=2",
		"--cells-x=8 --cells-y=4 --vps-x=2 --vps-y=2", "--cells-x=8 --cells-y=4 --vps-x=4 --vps-y=1",
		"--cells-x=8 --cells-y=4 --vps-x=4 --vps-y=2 --drift")
}

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--cells-x=0", "--cells-x=0, --cells-y=64: must be 1 to 16384"},
		{"--cells-y=16385", "--cells-y=16385: must be 1 to 16384"},
		{"--vps-x=0", "--vps-x=0, --vps-y=16: must divide --cells-x=64"},
		{"--vps-y=7", "--vps-y=7: must divide"},
	})
}

func TestLongRunsHaveAsManyEventsAsTheOriginal(t *testing.T) {
	tested.HasEvents(t, "460112", "--cells-x=32 --cells-y=32 --vps-x=8 --vps-y=8 --end=30")
	tested.HasEvents(t, "460485", "--drift --cells-x=32 --cells-y=32 --vps-x=8 --vps-y=8 --end=30")
}
