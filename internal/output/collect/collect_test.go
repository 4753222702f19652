// This file pins the files that a run writes for samples and traces, and their points.

package collect_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/report"
)

// The files that a run writes: event trace, ross.csv, times of
// LPs.

// tracing returns clocks as those of forever, whose messages count; of them the
// trace has those of LPs with even ids.
func tracing() ross.Type[none] {
	typ := rosstest.Forever(rosstest.NoTick)
	typ.Event = ross.On(func(_ *none, lp *ross.LP, m *word) {
		ross.Send(lp, lp.ID(), 1, word{N: m.N + 1})
	}).Trace(func(lp *ross.LP, _ ross.TraceKind, m *word, buf []byte) bool {
		if m.N == 0 {
			buf[2] = 0xff // must not be seen in the next record
		}
		buf[0], buf[1] = byte(m.N), byte(lp.ID())
		return lp.ID()%2 == 0
	})
	typ.TraceSize = 3
	return typ
}

func TestTraceGoesBesideAFolderThatExistsAndTheReportSaysWhere(t *testing.T) {
	cfg := rosstest.Small()
	cfg.End, cfg.Instruments.Trace, cfg.Instruments.Path = 4, ross.TraceAll, filepath.Join(t.TempDir(), "trace")
	require.NoError(t, os.Mkdir(cfg.Instruments.Path, 0o700))
	out := rosstest.Run(t, cfg, tracing())
	_, line, found := strings.Cut(out.Report, "Instrumentation output: "+cfg.Instruments.Path+"-")
	require.True(t, found)
	suffix, _, _ := strings.Cut(line, "\n")
	require.Len(t, rosstest.ReadTrace(t, cfg.Instruments.Path+"-"+suffix), 6)
}

func TestTraceHoldsTheEventsThatTheModelChooses(t *testing.T) {
	for _, kind := range []int{1, 3} {
		cfg := rosstest.Small()
		cfg.End, cfg.Instruments.Trace, cfg.Instruments.Path = 4, ross.TraceKind(kind), filepath.Join(t.TempDir(), "deep",
			"trace")
		out := rosstest.Run(t, cfg, tracing())
		require.NotContains(t, out.Report, "Instrumentation output: ", "only a folder of another name is reported")
		var got []instr.Event
		for _, e := range rosstest.ReadTrace(t, cfg.Instruments.Path) {
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
				require.Contains(t, got, instr.Event{Src: lp, Dest: lp, SendTS: float32(n), RecvTS: float32(n + 1),
					Payload: []byte{byte(n), byte(lp), mark}})
			}
		}
	}
}

func TestTraceOfRollbacksIsEmptyWhereNothingRollsBack(t *testing.T) {
	cfg := rosstest.Small()
	cfg.Instruments.Trace, cfg.Instruments.Path = ross.TraceRollbacks, filepath.Join(t.TempDir(), "trace")
	rosstest.Run(t, cfg, tracing())
	require.Empty(t, rosstest.ReadTrace(t, cfg.Instruments.Path))
}

func TestDisabledOutputWritesNoTrace(t *testing.T) {
	cfg := rosstest.Small()
	cfg.Instruments.Trace, cfg.Instruments.Discard, cfg.Instruments.Path = ross.TraceAll, true, filepath.Join(t.TempDir(),
		"trace")
	rosstest.Run(t, cfg, tracing())
	files, err := os.ReadDir(cfg.Instruments.Path)
	require.NoError(t, err)
	require.Len(t, files, 1)
	require.Equal(t, "run.json", files[0].Name()) // which states what the run was
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

// Types which are not traced leave no events in a trace.

func TestEventsOfUntracedTypesAreInNoTrace(t *testing.T) {
	testlevel.Once(t, "what is in a file")
	type state struct{ Handled uint64 }
	for _, c := range []struct {
		synch, pes int
		kind       ross.TraceKind
	}{{1, 1, ross.TraceAll}, {2, 2, ross.TraceCommitted}, {3, 2, ross.TraceAll}, {3, 2, ross.TraceRollbacks},
		{3, 2, ross.TraceCommitted}, {6, 1, ross.TraceCommitted}} {
		testkit.Watch(t)
		cfg := ross.DefaultConfig()
		cfg.End, cfg.ConsLookahead, cfg.Tuning.GVTInterval, cfg.Tuning.Batch = 30, 0.1, 4, 4
		cfg.PEs, cfg.NLP = c.pes, int(1024/uint64(c.pes))
		cfg.Synch, cfg.Instruments.Trace, cfg.Instruments.Path = ross.Scheduler(c.synch), ross.TraceKind(
			int(c.kind)), filepath.Join(t.TempDir(), "stats")
		cfg.TypeMap = func(lp ross.LPID) int { return int(lp) % 2 }
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		silent := ross.Type[state]{
			Name: "silent", Untraced: true, Saving: ross.SaveByDelta,
			Init: func(_ *state, lp *ross.LP) { ross.Send(lp, lp.ID(), 0.1+lp.RNG().Unif(), word{}) },
			Event: ross.On(func(s *state, lp *ross.LP, _ *word) {
				s.Handled++
				ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 15)), 0.1+lp.RNG().Unif(), word{})
			}),
		}
		traced := silent
		traced.Name, traced.Untraced = "traced", false
		require.NoError(t, sim.Define(silent, traced))
		require.NoError(t, sim.Run(t.Context()))
		all := testkit.Records(t, cfg.Instruments.Path, instr.TraceSuffix)
		of := map[uint32]uint64{}
		for _, r := range all {
			require.EqualValues(t, 1, r.Event.Dest%2, "%+v", c)
			of[r.Event.Dest]++
		}
		for id := range ross.LPID(16) {
			if n := ross.StateOf[state](sim.LP(id)).Handled; id%2 == 1 && c.kind == ross.TraceCommitted {
				require.EqualValues(t, n, of[uint32(id)], "%+v: LP %d", c, id)
			} else if id%2 == 1 && c.kind == ross.TraceAll {
				require.GreaterOrEqual(t, of[uint32(id)], n, "%+v: LP %d", c, id)
			}
		}
		require.NoError(t, sim.Close())
	}
}

