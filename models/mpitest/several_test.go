// Tests of programs with more than one simulation: one after the other on all ranks, and
// at one time on parts of the ranks.

//go:build mpi && cgo && !purego

package mpitest

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testlevel"
)

var digestLine = regexp.MustCompile(`(?m)^simulation \d+: .*$`)

// digests returns the lines in which testdata/several prints what its simulations
// committed.
func digests(out string) []string {
	lines := digestLine.FindAllString(out, -1)
	slices.Sort(lines)
	return lines
}

// sequentially returns the lines of both simulations, run as one process each.
func sequentially(t *testing.T) []string {
	t.Helper()
	want := digests(run(t, 0, "several", "--do=series", "--synch=1", "--nlp=24"))
	require.Len(t, want, 2)
	require.NotEqual(t, want[0][len("simulation 0"):], want[1][len("simulation 1"):], "they are to differ")
	return want
}

func TestHalvesOfTheRanksRunSimulationsOfTheirOwnAtOneTime(t *testing.T) {
	want := sequentially(t)
	for _, np := range testlevel.Pick([]int{2, 4}, []int{2, 4}, []int{2}) {
		for _, synch := range []int{2, 3} {
			for _, pes := range testlevel.Pick([]int{1, 2}, []int{1, 2}, []int{2}) {
				t.Run(fmt.Sprintf("np=%d/synch=%d/pes=%d", np, synch, pes), func(t *testing.T) {
					out := run(t, np, "several", "--do=halves", fmt.Sprintf("--nlp=%d", 24/(np/2*pes)),
						fmt.Sprintf("--synch=%d", synch), fmt.Sprintf("--pes=%d", pes))
					require.Equal(t, want, digests(out), out)
				})
			}
		}
	}
}

func TestASecondSimulationNeedsMPIToBeKept(t *testing.T) {
	testlevel.Once(t, "what ranks say, before they run")
	start(t, t.TempDir(), 2, filepath.Join(bin, "several"), "--do=series", "--nlp=12", "--synch=3").
		endsSaying(`(?s)simulation 0: .*keep it \(ross.KeepMPI\)`)
}

func TestSimulationsRunOneAfterTheOther(t *testing.T) {
	testlevel.Once(t, "that MPI is kept")
	want := sequentially(t)
	for _, do := range []string{"kept", "held"} {
		for _, synch := range []int{2, 3} {
			t.Run(fmt.Sprintf("%s/synch=%d", do, synch), func(t *testing.T) {
				out := run(t, 2, "several", "--do="+do, "--nlp=12", fmt.Sprintf("--synch=%d", synch))
				require.Equal(t, want, digests(out), out)
			})
		}
	}
}
