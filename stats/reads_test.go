// This file pins that --synch=6 finds handlers that read statistics.

package stats_test

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/rosstest"
	"github.com/ross-go/ross/stats"
)

// board has a statistic of each kind.
type board struct {
	N     int64
	Count stats.Counter `ross:"counted"`
	Parts [2]struct {
		Tally stats.Tally `ross:"tallied,s"`
		Level stats.Level
	}
	Histogram stats.Histogram
	Series    stats.Series
}

// reader calls a method that returns something of a statistic in a board.
type reader struct {
	path, method string // of the field
	read         func(s *board, lp *ross.LP) any
}

// readers returns all methods of the statistics in a board but those that record.
func readers() (all []reader) {
	for path, field := range map[string]func(s *board) any{
		"Count":          func(s *board) any { return &s.Count },
		"Parts[1].Tally": func(s *board) any { return &s.Parts[1].Tally },
		"Parts[0].Level": func(s *board) any { return &s.Parts[0].Level },
		"Histogram":      func(s *board) any { return &s.Histogram },
		"Series":         func(s *board) any { return &s.Series },
	} {
		typ := reflect.TypeOf(field(new(board)))
		for i := range typ.NumMethod() {
			m := typ.Method(i)
			if m.Type.NumOut() == 0 {
				continue
			}
			all = append(all, reader{path, m.Name, func(s *board, lp *ross.LP) any {
				in := []reflect.Value{reflect.ValueOf(field(s))}
				for j := 1; j < m.Type.NumIn(); j++ {
					if in = append(in, reflect.ValueOf(0.5)); m.Type.In(j) == reflect.TypeOf(lp) {
						in[j] = reflect.ValueOf(lp)
					}
				}
				return m.Func.Call(in)[0].Interface()
			}})
		}
	}
	return all
}

// boards returns a model that records in everything, and calls a function in a handler for events from
// virtual time 3 on.
func boards(event, reverse, commit func(s *board, lp *ross.LP)) ross.LPType {
	at := func(f func(s *board, lp *ross.LP), s *board, lp *ross.LP) {
		if f != nil && lp.Now() >= 3 {
			f(s, lp)
		}
	}
	return ross.Type[board, job]{
		Name: "board",
		Init: func(_ *board, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, job{}) },
		Event: func(s *board, lp *ross.LP, _ *ross.Bits, _ *job) {
			s.N++
			s.Count.Inc(lp)
			for i := range s.Parts {
				s.Parts[i].Tally.Add(lp, lp.Now())
				s.Parts[i].Level.Add(lp, 1)
			}
			s.Histogram.Add(lp, lp.Now())
			s.Series.Add(lp, 1)
			at(event, s, lp)
			ross.Send(lp, lp.ID(), 1, job{})
		},
		Reverse: func(s *board, lp *ross.LP, _ *ross.Bits, _ *job) {
			s.N--
			at(reverse, s, lp)
		},
		Commit: func(s *board, lp *ross.LP, _ *ross.Bits, _ *job) { at(commit, s, lp) },
	}
}

func checkBoards() ross.Config {
	cfg := rosstest.Checking(6)
	cfg.End = 10
	return cfg
}

func TestReadingAStatisticInAHandlerIsAnErrorOfTheCheck(t *testing.T) {
	all := readers()
	require.GreaterOrEqual(t, len(all), 15)
	for _, r := range all {
		one := func(s *board, lp *ross.LP) {
			if lp.ID() == 2 {
				r.read(s, lp)
			}
		}
		for handler, model := range map[string]ross.LPType{"Event": boards(one, nil, nil), "Reverse": boards(nil, one, nil)} {
			out := rosstest.Try(t, checkBoards(), model)
			require.ErrorIs(t, out.Err, ross.ErrReverse)
			require.ErrorContains(t, out.Err, fmt.Sprintf("ross: LP 2 (board) at time 3: %s read board.%s, a statistic, which has nothing of what is not committed yet", handler, r.path))
			require.EqualValues(t, 2, ross.StateOf[board](out.LP(2)).Count.Count(), "what is committed is there again")
			require.NoError(t, out.Close())
		}
	}
}

// TestCommitReadsWhatIsCommitted has the events of the LP in it, up to that of the Commit.
func TestCommitReadsWhatIsCommitted(t *testing.T) {
	var want map[string]string
	for _, synch := range []int{1, 2, 3, 6} {
		cfg := rosstest.Checking(synch)
		cfg.End, cfg.ConsLookahead = 10, 1
		got := map[string]string{}
		out := rosstest.Run(t, cfg, boards(nil, nil, func(s *board, lp *ross.LP) {
			for _, r := range readers() {
				got[fmt.Sprintf("LP %d at %g: %s.%s", lp.ID(), lp.Now(), r.path, r.method)] = fmt.Sprint(r.read(s, lp))
			}
		}))
		if want == nil {
			want = got
		}
		require.Equal(t, "7", got["LP 2 at 7: Count.Count"])
		require.Equal(t, want, got)
		require.Equal(t, 5.0, ross.StateOf[board](out.LP(2)).Parts[1].Tally.Mean())
	}
}

// TestAPanicAfterAReadIsNotAllThatIsSaid has a handler fail because of what it has read.
func TestAPanicAfterAReadIsNotAllThatIsSaid(t *testing.T) {
	out := rosstest.Try(t, checkBoards(), boards(func(s *board, _ *ross.LP) { _ = 1 / s.Count.Count() }, nil, nil))
	require.ErrorContains(t, out.Err, "Event read board.Count")
}

func TestPointMustNotReadStatistics(t *testing.T) {
	model := boards(nil, nil, nil).(ross.Type[board, job])
	model.PointSize = 8
	model.Point = func(s *board, lp *ross.LP, _ *ross.Bits, _ []byte) {
		if lp.ID() == 1 {
			s.Count.Count()
		}
	}
	cfg := checkBoards()
	cfg.ModelStats, cfg.VTInterval, cfg.StatsPath = 3, 2, t.TempDir()
	out := rosstest.Try(t, cfg, model)
	require.ErrorContains(t, out.Err, "LP 1 (board) at time 2: Point read board.Count")
}

// TestTwoChecksAtOnceKnowNothingOfEachOther runs a model that reads beside others that may.
func TestTwoChecksAtOnceKnowNothingOfEachOther(t *testing.T) {
	var all sync.WaitGroup
	errs := make([]error, 6)
	for i := range errs {
		cfg, read := checkBoards(), func(s *board, _ *ross.LP) { s.Count.Count() }
		model := boards(nil, nil, read)
		if i%2 == 0 {
			model = boards(read, nil, nil)
		}
		if i == 4 {
			cfg.Synch = ross.Sequential // which does not look
		}
		sim, _ := rosstest.Define(t, cfg, model)
		all.Go(func() { errs[i] = sim.Run(context.Background()) })
	}
	all.Wait()
	for i, err := range errs {
		if i == 0 || i == 2 {
			require.ErrorContains(t, err, "Event read board.Count")
		} else {
			require.NoError(t, err, i)
		}
	}
}
