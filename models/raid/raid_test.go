// Runs have the events and states of the original, in every scheduler.

package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
)

var tested = testkit.Program{Name: "raid", Run: run, Prints: "Total disk failures"}

const (
	small = "--nfs=1 --disk-distro=2 --end=9000 "
	line  = "--nfs=5 --disk-distro=2 --end=9000 " // in which delays vanish next to the time
)

func TestRunsAreThoseOfTheOriginal(t *testing.T) {
	tested.LikeOriginal(t, "small", "--synch=1 "+small)
	require.Contains(t, tested.LikeOriginal(t, "large", "--synch=1 --nfs=64 --disk-distro=3 --end=20000"), `
Total disk failures: 544
Total RAID rebuilds: 11
Total RAID failures: 0
Total blocks read/written: 9669266569778
Total time spent idling: 116666.78641
Total time spent reading/writing: 1166090.56677
Total average throughput: 8292037.38141
`)
}

// TestNoEventIsLost compares a run with one of the original that loses six events: up to the first of
// these they are the same. Here each failure of a disk is handled by the disk and its controller.
func TestNoEventIsLost(t *testing.T) {
	theirs := strings.Split(testkit.Unpack(t, "testdata/trace-lossy.csv.gz"), "\n")
	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	require.Zero(t, run(strings.Fields("--synch=1 --nfs=4 --disk-distro=2 --end=9000 --trace=trace.csv"), &out, &errs),
		&errs)
	ours := strings.Split(testkit.Content(t, "trace.csv"), "\n")
	const same = 286
	require.Equal(t, theirs[:same], ours[:same])
	require.NotEqual(t, theirs[same], ours[same])
	sent := map[string][2]int{} // by disk, send time and receive time: events for controllers and disks
	for _, l := range ours[1:] {
		f := strings.Split(l, ",")
		if len(f) == 5 && (f[4] == "5" || f[4] == "6") && f[0] != "1" {
			n := sent[f[1]+l[strings.Index(l, ","+f[2]):]]
			if f[0] == f[1] {
				n[1]++
			} else {
				n[0]++
			}
			sent[f[1]+l[strings.Index(l, ","+f[2]):]] = n
		}
	}
	require.Greater(t, len(sent), 300)
	for what, n := range sent {
		if !strings.HasSuffix(what, ",5") || n[1] > 0 { // those of a controller to its server have no twin
			require.Equal(t, n[0], n[1], what)
		}
	}
}

// TestDisksLiveAsLongAsTheDistributionSays counts the disks of 256 servers that fail within five years
// of their first life. An independent program that follows the same description has the same numbers.
func TestDisksLiveAsLongAsTheDistributionSays(t *testing.T) {
	t.Chdir(t.TempDir())
	for distro, failures := range []int{204, 377, 7857, 2136, 377, 0, 0} {
		report := tested.Play(t, fmt.Sprintf("--synch=1 --nfs=256 --end=5 --disk-distro=%d", distro)).Report
		require.Contains(t, report, fmt.Sprintf("\nTotal disk failures: %d\n", failures), "--disk-distro=%d", distro)
	}
}

func TestServersHaveNoBandwidthBeforeTheirFirstEvent(t *testing.T) {
	t.Chdir(t.TempDir())
	tested.Play(t, "--synch=1 --nfs=2 --end=5 --states=states.txt")
	require.Contains(t, testkit.Content(t, "states.txt"),
		"\n39 server mode=0 ts=0 bw=0 blocks=0 good=4 rebuild=0 fail=0\n")
}

func TestModelIsRightInEveryScheduler(t *testing.T) {
	modeltest.Run(t, modeltest.Model{Program: newProgram, Args: line, Ranks: 2, Short: testlevel.Is(testlevel.Some)})
}

func TestEveryParameterChangesTheRun(t *testing.T) {
	tested.DifferentWith(t, "--end=2000 ", "--nfs=3 --disk-distro=2", "--nfs=4 --disk-distro=2", "--nfs=4 --disk-distro=3")
}

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--nfs=0", "--nfs=0: must be 1 to 2^24"},
		{"--disk-distro=7", "--disk-distro=7: must be 0 to 6"},
	})
}

func TestLongRunsHaveAsManyEventsAsTheOriginal(t *testing.T) {
	tested.HasEvents(t, "1163794", "--nfs=16 --disk-distro=3 --end=2000000")
}
