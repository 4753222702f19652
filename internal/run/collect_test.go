// The files of the instrumentation when buffers are small, output is off, parts are left out, or there is a limit.

package run_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/output/collect"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/program/cmdline"
)

// collectEnd gives runs as many events whatever the size of the load.
var collectEnd = 3 * 16 / float64(loadStart)

// collected runs the spread load with a folder for what it collects, and returns the
// report and the simulation, which is over.
func collected(t *testing.T, dir string, set func(*ross.Config)) (string, *ross.Simulation) {
	t.Helper()
	testkit.Watch(t)
	var report bytes.Buffer
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End, cfg.Output, cfg.Digest = loadLPs, collectEnd, &report, true
	onPEs(2)(&cfg)
	cfg.Synch, cfg.Instruments.Path, cfg.Instruments.Trace, cfg.Instruments.Engine, cfg.Instruments.EveryGVTs =
		3, dir, ross.TraceCommitted, ross.SampleByGVT, 1
	cfg.Instruments.KPs, cfg.Instruments.LPs = true, true
	set(&cfg)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, sim.Close()) })
	require.NoError(t, sim.Define(spreadLoad().lpType()))
	require.NoError(t, sim.Run(t.Context()))
	return report.String(), sim
}

func TestRecordsThatFindNoRoomAreCountedAndTold(t *testing.T) {
	testlevel.Once(t, "what finds room in buffers")
	for _, size := range []uint64{1, 100, 1000, 50_000} {
		t.Run(fmt.Sprintf("%d bytes", size), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "stats")
			report, sim := collected(t, dir, func(c *ross.Config) { c.Instruments.BufferSize = int(size) })
			told := regexp.MustCompile(
				`(?m)^PE \d: There were [1-9]\d* bytes of data missed because of buffer overflow\nPE \d: missing .*: raise --buffer-size$`).MatchString(report)
			require.Equal(t, sim.CollectionError() != nil, told)
			missed := map[string]uint64{}
			for _, m := range regexp.MustCompile(`(\d+) (?:records|samples) of ([a-z-]+)`).FindAllStringSubmatch(report, -1) {
				records, err := strconv.ParseUint(m[1], 10, 64)
				require.NoError(t, err)
				missed[m[2]] += records
			}
			if size <= 1000 { // a larger one may be written in time
				require.ErrorContains(t, sim.CollectionError(), "found no room in the buffers: raise --buffer-size")
				require.Positive(t, missed[instr.TraceSuffix])
			}
			st := sim.Summary()
			got := uint64(len(testkit.Records(t, dir, instr.TraceSuffix)))
			require.Equal(t, st.NetEvents(), got+missed[instr.TraceSuffix], "each event is in the trace or counted")
			processed := uint64(0)
			all := testkit.Records(t, dir, instr.GVTSuffix)
			for _, r := range all {
				if r.Kind == instr.KindPE {
					processed += uint64(r.PE.Processed)
				}
			}
			each := 1 + len(runOf(sim).Locals[0].KPs) + len(runOf(sim).Locals[0].LPs)
			require.Zero(t, len(all)%each, "samples are whole")
			if len(all) > 0 {
				require.Equal(t, st.EventsProcessed, processed, "and what was missed is in the next")
			} else {
				require.Positive(t, missed[instr.GVTSuffix])
			}
		})
	}
}

// TestBuffersAreWrittenInTimeWhateverIsToBeFree with little more room than what comes from one GVT to the next, and
// where GVT would come far too late for it.
func TestBuffersAreWrittenInTimeWhateverIsToBeFree(t *testing.T) {
	testlevel.Once(t, "what finds room in buffers")
	for _, synch := range []int{1, 2, 3} {
		for _, c := range []struct {
			free     uint64
			kind     ross.TraceKind
			interval uint64
		}{{100, ross.TraceCommitted, 16}, {100, ross.TraceAll, 16}, {85, ross.TraceCommitted, 1 << 20},
			{99, ross.TraceAll, 1 << 20}} {
			dir := filepath.Join(t.TempDir(), "stats")
			report, sim := collected(t, dir, func(c1 *ross.Config) {
				if synch == 1 {
					onPEs(1)(c1)
				}
				c1.Synch, c1.ConsLookahead, c1.Instruments.KPs, c1.Instruments.LPs = ross.Scheduler(synch), 0.1, false, false
				c1.Instruments.BufferSize, c1.Instruments.BufferFree, c1.Instruments.Trace, c1.Tuning.GVTInterval = 200_000, int(
					c.free), ross.TraceKind(int(c.kind)), int(c.interval)
			})
			require.NotContains(t, report, "missed", "synch=%d %+v", synch, c)
			require.NoError(t, sim.CollectionError())
			st := sim.Summary()
			want := st.NetEvents()
			if c.kind == ross.TraceAll {
				want = st.EventsProcessed
			}
			require.Len(t, testkit.Records(t, dir, instr.TraceSuffix), int(want), "synch=%d %+v", synch, c)
			require.Greater(t, want*24, uint64(400_000), "more than the buffers hold")
		}
	}
}

