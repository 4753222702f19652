// What the program refuses, before anything has run.

package main

import "testing"

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--lookahead=1.5", "--lookahead=1.5: must be in [0, 1]"},
		{"--lookahead=nan", "must be in [0, 1]"},
		{"--mean=0.5", "--mean=0.5: must be finite and at least --lookahead, which is 1"},
		{"--mean=inf", "must be finite"},
		{"--remote=-0.1", "--remote=-0.1: must be in [0, 1]"},
		{"--mult=-1", "--mult=-1: must be in [0, 1e6]"},
		{"--start-events=5000000000", "must be at most 2^32"},
		{"--nlp=0", "--nlp=0"},
		{"--synch=7", "--synch=7"},
		{"--pes=2", "--pes=2: --synch=1 runs on one PE"},
		{"--pq=heap", "--pq"},
		{"--bogus", "--bogus"},
	})
}
