// Tests of chunks that wait for a credit, in a dragonfly whose ports are full soon. There is no run of
// the original to compare with.

package main

import (
	"io"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
)

// crowded is a run in which each of 20 processes sends 7 messages to the next group, all of which arrive.
const crowded = "--routers=2 --channels=2 --terminals=2 --traffic=2 --arrive_rate=400 --end=20000 "

var narrow = modeltest.Program{
	Name: "dragonfly", Prints: "Dragonfly Network",
	Run: func(args []string, stdout, stderr io.Writer) int {
		return runWith(limits{2, 3, 4}, args, stdout, stderr)
	},
}

func TestChunksWaitForCredits(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, routing := range []string{"--routing=0", "--routing=1"} {
		crowd := narrow.Play(t, crowded+routing)
		require.NotEqual(t, tested.Play(t, crowded+routing).Digest, crowd.Digest, "waiting changes the run")
		found := regexp.MustCompile(` total finish: +140 and 140; \n total generate: +140;`).FindString(crowd.Report)
		require.NotEmpty(t, found, "all packets arrive:\n%s", crowd.Report)
	}
}

func TestStatesShowHowManyChunksWait(t *testing.T) {
	t.Chdir(t.TempDir())
	narrow.Play(t, crowded+"--end=1500 --states=states.txt")
	require.Regexp(t, `router wait=[1-9]`, modeltest.Content(t, "states.txt"))
}

func TestWaitingIsUndone(t *testing.T) {
	narrow.SameInEveryScheduler(t, crowded)
	narrow.SameInEveryScheduler(t, crowded+"--routing=1 ")
	narrow.AllTakenBack(t, crowded)
	narrow.SameAfterRestart(t, crowded)
}
