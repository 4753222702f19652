// What the program refuses, and what its defaults give.

package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
)

var tested = modeltest.Program{Name: "stress", Run: run}

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--remote=1.5", "--remote=1.5: must be in [0, 1]"},
		{"--zero=nan", "--zero=NaN: must be in [0, 1]"},
		{"--lookahead=-1", "--lookahead=-1: must be in [0, 1]"},
		{"--stop=-1", "--stop=-1: must be a virtual time of 0 or more"},
		{"--stop-after=-1", "--stop-after=-1: must be a delay of 0 or more"},
		{"--nlp=0", "--nlp=0: out of range; give 1 or more"},
		{"--lps=100000000", "--lps=100000000: must be at most 2^24"},
		{"--population=0", "--population=0: must be in [1, 2^20]"},
		{"--streams=3", "--streams=3: must be 1 or 2"},
		{"--pes=2", "--pes=2"},
		{"--pq=heap", "--pq"},
		{"--bogus", "--bogus"},
	})
}

func TestDefaultsRunAHundredThousandEvents(t *testing.T) {
	testlevel.Once(t, "what the defaults are")
	t.Chdir(t.TempDir())
	for _, args := range [][]string{{"--digest"}, {"--digest", "--synch=3", "--pes=0"}} {
		var out, errs bytes.Buffer
		require.Zero(t, run(args, &out, &errs), "%s", &errs)
		require.Regexp(t, `Net Events Processed +10[0-9]{4}\n`, out.String())
		require.Regexp(t, `Committed Event Digest +016117abf3735a1f\n`, out.String())
	}
}
