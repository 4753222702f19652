// This file pins that the rows of a table are those of exact arithmetic, whatever was recorded, under every scheduler
// and across a restart; that statistics are the same, bit by bit, whatever the scheduler and the layout, and that a
// restart goes on with them; and that a cancelled timer is no event of the model: without it, a run without an end has
// the same times, averages and statistics.

package stats_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
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
func recording(numbers []float64) ross.Type[recorder] {
	return ross.Type[recorder]{
		Name: "recorder", Saving: ross.SaveByDelta,
		Init: func(_ *recorder, lp *ross.LP) {
			ross.Send(lp, lp.ID(), 0.25*float64(lp.ID()+1), turn{uint64(lp.ID())})
		},
		Event: ross.On(func(s *recorder, lp *ross.LP, m *turn) {
			x := numbers[m.K%uint64(len(numbers))]
			s.Tally.Add(lp, x)
			s.Bins.Add(lp, x)
			s.Level.Set(lp, x)
			s.Series.Add(lp, x)
			s.Count.Add(lp, 1<<53+1)
			ross.Send(lp, (lp.ID()+1)%recorders, 1, turn{m.K + 1})
		}),
	}
}

// exactly returns x with enough bits for sums and products of any float64.
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
	level := stats.Row{Count: recorders, Sum: to(exactly(0).Quo(integral, exactly(end))),
		Mean: to(exactly(0).Quo(integral, exactly(end*recorders)))}
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
						require.True(t, got.StdDev == want.StdDev || math.Nextafter(want.StdDev, got.StdDev) == got.StdDev,
							"%s: %s: %g, %g", how, field, want.StdDev, got.StdDev)
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
					c.Synch, c.PEs, c.NLP, c.NKP, c.End, c.ConsLookahead, c.MaxMemory = synch, pes, int(
						recorders/pes), 2, end, 0.25, 64<<20
				}
			}
			cp := filepath.Join(t.TempDir(), "cp")
			for i, how := range []struct {
				synch ross.Scheduler
				pes   int
			}{{1, 1}, {2, 2}, {3, 2}, {3, 4}} {
				verify(rosstest.RunLeg(t, rosstest.Leg{Configure: configure(how.synch, how.pes, end)}, recording(numbers)),
					fmt.Sprint(how))
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
	typ := ross.Type[recorder]{
		Name: "recorder", Saving: ross.SaveByDelta,
		Init: func(_ *recorder, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, turn{}) },
		Event: ross.On(func(s *recorder, lp *ross.LP, m *turn) {
			s.Level.Add(lp, 1e308)
			if lp.ID() != 2 || m.K < 2 {
				s.Level.Add(lp, -1e308)
			}
			ross.Send(lp, lp.ID(), 1, turn{m.K + 1})
		}),
	}
	for _, synch := range []ross.Scheduler{1, 2, 3, 6} {
		out := rosstest.Try(t, rosstest.Checking(int(synch)), typ)
		require.ErrorIs(t, out.Err, ross.ErrRecord, "%v", synch)
		require.ErrorContains(t, out.Err,
			"ross: LP 2 (recorder) at time 4: added 1e+308 to a Level, which is then beyond the largest float64: "+
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

const shopLPs = 12

// till is a part of a shop.
type till struct {
	Open  stats.Level
	Takes stats.Tally `ross:"takings,EUR"`
	Sales int64
}

// shop is a state with statistics of each kind among its other fields.
type shop struct {
	Waiting stats.Tally `ross:"waiting time,s"`
	N       int64
	Tills   [3]till
	Busy    stats.Level
	Lost    stats.Counter
	Delay   stats.Histogram `ross:"delay,s"`
	Flag    bool
	Load    stats.Series `ross:"load,jobs"`
	Exact   stats.Series `ross:",,every=0.3"`
	Last    float64
}

type job struct{ Sent float64 }

// shops returns a model whose events record something in all of them.
func shops(saving ross.Saving) ross.Type[shop] {
	event := ross.On(func(s *shop, lp *ross.LP, m *job) {
		if saving == ross.SaveByReverse {
			ross.Save(lp, &s.Last)
		}
		if saving == ross.SaveByLog {
			ross.Save(lp, s) // leaves the statistics out
		}
		x := lp.RNG().Exponential(3)
		s.N++
		s.Last, s.Flag = x, s.N%2 == 0
		i := int(s.N % 3)
		s.Tills[i].Sales++
		s.Tills[i].Takes.Add(lp, x*1e5)
		s.Tills[i].Takes.Add(lp, -x) // in this order
		s.Tills[i].Open.Set(lp, float64(s.N%2))
		s.Waiting.Add(lp, lp.Now()-m.Sent)
		s.Busy.Add(lp, x-3)
		if x > 5 {
			s.Lost.Inc(lp)
			s.Lost.Add(lp, 2)
		}
		s.Delay.Add(lp, (x-2)*1e3)
		s.Load.Add(lp, x)
		s.Exact.Add(lp, x)
		ross.Send(lp, ross.LPID(lp.RNG().Integer(0, shopLPs-1)), 0.1+lp.RNG().Exponential(0.5), job{lp.Now()})
	}).Commit(func(s *shop, lp *ross.LP, m *job) { s.Exact.Add(lp, m.Sent) })
	t := ross.Type[shop]{
		Name:   "shop",
		Saving: saving,
		Init: func(s *shop, lp *ross.LP) {
			s.Busy.Set(lp, 1)
			for range 4 {
				ross.Send(lp, lp.ID(), lp.RNG().Unif(), job{})
			}
		},
	}
	if saving == ross.SaveByReverse {
		event = event.Reverse(func(s *shop, _ *ross.LP, _ *job) {
			s.Tills[s.N%3].Sales--
			s.N--
			s.Flag = s.N > 0 && s.N%2 == 0
		})
	}
	t.Event = event
	return t
}

// shopping sets up a run of shops.
func shopping(synch ross.Scheduler, pes, nkp int, warmUp float64) ross.Config {
	c := rosstest.Small()
	c.Synch, c.PEs, c.NLP, c.NKP, c.End = synch, pes, int(shopLPs/pes), int(nkp), 30
	c.ConsLookahead, c.Tuning.Batch, c.WarmUp = 0.1, 4, warmUp
	return c
}

// tableOf returns the statistics of a run as JSON, which has all bits.
func tableOf(t *testing.T, sim *ross.Simulation) string {
	t.Helper()
	table, err := stats.Collect(sim)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, table.WriteJSON(&b))
	require.NoError(t, table.WriteCSV(&b))
	return b.String()
}

func TestStatisticsAreRightInEveryScheduler(t *testing.T) {
	for _, saving := range []ross.Saving{ross.SaveByDelta, ross.SaveByLog, ross.SaveByReverse, ross.SaveNever} {
		t.Run(saving.String(), func(t *testing.T) {
			modeltest.Run(t, modeltest.Model{
				Config: ross.Config{LPs: shopLPs, End: 15, WarmUp: 4, ConsLookahead: 0.1},
				Types:  func() []ross.LPType { return []ross.LPType{shops(saving)} },
				Results: func(sim *ross.Simulation) (any, error) {
					table, err := stats.Collect(sim)
					if err != nil {
						return nil, err
					}
					var b bytes.Buffer
					return &b, errors.Join(table.WriteJSON(&b), table.WriteCSV(&b))
				},
				Short: true,
			})
		})
	}
}

func TestNothingIsRecordedIfAllIsUndone(t *testing.T) {
	out := rosstest.Run(t, shopping(ross.OptimisticDebug, 1, 4, 0), shops(ross.SaveByReverse))
	s := ross.StateOf[shop](out.LP(0))
	require.Zero(t, s.Waiting.Count())
	require.Equal(t, 1.0, s.Busy.Value(), "Init has set it")
}

func TestStatisticsAreNoPartOfTheState(t *testing.T) {
	cfg := shopping(1, 1, 4, 0)
	plain := rosstest.Run(t, cfg, shops(ross.SaveByDelta))
	cfg.WarmUp = 20
	warm := rosstest.Run(t, cfg, shops(ross.SaveByDelta))
	require.Equal(t, plain.Summary().Digest, warm.Summary().Digest)
	require.Equal(t, plain.Summary().StateDigest, warm.Summary().StateDigest)
	require.NotEqual(t, tableOf(t, plain.Simulation), tableOf(t, warm.Simulation))
}

// desk answers calls.
type desk struct {
	Timeout ross.Timer
	Busy    stats.Level
	Rate    stats.Series `ross:",,every=100"`
	Late    stats.Counter
}

type (
	call    struct{ Left int64 }
	goodbye struct{}
	timeout struct{ N int64 }
)

// office has eight desks and runs without an end. Calls go from one desk to another, and in the end
// each desk gets a message.
type office struct {
	timers  bool // each call cancels the timer of its desk and sets another, for as long as 1000
	cancels bool // at the end no timer is waiting
	commits bool
	lasts   sync.Map // time of the last event by LP, in Final
}

const desks = 8

func (o *office) model(saving ross.Saving) ross.LPType {
	on := ross.On(func(s *desk, lp *ross.LP, m *call) {
		s.Busy.Set(lp, float64(m.Left%4))
		s.Rate.Add(lp, 1)
		if o.timers {
			ross.Save(lp, &s.Timeout)
			s.Timeout.Cancel(lp)
			s.Timeout = ross.After(lp, []float64{1000, 3, 0.01}[m.Left%3], timeout{m.Left})
			if m.Left%2 == 0 {
				s.Timeout.Cancel(lp)
			}
		}
		if lp.ID() == desks-1 {
			lp.Suspend(true, 7) // with the cancelled timer of its only event
			return
		}
		to, delay := ross.LPID(lp.RNG().Integer(0, desks-2)), 0.2+lp.RNG().Exponential(1)
		switch {
		case m.Left > 0:
			ross.Send(lp, to, delay, call{m.Left - 1})
		case o.cancels:
			for to := range ross.LPID(desks) {
				ross.Send(lp, to, 0.5, goodbye{})
			}
		}
	}).Reverse(func(*desk, *ross.LP, *call) {})
	if o.commits {
		on = on.Commit(func(s *desk, lp *ross.LP, _ *call) { s.Rate.Add(lp, lp.Now()) })
	}
	return ross.Type[desk]{
		Name:   "desk",
		Saving: saving,
		Init: func(_ *desk, lp *ross.LP) {
			left := int64(20)
			if lp.ID() == desks-1 {
				left = 0
			}
			ross.Send(lp, lp.ID(), 1+lp.RNG().Unif(), call{left})
		},
		Event: ross.Events(
			on,
			ross.On(func(s *desk, lp *ross.LP, _ *goodbye) { s.Timeout.Cancel(lp) }).Reverse(func(*desk, *ross.LP, *goodbye) {}),
			ross.On(func(s *desk, lp *ross.LP, _ *timeout) {
				if !o.cancels {
					s.Late.Inc(lp)
				}
			}).Reverse(func(*desk, *ross.LP, *timeout) {}),
		),
		Final: func(_ *desk, lp *ross.LP) { o.lasts.Store(lp.ID(), lp.Now()) },
	}
}

// seen returns all that may not depend on cancelled timers.
func (o *office) seen(t *testing.T, sim *ross.Simulation) (all string) {
	for id := range ross.LPID(desks) {
		last, _ := o.lasts.Load(id)
		all += fmt.Sprintf("LP %d: %g\n", id, last)
	}
	return all + tableOf(t, sim)
}

// layout sets up a run of an office.
func layout(synch ross.Scheduler, pes int) ross.Config {
	c := shopping(synch, pes, 2, 0)
	c.NLP, c.LPs, c.End = 0, desks, math.Inf(1)
	return c
}

func TestCancelledTimersAreNoEventsOfTheModel(t *testing.T) {
	type setUp struct {
		synch ross.Scheduler
		pes   int
	}
	layouts := []setUp{{ross.Sequential, 1}, {ross.Optimistic, 3}, {ross.RollbackCheck, 1}, {ross.Conservative, 2},
		{ross.Auto, 2}, {ross.Conservative, 1}, {ross.Optimistic, 1}}
	for _, cancels := range []bool{true, false} {
		want := ""
		if cancels {
			o := office{cancels: true}
			want = o.seen(t, rosstest.Run(t, layout(ross.Sequential, 1), o.model(ross.SaveByDelta)).Simulation)
		}
		for _, l := range testlevel.Pick(layouts, layouts[:4], layouts[:3]) {
			for _, saving := range []ross.Saving{ross.SaveByReverse, ross.SaveByDelta} {
				digest := saving == ross.SaveByDelta
				t.Run(fmt.Sprintf("cancels=%t/synch=%d/pes=%d/saving=%v", cancels, l.synch, l.pes, saving), func(t *testing.T) {
					o, cfg := office{timers: true, cancels: cancels}, layout(l.synch, l.pes)
					cfg.Digest = digest
					got := o.seen(t, rosstest.Run(t, cfg, o.model(saving)).Simulation)
					if want == "" {
						require.Contains(t, got, `"until": 10`, "a timer of 1000 has expired")
						want = got
					}
					require.Equal(t, want, got)
				})
			}
		}
	}
}

// TestARestartBetweenCancellingATimerAndItsTime stops at a time at which timers wait for theirs, and
// at one at which only cancelled ones are left.
func TestARestartBetweenCancellingATimerAndItsTime(t *testing.T) {
	plain := office{cancels: true, commits: true}
	want := plain.seen(t, rosstest.RunLeg(t, rosstest.Leg{Configure: func(c *ross.Config) { *c = layout(1, 1) }},
		plain.model(ross.SaveByDelta)))
	for _, end := range []float64{6, 500, math.Inf(1)} {
		o, name := office{timers: true, cancels: true, commits: true}, filepath.Join(t.TempDir(), "cp")
		rosstest.RunLeg(t, rosstest.Leg{To: name, Configure: func(c *ross.Config) { *c = layout(3, 2); c.End = end }},
			o.model(ross.SaveByDelta))
		rest := rosstest.RunLeg(t,
			rosstest.Leg{From: name, Mode: ross.LoadInit, Configure: func(c *ross.Config) { *c = layout(1, 1) }},
			o.model(ross.SaveByDelta))
		require.Equal(t, want, o.seen(t, rest), "stopped at %g", end)
	}
}
