// What the program refuses.

package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--nlp=0", "--nlp=0"},
		{"--nlp=100000000", "--nlp=100000000, --lps=0: must be at most 2^24"},
		{"--rate=0", "--rate=0: must be above 0"},
		{"--cancel=1.5", "--cancel=1.5: must be in [0, 1]"},
		{"--cancel=nan", "must be in [0, 1]"},
		{"--lookahead=-1", "--lookahead=-1: must be in [0, 1]"},
		{"--credit=-1", "--credit=-1: must be in [0, 2^62]"},
		{"--pes=2", "--pes=2: --synch=1 runs on one PE"},
		{"--bogus", "--bogus"},
	})
}

func TestCheckpointThatDoesNotFitIsRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	output(t, "--nlp=8 --end=8 --store=eight")
	for line, want := range map[string]string{
		"--nlp=8 --load=seven":               "there is no checkpoint of this name",
		"--nlp=9 --load=eight":               "it has 8 LPs, the simulation has 9",
		"--nlp=8 --load=eight --end=8":       "stored at virtual time 8, and the run ends at 8: ",
		"--nlp=8 --end=8 --store=no/folder/": "no/folder",
	} {
		require.Contains(t, fails(t, 1, line), want, line)
	}
}
