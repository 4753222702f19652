// What the program refuses, before anything has run.

package main

import "testing"

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--maxhop=2000000000", "--maxhop=2000000000: must be at most 2^30"},
		{"--p=1.5", "--p=1.5: must be in [0, 1]"},
		{"--p=nan", "must be in [0, 1]"},
		{"--nlp=0", "--nlp=0"},
		{"--synch=7", "--synch=7"},
		{"--pes=2", "--pes=2: --synch=1 runs on one PE"},
		{"--bogus", "--bogus"},
	})
}
