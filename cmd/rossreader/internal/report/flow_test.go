package report

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
	"github.com/ross-go/ross/cmd/rossreader/internal/survey/surveytest"
	"github.com/ross-go/ross/instr"
)

// traced returns the figures of a trace of n events, one in each unit of virtual time, which go around
// among so many LPs.
func traced(t *testing.T, n, lps int, stretch [2]float64) *figures {
	t.Helper()
	var trace []byte
	for i := range n {
		trace = instr.AppendEvent(trace, &instr.Event{Src: uint32(i % lps), Dest: uint32((i + 1) % lps), SendTS: float32(i), RecvTS: float32(i + 1), RealTS: 1})
	}
	inputs, err := cli.NewFlags("report", "", "", "").Inputs([]string{surveytest.Run{}.Put(t, t.TempDir(), instr.TraceSuffix, trace)})
	require.NoError(t, err)
	run, err := survey.New(inputs)
	require.NoError(t, err)
	run.Stretch = stretch
	f, err := gather(run)
	require.NoError(t, err)
	return f
}

func TestFlowShowsTheEventsOfAStretchOfVirtualTime(t *testing.T) {
	c := traced(t, 100, 4, [2]float64{20, 29.5}).flowChart()
	require.Empty(t, c.Absent)
	require.Equal(t, []string{"LP 0", "LP 1", "LP 2", "LP 3"}, c.Rows)
	require.Len(t, c.Arrows, 10) // received at 20 to 29
	require.Equal(t, [4]num{19, 3, 20, 0}, c.Arrows[0])
	require.Equal(t, [4]num{28, 0, 29, 1}, c.Arrows[9])
	require.Contains(t, c.Note, "Virtual time 20 to 29.5.")
}

func TestFlowOfALongTraceIsItsMiddle(t *testing.T) {
	c := traced(t, 10_000, 100, [2]float64{}).flowChart()
	require.Len(t, c.Rows, maxFlowLPs)
	require.NotEmpty(t, c.Arrows)
	require.LessOrEqual(t, len(c.Arrows), maxFlow)
	for _, a := range c.Arrows {
		require.InDelta(t, 5000, float64(a[2]), 200)
	}
	require.Contains(t, c.Note, "the middle of the run")
	require.Contains(t, c.Note, fmt.Sprintf("the first %d events between %d LPs", len(c.Arrows), maxFlowLPs))
	none := traced(t, 100, 4, [2]float64{500, 600}).flowChart()
	require.Contains(t, none.Absent, "no event")
}

func TestEventsOfTheLPsAddUpAndHaveRoundTicks(t *testing.T) {
	f := traced(t, 1000, 100, [2]float64{})
	c := f.lpEvents()
	require.Len(t, c.Rows, maxLPRows)
	sum := 0.0
	for _, cell := range c.Cells {
		sum += float64(cell[2])
	}
	require.InDelta(t, 1000, sum, 1e-6)
	var ticks []string
	for _, tick := range c.Ticks {
		ticks = append(ticks, tick.Text)
		require.Less(t, tick.Column, len(c.Columns))
	}
	require.Equal(t, []string{"200", "400", "600", "800"}, ticks) // from 1 to 1000
}

func TestTicksAreOneTwoOrFive(t *testing.T) {
	for x, want := range map[float64]float64{1: 1, 1.1: 2, 2.5: 5, 7: 10, 0.03: 0.05, 140: 200} {
		require.InDelta(t, want, roundStep(x), 1e-12)
	}
	for _, g := range []grid{{}, {0, 1e-300, 5}, {1e18, 1e-3, 10}} {
		var c chart
		c.columnsOf(g, g.from, 1)
		require.LessOrEqual(t, len(c.Ticks), mostTicks)
	}
}

func TestChartOfZerosIsASentence(t *testing.T) {
	kp := instr.AppendKP(instr.AppendKP(nil, 1, 1, &instr.KPStats{Processed: 1}), 2, 2, &instr.KPStats{Processed: 1})
	page := makePage(t, surveytest.Run{}.Put(t, t.TempDir(), instr.GVTSuffix, kp))
	require.Contains(t, page, "No event was rolled back.")
	require.NotContains(t, page, `<figure id="rollbacks"`)
	one := instr.AppendPE(nil, 1, 1, &instr.PEStats{Processed: 5, QueueSize: 3, EventProcess: 1})
	require.Contains(t, makePage(t, surveytest.Run{}.Put(t, t.TempDir(), instr.GVTSuffix, one)), "There is one sample")
}
