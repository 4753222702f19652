// Tests of what is committed: the same as in a sequential run, on any number of ranks.

//go:build mpi && cgo && !purego

package mpitest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testlevel"
)

// lps is how many LPs a simulation has, on however many ranks and PEs.
const lps = 48

// simulations are the programs to run.
var simulations = []struct {
	name    string
	program string
	synch   []int
	args    []string
}{
	{"phold", "phold", []int{3, 5}, []string{"--lookahead=0.1", "--remote=0.5", "--start-events=2", "--end=8"}},
	{"zerotie", "zerotie", []int{3, 5}, []string{"--end=3"}},
	{"stress", "stress", []int{3, 5}, []string{"--end=3"}},
	{"queueing", "queueing", []int{3}, []string{"--walk=0.25", "--end=20", "--warm-up=2"}},
	// A window of a conservative run is short, and each is a round of GVT.
	{"phold in windows", "phold", []int{2}, []string{"--lookahead=0.25", "--remote=0.5", "--start-events=2", "--end=4"}},
	{"zerotie in windows", "zerotie", []int{2}, []string{"--cons-lookahead=0", "--end=1.5"}},
	{"stress in windows", "stress", []int{2}, []string{"--lookahead=0.25", "--end=3"}},
}

// nlp returns the flag that gives a program all its LPs on the given number of PEs.
func nlp(pes int) string {
	return "--nlp=" + strconv.Itoa(lps/pes)
}

func TestDigestOnRanksIsThatOfASequentialRun(t *testing.T) {
	for _, sim := range simulations {
		t.Run(sim.name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"--digest"}, sim.args...)
			one := run(t, 0, sim.program, append(args, "--synch=1", nlp(1))...)
			for _, synch := range sim.synch {
				if testlevel.Is(testlevel.Few) && synch == 5 {
					continue
				}
				for _, np := range testlevel.Pick([]int{1, 2, 3, 4, 8}, []int{1, 2, 3, 4, 8}, []int{2}) {
					for _, pes := range testlevel.Pick([]int{1, 2}, []int{1, 2}, []int{2}) {
						if pes == 2 && np != 2 && np != 4 { // several PEs on one rank need no MPI, and 16 PEs many processors
							continue
						}
						t.Run(fmt.Sprintf("synch=%d/np=%d/pes=%d", synch, np, pes), func(t *testing.T) {
							t.Parallel() // starting takes longer than running
							got := run(t, np, sim.program, append([]string{nlp(np * pes),
								fmt.Sprintf("--synch=%d", synch), fmt.Sprintf("--pes=%d", pes)}, args...)...)
							requireSameEvents(t, one, got)
							requireRanks(t, got, np, pes)
						})
					}
				}
			}
		})
	}
}

// Lines of zerotie come from all ranks; mpirun puts them anywhere, even into a line of the report.
var ofAnyRank = regexp.MustCompile(`LPHASH \d+ [0-9a-f]{16}\n`)

// requireSameEvents requires that two reports are of runs with the same events.
func requireSameEvents(t *testing.T, want, got string) {
	t.Helper()
	got = ofAnyRank.ReplaceAllString(got, "")
	for _, label := range []string{"Committed Event Digest", "Net Events Processed"} {
		require.Equal(t, figure(t, want, label), figure(t, got, label), "%s:\n%s", label, got)
	}
}

// requireRanks requires that a report is of a run on so many ranks that sent one another
// events, all of which arrived.
func requireRanks(t *testing.T, report string, np, pes int) {
	t.Helper()
	require.Equal(t, 1, strings.Count(report, fmt.Sprintf("tw_net_start: Found world size to be %d \n", np)), report)
	require.EqualValues(t, np*pes, count(t, report, "Total PEs"))
	require.EqualValues(t, lps, count(t, report, "Total LPs"))
	if np == 1 {
		require.NotContains(t, report, "Remote sends")
		return
	}
	sent := count(t, report, "Remote sends")
	require.Equal(t, sent, count(t, report, "Remote recvs"))
	require.NotZero(t, sent, "ranks keep to themselves:\n%s", report)
}

// TestOtherSeedsGiveAnotherDigest shows that the comparison can fail.
func TestOtherSeedsGiveAnotherDigest(t *testing.T) {
	testlevel.Once(t, "that digests differ")
	seeds := []string{"--rng-seed1=5", "--rng-seed2=6", "--rng-seed3=7", "--rng-seed4=8"}
	args := []string{"--digest", "--synch=3", nlp(2), "--end=5"}
	require.NotEqual(t, figure(t, run(t, 2, "phold", args...), "Committed Event Digest"),
		figure(t, run(t, 2, "phold", append(args, seeds...)...), "Committed Event Digest"))
}