func TestLargestBuffersAreWritten(t *testing.T) {
	for _, size := range []int{0, math.MaxInt} {
		dir := filepath.Join(t.TempDir(), "stats")
		_, sim := collected(t, dir, func(c *ross.Config) { c.Instruments.BufferSize, c.End, c.MaxMemory = size, 1, 1<<40 })
		require.Equal(t, int(map[bool]uint64{false: instr.MaxBuffer, true: instr.DefaultBuffer}[size == 0]),
			runOf(sim).Locals[0].Probe.Size)
		require.Equal(t, runOf(sim).Locals[0].Probe.Size*15/100, runOf(sim).Locals[0].Probe.Enough)
	}
}

// TestBuffersAreAShareOfALowCeiling with many PEs and all files, and nothing is missed for that.
func TestBuffersAreAShareOfALowCeiling(t *testing.T) {
	testlevel.Once(t, "how much memory buffers take")
	for _, c := range []struct {
		pes    int
		memory uint64
		stats  ross.Sampling
		files  uint64 // samples, event trace, and with samples by real time those of memory
	}{{2, 16 << 20, ross.SampleByGVT, 2}, {8, 64 << 20, ross.SampleByGVT, 2}, {8, 256 << 20, ross.SampleByGVT, 2},
		{2, 1 << 40, ross.SampleByGVT, 2}, {8, 256 << 20, ross.SampleByRealTime, 3}, {2, 1 << 40, ross.SampleByRealTime, 3}} {
		dir := filepath.Join(t.TempDir(), "stats")
		report, sim := collected(t, dir, func(cfg *ross.Config) {
			onPEs(c.pes)(cfg)
			cfg.MaxMemory, cfg.Instruments.LPs, cfg.Tuning.GVTInterval, cfg.ShortReport = c.memory, false, 1<<20, false
			cfg.Instruments.Engine = c.stats
		})
		size := uint64(runOf(sim).Locals[0].Probe.Size)
		require.LessOrEqual(t, 2*size*uint64(c.pes)*c.files, c.memory/16, "%+v", c)
		require.LessOrEqual(t, size, uint64(8_000_000))
		if c.memory >= 64<<20 {
			require.Contains(t, report, fmt.Sprintf("%-50s %11d\n", "Memory for Buffers of Samples, at Most (KiB)",
				2*size*uint64(c.pes)*c.files/1024))
		} else {
			require.NotContains(t, report, "Memory for Buffers", "they are no part of it")
		}
		require.NotContains(t, report, "missed", "%+v", c)
		require.Len(t, testkit.Records(t, dir, instr.TraceSuffix), int(sim.Summary().NetEvents()))
	}
}

