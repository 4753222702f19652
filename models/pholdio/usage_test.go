// What the program refuses, before anything has run.

package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--io-store=3", "--io-store=3: must be 0, 1 or 2"},
		{"--lookahead=1.5", "--lookahead=1.5: must be in [0, 1]"},
		{"--lookahead=nan", "must be in [0, 1]"},
		{"--mean=0.5", "--mean=0.5: must be finite and at least --lookahead, which is 1"},
		{"--mean=inf", "must be finite"},
		{"--remote=-0.1", "--remote=-0.1: must be in [0, 1]"},
		{"--mult=-1", "--mult=-1: must be in [0, 1e6]"},
		{"--start-events=5000000000", "must be at most 2^30"},
		{"--nlp=0", "--nlp=0"},
		{"--io-files=0", "--io-files=0"},
		{"--synch=4", "--synch=4: undoes all events and has nothing to store"},
		{"--pes=2", "--pes=2: --synch=1 runs on one PE"},
		{"--bogus", "--bogus"},
	})
}

func TestRunWithoutItsCheckpointEndsAtOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	text := fails(t, 1, "--end=10")
	require.Contains(t, text, "pholdio_checkpoint")
	require.Contains(t, text, "there is no checkpoint of this name")
}

func TestCheckpointOfOtherLPsIsRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	play(t, "--io-store=1 --nlp=8 --end=10")
	for line, want := range map[string]string{
		"--nlp=9 --end=20":                              "it has 8 LPs, the simulation has 9",
		"--synch=3 --pes=2 --nlp=8 --end=20":            "it has 8 LPs, the simulation has 16",
		"--nlp=8 --end=10 --io-as-ross=0":               "stored at virtual time 10, and the run ends at 10: ",
		"--nlp=8 --io-store=1 --io-restart=bogus":       "there is no checkpoint of this name",
		"--nlp=7 --io-restart=pholdio_checkpoint":       "it has 8 LPs, the simulation has 7",
		"--nlp=7 --io-store=2 --io-restart=no/such/one": "there is no checkpoint of this name",
	} {
		require.Contains(t, fails(t, 1, line), want, line)
	}
	play(t, "--nlp=8 --end=10") // it is still there
}
