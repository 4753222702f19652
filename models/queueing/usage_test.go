// What the program refuses, before anything has run.

package main

import "testing"

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--lps=100000000", "--lps=100000000: must be at most 2^24"},
		{"--servers=0", "--servers=0: must be in [1, 2^30]"},
		{"--arrivals=0", "--arrivals=0: must be in [1e-09, 1e+09]"},
		{"--service=inf", "--service=+Inf: must be in"},
		{"--leave=1.5", "--leave=1.5: must be in [0, 1]"},
		{"--urgent=nan", "--urgent=NaN: must be in [0, 1]"},
		{"--patience=-1", "--patience=-1: must be in [0, 1e+09]"},
		{"--walk=-1", "--walk=-1: must be in [0, 1e+09]"},
		{"--pes=2", "--pes=2: --synch=1 runs on one PE"},
		{"--bogus", "--bogus"},
	})
}
