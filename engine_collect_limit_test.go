// This file tests --stats-limit: the collection ends before the files are larger, and nothing else does.

package ross

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmdline"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/collect"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/internal/testlevel"
)

// sizeOf returns the bytes of a folder, all of whose files have to have their final names.
func sizeOf(t *testing.T, dir string) (n int64) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		if e.Name() == instr.RunName { // no part of the collection
			continue
		}
		require.True(t, strings.HasSuffix(e.Name(), ".bin"), e.Name())
		info, err := e.Info()
		require.NoError(t, err)
		n += info.Size()
	}
	return n
}

// readAll reads all files of a run that collected everything to their ends, and returns their records.
func readAll(t *testing.T, dir string) (n int) {
	t.Helper()
	for _, suffix := range collect.FileSuffixes {
		n += len(modeltest.Records(t, dir, suffix))
	}
	return n
}

func TestCollectionEndsAtItsLimitAndTheRunGoesOn(t *testing.T) {
	testlevel.Once(t, "how large files become")
	want := plainDigestTo(t, collectEnd)
	for _, synch := range []int{1, 2, 3} {
		for _, limit := range []uint64{1, 300_000, 1 << 50} {
			dir := filepath.Join(t.TempDir(), "stats")
			report, sim := collected(t, dir, func(c *Config) {
				if synch == 1 {
					onPEs(1)(c)
				}
				c.Synch, c.ConsLookahead, c.StatsLimit, c.LPData = Scheduler(synch), 0.1, limit, 0
				c.EngineStats, c.ModelStats, c.VTInterval, c.RTInterval = settings.SampleAll, settings.SampleAll, 1, 1
			})
			name := fmt.Sprintf("synch=%d limit=%d", synch, limit)
			require.Equal(t, want, *sim.r.Stats.Digest, name)
			size := sizeOf(t, dir)
			require.LessOrEqual(t, uint64(size), limit, name)
			told := fmt.Sprintf("ross: option --stats-limit=%s: reached: the collection ends here with complete records, and the simulation goes on; raise the limit, or collect less\n", cmdline.FormatBytes(limit))
			require.NotContains(t, report, "missed", name)
			readAll(t, dir)
			if limit == 1<<50 {
				require.NoError(t, sim.CollectionError())
				require.NotContains(t, report, "stats-limit")
				require.Len(t, slices.DeleteFunc(modeltest.Records(t, dir, instr.TraceSuffix), func(r instr.Record) bool { return r.Event.Dest >= loadLPs }),
					int(sim.Stats().NetEvents()), name)
				continue
			}
			require.Equal(t, 1, strings.Count(report, told), report)
			require.ErrorContains(t, sim.CollectionError(), "--stats-limit")
			if limit > 1 {
				require.Greater(t, uint64(size), limit*9/10, name)
			}
		}
	}
}

// TestTraceThatIsLimitedHasNoHoles compares it with the one that is not.
func TestTraceThatIsLimitedHasNoHoles(t *testing.T) {
	var traces [2][]instr.Record
	for i, limit := range []uint64{0, 100_000} {
		dir := filepath.Join(t.TempDir(), "stats")
		collected(t, dir, func(c *Config) {
			onPEs(1)(c)
			c.Synch, c.EngineStats, c.StatsLimit = 1, 0, limit
		})
		traces[i] = modeltest.Records(t, dir, instr.TraceSuffix)
	}
	n := len(traces[1])
	require.Greater(t, n, 90_000/instr.EventSize)
	for i := range n {
		all, part := traces[0][i].Event, traces[1][i].Event
		all.RealTS, part.RealTS = 0, 0
		require.Equal(t, all, part, "record %d", i)
	}
}

func TestNothingIsLimitedThatIsNotWritten(t *testing.T) {
	report, sim := collected(t, filepath.Join(t.TempDir(), "stats"), func(c *Config) { c.DisableOutput, c.StatsLimit = 1, 1 })
	require.NotContains(t, report, "stats-limit")
	require.NoError(t, sim.CollectionError())
}

func TestRanksShareTheLimit(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "stats")
	l := spreadLoad()
	l.end = 2
	sims := checkRanks(t, l, 4, func(c *Config) {
		sampled(dir)(c)
		c.PEs, c.Synch, c.NumGVT, c.LPData, c.VTInterval, c.EventTrace, c.StatsLimit = 1, 3, 10, 0, 0.5, int(TraceCommitted), 150_000
	})
	size := sizeOf(t, dir)
	require.LessOrEqual(t, size, int64(150_000))
	require.Greater(t, size, int64(50_000))
	require.Positive(t, readAll(t, dir))
	for _, sim := range sims {
		require.ErrorContains(t, sim.CollectionError(), "--stats-limit=150000: reached")
	}
}
