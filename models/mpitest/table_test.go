// Tests of models whose report ends with statistics: those of all ranks, once, with the bits of a
// sequential run.

//go:build mpi && cgo && !purego

package mpitest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
)

func TestStatisticsOfRanksAreThoseOfASequentialRun(t *testing.T) {
	for program, args := range map[string][]string{
		"runway": {"--lps=47", "--planes=5", "--end=300"},
		"fabric": {"--dims=4x3x2", "--load=0.6", "--timeout=150", "--loss=0.05", "--end=200"},
	} {
		if testlevel.Few.LeavesOut(program, "runway") {
			continue
		}
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			args = append(args, "--digest", "--warm-up=50")
			one := run(t, 0, program, args...)
			for _, synch := range testlevel.Pick([]int{2, 3}, []int{2, 3}, []int{3}) {
				for _, pes := range testlevel.Pick([]int{1, 2}, []int{1, 2}, []int{2}) {
					t.Run(fmt.Sprintf("synch=%d/pes=%d", synch, pes), func(t *testing.T) {
						t.Parallel()
						got := run(t, 2, program, append([]string{fmt.Sprintf("--synch=%d", synch), fmt.Sprintf("--pes=%d", pes)}, args...)...)
						requireSameEvents(t, one, got)
						require.Equal(t, figure(t, one, "Final State Digest"), figure(t, got, "Final State Digest"))
						require.Equal(t, modeltest.Table(t, one), modeltest.Table(t, got))
					})
				}
			}
		})
	}
}

// TestStatisticsGoOnOnOtherRanks continues on three ranks what two have stored.
func TestStatisticsGoOnOnOtherRanks(t *testing.T) {
	testlevel.Once(t, "what is in files")
	for program, args := range map[string][]string{
		"runway": {"--lps=24", "--end=300"},
		"fabric": {"--dims=4x3", "--load=0.6", "--timeout=150", "--loss=0.05", "--end=300"},
	} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			args = append(args, "--digest", "--io-name=ranks")
			one := run(t, 0, program, args...)
			runIn(t, dir, 2, program, append([]string{"--synch=3", "--pes=2", "--io-virtual-interval=100"}, args...)...)
			again := runIn(t, dir, 3, program, append([]string{"--synch=3", "--io-restart=latest"}, args...)...)
			require.Equal(t, figure(t, one, "Committed Event Digest"), figure(t, again, "Committed Event Digest"))
			require.Equal(t, modeltest.Table(t, one), modeltest.Table(t, again))
		})
	}
}
