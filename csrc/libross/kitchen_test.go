// A model that does everything else computes the same under every scheduler.

package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testkit"
	"github.com/ross-go/ross/internal/testlevel"
)

// outcome is what a run of testdata/kitchen.c computes.
type outcome struct {
	texts  []string // of tw_output, sorted: LPs of several PEs commit in any order
	states string
	events string
	digest string
	hooks  []string
}

var (
	lpLines   = regexp.MustCompile(`(?m)^LP .*$`)
	hookLines = regexp.MustCompile(`(?m)^hook at .*$`)
)

func kitchen(t *testing.T, path, line string) outcome {
	t.Helper()
	status, out, errs := play(t, path, line+" --digest --states=states.txt")
	require.Zero(t, status, "%s: %s%s", line, out, errs)
	texts := lpLines.FindAllString(out, -1)
	slices.Sort(texts)
	return outcome{
		texts: texts, states: testkit.Content(t, "states.txt"), events: testkit.Figure(t, out, "Net Events Processed"),
		digest: testkit.Figure(t, out, "Committed Event Digest"), hooks: hookLines.FindAllString(out, -1),
	}
}

func TestEverythingElseIsTheSameUnderEveryScheduler(t *testing.T) {
	path := compile(t, "kitchen")
	t.Chdir(t.TempDir())
	want := kitchen(t, path, "--synch=1")
	require.Greater(t, len(want.texts), 60)
	for _, line := range schedulers()[1:] {
		require.Equal(t, want, kitchen(t, path, line), line)
	}
	other := kitchen(t, path, "--synch=3 --pes=2 --suspend=30")
	require.NotEqual(t, want.states, other.states, "LP 3 is suspended later")
	t.Setenv("ROSS_CALLS", "cgo")
	require.Equal(t, want, kitchen(t, path, "--synch=3 --pes=2"))
}

// testdata/kitchen.txt is what the original library computed, which suspends no LPs in sequential runs.
func TestTheModelComputesWhatItComputesWithROSS(t *testing.T) {
	path := compile(t, "kitchen")
	want := testkit.Content(t, "testdata", "kitchen.txt")
	t.Chdir(t.TempDir())
	for _, line := range []string{"--synch=1", "--synch=3 --pes=2"} {
		got := kitchen(t, path, line+" --suspend=1000")
		require.Equal(t, strings.Split(want, "\n")[2:], strings.Split(got.states+strings.Join(got.texts, "\n")+"\n", "\n"))
	}
}

func TestHooksAreCalledAtTheSameTimes(t *testing.T) {
	path := compile(t, "kitchen")
	t.Chdir(t.TempDir())
	for _, hook := range []string{"--hook=1", "--hook=2"} {
		want := kitchen(t, path, "--synch=1 "+hook)
		require.NotEmpty(t, want.hooks)
		lines := testlevel.Pick([]string{"--synch=3 --pes=1", "--synch=3 --pes=2 --batch=2 --gvt-interval=2", "--synch=3 --pes=4", "--synch=5 --pes=3", "--synch=6", "--synch=auto --pes=2"},
			[]string{"--synch=3 --pes=3 --batch=2 --gvt-interval=2", "--synch=6"}, []string{"--synch=3 --pes=3 --batch=2 --gvt-interval=2"})
		for _, line := range lines {
			require.Equal(t, want, kitchen(t, path, line+" "+hook), line)
		}
	}
	for _, pes := range testlevel.Pick([]string{"1", "2", "3"}, []string{"2"}, []string{"2"}) {
		require.Equal(t, []string{"hook at 4", "hook at 8", "hook at 16", "hook at 32"}, kitchen(t, path, "--synch=2 --hook=1 --pes="+pes).hooks)
	}
	every := kitchen(t, path, "--synch=3 --hook=3 --pes=3 --batch=2 --gvt-interval=2").hooks
	require.Greater(t, len(every), 2)
	status, _, errs := play(t, path, "--synch=2 --pes=2 --hook=2")
	require.Equal(t, 1, status)
	require.Contains(t, errs, "a conservative PE does not stop at an event of another one")
}
