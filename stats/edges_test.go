// This file pins where intervals and bins begin and end: a recording is in the one that its time or its size says.

package stats_test

import (
	"fmt"
	"math"
	"path/filepath"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/ross-go/ross/stats"
)

// ruler records the same times in series of different intervals, and as sizes.
type ruler struct {
	Tenth     stats.Series `ross:",,every=0.1"`
	Hundredth stats.Series `ross:",,every=0.01"`
	Three     stats.Series `ross:",,every=0.3"`
	Third     stats.Series `ross:",,every=0.3333333333333333"`
	Long      stats.Series `ross:",,every=0.123456789012345"`
	Auto      stats.Series
	Size      stats.Histogram
}

func (s *ruler) record(lp *ross.LP, _ *turn) {
	for _, of := range []*stats.Series{&s.Tenth, &s.Hundredth, &s.Three, &s.Third, &s.Long, &s.Auto} {
		of.Add(lp, 1)
	}
	s.Size.Add(lp, lp.Now())
}

// rulers returns a model of LPs that record at times.
func rulers(times []float64) ross.Type[ruler] {
	return ross.Type[ruler]{Name: "ruler", Saving: ross.SaveByDelta, NeverStops: true, Event: ross.On((*ruler).record),
		Init: func(_ *ruler, lp *ross.LP) {
			for _, t := range times {
				ross.Send(lp, lp.ID(), t, turn{})
			}
		}}
}

// requireInPlace requires that intervals and bins have the numbers that are in them.
func requireInPlace(t *testing.T, r stats.Row, numbers []float64, each uint64) {
	t.Helper()
	course, bins := make([]uint64, len(r.Course)), make([]uint64, len(r.Bins))
	for _, x := range numbers {
		if n := len(course); n > 0 {
			i := sort.Search(n, func(i int) bool { return r.Course[i].Begin > x }) - 1
			require.Less(t, x, r.Course[i].End, r.Name)
			course[i] += each
		}
		if n := len(bins); n > 0 {
			i := sort.Search(n, func(i int) bool { return r.Bins[i].Low > x }) - 1
			require.True(t, x < r.Bins[i].High || x == 0 && r.Bins[i].High == 0, "%s: %v", r.Name, x)
			bins[i] += each
		}
	}
	for k, i := range r.Course {
		if course[k] != i.Count || k > 0 && r.Course[k-1].End != i.Begin {
			t.Fatalf("%s: %d from %v to before %v, and not %d", r.Name, i.Count, i.Begin, i.End, course[k])
		}
	}
	for k, b := range r.Bins {
		require.Equal(t, bins[k], b.Count, "%s: from %v to before %v", r.Name, b.Low, b.High)
	}
}

func TestRecordingsAreInTheIntervalOfTheirTime(t *testing.T) {
	r := testrand.New(t)
	var times []float64
	for k := range 40 {
		n := float64(k)
		times = append(times, n/10, n/100, n*0.3, 3*n/10, n*0.1, n/3, n*(1.0/3), n*0.123456789012345,
			math.Nextafter(n*0.1, 0), math.Nextafter(n/10, 99), r.Float64()*4)
	}
	table := func(synch ross.Scheduler, pes int, from, to string, end float64) []stats.Row {
		sim := rosstest.RunLeg(t, rosstest.Leg{From: from, To: to, Mode: ross.LoadInit, Configure: func(c *ross.Config) {
			c.Synch, c.PEs, c.NLP, c.NKP, c.End, c.MaxMemory = synch, pes, 4/pes, 2, end, 32<<20
		}}, rulers(times))
		table, err := stats.Collect(sim)
		require.NoError(t, err)
		require.NoError(t, sim.Close())
		return table.Rows()
	}
	want := table(ross.Sequential, 1, "", "", 20)
	for i := range want {
		requireInPlace(t, want[i], times, 4)
	}
	half := filepath.Join(t.TempDir(), "half")
	table(ross.Optimistic, 2, "", half, 2)
	for _, rows := range [][]stats.Row{table(ross.Optimistic, 4, "", "", 20), table(ross.Optimistic, 1, half, "", 20)} {
		for i := range want {
			require.Equal(t, fmt.Sprint(want[i].Course), fmt.Sprint(rows[i].Course), want[i].Name) // NaN is in it, too
			require.Equal(t, want[i].Bins, rows[i].Bins, want[i].Name)
		}
	}
}

// fine has short intervals.
type fine struct {
	Tenth stats.Series `ross:",,every=0.1"`
	Nano  stats.Series `ross:",,every=1e-9"`
}

// TestMultiplesAreOneInEachInterval has the times 0.1, 0.2, 0.3 and so on, as everybody writes them.
func TestMultiplesAreOneInEachInterval(t *testing.T) {
	for name, parts := range map[string]float64{"Tenth": 10, "Nano": 1e9} {
		cfg := rosstest.Small()
		cfg.End = 400 / parts
		out := rosstest.Run(t, cfg, ross.Type[fine]{Name: "fine",
			Init: func(_ *fine, lp *ross.LP) {
				for k := range 400 {
					ross.Send(lp, lp.ID(), float64(k)/parts, turn{})
				}
			},
			Event: ross.On(func(s *fine, lp *ross.LP, _ *turn) {
				of := &s.Tenth
				if parts == 1e9 {
					of = &s.Nano
				}
				of.Add(lp, 1)
			})})
		table, err := stats.Collect(out.Simulation)
		require.NoError(t, err)
		row, _ := table.Row("fine", name)
		require.Len(t, row.Course, 400)
		for k, i := range row.Course {
			require.InEpsilon(t, 4*parts, i.Rate, 1e-9)
			require.Equal(t, stats.Interval{Begin: float64(k) / parts, End: float64(k+1) / parts, Count: 4, Sum: 4, Mean: 1,
				Rate: i.Rate}, i)
		}
	}
}

func TestSizesAreInTheirBins(t *testing.T) {
	r := testrand.New(t)
	var sizes []float64
	for k := 1; k < 200; k++ {
		x := math.Ldexp(float64(64+k%64), k*10-1080) // a bin begins there
		sizes = append(sizes, x, math.Nextafter(x, 0), float64(k)*0.1, float64(k)/10,
			math.Float64frombits(r.Uint64()%0x7fe0000000000000))
	}
	sizes = append(sizes, 0, 5e-324, 1e9, 1e15)
	rows := func() []stats.Row {
		out := rosstest.Run(t, rosstest.Small(), ross.Type[ruler]{Name: "ruler",
			Init: func(_ *ruler, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, turn{}) },
			Event: ross.On(func(s *ruler, lp *ross.LP, _ *turn) {
				for _, x := range sizes {
					s.Size.Add(lp, x)
				}
			})})
		table, err := stats.Collect(out.Simulation)
		require.NoError(t, err)
		return table.Rows()
	}()
	requireInPlace(t, rows[len(rows)-1], sizes, 4)
}
