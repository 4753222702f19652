// When checkpoints of a running simulation are due, and what is said of those that come late.

package checkpoint_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmdline"
	"github.com/ross-go/ross/internal/checkpoint"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/internal/timewarp"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/report"
)

// storingOf returns what stores the checkpoints of a sequential run of one PE that does not go on, and its
// report.
func storingOf(t *testing.T, set func(*settings.Settings)) (*checkpoint.Storing, *strings.Builder) {
	t.Helper()
	var out strings.Builder
	layout, err := mapping.NewLinear(1, 8, 1)
	require.NoError(t, err)
	run := &kernel.Run{Rank0: true, Report: &out, Layout: layout, Warn: func(string) {}}
	run.Set = settings.Settings{PEs: 1, IOFiles: 1, IOKeep: 2, IOName: filepath.Join(t.TempDir(), "run")}
	set(&run.Set)
	options := func() *cmdline.Options { return cmdline.NewOptions("walk") }
	s, pe := new(checkpoint.Checkpoints), new(timewarp.PE)
	s.Open(run, &ranks.Cluster{Ranks: 1}, "ross", options, nil, nil)
	pe.End = 1e5
	s.Keepers = []*checkpoint.Keeper{{PE: pe, Checkpoints: s}}
	require.NoError(t, s.BeginStoring())
	return s.Running, &out
}

func TestNoTwoCheckpointsAreDueAtOneTime(t *testing.T) {
	const every = 0.7
	found := 0
	for n := 1048576.0; found < 100; n++ {
		if at := n * every; (math.Floor(at/every)+1)*every == at { // where rounding hides the next multiple
			found++
			r, _ := storingOf(t, func(c *settings.Settings) { c.IOVirtualInterval = every })
			require.True(t, r.Begins(at))
			r.Begin(at)
			require.False(t, r.Begins(at))
		}
	}
}

func TestLateCheckpointsAreToldOnceAndCounted(t *testing.T) {
	r, out := storingOf(t, func(c *settings.Settings) { c.IOVirtualInterval = 10 })
	at := func(gvt float64, busy, begins bool) {
		t.Helper()
		r.Busy.Store(busy)
		require.Equal(t, begins, r.Begins(gvt))
		if begins {
			r.Begin(gvt)
		}
	}
	at(9, false, false)
	at(10.5, false, true) // as early as it can be
	require.NotContains(t, out.String(), "Note")
	require.Empty(t, r.Late.Figures())
	at(19, true, false)
	at(20, true, false)
	at(24, true, false)
	at(26.5, false, true)
	require.Contains(t, out.String(), "run-000001 of time 26.5 comes late: it was due at time 20, when the one before was still being written; later ones are counted in the report\n")
	at(30, true, false)
	at(63, false, true) // 40, 50 and 60 have none
	at(75, false, true)
	at(101, false, true) // 90 and 100 have none
	require.Equal(t, 1, strings.Count(out.String(), "Note"))
	require.Equal(t, []report.Figure{{Label: "Checkpoints That Came Late", Value: "2"}, {Label: "Late by at Most (virtual time)", Value: "33"}, {Label: "Checkpoints Left Out", Value: "5"}}, r.Late.Figures())
	at(110, true, false)
	r.Checkpoints.Keepers[0].PE.GVT = 130
	r.EndLate() // 110, 120 and 130
	require.Contains(t, r.Late.Figures(), report.Figure{Label: "Checkpoints Left Out", Value: "8"})
}

func TestMultiplesThatGVTPassesAtOnceAreTold(t *testing.T) {
	r, out := storingOf(t, func(c *settings.Settings) { c.IOVirtualInterval = 10 })
	require.True(t, r.Begins(35))
	r.Begin(35)
	require.Contains(t, out.String(), "run-000000 of time 35 stands for all multiples of --io-virtual-interval=10 from 10 on, because GVT passed them together")
	require.Equal(t, []report.Figure{{Label: "Checkpoints Left Out", Value: "2"}}, r.Late.Figures())
}

func TestCheckpointsLateInRealTimeAreTold(t *testing.T) {
	r, out := storingOf(t, func(c *settings.Settings) { c.IOInterval = 60 })
	require.False(t, r.Begins(5))
	r.Last = r.Last.Add(-90 * time.Second)
	r.Busy.Store(true)
	require.False(t, r.Begins(5))
	r.Busy.Store(false)
	require.True(t, r.Begins(6))
	r.Begin(6)
	require.Contains(t, out.String(), "run-000000 of time 6 comes 30 s late: the one before was still being written when it was due")
	require.Equal(t, "Checkpoints That Came Late", r.Late.Figures()[0].Label)
	require.InDelta(t, 30, r.Late.Real.Seconds(), 5)
}

func TestIntervalsOfLessThanANanosecondAreIntervals(t *testing.T) {
	for _, seconds := range []float64{1e-10, 5e-324, 1e-9} {
		r, _ := storingOf(t, func(c *settings.Settings) { c.IOInterval = seconds })
		require.Equal(t, time.Nanosecond, r.Interval)
	}
}
