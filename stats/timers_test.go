// This file pins that a cancelled timer is no event of the model: without it, a run without an end has
// the same times, averages and statistics.

package stats_test

import (
	"fmt"
	"math"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/models/rosstest"
	"github.com/ross-go/ross/stats"
)

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
// each desk is told.
type office struct {
	timers  bool // each call cancels the timer of its desk and sets another, for as long as 1000
	cancels bool // at the end no timer is waiting
	commits bool
	lasts   sync.Map // time of the last event by LP, in Final
}

const desks = 8

func (o *office) model(saving ross.Saving) ross.LPType {
	on := ross.On(func(s *desk, lp *ross.LP, _ *ross.None, m *call) {
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
	}).Reverse(func(*desk, *ross.LP, *ross.None, *call) {})
	if o.commits {
		on = on.Commit(func(s *desk, lp *ross.LP, _ *ross.None, _ *call) { s.Rate.Add(lp, lp.Now()) })
	}
	return ross.Type[desk, ross.None]{
		Name:   "desk",
		Saving: saving,
		Init: func(_ *desk, lp *ross.LP) {
			left := int64(20)
			if lp.ID() == desks-1 {
				left = 0
			}
			ross.Send(lp, lp.ID(), 1+lp.RNG().Unif(), call{left})
		},
		On: []ross.Handler[desk]{
			on,
			ross.On(func(s *desk, lp *ross.LP, _ *ross.None, _ *goodbye) { s.Timeout.Cancel(lp) }).Reverse(func(*desk, *ross.LP, *ross.None, *goodbye) {}),
			ross.On(func(s *desk, lp *ross.LP, _ *ross.None, _ *timeout) {
				if !o.cancels {
					s.Late.Inc(lp)
				}
			}).Reverse(func(*desk, *ross.LP, *ross.None, *timeout) {}),
		},
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
	c.NLP, c.TotalLPs, c.End = 0, desks, math.Inf(1)
	return c
}

func TestCancelledTimersAreNoEventsOfTheModel(t *testing.T) {
	type setUp struct {
		synch ross.Scheduler
		pes   int
	}
	layouts := []setUp{{ross.Sequential, 1}, {ross.Optimistic, 3}, {ross.RollbackCheck, 1}, {ross.Conservative, 2}, {ross.Auto, 2}, {ross.Conservative, 1}, {ross.Optimistic, 1}}
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
	want := plain.seen(t, rosstest.RunLeg(t, rosstest.Leg{Configure: func(c *ross.Config) { *c = layout(1, 1) }}, plain.model(ross.SaveByDelta)))
	for _, end := range []float64{6, 500, math.Inf(1)} {
		o, name := office{timers: true, cancels: true, commits: true}, filepath.Join(t.TempDir(), "cp")
		rosstest.RunLeg(t, rosstest.Leg{To: name, Configure: func(c *ross.Config) { *c = layout(3, 2); c.End = end }}, o.model(ross.SaveByDelta))
		rest := rosstest.RunLeg(t, rosstest.Leg{From: name, Mode: ross.LoadInit, Configure: func(c *ross.Config) { *c = layout(1, 1) }}, o.model(ross.SaveByDelta))
		require.Equal(t, want, o.seen(t, rest), "stopped at %g", end)
	}
}
