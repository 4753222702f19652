package main

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// digests runs the program and returns both digests and the number of events of PE 0 and of all.
func digests(t *testing.T, args ...string) []string {
	t.Helper()
	var out, errs bytes.Buffer
	require.Zero(t, run(append([]string{"--end=30", "--digest"}, args...), &out, &errs), errs.String())
	return regexp.MustCompile(`Digest +([0-9a-f]{16})\b`).FindAllString(out.String(), -1)
}

func TestAllSchedulersCommitTheSame(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, model := range [][]string{{}, {"--part=0.25", "--wander=3"}} {
		want := digests(t, append(model, "--nlp=128")...)
		require.Len(t, want, 2)
		for _, on := range [][]string{
			{"--synch=3", "--pes=2", "--nlp=64"}, {"--synch=2", "--pes=2", "--nlp=64"},
			{"--synch=3", "--pes=4", "--nlp=32", "--balance=on"}, {"--synch=2", "--pes=2", "--nlp=64", "--balance=on"},
		} {
			require.Equal(t, want, digests(t, append(on, model...)...), "%v", on)
		}
	}
}

func TestMostEventsAreInTheHotSpot(t *testing.T) {
	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	require.Zero(t, run([]string{"--synch=2", "--pes=2", "--nlp=64", "--end=300", "--balance=off"}, &out, &errs),
		errs.String())
	found := regexp.MustCompile(`PE 0: Committed, Rolled Back, Efficiency +(\d+),`).FindStringSubmatch(out.String())
	all := regexp.MustCompile(`Net Events Processed +(\d+)`).FindStringSubmatch(out.String())
	require.InEpsilon(t, 0.75, number(t, found[1])/number(t, all[1]), 0.06)
}

func number(t *testing.T, text string) (x float64) {
	t.Helper()
	for _, c := range text {
		x = 10*x + float64(c-'0')
	}
	return x
}

func TestBadParametersAreNamed(t *testing.T) {
	for _, c := range [][2]string{
		{"--remote=2", "option --remote=2: must be in [0, 1]"},
		{"--hot=-1", "option --hot=-1: must be in [0, 1]"},
		{"--part=0", "option --part=0: of 4096 LPs at least one must be in the hot spot, and one outside"},
		{"--part=1", "option --part=1: of 4096 LPs"},
		{"--wander=-2", "option --wander=-2: must be at least 0"},
		{"--lookahead=0", "option --lookahead=0: must be above 0"},
		{"--start-events=2000000", "option --start-events=2000000: must be at most 2^20"},
	} {
		var out, errs bytes.Buffer
		require.NotZero(t, run([]string{c[0]}, &out, &errs))
		require.Contains(t, errs.String(), c[1])
	}
}
