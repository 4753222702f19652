// This file pins that the rows of a table are those of exact arithmetic, whatever was recorded, under
// every scheduler and across a restart.

package stats_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/models/rosstest"
	"github.com/ross-go/ross/stats"
)

// recorder is a state whose statistics all get the same numbers.
type recorder struct {
	Tally  stats.Tally
	Bins   stats.Histogram
	Level  stats.Level
	Series stats.Series `ross:",,every=20"`
	Count  stats.Counter
}

type turn struct{ K uint64 }

const recorders = 4

// recording returns a model whose LP i records a number at time (i+1)/4, and then one of the LPs after
// the other at each whole time later: number k is the one at that index, modulo their number.
func recording(numbers []float64) ross.Type[recorder, turn] {
	return ross.Type[recorder, turn]{
		Name: "recorder", Saving: ross.SaveByDelta,
		Init: func(_ *recorder, lp *ross.LP) {
			ross.Send(lp, lp.ID(), 0.25*float64(lp.ID()+1), turn{uint64(lp.ID())})
		},
		Event: func(s *recorder, lp *ross.LP, _ *ross.Bits, m *turn) {
			x := numbers[m.K%uint64(len(numbers))]
			s.Tally.Add(lp, x)
			s.Bins.Add(lp, x)
			s.Level.Set(lp, x)
			s.Series.Add(lp, x)
			s.Count.Add(lp, 1<<53+1)
			ross.Send(lp, (lp.ID()+1)%recorders, 1, turn{m.K + 1})
		},
	}
}

// exactly is a number of so many bits that sums and products of any float64 fit in.
func exactly(x float64) *big.Float { return new(big.Float).SetPrec(6000).SetFloat64(x) }

// expected returns the rows that the recordings come to until an end.
func expected(numbers []float64, end float64) map[string]stats.Row {
	var all []float64
	intervals := map[int]*big.Float{}
	integral := exactly(0)
	type at struct{ time, value float64 }
	levels := make([][]at, recorders)
	for i := range uint64(recorders) {
		for k, now := i, 0.25*float64(i+1); now < end; k, now = k+1, now+1 {
			x := numbers[k%uint64(len(numbers))]
			all = append(all, x)
			if intervals[int(now/20)] == nil {
				intervals[int(now/20)] = exactly(0)
			}
			sum := intervals[int(now/20)]
			sum.Add(sum, exactly(x))
			levels[k%recorders] = append(levels[k%recorders], at{now, x})
		}
	}
	for _, of := range levels {
		for value, since := 0.0, 0.0; ; {
			next := at{end, 0} // the earliest one after since
			for _, a := range of {
				if a.time > since && a.time < next.time {
					next = a
				}
			}
			area := exactly(value)
			integral.Add(integral, area.Mul(area, exactly(next.time-since)))
			if value, since = next.value, next.time; since == end {
				break
			}
		}
	}
	sum, squares := exactly(0), exactly(0)
	for _, x := range all {
		sum.Add(sum, exactly(x))
	}
	n := exactly(float64(len(all)))
	mean := exactly(0).Quo(sum, n)
	for _, x := range all {
		d := exactly(0).Sub(exactly(x), mean)
		squares.Add(squares, d.Mul(d, d))
	}
	to := func(x *big.Float) float64 { v, _ := x.Float64(); return v }
	tally := stats.Row{Count: uint64(len(all)), Sum: to(sum), Mean: to(mean)}
	tally.StdDev = to(exactly(0).Sqrt(exactly(0).Quo(squares, exactly(float64(len(all)-1)))))
	series := stats.Row{Count: tally.Count, Sum: tally.Sum, Mean: tally.Mean}
	for i := range len(intervals) {
		series.Course = append(series.Course, stats.Interval{Sum: to(intervals[i])})
	}
	level := stats.Row{Count: recorders, Sum: to(exactly(0).Quo(integral, exactly(end))), Mean: to(exactly(0).Quo(integral, exactly(end*recorders)))}
	each := exactly(1<<53 + 1)
	each.SetInt64(1<<53 + 1)
	each.Mul(each, n)
	count := stats.Row{Count: tally.Count * (1<<53 + 1), Sum: to(each), Mean: to(exactly(0).Quo(each, exactly(recorders)))}
	return map[string]stats.Row{"Tally": tally, "Bins": tally, "Level": level, "Series": series, "Count": count}
}

