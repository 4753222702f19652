// Tests of programs that store a checkpoint after the run: other runs continue from it,
// on other numbers of ranks, and commit what an uninterrupted run commits.

//go:build mpi && cgo && !purego

package mpitest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testlevel"
)

// restarts are programs, what they have in both parts of a run, and in one.
var restarts = map[string]struct{ both, straight, store, load string }{
	"pholdio": {"--lookahead=0.1 --remote=0.5 --start-events=2", "--io-store=2", "--io-store=1", "--io-as-ross=0"},
	"market":  {"--lookahead=0.1", "", "--store=half", "--load=half"},
}

func TestRunsGoOnOnOtherRanks(t *testing.T) {
	testlevel.Once(t, "what is in files")
	type place struct{ synch, np, pes int }
	alone := place{1, 0, 1}
	for program, r := range restarts {
		on := func(p place, more string) []string {
			return strings.Fields(fmt.Sprintf("--digest --synch=%d --pes=%d %s %s %s",
				p.synch, p.pes, nlp(max(p.np, 1)*p.pes), r.both, more))
		}
		want := run(t, 0, program, on(alone, r.straight+" --end=16")...)
		for _, c := range []struct{ store, load place }{
			{alone, place{3, 2, 2}},
			{place{3, 2, 2}, alone},
			{place{2, 2, 1}, place{3, 3, 1}},
			{place{3, 4, 1}, place{2, 2, 2}},
		} {
			t.Run(fmt.Sprintf("%s/store=%v/load=%v", program, c.store, c.load), func(t *testing.T) {
				t.Parallel() // starting takes longer than running
				dir := t.TempDir()
				files := fmt.Sprintf(" --io-files=%d --end=8", max(c.store.np, 1))
				stored := runIn(t, dir, c.store.np, program, on(c.store, r.store+files)...)
				require.NotEqual(t, figure(t, want, "Committed Event Digest"), figure(t, stored, "Committed Event Digest"))
				got := runIn(t, dir, c.load.np, program, on(c.load, r.load+" --end=16")...)
				require.Equal(t, figure(t, want, "Committed Event Digest"), figure(t, got, "Committed Event Digest"), got)
			})
		}
	}
}
