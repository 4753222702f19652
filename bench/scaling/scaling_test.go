package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/ranks/mpi"
)

func TestATreeHasAStageForEachDoublingOfTheRanks(t *testing.T) {
	for _, c := range []struct{ ranks, binomial, doubling int }{
		{1, 0, 0}, {2, 2, 1}, {3, 4, 3}, {4, 4, 2}, {5, 6, 4}, {16, 8, 4}, {1 << 20, 40, 20},
	} {
		require.Equal(t, c.binomial, binomial(c.ranks), "binomial, %d ranks", c.ranks)
		require.Equal(t, c.doubling, doubling(c.ranks), "doubling, %d ranks", c.ranks)
	}
}

func TestAReductionTakesAStageAfterTheOther(t *testing.T) {
	c := cluster{latency: 2e-6, bandwidth: recordBytes / 1e-6, combine: 1e-6, start: 5e-6}
	require.InEpsilon(t, 5e-6+6*4e-6, c.reduce(8, binomial), 1e-9)
}

func TestGVTIsIdleOnlyWhenTheWindowIsFull(t *testing.T) {
	c := typical
	c.event = 1e-6
	require.Zero(t, c.gvt(16, doubling).idle)
	c.event = 1e-9
	g := c.gvt(1<<20, binomial)
	require.Greater(t, g.idle, 0.8)
	require.Less(t, g.idle+g.work, 1.0)
}

func TestTheShortestEventCostsWhatIsTolerable(t *testing.T) {
	c := typical
	c.event = c.shortest(4096, binomial)
	g := c.gvt(4096, binomial)
	require.InDelta(t, tolerable, g.work+g.idle, 1e-4)
}

func TestMemoryGrowsWithTheSquareOfPEsInARank(t *testing.T) {
	one, end := memory(1000, 1)
	four, _ := memory(1000, 4)
	require.Equal(t, 16000.0, one)
	require.Equal(t, 16*one, four)
	require.Equal(t, 1000.0*(64+1100+2*624), end)
}

// Two runs; a message takes 1 us with 2 ranks and 3 us with 4.
const runs = `1 test 0 100 120
2 test 0 2000 2500
2 test 0 2200 2600
2 latency 152 1000 1100
2 busy 0 24000 25000
4 test 0 12100 13000
4 latency 152 3000 3100
`

func TestTheTableHasTheModelBesideWhatWasMeasured(t *testing.T) {
	file := filepath.Join(t.TempDir(), "runs.txt")
	require.NoError(t, os.WriteFile(file, []byte(runs), 0o600))
	var out strings.Builder
	require.NoError(t, run([]string{"-table", file}, &out))
	// 0.1 + 2 * 1 against the median of 2.0 and 2.2; 0.1 + 4 * 3 against 12.1, 4.1 unscheduled
	require.Regexp(t, `(?m)^    2       2     2\.10 \(   2\.55\).* 2\.10    \+0 %    2\.10$`, out.String())
	require.Regexp(t, `(?m)^    4       4    12\.10 .* 12\.10    \+0 %    4\.10$`, out.String())
	require.Contains(t, out.String(), "2 ranks that test every 10 us: 24.0 (25.0), 1.10 of them a stage")
}

func TestTheModelReachesAMillionRanks(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run([]string{"-model"}, &out))
	require.Contains(t, out.String(), "1048576  40   61.4 ")
	require.Contains(t, out.String(), "1048576  20   30.8 ")
}

func TestMistakesAreErrors(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	other := filepath.Join(t.TempDir(), "other")
	require.NoError(t, os.WriteFile(other, []byte("Running Time = 1\n"), 0o600))
	for _, args := range [][]string{{"-table", empty}, {"-table", other}, {"-table", empty + "x"}, {"-bogus"}} {
		require.Error(t, run(args, &strings.Builder{}), "%v", args)
	}
	require.ErrorIs(t, (results{}).print(full{}), errFull)
	require.ErrorIs(t, printModel(full{}), errFull)
}

func TestWithoutMPINothingIsMeasured(t *testing.T) {
	var out strings.Builder
	err := run(nil, &out)
	if mpi.Enabled { // a world of one rank
		require.NoError(t, err)
		require.Regexp(t, `(?m)^1 test 0 \d+ \d+$`, out.String())
		return
	}
	require.ErrorIs(t, err, mpi.ErrNotBuilt)
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