// TestALowCeilingLeavesRoomForASample and names the ceiling if a buffer has no room.
func TestALowCeilingLeavesRoomForASample(t *testing.T) {
	const nkp = 1 << 10 // a sample of KPs that the share of the ceiling has no room for
	dir := filepath.Join(t.TempDir(), "stats")
	report, sim := collected(t, dir, func(c *ross.Config) {
		c.Instruments.Trace, c.Instruments.LPs, c.NKP, c.MaxMemory, c.End = 0, false, nkp, 4<<20, 1
	})
	require.NotContains(t, report, "missed")
	require.Zero(t, len(testkit.Records(t, dir, instr.GVTSuffix))%(nkp+1), "samples are whole")
	require.NotEmpty(t, testkit.Records(t, dir, instr.GVTSuffix))
	require.Less(t, 4<<20/32/2, 2*nkp*(instr.MetaSize+instr.KPSize), "the share has no room")
	require.NoError(t, sim.CollectionError())

	// thousands of points commit at once
	report, sim = collected(t, filepath.Join(t.TempDir(), "stats"), func(c *ross.Config) {
		onPEs(1)(c)
		c.Instruments.Trace, c.Instruments.Engine, c.Instruments.KPs, c.Instruments.LPs, c.Instruments.VirtualInterval,
			c.Tuning.GVTInterval, c.Tuning.FixedGVT, c.NKP = 0, ross.SampleByVirtualTime, false, false, 0.00005, 1<<20, true, 1
		c.MaxMemory, c.End = 4<<20, 1
	})
	const told = ": raise --max-memory, which makes the buffers smaller than --buffer-size"
	require.ErrorContains(t, sim.CollectionError(), told)
	require.Contains(t, report, "records of "+instr.VTSuffix+told)
}

func TestLargeEnoughBuffersMissNothing(t *testing.T) {
	testlevel.Once(t, "what is in a file")
	dir := filepath.Join(t.TempDir(), "stats")
	report, sim := collected(t, dir, func(*ross.Config) {})
	require.NotContains(t, report, "missed")
	st := sim.Summary()
	require.Len(t, testkit.Records(t, dir, instr.TraceSuffix), int(st.NetEvents()))
}

func TestDisabledOutputCollectsAndWritesTheDescriptionOnly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "stats")
	report, sim := collected(t, dir, func(c *ross.Config) {
		c.Instruments.Discard, c.Instruments.Engine, c.Instruments.Model, c.Instruments.VirtualInterval =
			true, ross.SampleAll, ross.SampleAll, 1
	})
	require.NotContains(t, report, "missed")
	require.Equal(t, plainDigestTo(t, collectEnd), *runOf(sim).Stats.Digest)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 1)
	require.Equal(t, instr.RunName, files[0].Name())
	st := sim.Summary()
	n := uint64(0)
	for _, pe := range runOf(sim).Locals {
		n += pe.Probe.Buffers[collect.TraceFile].Records()
	}
	require.Equal(t, st.NetEvents()+st.AnalysisProcessed-st.AnalysisRolledBack, n, "they were collected all the same")
}

func TestDisabledOutputMissesNothing(t *testing.T) {
	report, sim := collected(t, filepath.Join(t.TempDir(), "stats"),
		func(c *ross.Config) { c.Instruments.Discard, c.Instruments.BufferSize = true, 1000 })
	require.NotContains(t, report, "miss")
	require.NoError(t, sim.CollectionError())
}

// plainDigestTo returns the digest of the spread load up to a time.
func plainDigestTo(t *testing.T, end float64) uint64 {
	t.Helper()
	return spreadLoad().digest(t, func(c *ross.Config) { c.End = end })
}

func TestRealTimeSamplesAreNoMoreThanTheIntervalAllows(t *testing.T) {
	for _, synch := range []int{1, 2, 3} {
		dir := filepath.Join(t.TempDir(), "stats")
		_, sim := collected(t, dir, func(c *ross.Config) {
			onPEs(1)(c)
			c.Synch, c.End, c.ConsLookahead = ross.Scheduler(synch), 10, 0.1
			c.Instruments.Engine, c.Instruments.RealInterval, c.Instruments.Trace, c.Instruments.KPs, c.Instruments.LPs =
				ross.SampleByRealTime, 5*time.Millisecond, 0, false, false
		})
		all := testkit.Records(t, dir, instr.RTSuffix)
		require.LessOrEqual(t, len(all), int(sim.Summary().Runtime/0.005)+2, "synch=%d", synch)
		require.NotEmpty(t, all)
	}
}

