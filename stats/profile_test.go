// This file owns the tests of levels whose tags have intervals and quantiles: every scheduler, ranks and restarts give
// the same as a sequential run, which gives what a list of all changes says.

package stats_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/resource"
	"github.com/ross-go/ross/stats"
)

// garage is a state with such levels, also those of a resource.
type garage struct {
	Cars  int64
	In    stats.Level               `ross:"in,cars,every=0.7,q=0.25;0.9"`
	Lifts resource.Servers[float64] `ross:"lifts,,every=2,q=0.5"`
	Bays  [2]stats.Level            `ross:",,every=3,q=0.5,total=all bays"`
	Rate  stats.Series              `ross:"rate,cars,every=2"`
	Order [2]float64
}

// These are the messages of garages.
type (
	arrive struct{ Work float64 }
	leave  struct{ T resource.Ticket }
)

// garages returns the model. changed, if it is not nil, learns all values of In of LP 0.
func garages(changed func(at, value float64)) ross.Type[garage] {
	lift := func(s *garage, lp *ross.LP, t resource.Ticket) {
		ross.Send(lp, lp.ID(), 0.1+*s.Lifts.Get(lp, t), leave{t})
	}
	set := func(s *garage, lp *ross.LP, by int64) {
		*ross.Write(lp, &s.Cars) += by
		s.In.Set(lp, float64(s.Cars))
		s.Bays[s.Cars%2].Add(lp, float64(by))
		if changed != nil && lp.ID() == 0 {
			changed(lp.Now(), float64(s.Cars))
		}
	}
	return ross.Type[garage]{
		Init: func(s *garage, lp *ross.LP) {
			s.Lifts.Open(lp, resource.Rules{Servers: 2})
			for range 3 {
				ross.Send(lp, lp.ID(), 0.1+lp.RNG().Unif(), arrive{lp.RNG().Exponential(1)})
			}
		},
		Event: ross.Events(
			ross.On(func(s *garage, lp *ross.LP, m *arrive) {
				set(s, lp, 1)
				s.Rate.Add(lp, 1)
				if t, o := s.Lifts.Request(lp, m.Work); o == resource.Starts {
					lift(s, lp, t)
				}
			}),
			ross.On(func(s *garage, lp *ross.LP, m *leave) {
				set(s, lp, -1)
				if _, next := s.Lifts.Release(lp, m.T); next != 0 {
					lift(s, lp, next)
				}
				to := ross.LPID(lp.RNG().Intn(4))
				ross.Send(lp, to, 0.1+lp.RNG().Exponential(1), arrive{lp.RNG().Exponential(1)})
			})),
	}
}

func TestLevelsWithIntervalsAndQuantilesAreTheSameInEveryRun(t *testing.T) {
	for _, ranks := range []int{0, 2} {
		modeltest.Run(t, modeltest.Model{
			Config: ross.Config{LPs: 4, End: 15, WarmUp: 4, ConsLookahead: 0.1},
			Types:  func() []ross.LPType { return []ross.LPType{garages(nil)} },
			Results: func(sim *ross.Simulation) (any, error) {
				table, err := stats.Collect(sim)
				if err != nil {
					return nil, err
				}
				var b bytes.Buffer
				return &b, errors.Join(table.WriteJSON(&b), table.WriteCSV(&b))
			},
			Ranks: ranks,
			Short: true,
		})
	}
}

