// A run that was stopped and went on is the run that was not, wherever either part
// of it ran.

package main

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
)

const digest = "Committed Event Digest"

// on is where a part of a run runs: 24 LPs on 1 to 4 PEs.
type on struct {
	synch, pes, nkp int
	more            string
}

func (o on) String() string {
	return fmt.Sprintf("--digest --start-events=2 --remote=0.5 --lookahead=0.05 --synch=%d --pes=%d --nlp=%d --nkp=%d %s ",
		o.synch, o.pes, 24/o.pes, o.nkp, o.more)
}

func TestRunsThatGoOnElsewhereAreTheRunThatWasNotStopped(t *testing.T) {
	t.Chdir(t.TempDir())
	want := modeltest.Figure(t, play(t, on{1, 1, 4, "--io-store=2 --end=100"}.String()), digest)
	for i, c := range []struct{ store, load on }{
		{on{1, 1, 1, ""}, on{1, 1, 1, ""}},
		{on{1, 1, 16, ""}, on{1, 1, 3, ""}},
		{on{1, 1, 4, ""}, on{2, 2, 2, ""}},
		{on{1, 1, 4, ""}, on{3, 4, 1, ""}},
		{on{1, 1, 2, ""}, on{5, 3, 4, ""}},
		{on{1, 1, 2, ""}, on{6, 1, 4, ""}},
		{on{2, 1, 1, ""}, on{3, 2, 4, ""}},
		{on{2, 2, 4, ""}, on{1, 1, 16, ""}},
		{on{2, 2, 2, "--io-files=2"}, on{2, 3, 2, ""}},
		{on{2, 3, 1, "--io-files=3"}, on{3, 2, 8, ""}},
		{on{2, 4, 2, "--io-files=4"}, on{2, 1, 1, ""}},
		{on{2, 4, 6, "--io-files=2"}, on{3, 4, 6, ""}},
		{on{3, 1, 1, ""}, on{3, 4, 2, ""}},
		{on{3, 2, 1, "--io-files=2"}, on{1, 1, 4, ""}},
		{on{3, 2, 16, ""}, on{2, 4, 1, ""}},
		{on{3, 2, 8, "--io-files=1 --io-compress"}, on{3, 3, 5, ""}},
		{on{3, 3, 4, "--io-files=2"}, on{3, 2, 1, ""}},
		{on{3, 3, 2, "--io-files=3"}, on{3, 3, 2, ""}},
		{on{3, 4, 1, "--io-files=4"}, on{3, 1, 16, ""}},
		{on{3, 4, 2, "--io-files=3"}, on{2, 2, 3, ""}},
		{on{3, 4, 16, "--io-files=4 --io-compress"}, on{1, 1, 1, ""}},
		{on{5, 2, 4, "--io-files=2"}, on{5, 4, 1, ""}},
		{on{5, 4, 2, ""}, on{3, 2, 2, ""}},
		{on{6, 1, 3, ""}, on{3, 3, 3, ""}},
		{on{6, 1, 16, "--io-compress"}, on{2, 4, 6, ""}},
		{on{1, 1, 4, "--io-files=4"}, on{3, 2, 2, "--gvt-interval=1 --batch=1"}},
		{on{3, 2, 2, "--gvt-interval=1 --batch=1"}, on{3, 4, 2, "--gvt-interval=1000"}},
	} {
		if i%sparse != 0 {
			continue
		}
		stored := modeltest.Figure(t, play(t, c.store.String()+"--io-store=1 --end=50"), digest)
		require.NotEqual(t, want, stored)
		loaded := play(t, c.load.String()+"--io-as-ross=0 --end=100")
		require.Equal(t, want, modeltest.Figure(t, loaded, digest), "stored with %sloaded with %s", c.store, c.load)
	}
}

// TestManyPartsAreOneRun stores each fifth of a run from the checkpoint of the one before.
func TestManyPartsAreOneRun(t *testing.T) {
	t.Chdir(t.TempDir())
	want := modeltest.Figure(t, play(t, on{1, 1, 4, "--io-store=2 --end=100"}.String()), digest)
	places := []on{{3, 2, 2, ""}, {1, 1, 4, ""}, {2, 4, 1, "--io-files=3"}, {3, 3, 8, "--io-compress"}, {3, 4, 2, ""}}
	play(t, places[0].String()+"--io-store=1 --end=20")
	for i := 1; i < len(places); i++ {
		const restart = "--io-as-ross=0 --io-store=1 --io-restart=pholdio_checkpoint "
		got := play(t, places[i].String()+restart+fmt.Sprintf("--end=%d", 20*(i+1)))
		if i == len(places)-1 {
			require.Equal(t, want, modeltest.Figure(t, got, digest))
		}
	}
}

func TestCheckpointsOfARunningSimulationAreStoredWithoutAWord(t *testing.T) {
	t.Chdir(t.TempDir())
	line := on{3, 2, 2, "--io-store=2 --end=100"}.String()
	want := modeltest.Figure(t, play(t, line), digest)
	stored := play(t, line+"--io-name=midway --io-virtual-interval=40 --gvt-interval=1")
	require.Equal(t, want, modeltest.Figure(t, stored, digest))
	require.NotContains(t, stored, "Dummy")

	// The program's own checkpoint is not there, and is not loaded.
	loaded := play(t, on{1, 1, 3, "--end=100"}.String()+"--io-name=midway --io-restart=latest --io-as-ross=0")
	require.Contains(t, loaded, "from checkpoint midway")
	require.NotContains(t, loaded, "Dummy")
	require.Equal(t, want, modeltest.Figure(t, loaded, digest))
}

func TestRunsWithoutCheckpointsLeaveNone(t *testing.T) {
	t.Chdir(t.TempDir())
	play(t, on{3, 2, 2, "--io-store=2 --end=10"}.String())
	_, err := os.Stat("pholdio_checkpoint.rio-md")
	require.ErrorIs(t, err, os.ErrNotExist)
}