func TestFormerModesTogetherCollectJustThose(t *testing.T) {
	testlevel.Once(t, "which files there are")
	for words, want := range map[string][]string{
		"--enable-gvt-stats=1 --real-time-samp=1":                   {"gvt", "memory", "rt"},
		"--enable-gvt-stats=1 --time-interval=1":                    {"analysis-lps", "gvt"},
		"--time-interval=1 --real-time-samp=1":                      {"analysis-lps", "memory", "rt"},
		"--time-interval=1 --real-time-samp=1 --enable-gvt-stats=1": {"analysis-lps", "gvt", "memory", "rt"},
		"--enable-gvt-stats=1 --real-time-samp=1 --model-stats=3":   {"analysis-lps", "gvt", "memory", "model", "rt"},
	} {
		dir := filepath.Join(t.TempDir(), "stats")
		collected(t, dir, func(c *ross.Config) {
			c.Instruments.Engine, c.Instruments.Trace, c.Instruments.KPs, c.Instruments.LPs = 0, 0, false, false
			o := ross.NewOptions("former")
			c.Register(o)
			_, err := o.Parse(strings.Fields(words))
			require.NoError(t, err)
		})
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		var got []string
		for _, e := range entries {
			if e.Name() == instr.RunName {
				continue
			}
			got = append(got, strings.TrimSuffix(strings.TrimPrefix(e.Name(), "ross-stats-"), ".bin"))
		}
		require.Equal(t, want, got, words)
		for _, name := range want {
			if name != "model" && !strings.Contains(words, "model-stats") {
				require.NotEmpty(t, testkit.Records(t, dir, name), "%s: %s", words, name)
			}
		}
	}
}

// TestSamplesThatFillABufferAreAllWritten one at each GVT, without keeping events from being handled.
func TestSamplesThatFillABufferAreAllWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "stats")
	report, sim := collected(t, dir, func(c *ross.Config) {
		c.Instruments.BufferFree, c.Instruments.Trace = 100, 0
		c.Instruments.BufferSize = (instr.MetaSize+instr.LPSize)*loadLPs/2 + (instr.MetaSize+instr.KPSize)*16 +
			instr.MetaSize + instr.PESize
		c.Instruments.BufferSize += int(uint64(c.Instruments.BufferSize) / 10)
	})
	require.NotContains(t, report, "missed")
	all := testkit.Records(t, dir, instr.GVTSuffix)
	each := 1 + len(runOf(sim).Locals[0].KPs) + len(runOf(sim).Locals[0].LPs)
	require.Len(t, all, int(sim.Summary().NumGVT)*2*each, "the last sample is that of the last GVT")
}

// What is left out of the files of the instrumentation, and what they are called.

func TestStatsPrefixBeginsTheNamesOfAllFiles(t *testing.T) {
	for _, word := range []string{"--stats-prefix=", "--stats-filename="} {
		dir := filepath.Join(t.TempDir(), "stats")
		collected(t, dir, func(c *ross.Config) {
			o := ross.NewOptions("prefix")
			c.Register(o)
			_, err := o.Parse([]string{word + "run 7", "--engine-stats=4", "--model-stats=1", "--rt-interval=1",
				"--vt-interval=1", "--end=1"})
			require.NoError(t, err)
		})
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		require.Equal(t, []string{"run 7-analysis-lps.bin", "run 7-evtrace.bin", "run 7-gvt.bin", "run 7-memory.bin",
			"run 7-model.bin", "run 7-rt.bin", instr.RunName}, names)
		r, err := instr.Open(filepath.Join(dir, "run 7-gvt.bin"))
		require.NoError(t, err)
		require.Equal(t, instr.GVTFile, r.Content())
		require.NoError(t, r.Close())
	}
}