func TestIntervalsAndQuantilesOfALevelAreThoseOfItsChanges(t *testing.T) {
	type change struct{ at, value float64 }
	changes := []change{{}}
	const from, until = 4.0, 30.0
	cfg := rosstest.Small()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.End, cfg.WarmUp = 1, 1, 4, until, from
	out := rosstest.Run(t, cfg, garages(func(at, value float64) { changes = append(changes, change{at, value}) }))
	require.Greater(t, len(changes), 40)
	table, err := stats.CollectBy(out.Simulation, func(lp *ross.LP) string {
		return map[bool]string{true: "first"}[lp.ID() == 0]
	})
	require.NoError(t, err)
	row, ok := table.Row("first", "in")
	require.True(t, ok)
	integral := func(low, high float64) (sum float64) {
		for i, c := range changes {
			end := high
			if i+1 < len(changes) {
				end = min(changes[i+1].at, high)
			}
			sum += c.value * max(end-max(c.at, low), 0)
		}
		return sum
	}
	require.InDelta(t, integral(from, until), row.Mean*(until-from), 1e-9)
	require.Len(t, row.Course, 38, "from 3.5 to 30.1")
	require.Equal(t, 3.5, row.Course[0].Begin)
	for _, x := range row.Course {
		low, high := max(x.Begin, from), min(x.End, until)
		require.InDelta(t, integral(low, high)/(high-low), x.Mean, 1e-9, "from %g", x.Begin)
	}
	mean, all := 0.0, 0.0
	for _, v := range row.Values {
		require.Equal(t, v.Least, v.Greatest)
		time := 0.0
		for i, c := range changes {
			end := until
			if i+1 < len(changes) {
				end = changes[i+1].at
			}
			if c.value == v.Least {
				time += max(end-max(c.at, from), 0)
			}
		}
		all += v.Share
		mean += v.Share * v.Least
		require.InDelta(t, time/(until-from), v.Share, 1e-12, "value %g", v.Least)
		require.InDelta(t, all, v.UpTo, 1e-12)
		require.GreaterOrEqual(t, row.Quantile(v.UpTo), v.Least)
	}
	require.InDelta(t, 1, all, 1e-12)
	require.InDelta(t, row.Mean, mean, 1e-12)
	require.Equal(t, []float64{0.25, 0.9}, row.Quantiles)

	sum, ok := table.Row("first", "all bays")
	require.True(t, ok)
	require.Empty(t, sum.Values, "nobody knows for how long they were what together")
	require.NotEmpty(t, sum.Course)
	queue, ok := table.Row("first", "lifts.InQueue")
	require.True(t, ok)
	require.NotEmpty(t, queue.Course)
	require.NotEmpty(t, queue.Values)
	rate, ok := table.Row("first", "rate")
	require.True(t, ok)
	require.Equal(t, rate.Course[3].Sum/2, rate.Course[3].Rate)
	require.Equal(t, 1.0, rate.Course[3].Mean)
}

// How long a queue was, over the time and in each hour. Its length is 2, 0 and 5, for half an hour each.
func ExampleLevel_intervals() {
	type gate struct {
		Queue stats.Level `ross:"queue,cars,every=1,q=0.5;0.9"`
	}
	gates := ross.Type[gate]{
		Name: "gate",
		Init: func(s *gate, lp *ross.LP) {
			for i, cars := range []int64{2, 0, 5} {
				ross.Send(lp, lp.ID(), 0.5*float64(i), cars)
			}
		},
		Event: ross.On(func(s *gate, lp *ross.LP, cars *int64) { s.Queue.Set(lp, float64(*cars)) }),
	}
	cfg := ross.DefaultConfig()
	cfg.LPs, cfg.Synch, cfg.End, cfg.Output = 1, ross.Sequential, 1.5, nil
	sim, err := ross.Run(context.Background(), cfg, gates)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sim.Close()
	table, err := stats.Collect(sim)
	if err != nil {
		fmt.Println(err)
		return
	}
	queue, _ := table.Row("gate", "queue")
	for _, hour := range queue.Course {
		fmt.Printf("%g to %g h: %g cars\n", hour.Begin, hour.End, hour.Mean)
	}
	for _, v := range queue.Values {
		fmt.Printf("%g cars: %.3f of the time\n", v.Least, v.Share)
	}
	fmt.Println("median", queue.Quantile(0.5))
	// Output:
	// 0 to 1 h: 1 cars
	// 1 to 2 h: 5 cars
	// 0 cars: 0.333 of the time
	// 2 cars: 0.333 of the time
	// 5 cars: 0.333 of the time
	// median 2
}
