// What the program refuses, before anything has run.

package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUnusableParametersAreRefused(t *testing.T) {
	for _, c := range []struct{ arg, want string }{
		{"--lookahead=1.5", "--lookahead=1.5: must be in [0, 1]"},
		{"--lookahead=nan", "must be in [0, 1]"},
		{"--mean=0.5", "--mean=0.5: must be finite and at least --lookahead, which is 1"},
		{"--mean=inf", "must be finite"},
		{"--remote=-0.1", "--remote=-0.1: must be in [0, 1]"},
		{"--mult=-1", "--mult=-1: must be in [0, 1e6]"},
		{"--start-events=5000000000", "must be at most 2^32"},
		{"--nlp=0", "--nlp=0"},
		{"--synch=2", "--synch=2"},
		{"--pq=heap", "--pq"},
		{"--bogus", "--bogus"},
	} {
		t.Run(c.arg, func(t *testing.T) {
			t.Chdir(t.TempDir())
			var out, errs bytes.Buffer
			require.Equal(t, 2, run([]string{c.arg}, &out, &errs))
			require.Contains(t, errs.String(), c.want)
		})
	}
}
