// This file owns the tests of ross_all_lp_stats.

package report

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
)

func TestLPStatsAreWrittenAsTheOriginalDoes(t *testing.T) {
	dir := t.TempDir()
	rows := []LPStat{{7, 0.00012345678, 99, ""}, {1 << 40, 0, 0, ""}, {9, 1234.5, 1 << 33, ""}}
	require.NoError(t, WriteLPStats(dir, 3, slices.Values(rows)))
	text := modeltest.Content(t, dir, "ross_all_lp_stats", "pe_3.txt")
	require.Equal(t, "Time spent processing events for each LP:\n"+
		"LPID: 7\t-  Processing time: 1.234568e-04\t-  Events processed: 99\n"+
		"LPID: 1099511627776\t-  Processing time: 0.000000e+00\t-  Events processed: 0\n"+
		"LPID: 9\t-  Processing time: 1.234500e+03\t-  Events processed: 8589934592\n", text)

	// The pattern by which a public reader finds the lines.
	pattern := regexp.MustCompile(`(?m)^LPID: ([0-9]+)\s+-  Processing time: ([^ \t]+)\s+-  Events processed: ([0-9]+)`)
	require.Len(t, pattern.FindAllString(text, -1), len(rows))
}

func TestLPStatsReplaceThoseOfAnEarlierRun(t *testing.T) {
	dir := t.TempDir()
	long := slices.Repeat([]LPStat{{1, 1, 1, ""}}, 10)
	require.NoError(t, WriteLPStats(dir, 0, slices.Values(long)))
	require.NoError(t, WriteLPStats(dir, 1, slices.Values(long)))
	require.NoError(t, WriteLPStats(dir, 0, slices.Values(long[:0])))
	require.Equal(t, "Time spent processing events for each LP:\n", modeltest.Content(t, dir, LPStatsDir, "pe_0.txt"))
	entries, err := os.ReadDir(filepath.Join(dir, LPStatsDir))
	require.NoError(t, err)
	require.Len(t, entries, 2)
}

func TestLPStatsOfManyLPsTakeNoMemoryForEach(t *testing.T) {
	dir := t.TempDir()
	write := func(n int) float64 {
		rows := slices.Repeat([]LPStat{{1 << 30, 1.5e-6, 1000, "tram 7"}}, n)
		return testing.AllocsPerRun(3, func() { require.NoError(t, WriteLPStats(dir, 0, slices.Values(rows))) })
	}
	require.InDelta(t, write(10), write(10_000), 10)
}
