// This file tests the reading of the files of a run.

package survey

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/survey/surveytest"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/output/findings"
)

func open(t *testing.T, paths ...string) *Run {
	t.Helper()
	run, err := New(inputs(t, paths...))
	require.NoError(t, err)
	return run
}

func inputs(t *testing.T, paths ...string) []cli.Input {
	t.Helper()
	inputs, err := cli.NewFlags("", "", "", "").Inputs(paths)
	require.NoError(t, err)
	return inputs
}

// of returns the samples of a file that holds data.
func of(t *testing.T, suffix string, data []byte) (*Run, []Sample) {
	t.Helper()
	run := open(t, surveytest.Run{}.Put(t, t.TempDir(), suffix, data))
	var samples []Sample
	require.NoError(t, run.Samples(run.Files[0].Content, func(s *Sample) { samples = append(samples, *s) }))
	return run, samples
}

func TestSurveyTellsWhatThereIs(t *testing.T) {
	shape := surveytest.Typical()
	run := open(t, shape.Write(t))
	require.Equal(t, []uint32{0, 1, 2, 3}, run.PEs)
	require.Len(t, run.KPs, 32)
	require.Equal(t, KP{0, 1}, run.KPs[1])
	require.Len(t, run.Home, 64)
	require.Equal(t, KP{1, 0}, run.Home[17])
	gvt := run.Sources[instr.GVTFile]
	require.Equal(t, []uint64{800, 6400, 12800, 200}, []uint64{gvt.PE, gvt.KP, gvt.LP, gvt.PerPE})
	require.Equal(t, uint64(shape.Events), run.Sources[instr.Trace].Events)
	require.Equal(t, []uint32{0, 63}, []uint32{run.MinLP, run.MaxLP})
	require.True(t, run.FromStart)
	require.Zero(t, run.Begin(instr.GVTFile))
	memory := run.Sources[instr.Memory]
	require.Equal(t, []uint64{800, 200}, []uint64{memory.Memory, memory.PerPE})
	require.Len(t, run.Files, 3)
}

func TestOriginalClockCountsFromTheFirstRecord(t *testing.T) {
	var data []byte
	for i, real := range []float64{2363.5, 2364, 2366} {
		data = instr.AppendPE(data, float64(i), real, &instr.PEStats{Processed: 7})
	}
	run, samples := of(t, instr.GVTSuffix, data)
	require.False(t, run.FromStart)
	require.Equal(t, 2363.5, run.Begin(instr.GVTFile))
	require.False(t, samples[0].Known)
	require.Equal(t, samples[0].From, samples[0].To)
	require.True(t, samples[1].Known)
	require.Equal(t, []float64{2363.5, 2364, 2364, 2366}, []float64{samples[1].From, samples[1].To, samples[2].From,
		samples[2].To})
}

func TestEachPEAndKPHasIntervalsOfItsOwn(t *testing.T) {
	data := instr.AppendPE(nil, 1, 1, &instr.PEStats{PE: 0})
	data = instr.AppendKP(data, 1, 1.5, &instr.KPStats{PE: 0})
	data = instr.AppendPE(data, 1, 2, &instr.PEStats{PE: 1})
	data = instr.AppendPE(data, 1, 3, &instr.PEStats{PE: 0})
	data = instr.AppendPE(data, 1, 2.5, &instr.PEStats{PE: 0}) // the clock was set back
	_, samples := of(t, instr.RTSuffix, data)
	var got [][2]float64
	for _, s := range samples {
		got = append(got, [2]float64{s.From, s.To})
	}
	require.Equal(t, [][2]float64{{0, 1}, {0, 1.5}, {0, 2}, {1, 3}, {3, 3}}, got)
}

func TestWhatIsNoNumberIsNotKnown(t *testing.T) {
	inf := float32(math.Inf(-1))
	data := instr.AppendPE(nil, math.MaxFloat64, math.Inf(1), &instr.PEStats{EventProcess: inf, GVT: -1})
	data = instr.AppendKP(data, math.Inf(1), 1, &instr.KPStats{TimeAheadGVT: inf, Rollbacks: 1, SecondaryRollbacks: 2})
	_, samples := of(t, instr.RTSuffix, data)
	require.True(t, math.IsNaN(samples[0].GVT) && math.IsNaN(samples[1].GVT))
	require.True(t, math.IsNaN(samples[1].Ahead) && math.IsNaN(samples[0].Ahead))
	require.Zero(t, samples[0].Parts)
	require.Zero(t, samples[0].To)
	require.Zero(t, samples[1].Primary())
}

func TestGVTsAreThoseSinceTheSampleBefore(t *testing.T) {
	count := func(suffix string, counts ...uint32) (gvts []uint64) {
		var data []byte
		for _, n := range counts {
			data = instr.AppendPE(data, 1, 1, &instr.PEStats{GVTs: n})
		}
		_, samples := of(t, suffix, data)
		for _, s := range samples {
			gvts = append(gvts, s.GVTs)
		}
		return gvts
	}
	require.Equal(t, []uint64{10, 10, 10, 10, 10, 10, 10, 3}, count(instr.GVTSuffix, 10, 10, 10, 10, 10, 10, 10, 3))
	require.Equal(t, []uint64{10, 10, 10, 10, 10, 10, 10, 3}, count(instr.GVTSuffix, 10, 20, 30, 40, 50, 60, 70, 73),
		"the original's")
}

