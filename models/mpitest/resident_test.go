// This file holds the promise of --max-memory on ranks: it is a ceiling on the memory of each.

//go:build mpi && cgo && !purego

package mpitest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testlevel"
)

// TestARankStaysUnderItsCeiling runs PHOLD on two ranks, and once more with checkpoints and a trace, at a ceiling of
// a quarter more than it took without. Ranks cannot do with a quarter of it: GVT comes so often that there is little to do without.
func TestARankStaysUnderItsCeiling(t *testing.T) {
	testlevel.Once(t, "how much memory is resident")
	files := []string{"--io-virtual-interval=5", "--event-trace=1", "--io-name=ranks"}
	var ceiling, free uint64
	for float64(free) <= 1.2*float64(ceiling) { // otherwise there is nothing to do without: how much events take depends on when ranks run
		ceiling, free = slices.Max(residentRanks(t))*5/4, slices.Max(residentRanks(t, files...))
		require.Greater(t, ceiling, uint64(64<<20))
	}
	for rank, got := range residentRanks(t, append(files, fmt.Sprintf("--max-memory=%d", ceiling))...) {
		t.Logf("rank %d: %d of %d bytes, %.2f, and %d without a ceiling", rank, got, ceiling, float64(got)/float64(ceiling), free)
		require.Less(t, float64(got), 1.15*float64(ceiling), "rank %d", rank)
	}
}

// residentRanks runs PHOLD and returns the most memory that each of two ranks had.
func residentRanks(t *testing.T, args ...string) []uint64 {
	t.Helper()
	j := start(t, t.TempDir(), 2, append([]string{filepath.Join(bin, "phold"), "--synch=3", "--pes=1", "--nlp=300000",
		"--nkp=64", "--end=20", "--progress=off"}, args...)...)
	j.await("START PARALLEL")
	most := make([]uint64, 2)
	over := make(chan struct{})
	seen := make(chan struct{})
	pids := []int{j.rank(0), j.rank(1)}
	go func() {
		defer close(seen)
		for {
			for rank, pid := range pids {
				most[rank] = max(most[rank], highWater(pid))
			}
			select {
			case <-over:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	out, status := j.wait()
	close(over)
	<-seen
	require.Zero(t, status, "%s", out)
	return most
}

// highWater returns the most memory that a process has had so far, in bytes, and 0 if it is no longer there.
func highWater(pid int) uint64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	number, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	kib, _ := strconv.ParseUint(number, 10, 64)
	return kib << 10
}
