// This file pins the files that a run writes: event trace, ross.csv, times of
// LPs.

package collect_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/models/rosstest"
	"github.com/ross-go/ross/report"
)

// tracing returns clocks as those of forever, whose messages count; of them the
// trace has those of LPs with even ids.
func tracing() ross.Type[none, word] {
	typ := rosstest.Forever(rosstest.NoTick)
	typ.Event = func(_ *none, lp *ross.LP, _ *ross.Bits, m *word) {
		ross.Send(lp, lp.ID(), 1, word{N: m.N + 1})
	}
	typ.TraceSize = 3
	typ.Trace = func(lp *ross.LP, _ ross.TraceKind, m *word, buf []byte) bool {
		if m.N == 0 {
			buf[2] = 0xff // must not be seen in the next record
		}
		buf[0], buf[1] = byte(m.N), byte(lp.ID())
		return lp.ID()%2 == 0
	}
	return typ
}

func TestTraceGoesBesideAFolderThatExistsAndTheReportSaysWhere(t *testing.T) {
	cfg := rosstest.Small()
	cfg.End, cfg.EventTrace, cfg.StatsPath = 4, 1, filepath.Join(t.TempDir(), "trace")
	require.NoError(t, os.Mkdir(cfg.StatsPath, 0o700))
	out := rosstest.Run(t, cfg, tracing())
	_, line, found := strings.Cut(out.Report, "Instrumentation output: "+cfg.StatsPath+"-")
	require.True(t, found)
	suffix, _, _ := strings.Cut(line, "\n")
	require.Len(t, rosstest.ReadTrace(t, cfg.StatsPath+"-"+suffix), 6)
}

func TestTraceHoldsTheEventsThatTheModelChooses(t *testing.T) {
	for _, kind := range []int{1, 3} {
		cfg := rosstest.Small()
		cfg.End, cfg.EventTrace, cfg.StatsPath = 4, kind, filepath.Join(t.TempDir(), "deep", "trace")
		out := rosstest.Run(t, cfg, tracing())
		require.NotContains(t, out.Report, "Instrumentation output: ", "only a folder of another name is told")
		var got []instr.Event
		for _, e := range rosstest.ReadTrace(t, cfg.StatsPath) {
			require.GreaterOrEqual(t, e.RealTS, float32(0))
			e.RealTS = 0
			got = append(got, e)
		}
		require.Len(t, got, 6)
		for _, lp := range []uint32{0, 2} {
			for n := range uint32(3) {
				mark := byte(0)
				if n == 0 {
					mark = 0xff
				}
				require.Contains(t, got, instr.Event{Src: lp, Dest: lp, SendTS: float32(n), RecvTS: float32(n + 1), Payload: []byte{byte(n), byte(lp), mark}})
			}
		}
	}
}

func TestTraceOfRollbacksIsEmptyWhereNothingRollsBack(t *testing.T) {
	cfg := rosstest.Small()
	cfg.EventTrace, cfg.StatsPath = 2, filepath.Join(t.TempDir(), "trace")
	rosstest.Run(t, cfg, tracing())
	require.Empty(t, rosstest.ReadTrace(t, cfg.StatsPath))
}

func TestDisabledOutputWritesNoTrace(t *testing.T) {
	cfg := rosstest.Small()
	cfg.EventTrace, cfg.DisableOutput, cfg.StatsPath = 1, 1, filepath.Join(t.TempDir(), "trace")
	rosstest.Run(t, cfg, tracing())
	files, err := os.ReadDir(cfg.StatsPath)
	require.NoError(t, err)
	require.Len(t, files, 1)
	require.Equal(t, "run.json", files[0].Name()) // which says what the run was
}

func TestFolderGetsARowForEachRunAndTheLPsOfTheLast(t *testing.T) {
	cfg := rosstest.Small()
	cfg.Dir = filepath.Join(t.TempDir(), "results")
	for range 2 {
		rosstest.Run(t, cfg, rosstest.Forever(rosstest.NoTick))
	}
	table, err := os.ReadFile(filepath.Join(cfg.Dir, report.CSVName))
	require.NoError(t, err)
	lines := strings.Split(string(table), "\n")
	require.Len(t, lines, 4, "header, two rows, and the last line's end")
	require.Equal(t, strings.Count(lines[0], ","), strings.Count(lines[2], ","))
	lps, err := os.ReadFile(filepath.Join(cfg.Dir, report.LPStatsDir, "pe_0.txt"))
	require.NoError(t, err)
	require.Equal(t, 4, strings.Count(string(lps), "Events processed: 99\n"))
}