func TestEachLevelOfSamplesCanBeLeftOut(t *testing.T) {
	for _, c := range []struct {
		pe, kp, lp int
		want       []instr.Kind
	}{
		{1, 0, 0, []instr.Kind{instr.KindPE}},
		{0, 1, 0, []instr.Kind{instr.KindKP}},
		{0, 0, 1, []instr.Kind{instr.KindLP}},
		{0, 1, 1, []instr.Kind{instr.KindKP, instr.KindLP}},
		{0, 0, 0, nil},
	} {
		dir := filepath.Join(t.TempDir(), "stats")
		report, sim := collected(t, dir, func(cfg *ross.Config) {
			cfg.Instruments.Trace, cfg.Instruments.Engine, cfg.End, cfg.Instruments.VirtualInterval = 0, ross.SampleAll, 1, 0.5
			cfg.Instruments.WithoutPEs, cfg.Instruments.KPs, cfg.Instruments.LPs = c.pe == 0, c.kp != 0, c.lp != 0
		})
		require.NotContains(t, report, "missed")
		for _, suffix := range []string{instr.GVTSuffix, instr.RTSuffix, instr.VTSuffix} {
			processed, seen := map[instr.Kind]uint64{}, map[instr.Kind]bool{}
			for _, r := range testkit.Records(t, dir, suffix) {
				seen[r.Kind] = true
				processed[r.Kind] += uint64(map[instr.Kind]uint32{instr.KindPE: r.PE.Processed, instr.KindKP: r.KP.Processed,
					instr.KindLP: r.LP.Processed}[r.Kind])
			}
			require.Len(t, seen, len(c.want), "%+v %s", c, suffix)
			for _, kind := range c.want {
				require.Equal(t, sim.Summary().EventsProcessed, processed[kind], "%+v %s %v", c, suffix, kind)
			}
		}
	}
}

// --stats-limit: the collection ends before the files are larger, and nothing else does.

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
		n += len(testkit.Records(t, dir, suffix))
	}
	return n
}

func TestCollectionEndsAtItsLimitAndTheRunGoesOn(t *testing.T) {
	testlevel.Once(t, "how large files become")
	want := plainDigestTo(t, collectEnd)
	for _, synch := range []int{1, 2, 3} {
		for _, limit := range []uint64{1, 300_000, 1 << 50} {
			dir := filepath.Join(t.TempDir(), "stats")
			report, sim := collected(t, dir, func(c *ross.Config) {
				if synch == 1 {
					onPEs(1)(c)
				}
				c.Synch, c.ConsLookahead, c.Instruments.Limit, c.Instruments.LPs = ross.Scheduler(synch), 0.1, limit, false
				c.Instruments.Engine, c.Instruments.Model, c.Instruments.VirtualInterval, c.Instruments.RealInterval =
					ross.SampleAll, ross.SampleAll, 1, time.Millisecond
			})
			name := fmt.Sprintf("synch=%d limit=%d", synch, limit)
			require.Equal(t, want, *runOf(sim).Stats.Digest, name)
			size := sizeOf(t, dir)
			require.LessOrEqual(t, uint64(size), limit, name)
			told := fmt.Sprintf(
				"ross: option --stats-limit=%s: reached: the collection ends here with complete records, and the simulation goes on; raise the limit, or collect less\n", cmdline.FormatBytes(limit))
			require.NotContains(t, report, "missed", name)
			readAll(t, dir)
			if limit == 1<<50 {
				require.NoError(t, sim.CollectionError())
				require.NotContains(t, report, "stats-limit")
				require.Len(t, slices.DeleteFunc(testkit.Records(t, dir, instr.TraceSuffix),
					func(r instr.Record) bool { return r.Event.Dest >= loadLPs }),
					int(sim.Summary().NetEvents()), name)
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
		collected(t, dir, func(c *ross.Config) {
			onPEs(1)(c)
			c.Synch, c.Instruments.Engine, c.Instruments.Limit = 1, 0, limit
		})
		traces[i] = testkit.Records(t, dir, instr.TraceSuffix)
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
	report, sim := collected(t, filepath.Join(t.TempDir(), "stats"),
		func(c *ross.Config) { c.Instruments.Discard, c.Instruments.Limit = true, 1 })
	require.NotContains(t, report, "stats-limit")
	require.NoError(t, sim.CollectionError())
}

func TestRanksShareTheLimit(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "stats")
	l := spreadLoad()
	l.end = 2
	sims := checkRanks(t, l, 4, func(c *ross.Config) {
		sampled(dir)(c)
		c.PEs, c.Synch, c.Instruments.EveryGVTs, c.Instruments.LPs, c.Instruments.VirtualInterval, c.Instruments.Trace,
			c.Instruments.Limit = 1, 3, 10, false, 0.5, ross.TraceCommitted, 150_000
	})
	size := sizeOf(t, dir)
	require.LessOrEqual(t, size, int64(150_000))
	require.Greater(t, size, int64(50_000))
	require.Positive(t, readAll(t, dir))
	for _, sim := range sims {
		require.ErrorContains(t, sim.CollectionError(), "--stats-limit=150000: reached")
	}
}
