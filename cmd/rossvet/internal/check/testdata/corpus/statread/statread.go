// Package statread has handlers that read statistics.
package statread

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/stats"
)

type state struct {
	Served stats.Counter
	Wait   stats.Tally
	Busy   stats.Level
	Delay  [2]stats.Histogram
	N      uint64
	Mean   float64
}

type msg struct{ N int64 }

var wrong = ross.Type[state]{
	Event: ross.On(event).Reverse(func(s *state, lp *ross.LP, m *msg) {
		s.N = s.Served.Count() - 1 // want `stats.Counter.Count in a handler that may be undone: a statistic lacks what is not committed yet, how much depends on the scheduler: keep the number that the model needs in a field of the state`
		s.Mean = 0
	}),
	Point: func(s *state, lp *ross.LP, buf []byte) {
		buf[0] = byte(s.Delay[0].Max()) // want `stats.Histogram.Max in a handler`
	},
}

func event(s *state, lp *ross.LP, m *msg) {
	s.N++
	if s.Served.Count() > 3 { // want `stats.Counter.Count in a handler`
		return
	}
	s.Mean = s.mean() + s.Busy.Value() // want `stats.Level.Value in a handler`
	_ = s.Delay[1].Quantile(lp, 0.5)   // want `stats.Histogram.Quantile in a handler`
}

func (s *state) mean() float64 {
	return s.Wait.Mean() // want `stats.Tally.Mean in a handler`
}

var right = ross.Type[state]{
	Event: ross.On(func(s *state, lp *ross.LP, m *msg) {
		s.Served.Inc(lp)
		s.Wait.Add(lp, 1)
		s.Busy.Set(lp, 2)
		s.Delay[1].Add(lp, 3)
		s.N++
	}).Commit(func(s *state, lp *ross.LP, m *msg) { _ = s.Wait.Mean() }),
	Final: func(s *state, lp *ross.LP) { s.Mean = s.Wait.StdDev() },
}

// shown is no handler.
func shown(s *state) uint64 { return s.Served.Count() }

var _ = []any{wrong, right, shown}
