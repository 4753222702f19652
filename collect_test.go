// The files of the instrumentation when buffers are small, output is off, or the disk is full.

package ross

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
)

// collectEnd gives runs as many events whatever the size of the load.
const collectEnd = 3 * float64(16) / loadStart

// collected runs the spread load with a folder for what it collects, and returns the
// report and the simulation, which is over.
func collected(t *testing.T, dir string, set func(*Config)) (string, *Simulation) {
	t.Helper()
	watch(t)
	var report bytes.Buffer
	cfg := DefaultConfig()
	cfg.NLP, cfg.End, cfg.Output, cfg.Digest = loadLPs, collectEnd, &report, true
	onPEs(2)(&cfg)
	cfg.Synch, cfg.StatsPath, cfg.EventTrace, cfg.EngineStats, cfg.NumGVT = 3, dir, int(TraceCommitted), sampleByGVT, 1
	cfg.KPData, cfg.LPData = 1, 1
	set(&cfg)
	sim, err := New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, sim.Close()) })
	require.NoError(t, sim.Define(spreadLoad().lpType()))
	require.NoError(t, sim.Run(t.Context()))
	return report.String(), sim
}

func TestRecordsThatFindNoRoomAreCountedAndTold(t *testing.T) {
	for _, size := range []uint64{1, 100, 1000, 50_000} {
		t.Run(fmt.Sprintf("%d bytes", size), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "stats")
			report, sim := collected(t, dir, func(c *Config) { c.BufferSize = size })
			require.Regexp(t, `(?m)^PE \d: There were [1-9]\d* bytes of data missed because of buffer overflow\nPE \d: missing .*: raise --buffer-size$`, report)
			missed := map[string]uint64{}
			for _, m := range regexp.MustCompile(`(\d+) (?:records|samples) of ([a-z-]+)`).FindAllStringSubmatch(report, -1) {
				records, err := strconv.ParseUint(m[1], 10, 64)
				require.NoError(t, err)
				missed[m[2]] += records
			}
			if size <= 1000 { // a larger one may be written in time
				require.Positive(t, missed[instr.TraceSuffix])
			}
			st := sim.Stats()
			got := uint64(len(records(t, dir, instr.TraceSuffix)))
			require.Equal(t, st.NetEvents(), got+missed[instr.TraceSuffix], "each event is in the trace or counted")
			processed := uint64(0)
			all := records(t, dir, instr.GVTSuffix)
			for _, r := range all {
				if r.Kind == instr.KindPE {
					processed += uint64(r.PE.Processed)
				}
			}
			each := 1 + len(sim.pes[0].kps) + len(sim.pes[0].lpSlab)
			require.Zero(t, len(all)%each, "samples are whole")
			if len(all) > 0 {
				require.Equal(t, st.EventsProcessed, processed, "and what was missed is in the next")
			} else {
				require.Positive(t, missed[instr.GVTSuffix])
			}
		})
	}
}

func TestLargeEnoughBuffersMissNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "stats")
	report, sim := collected(t, dir, func(*Config) {})
	require.NotContains(t, report, "missed")
	st := sim.Stats()
	require.Len(t, records(t, dir, instr.TraceSuffix), int(st.NetEvents()))
}

func TestDisabledOutputCollectsAndWritesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "stats")
	_, sim := collected(t, dir, func(c *Config) {
		c.DisableOutput, c.EngineStats, c.ModelStats, c.VTInterval = 1, sampleAll, sampleAll, 1
	})
	require.Equal(t, plainDigestTo(t, collectEnd), *sim.stats.Digest)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, files)
	st := sim.Stats()
	n := uint64(0)
	for _, pe := range sim.pes {
		n += pe.probe.buffers[traceFile].Records()
	}
	require.Equal(t, st.NetEvents()+st.AnalysisProcessed-st.AnalysisRolledBack, n, "they were collected all the same")
}

// plainDigestTo returns the digest of the spread load up to a time.
func plainDigestTo(t *testing.T, end float64) uint64 {
	t.Helper()
	return spreadLoad().digest(t, func(c *Config) { c.End = end })
}

func TestRealTimeSamplesAreNoMoreThanTheIntervalAllows(t *testing.T) {
	for _, synch := range []int{1, 2, 3} {
		dir := filepath.Join(t.TempDir(), "stats")
		_, sim := collected(t, dir, func(c *Config) {
			onPEs(1)(c)
			c.Synch, c.End, c.ConsLookahead = synch, 10, 0.1
			c.EngineStats, c.RTInterval, c.EventTrace, c.KPData, c.LPData = sampleByReal, 5, 0, 0, 0
		})
		all := records(t, dir, instr.RTSuffix)
		require.LessOrEqual(t, len(all), int(sim.Stats().Runtime/0.005)+2, "synch=%d", synch)
		require.NotEmpty(t, all)
	}
}

func TestFormerModesTogetherCollectJustThose(t *testing.T) {
	for words, want := range map[string][]string{
		"--enable-gvt-stats=1 --real-time-samp=1":                   {"gvt", "rt"},
		"--enable-gvt-stats=1 --time-interval=1":                    {"analysis-lps", "gvt"},
		"--time-interval=1 --real-time-samp=1":                      {"analysis-lps", "rt"},
		"--time-interval=1 --real-time-samp=1 --enable-gvt-stats=1": {"analysis-lps", "gvt", "rt"},
		"--enable-gvt-stats=1 --real-time-samp=1 --model-stats=3":   {"analysis-lps", "gvt", "model", "rt"},
	} {
		dir := filepath.Join(t.TempDir(), "stats")
		collected(t, dir, func(c *Config) {
			c.EngineStats, c.EventTrace = 0, 0
			o := NewOptions("former")
			c.Register(o)
			_, err := o.Parse(strings.Fields(words))
			require.NoError(t, err)
		})
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		var got []string
		for _, e := range entries {
			got = append(got, strings.TrimSuffix(strings.TrimPrefix(e.Name(), "ross-stats-"), ".bin"))
		}
		require.Equal(t, want, got, words)
		for _, name := range want {
			if name != "model" && !strings.Contains(words, "model-stats") {
				require.NotEmpty(t, records(t, dir, name), "%s: %s", words, name)
			}
		}
	}
}
