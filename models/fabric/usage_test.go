// What the program refuses.

package main

import "testing"

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--dims=4x", "--dims=4x: must be 1 to 5 lengths of 2 to 1024"},
		{"--dims=1x4", "--dims=1x4"},
		{"--dims=2x2x2x2x2x2", "--dims=2x2x2x2x2x2"},
		{"--dims=1024x1024x1024", "at most 2^24 LPs"},
		{"--hosts=0", "--hosts=0: must be 1 to 4"},
		{"--hosts=5", "--hosts=5"},
		{"--buffer=1", "--buffer=1: must be 2 to 64"},
		{"--window=0", "--window=0: must be 1 to 64"},
		{"--load=0", "--load=0: must be above 0"},
		{"--load=nan", "--load=NaN"},
		{"--latency=-1", "--latency=-1"},
		{"--timeout=0", "--timeout=0"},
		{"--loss=1", "--loss=1: must be at least 0 and below 1"},
		{"--pes=2", "--pes=2: --synch=1 runs on one PE"},
		{"--lps=7", "--lps"},
		{"--bogus", "--bogus"},
	})
}