func TestVirtualSamplingPointsAreNoGVT(t *testing.T) {
	_, samples := of(t, instr.VTSuffix, instr.AppendPE(nil, 5, 1, &instr.PEStats{}))
	require.True(t, math.IsNaN(samples[0].GVT))
}

func TestRestIsWhatNoPartAccountsFor(t *testing.T) {
	s := Sample{From: 1, To: 3, Known: true, Parts: [NumParts]float64{EventTime: 0.5, GVTTime: 1}}
	require.Equal(t, 0.5, s.Rest())
	s.To = 1.75 // half of what the parts take
	require.Zero(t, s.Rest())
	require.Equal(t, [NumParts]float64{EventTime: 0.25, GVTTime: 0.5}, s.Parts)
}

func TestEfficiencyIsThatOfTheSamples(t *testing.T) {
	for _, c := range [][2]uint64{{0, 0}, {10, 0}, {10, 5}, {10, 9}, {10, 10}, {10, 11}, {131, 38}} {
		require.InDelta(t, float64(instr.Efficiency(c[0], c[1])), findings.Efficiency(float64(c[0]), float64(c[1])), 1e-4, c)
	}
}

func TestSamplesOfMemoryCountFromTheOneBefore(t *testing.T) {
	var data []byte
	for i, real := range []float64{1, 2, 3, 2.5, 4} {
		data = instr.AppendMemory(data, 0, real, &instr.MemoryStats{PE: uint32(i % 2), Used: uint64(i)})
	}
	run := open(t, surveytest.Run{}.Put(t, t.TempDir(), instr.MemorySuffix, data))
	require.Equal(t, []uint32{0, 1}, run.PEs)
	var got [][4]float64
	require.NoError(t, run.Memory(func(from, to float64, m *instr.MemoryStats) {
		got = append(got, [4]float64{float64(m.PE), float64(m.Used), from, to})
	}))
	require.Equal(t, [][4]float64{{0, 0, 0, 1}, {1, 1, 0, 2}, {0, 2, 1, 3}, {1, 3, 2, 2.5}, {0, 4, 3, 4}}, got)
}

func TestFileOfAnyNameIsKnownByItsBytes(t *testing.T) {
	data := instr.AppendPE(nil, 1, 1, &instr.PEStats{PE: 3})
	path := filepath.Join(t.TempDir(), "any name")
	require.NoError(t, os.WriteFile(path, data, 0o644))
	run := open(t, path)
	require.Equal(t, instr.GVTFile, run.Files[0].Content)
	require.Equal(t, []uint32{3}, run.PEs)
}

func TestFilesOfSeveralRunsAreRefused(t *testing.T) {
	one, two := surveytest.Typical().Write(t), surveytest.Typical().Write(t)
	_, err := New(inputs(t, one, two))
	require.ErrorIs(t, err, ErrSeveralRuns)
}

func TestStandardInputIsRefused(t *testing.T) {
	_, err := New([]cli.Input{{Name: "stdin", Stdin: true}})
	require.ErrorIs(t, err, cli.ErrUsage)
}

func TestFileThatGrowsIsReadAsFarAsTheFirstTime(t *testing.T) {
	data := instr.AppendPE(nil, 1, 1, &instr.PEStats{PE: 3})
	path := surveytest.Run{}.Put(t, t.TempDir(), instr.GVTSuffix, data)
	run := open(t, path)
	require.NoError(t, os.WriteFile(path, instr.AppendPE(data, 2, 2, &instr.PEStats{PE: 4})[:200], 0o644))
	var pes []uint32
	require.NoError(t, run.Samples(instr.GVTFile, func(s *Sample) { pes = append(pes, s.KP.PE) }))
	require.Equal(t, []uint32{3}, pes)
}

func Example() {
	inputs, err := cli.NewFlags("", "", "", "").Inputs([]string{"../../../../instr/testdata/opt2-evtrace.bin"})
	if err != nil {
		fmt.Println(err)
		return
	}
	run, err := New(inputs)
	if err != nil {
		fmt.Println(err)
		return
	}
	trace := run.Sources[instr.Trace]
	fmt.Println(trace.Events, "events of LPs", run.MinLP, "to", run.MaxLP)
	fmt.Println("clock began with the run:", run.FromStart)
	later := 0
	err = run.Trace(func(e *instr.Event) {
		if e.RecvTS > 200 {
			later++
		}
	})
	fmt.Println(later, "after 200", err)
	// Output:
	// 3225 events of LPs 0 to 7
	// clock began with the run: false
	// 1608 after 200 <nil>
}
