// What the program refuses, before anything has run.

package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUnusableParametersAreRefused(t *testing.T) {
	for _, c := range []struct{ arg, want string }{
		{"--maxhop=2000000000", "--maxhop=2000000000: must be at most 2^30"},
		{"--p=1.5", "--p=1.5: must be in [0, 1]"},
		{"--p=nan", "must be in [0, 1]"},
		{"--nlp=0", "--nlp=0"},
		{"--synch=2", "--synch=2"},
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
