// This file holds the promise of --max-memory: it is a ceiling on the memory of the process.

package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testlevel"
)

// TestTheProcessStaysUnderItsCeiling runs PHOLD at a quarter of what it takes without a ceiling on
// one PE, whose optimism nothing limits, and stores checkpoints and a trace meanwhile.
func TestTheProcessStaysUnderItsCeiling(t *testing.T) {
	testlevel.Once(t, "how much memory is resident")
	bin := filepath.Join(t.TempDir(), "phold")
	out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	resident := func(pes int, args ...string) uint64 {
		cmd := exec.Command(bin, append([]string{"--synch=3", "--nkp=64", "--gvt-interval=10000000", "--end=40",
			fmt.Sprintf("--pes=%d", pes), fmt.Sprintf("--nlp=%d", 100000/pes)}, args...)...)
		cmd.Dir = t.TempDir()
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return uint64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) << 10
	}
	ceiling := resident(1) / 4
	require.Greater(t, ceiling, uint64(100<<20))
	for _, pes := range testlevel.Pick([]int{1, 2, 4}, []int{2}, nil) {
		got := resident(pes, fmt.Sprintf("--max-memory=%d", ceiling), "--io-virtual-interval=15", "--event-trace=1")
		t.Logf("%d PEs: %d of %d bytes, %.2f", pes, got, ceiling, float64(got)/float64(ceiling))
		require.Less(t, float64(got), 1.15*float64(ceiling), "%d PEs", pes)
	}
}
