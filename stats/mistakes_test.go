// This file pins the errors of recordings that cannot be right, that --synch=6 finds handlers that read statistics,
// and that recordings count however much an event saves between them. It measures what a recording costs, as the
// difference to events that record nothing.

package stats_test

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testlevel"
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
func ticking(event, reverse func(s *ticker, lp *ross.LP)) ross.Type[ticker] {
	return ross.Type[ticker]{
		Name: "ticker",
		Init: func(_ *ticker, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, job{}) },
		Event: ross.On(func(s *ticker, lp *ross.LP, _ *job) {
			s.N++
			event(s, lp)
			ross.Send(lp, lp.ID(), 1, job{})
		}).Reverse(func(s *ticker, lp *ross.LP, _ *job) {
			s.N--
			if reverse != nil {
				reverse(s, lp)
			}
		}),
	}
}

func TestMistakesAreErrorsThatNameTheLP(t *testing.T) {
	elsewhere := new(stats.Tally)
	for want, event := range map[string]func(s *ticker, lp *ross.LP){
		"ross: LP 2 (ticker) at time 3: recorded NaN: cannot be recorded: record finite numbers": func(s *ticker,
			lp *ross.LP) {
			if lp.ID() == 2 && s.N == 3 {
				s.Tally.Add(lp, math.NaN())
			}
		},
		"ross: LP 1 (ticker) at time 2: recorded -Inf: cannot be recorded": func(s *ticker, lp *ross.LP) {
			if lp.ID() == 1 && s.N == 2 {
				s.Tally.Add(lp, math.Inf(-1))
			}
		},
		"ross: LP 0 (ticker) at time 5: recorded in a statistic that is not in its state: cannot be recorded": func(s *ticker,
			lp *ross.LP) {
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
	out := rosstest.Try(t, cfg, ticking(func(s *ticker, lp *ross.LP) { s.Count.Inc(lp) },
		func(s *ticker, lp *ross.LP) { s.Count.Add(lp, 1) }))
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
	err = sim.Define(ross.Type[state]{Name: "server", Event: ross.On(func(*state, *ross.LP, *job) {})})
	require.ErrorIs(t, err, ross.ErrModel)
	require.ErrorContains(t, err,
		`LP type "server": state: unusable model: the tag of load: every= wants a virtual time above 0`)
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
		typ.Event = typ.Event.(ross.EventHandler[ticker, job]).Commit(
			func(s *ticker, lp *ross.LP, _ *job) { s.Tally.Add(lp, lp.Now()) })
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
		out := rosstest.Run(t, cfg, ross.Type[state]{
			Name: "server",
			Init: func(s *state, lp *ross.LP) {
				s.Level.Set(lp, 2)
				ross.Send(lp, lp.ID(), 1+float64(lp.ID()), job{})
			},
			Event: ross.On(func(s *state, lp *ross.LP, _ *job) { s.N++ }),
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
	on := ross.On(func(s *board, lp *ross.LP, _ *job) {
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
	}).Reverse(func(s *board, lp *ross.LP, _ *job) {
		s.N--
		at(reverse, s, lp)
	})
	if commit != nil {
		on = on.Commit(func(s *board, lp *ross.LP, _ *job) { at(commit, s, lp) })
	}
	return ross.Type[board]{
		Name:  "board",
		Init:  func(_ *board, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, job{}) },
		Event: on,
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
			require.ErrorContains(t, out.Err,
				fmt.Sprintf(
					"ross: LP 2 (board) at time 3: %s read board.%s, a statistic, which has nothing of what is not committed yet",
					handler, r.path))
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
	model := boards(nil, nil, nil).(ross.Type[board])
	model.PointSize = 8
	model.Point = func(s *board, lp *ross.LP, _ []byte) {
		if lp.ID() == 1 {
			s.Count.Count()
		}
	}
	cfg := checkBoards()
	cfg.Instruments.Model, cfg.Instruments.VirtualInterval, cfg.Instruments.Path = ross.SampleByVirtualTime, 2, t.TempDir()
	out := rosstest.Try(t, cfg, model)
	require.ErrorContains(t, out.Err, "LP 1 (board) at time 2: Point read board.Count")
}

// TestTwoChecksAtOnceKnowNothingOfEachOther runs a model that reads statistics together with others that may.
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

// hoarder is a state. An event may save more of it than there is between most recordings.
type hoarder struct {
	Sum   uint64
	Large [17 << 20]byte
	Tally stats.Tally
	Level stats.Level
}

// hoard has an event save the large field before its first recording and before the second one.
type hoard struct{ Before, Between uint8 }

func TestRecordingsMayBeFarApart(t *testing.T) {
	testlevel.Once(t, "saves 200 MB")
	run := func(synch ross.Scheduler) string {
		cfg := ross.DefaultConfig()
		cfg.Synch, cfg.NLP, cfg.NKP, cfg.Tuning.Batch, cfg.Tuning.GVTInterval, cfg.End, cfg.MaxMemory =
			synch, 1, 1, 1, 1, 100, 2<<30
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		defer sim.Close()
		require.NoError(t, sim.Define(ross.Type[hoarder]{
			Saving: ross.SaveByLog,
			Init: func(_ *hoarder, lp *ross.LP) {
				for i, m := range []hoard{{0, 0}, {1, 0}, {0, 1}, {8, 1}, {0, 0}} {
					ross.Send(lp, lp.ID(), float64(1+i), m)
				}
			},
			Event: ross.On(func(s *hoarder, lp *ross.LP, m *hoard) {
				save := func(times uint8) {
					for range times {
						ross.Save(lp, &s.Large)
					}
				}
				save(m.Before)
				s.Tally.Add(lp, lp.Now())
				s.Level.Add(lp, 1)
				save(m.Between)
				s.Tally.Add(lp, 10*lp.Now())
				s.Level.Set(lp, lp.Now())
				*ross.Write(lp, &s.Sum)++
			}),
		}))
		require.NoError(t, sim.Run(t.Context()))
		table, err := stats.Collect(sim)
		require.NoError(t, err)
		var text strings.Builder
		require.NoError(t, table.WriteCSV(&text))
		return text.String()
	}
	want := run(ross.Sequential)
	require.Contains(t, want, "Tally,,tally,1,10,165,")
	require.Equal(t, want, run(ross.Optimistic))
}

// hopper is the state of a model like PHOLD: its LPs pass events on.
type hopper struct {
	Hops    int64
	Tally   stats.Tally
	Level   stats.Level
	Counter stats.Counter
	Bins    stats.Histogram
	Series  stats.Series
}

type hop struct{ X float64 }

func BenchmarkRecord(b *testing.B) {
	for _, bench := range []struct {
		name   string
		record func(s *hopper, lp *ross.LP)
	}{
		{"none", nil},
		{"counter", func(s *hopper, lp *ross.LP) { s.Counter.Inc(lp) }},
		{"tally", func(s *hopper, lp *ross.LP) { s.Tally.Add(lp, lp.Now()) }},
		{"level", func(s *hopper, lp *ross.LP) { s.Level.Set(lp, float64(s.Hops&7)) }},
		{"histogram", func(s *hopper, lp *ross.LP) { s.Bins.Add(lp, lp.Now()) }},
		{"series", func(s *hopper, lp *ross.LP) { s.Series.Add(lp, 1) }},
		{"10tallies", func(s *hopper, lp *ross.LP) {
			for range 10 {
				s.Tally.Add(lp, lp.Now())
			}
		}},
	} {
		for _, synch := range []ross.Scheduler{ross.Sequential, ross.Optimistic} {
			b.Run(fmt.Sprintf("kind=%s/synch=%d", bench.name, synch), func(b *testing.B) {
				const lps = 256
				cfg := ross.DefaultConfig()
				cfg.Synch, cfg.NLP = synch, lps
				cfg.End = float64(b.N) / lps
				sim, err := ross.New(cfg)
				require.NoError(b, err)
				defer sim.Close()
				record := bench.record
				require.NoError(b, sim.Define(ross.Type[hopper]{
					Init: func(_ *hopper, lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), hop{}) },
					Event: ross.On(func(s *hopper, lp *ross.LP, m *hop) {
						s.Hops++
						if record != nil {
							record(s, lp)
						}
						ross.Send(lp, ross.LPID(lp.RNG().Integer(0, lps-1)), lp.RNG().Exponential(1), *m)
					}).Reverse(func(s *hopper, _ *ross.LP, _ *hop) { s.Hops-- }),
				}))
				b.ResetTimer()
				require.NoError(b, sim.Run(b.Context()))
			})
		}
	}
}
