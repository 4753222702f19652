// This file pins the errors of recordings that cannot be right.

package stats_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/rosstest"
	"github.com/ross-go/ross/stats"
)

// ticker is a state that counts.
type ticker struct {
	N     int64
	Tally stats.Tally
	Count stats.Counter
}

// ticking returns a model whose LPs have an event at each whole time, and one of another LP
// now and then.
func ticking(event, reverse func(s *ticker, lp *ross.LP)) ross.Type[ticker, job] {
	return ross.Type[ticker, job]{
		Name: "ticker",
		Init: func(_ *ticker, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, job{}) },
		Event: func(s *ticker, lp *ross.LP, _ *ross.Bits, _ *job) {
			s.N++
			event(s, lp)
			ross.Send(lp, lp.ID(), 1, job{})
		},
		Reverse: func(s *ticker, lp *ross.LP, _ *ross.Bits, _ *job) {
			s.N--
			if reverse != nil {
				reverse(s, lp)
			}
		},
	}
}

func TestMistakesAreErrorsThatNameTheLP(t *testing.T) {
	elsewhere := new(stats.Tally)
	for want, event := range map[string]func(s *ticker, lp *ross.LP){
		"ross: LP 2 (ticker) at time 3: recorded NaN: cannot be recorded: record finite numbers": func(s *ticker, lp *ross.LP) {
			if lp.ID() == 2 && s.N == 3 {
				s.Tally.Add(lp, math.NaN())
			}
		},
		"ross: LP 1 (ticker) at time 2: recorded -Inf: cannot be recorded": func(s *ticker, lp *ross.LP) {
			if lp.ID() == 1 && s.N == 2 {
				s.Tally.Add(lp, math.Inf(-1))
			}
		},
		"ross: LP 0 (ticker) at time 5: recorded in a statistic that is not in its state: cannot be recorded": func(s *ticker, lp *ross.LP) {
			if lp.ID() == 0 && s.N == 5 {
				elsewhere.Add(lp, 1)
			}
		},
	} {
		for _, synch := range []ross.Scheduler{1, 2, 3, 6} {
			cfg := rosstest.Checking(int(synch))
			cfg.End = 10
			out := rosstest.Try(t, cfg, ticking(event, nil))
			require.ErrorIs(t, out.Err, ross.ErrRecord)
			require.ErrorContains(t, out.Err, want)
		}
	}
	require.Zero(t, elsewhere.Count())
}

func TestReverseMustNotRecord(t *testing.T) {
	cfg := rosstest.Checking(6)
	out := rosstest.Try(t, cfg, ticking(func(s *ticker, lp *ross.LP) { s.Count.Inc(lp) }, func(s *ticker, lp *ross.LP) { s.Count.Add(lp, 1) }))
	require.ErrorIs(t, out.Err, ross.ErrRecord)
	require.ErrorContains(t, out.Err, "record in Event or Commit")
}

func TestATagThatCannotBeReadIsAnErrorOfDefine(t *testing.T) {
	type state struct {
		Load stats.Series `ross:"load,jobs,every=soon"`
	}
	sim, err := ross.New(rosstest.Small())
	require.NoError(t, err)
	defer sim.Close()
	err = sim.Define(ross.Type[state, job]{Name: "server", Event: func(*state, *ross.LP, *ross.Bits, *job) {}})
	require.ErrorIs(t, err, ross.ErrModel)
	require.ErrorContains(t, err, `LP type "server": state: unusable model: the tag of load: every= wants a virtual time above 0`)
}

func TestCollectNeedsASimulationWithLPs(t *testing.T) {
	sim, err := ross.New(rosstest.Small())
	require.NoError(t, err)
	_, err = stats.Collect(sim)
	require.ErrorContains(t, err, "call it after Run and before Close")
	require.NoError(t, sim.Close())
	_, err = stats.Collect(sim)
	require.Error(t, err)
}

func TestRecordingsInInitCommitAndFinalCount(t *testing.T) {
	var want string
	for _, synch := range []ross.Scheduler{1, 2, 3, 6} {
		typ := ticking(func(s *ticker, lp *ross.LP) { s.Tally.Add(lp, 1/lp.Now()) }, nil)
		start := typ.Init
		typ.Init = func(s *ticker, lp *ross.LP) {
			start(s, lp)
			s.Tally.Add(lp, 0.1)
		}
		typ.Commit = func(s *ticker, lp *ross.LP, _ *ross.Bits, _ *job) { s.Tally.Add(lp, lp.Now()) }
		typ.Final = func(s *ticker, lp *ross.LP) { s.Tally.Add(lp, 0.7) }
		cfg := rosstest.Checking(int(synch))
		cfg.End = 10
		out := rosstest.Run(t, cfg, typ)
		require.EqualValues(t, 2+2*9, ross.StateOf[ticker](out.LP(0)).Tally.Count())
		got := tableOf(t, out.Simulation)
		if want == "" {
			want = got
		}
		require.Equal(t, want, got, "%v", synch)
	}
}

func TestARunWithoutEndIntegratesToItsLastEvent(t *testing.T) {
	type state struct {
		N     int64
		Level stats.Level
	}
	for _, synch := range []ross.Scheduler{1, 3} {
		cfg := rosstest.Checking(int(synch))
		cfg.End = math.Inf(1)
		out := rosstest.Run(t, cfg, ross.Type[state, job]{
			Name: "server",
			Init: func(s *state, lp *ross.LP) {
				s.Level.Set(lp, 2)
				ross.Send(lp, lp.ID(), 1+float64(lp.ID()), job{})
			},
			Event: func(s *state, lp *ross.LP, _ *ross.Bits, _ *job) { s.N++ },
		})
		table, err := stats.Collect(out.Simulation)
		require.NoError(t, err)
		require.Equal(t, 4.0, table.Until())
		row, ok := table.Row("server", "Level")
		require.True(t, ok)
		require.Equal(t, 2.0, row.Mean)
		require.Equal(t, 8.0, row.Sum)
	}
}

func TestARecordingThatDependsOnChanceIsFound(t *testing.T) {
	calls := 0.0
	for want, event := range map[string]func(s *ticker, lp *ross.LP){
		"other numbers recorded in statistics than after the first call": func(s *ticker, lp *ross.LP) {
			calls++
			s.Tally.Add(lp, calls)
		},
		"the number of its recordings at ": func(s *ticker, lp *ross.LP) {
			if calls++; int(calls)%2 == 0 {
				s.Count.Inc(lp)
			}
		},
	} {
		out := rosstest.Try(t, rosstest.Checking(6), ticking(event, nil))
		require.ErrorIs(t, out.Err, ross.ErrReverse)
		require.ErrorContains(t, out.Err, want)
	}
}
