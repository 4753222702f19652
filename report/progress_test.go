// This file owns the tests of the progress lines.

package report

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
)

func ExampleProgress() {
	p := NewProgress(40, 0.25)
	for _, gvt := range []float64{1, 5, 12, 18, 25, 39, math.MaxFloat64} {
		if gvt >= p.NextDue() && p.Due(gvt) {
			WriteProgress(os.Stdout, ProgressLine{
				Percent: p.Percent(gvt), GVT: gvt, MaxQueue: 8,
				Now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
			})
		}
	}
	// Output:
	// GVT #0: simulation 30% complete, max event queue size 8 (GVT = 12.0000) at Fri Jan  2 03:04:05 2026.
	// AVL tree size: 0
	// GVT #0: simulation 62% complete, max event queue size 8 (GVT = 25.0000) at Fri Jan  2 03:04:05 2026.
	// AVL tree size: 0
	// GVT #0: simulation 97% complete, max event queue size 8 (GVT = 39.0000) at Fri Jan  2 03:04:05 2026.
	// AVL tree size: 0
	// GVT #0: simulation 100% complete, max event queue size 8 (GVT = MAX) at Fri Jan  2 03:04:05 2026.
	// AVL tree size: 0
}

// The times of the trace are float32, so that their last printed digit may
// differ from the report's.
func TestSequentialLinesComeWhereTheOriginalsDo(t *testing.T) {
	for _, set := range sequentialSets {
		t.Run(set, func(t *testing.T) {
			ref := readReference(t, set)
			var got []ProgressLine
			p := NewProgress(ref.number("Simulation End Time"), SequentialReportInterval)
			for line := range strings.Lines(modeltest.Content(t, "testdata", set, "recv_ts.txt")) {
				gvt := parseNumber(t, strings.TrimSpace(line))
				if gvt >= p.NextDue() && p.Due(gvt) {
					got = append(got, ProgressLine{Percent: p.Percent(gvt), GVT: gvt})
				}
			}
			want := ref.progressLines()
			require.NotEmpty(t, want)
			require.Len(t, got, len(want))
			for i, l := range want {
				require.Equal(t, l.Percent, got[i].Percent, "line %d", i)
				require.InDelta(t, l.GVT, got[i].GVT, 0.6e-4, "line %d", i)
			}
		})
	}
}

// TestNextDueIsTheLeastTimeThatIsDue checks both neighbours of the boundary, on
// copies, since asking changes it.
func TestNextDueIsTheLeastTimeThatIsDue(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	for range 200 {
		end := math.Exp(random.Float64()*1400 - 700)
		p := NewProgress(end, random.Float64()*0.9+0.001)
		for range random.IntN(20) {
			p.Due(p.NextDue())
		}
		at, before := *p, *p
		at.Due(p.NextDue())
		before.Due(math.Nextafter(p.NextDue(), 0))
		require.NotEqual(t, *p, at, "end %g: nothing is due at %g", end, p.NextDue())
		require.Equal(t, *p, before, "end %g: something is due before %g", end, p.NextDue())
	}
}

func TestNoLineIsDueWhenTheyAreOffOrTheRunIsEndless(t *testing.T) {
	for name, p := range map[string]*Progress{
		"interval 0":      NewProgress(100, 0),
		"interval 1":      NewProgress(100, 1),
		"no end":          NewProgress(math.Inf(1), 0.01),
		"end 0, interval": NewProgress(0, 1),
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, math.Inf(1), p.NextDue())
			for _, gvt := range []float64{0, 1, 99, 200, math.MaxFloat64, math.Inf(1)} {
				require.False(t, p.Due(gvt), "at %g", gvt)
			}
		})
	}
}

func TestFirstDueTimePrintsNothing(t *testing.T) {
	p := NewProgress(10, 0.5)
	require.False(t, p.Due(0))
	require.False(t, p.Due(9), "the first")
	require.True(t, p.Due(9))
	require.False(t, p.Due(9), "printed already")
}

func TestRunThatStartsLateHasNoLinesOfBefore(t *testing.T) {
	p := NewProgress(100, 0.1)
	p.StartAt(52)
	require.False(t, p.Due(52))
	require.False(t, p.Due(60))
	require.True(t, p.Due(60.5))
	require.False(t, p.Due(60.6))
	require.True(t, p.Due(71))
	off := NewProgress(100, 0)
	off.StartAt(52)
	require.Equal(t, math.Inf(1), off.NextDue())
}

func TestPercentIsRoundedDownAndAtMost100(t *testing.T) {
	for _, c := range []struct {
		end, gvt float64
		want     int
	}{
		{100, 0, 0},
		{100, 29, 28}, // 0.29 * 100 is below 29, in ROSS too
		{100, 99.999, 99},
		{100, 100, 100},
		{100, 250, 100},
		{0.5, math.MaxFloat64, 100},
		{math.Inf(1), 5, 0},
		{math.Inf(1), math.Inf(1), 100},
	} {
		require.Equal(t, c.want, NewProgress(c.end, 0.01).Percent(c.gvt), "%g of %g", c.gvt, c.end)
	}
}

func TestProgressLineShowsItsFigures(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteProgress(&b, ProgressLine{
		GVTNumber: 42021, Percent: 100, MaxQueue: 61, GVT: math.MaxFloat64, AVLSize: 7,
		Now: time.Date(2026, 11, 20, 21, 47, 47, 0, time.UTC),
	}))
	require.Equal(t, "GVT #42021: simulation 100% complete, max event queue size 61 (GVT = MAX) at Fri Nov 20 21:47:47 2026.\n"+
		"AVL tree size: 7\n", b.String())
}