// A run which starts from a checkpoint has the points of one that was not stopped.

// TestRestartedRunHasThePointsOfTheRunThatWasNotStopped stops runs at points, and between them.
func TestRestartedRunHasThePointsOfTheRunThatWasNotStopped(t *testing.T) {
	const end = 20.0
	run := func(every float64, g rosstest.Leg, end float64) (points []float64) {
		typ := rosstest.Walkers()
		typ.PointSize = 8
		typ.Point = func(_ *rosstest.Walker, lp *ross.LP, _ []byte) {
			if lp.ID() == 0 {
				points = append(points, lp.Now())
			}
		}
		g.Mode, g.Configure = ross.LoadInit, func(c *ross.Config) {
			rosstest.Walk(2, end)(c)
			c.Instruments.Model, c.Instruments.VirtualInterval, c.Instruments.Path = ross.SampleByVirtualTime, every,
				filepath.Join(t.TempDir(), "stats")
		}
		require.NoError(t, rosstest.RunLeg(t, g, typ).Close())
		return points
	}
	for _, every := range []float64{0.7, 0.1, 1, 7.3, 30} {
		want := run(every, rosstest.Leg{}, end)
		stops := []float64{10, 3 * every, 0.5 * every, 1e-9}
		if len(want) > 3 {
			stops = append(stops, want[2], want[3], want[len(want)-1])
		}
		for _, stop := range stops {
			if stop >= end {
				continue
			}
			cp := filepath.Join(t.TempDir(), "half")
			got := append(run(every, rosstest.Leg{To: cp}, stop), run(every, rosstest.Leg{From: cp}, end)...)
			require.Equal(t, want, got, "every %g, stopped at %v", every, stop)
		}
	}
}

// What models do wrong when they are asked for samples.

func TestMistakesInSamplesNameTheLP(t *testing.T) {
	sends := func(lp *ross.LP) { ross.Send(lp, 1, 1, word{}) }
	panics := func(*ross.LP) { panic("no sample") }
	for name, c := range map[string]struct {
		in   func(*ross.Type[none], func(lp *ross.LP))
		does func(*ross.LP)
		text string
	}{
		"sample sends":  {inSample, sends, "sent LP 1 an event"},
		"sample panics": {inSample, panics, "panic: no sample"},
		"point sends":   {inPoint, sends, "sent LP 1 an event"},
		"point panics":  {inPoint, panics, "panic: no sample"},
	} {
		for _, synch := range []int{1, 3} {
			t.Run(name, func(t *testing.T) {
				typ := rosstest.Once(func(*ross.LP) {})
				c.in(&typ, c.does)
				cfg := rosstest.Small()
				cfg.Synch, cfg.Instruments.Model, cfg.Instruments.VirtualInterval = ross.Scheduler(synch), ross.SampleAll, 5
				cfg.Instruments.Path = filepath.Join(t.TempDir(), "stats")
				out := rosstest.Try(t, cfg, typ)
				var mistake *ross.ModelError
				require.ErrorAs(t, out.Err, &mistake)
				require.Less(t, mistake.LP, ross.LPID(cfg.NLP))
				require.Equal(t, "once", mistake.Type)
				require.ErrorContains(t, out.Err, c.text)
			})
		}
	}
}

func inSample(t *ross.Type[none], does func(lp *ross.LP)) {
	t.SampleSize, t.Sample = 1, func(_ *none, lp *ross.LP, _ []byte) { does(lp) }
}

func inPoint(t *ross.Type[none], does func(lp *ross.LP)) {
	t.PointSize, t.Point = 1, func(_ *none, lp *ross.LP, _ []byte) { does(lp) }
}

// A type with Point gives a sample at each point of virtual time, one in each interval. What it has written is read
// back from the file of these samples.
func Example_samples() {
	dir, err := os.MkdirTemp("", "samples")
	must(err)
	defer os.RemoveAll(dir)
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End = 1, 10
	// 3: at virtual times
	cfg.Instruments.Model, cfg.Instruments.VirtualInterval, cfg.Instruments.Path = ross.SampleByVirtualTime, 4,
		filepath.Join(dir, "stats")
	sim, err := ross.New(cfg)
	must(err)
	defer sim.Close()
	err = sim.Define(ross.Type[uint64]{
		Init:      func(_ *uint64, lp *ross.LP) { ross.Send(lp, 0, 0.5, struct{}{}) },
		Event:     ross.On(func(n *uint64, lp *ross.LP, _ *struct{}) { *n++; ross.Send(lp, 0, 1, struct{}{}) }),
		PointSize: 8,
		Point:     func(n *uint64, _ *ross.LP, buf []byte) { binary.LittleEndian.PutUint64(buf, *n) },
	})
	must(err)
	must(sim.Run(context.Background()))

	samples, err := instr.Open(instr.FileName(cfg.Instruments.Path, "", instr.VTSuffix))
	must(err)
	defer samples.Close()
	for r, err := range samples.All() {
		must(err)
		fmt.Println("time", r.VTModel.TS, "events", binary.LittleEndian.Uint64(r.VTModel.Payload))
	}
	// Output:
	// time 4 events 4
	// time 8 events 8
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// Short names for what the tests of this package use most.

type (
	none = rosstest.None
	word = rosstest.Word
)