func TestRowsAreThoseOfExactArithmetic(t *testing.T) {
	testlevel.Once(t, "arithmetic")
	const end = 50
	for name, numbers := range map[string][]float64{
		"huge":      {1e308, -1e308, 1.7e308},
		"largest":   {math.MaxFloat64, math.MaxFloat64, -math.MaxFloat64},
		"same":      {math.MaxFloat64},
		"least":     {5e-324, -5e-324, 1e-310, 0, math.Copysign(0, -1)},
		"all sizes": {1e308, 5e-324, -1, 0, -1e308, 3e-200, 1},
		"squares":   {1e200, 2e200},
		"whole":     {3, 17, 0, 20, 11, 8},
		"shifted":   {1e15 + 0.125, 1e15, 1e15 - 0.125},
		"decimal":   {0.1, 0.7, 1e6 + 0.3},
	} {
		t.Run(name, func(t *testing.T) {
			wants := expected(numbers, end)
			verify := func(sim *ross.Simulation, how string) {
				table, err := stats.Collect(sim)
				require.NoError(t, err)
				for field, want := range wants {
					got, ok := table.Row("recorder", field)
					require.True(t, ok)
					require.Equal(t, []any{want.Count, want.Sum, want.Mean}, []any{got.Count, got.Sum, got.Mean}, "%s: %s", how, field)
					if want.StdDev != 0 || field == "Tally" || field == "Bins" {
						require.True(t, got.StdDev == want.StdDev || math.Nextafter(want.StdDev, got.StdDev) == got.StdDev, "%s: %s: %g, %g", how, field, want.StdDev, got.StdDev)
					}
					for i, interval := range want.Course {
						require.Equal(t, interval.Sum, got.Course[i].Sum, "%s: %d", how, i)
					}
				}
				var b bytes.Buffer
				require.NoError(t, table.WriteJSON(&b))
				require.True(t, json.Valid(b.Bytes()))
			}
			configure := func(synch ross.Scheduler, pes int, end float64) func(*ross.Config) {
				return func(c *ross.Config) {
					c.Synch, c.PEs, c.NLP, c.NKP, c.End, c.ConsLookahead, c.MaxMemory = synch, pes, uint64(recorders/pes), 2, end, 0.25, 64<<20
				}
			}
			cp := filepath.Join(t.TempDir(), "cp")
			for i, how := range []struct {
				synch ross.Scheduler
				pes   int
			}{{1, 1}, {2, 2}, {3, 2}, {3, 4}} {
				verify(rosstest.RunLeg(t, rosstest.Leg{Configure: configure(how.synch, how.pes, end)}, recording(numbers)), fmt.Sprint(how))
				if i%2 == 1 {
					rosstest.RunLeg(t, rosstest.Leg{To: cp, Configure: configure(how.synch, how.pes, 17)}, recording(numbers))
					leg := rosstest.Leg{From: cp, Mode: ross.LoadInit, Configure: configure(how.synch, 3-min(how.pes, 2), end)}
					verify(rosstest.RunLeg(t, leg, recording(numbers)), fmt.Sprint(how, " restarted"))
				}
			}
		})
	}
}

func TestInfiniteNumbersAreNullInJSON(t *testing.T) {
	out := rosstest.Run(t, rosstest.Small(), recording([]float64{math.MaxFloat64}))
	table, err := stats.Collect(out.Simulation)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, table.WriteJSON(&b))
	var object struct {
		Rows []struct {
			Statistic string
			Sum, Mean *float64
			Course    []struct {
				Begin, End, Sum *float64
				Count           uint64
			}
		}
	}
	require.NoError(t, json.Unmarshal(b.Bytes(), &object))
	for _, row := range object.Rows {
		require.NotNil(t, row.Mean, row.Statistic)
		require.Equal(t, row.Statistic != "Count", row.Sum == nil, row.Statistic)
		for _, interval := range row.Course {
			require.Nil(t, interval.Sum)
			require.Equal(t, 20.0, *interval.End-*interval.Begin)
			require.Positive(t, interval.Count)
		}
	}
	b.Reset()
	require.NoError(t, table.WriteCSV(&b))
	require.Contains(t, b.String(), "recorder,Tally,,tally,4,399,+Inf,1.7976931348623157e+308,0,1.7976931348623157e+308,")
}

func TestALevelThatWouldBeInfiniteIsAnError(t *testing.T) {
	typ := ross.Type[recorder, turn]{
		Name: "recorder", Saving: ross.SaveByDelta,
		Init: func(_ *recorder, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, turn{}) },
		Event: func(s *recorder, lp *ross.LP, _ *ross.Bits, m *turn) {
			s.Level.Add(lp, 1e308)
			if lp.ID() != 2 || m.K < 2 {
				s.Level.Add(lp, -1e308)
			}
			ross.Send(lp, lp.ID(), 1, turn{m.K + 1})
		},
	}
	for _, synch := range []ross.Scheduler{1, 2, 3, 6} {
		out := rosstest.Try(t, rosstest.Checking(int(synch)), typ)
		require.ErrorIs(t, out.Err, ross.ErrRecord, "%v", synch)
		require.ErrorContains(t, out.Err, "ross: LP 2 (recorder) at time 4: added 1e+308 to a Level, which is then beyond the largest float64: "+
			"cannot be recorded: keep the values of levels finite")
		require.Equal(t, 1e308, ross.StateOf[recorder](out.LP(2)).Level.Value())
	}
}

func TestNoRowHasNoQuantile(t *testing.T) {
	out := rosstest.Run(t, rosstest.Small(), recording([]float64{1}))
	table, err := stats.Collect(out.Simulation)
	require.NoError(t, err)
	row, ok := table.Row("no such group", "Bins")
	require.False(t, ok)
	var zero stats.Row
	require.True(t, math.IsNaN(row.Quantile(0.5)))
	require.True(t, math.IsNaN(zero.Quantile(0)))
}
