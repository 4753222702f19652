// This file owns the tests of servers that follow a calendar: everywhere, and against theory.

package calendar_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/program/parts/calendar"
	"github.com/ross-go/ross/resource"
	"github.com/ross-go/ross/stats"
)

// office is the state of an LP.
type office struct {
	Clerks resource.Servers[float64] `ross:"clerks,h"`
	Staff  calendar.Staff            `ross:"staff,h"`
	Late   float64                   // work that was done when nobody was there
}

// The messages of an office.
type (
	shift struct{}
	comes struct{}
	done  struct{ Ticket resource.Ticket }
)

// offices are a model.
type offices struct {
	hours      calendar.Calendar
	how        calendar.Closing
	anew       bool
	rate, work float64
	lps        int64
	least      float64 // time between customers, added to the exponential one
}

func (o *offices) init(s *office, lp *ross.LP) {
	s.Clerks.Open(lp, resource.Rules{Servers: resource.NoServers})
	o.shift(s, lp, nil)
	o.arrive(lp)
}

func (o *offices) arrive(lp *ross.LP) {
	to := lp.ID()
	if o.lps > 1 {
		to = ross.LPID(lp.RNG().Integer(0, o.lps-1))
	}
	ross.Send(lp, to, o.least+lp.RNG().Exponential(1/o.rate), comes{})
}

func (o *offices) shift(s *office, lp *ross.LP, _ *shift) {
	next := calendar.Keep(lp, &s.Clerks, &s.Staff, o.hours, o.how)
	for t := s.Clerks.Next(lp); t != 0; t = s.Clerks.Next(lp) {
		o.serve(s, lp, t)
	}
	if !math.IsInf(next, 1) {
		ross.Send(lp, lp.ID(), next, shift{})
	}
}

func (o *offices) comes(s *office, lp *ross.LP, _ *comes) {
	o.arrive(lp)
	if t, outcome := s.Clerks.Request(lp, lp.RNG().Exponential(o.work)); outcome == resource.Starts {
		o.serve(s, lp, t)
	}
}

func (o *offices) serve(s *office, lp *ross.LP, t resource.Ticket) {
	left, again := s.Clerks.Left(lp, t)
	if !again || o.anew {
		left = *s.Clerks.Get(lp, t)
	}
	resource.Serve(lp, &s.Clerks, t, left, done{t})
}

func (o *offices) done(s *office, lp *ross.LP, m *done) {
	if o.hours.At(lp.Now()) == 0 {
		*ross.Write(lp, &s.Late)++
	}
	if _, next := s.Clerks.Release(lp, m.Ticket); next != 0 {
		o.serve(s, lp, next)
	}
}

func (o *offices) model(saving ross.Saving) ross.LPType {
	return ross.Type[office]{Name: "office", Saving: saving, Init: o.init, Event: ross.Events(
		ross.On(o.shift), ross.On(o.comes), ross.On(o.done))}
}

// hours returns a calendar of short days.
func hours(t *testing.T) calendar.Calendar {
	c, err := calendar.Parse("unit: h; period: 1 d; 1:00-3:20: 2; 3:20-4:00: 1; 5:00-9:00: 3; 10:00-23:00: 1")
	require.NoError(t, err)
	return c
}

func TestServersFollowEverywhere(t *testing.T) {
	for _, how := range []calendar.Closing{calendar.Finish, calendar.Interrupt} {
		for _, saving := range []ross.Saving{ross.SaveByDelta, ross.SaveByLog} {
			t.Run(fmt.Sprintf("%v %v", how, saving), func(t *testing.T) {
				o := offices{hours: hours(t), how: how, anew: saving == ross.SaveByLog, rate: 1.5, work: 0.7,
					lps: 12, least: 0.05}
				modeltest.Run(t, modeltest.Model{
					Config: ross.Config{LPs: 12, End: float64(testlevel.Times(60, 30)), WarmUp: 5, ConsLookahead: 0.05},
					Types:  func() []ross.LPType { return []ross.LPType{o.model(saving)} },
					Short:  true,
				})
			})
		}
	}
}

// TestQueuesOfOpeningHoursAreThoseOfTheory has an M/M/2 queue whose servers are there for 3 hours of 4, and stop their
// work at closing. The mean number of customers is that of its differential equations.
func TestQueuesOfOpeningHoursAreThoseOfTheory(t *testing.T) {
	testlevel.Once(t, "it is about statistics")
	const rate, work, end = 1., 1., 4000
	c, err := calendar.Parse("unit: h; period: 4 h; time 0..3: 2")
	require.NoError(t, err)
	o := offices{hours: c, how: calendar.Interrupt, rate: rate, work: work}
	exact := map[string]float64{"clerks.InService": rate * work, "customers": customers(rate, 1/work)}
	rosstest.Covers(t, 10, "M/M/2 with hours", exact, func(configure func(*ross.Config)) (map[string]float64, error) {
		cfg := ross.DefaultConfig()
		cfg.NLP, cfg.NKP, cfg.End, cfg.WarmUp, cfg.MaxMemory = 1, 1, end, end/10, 16<<20
		configure(&cfg)
		sim, err := ross.New(cfg)
		if err != nil {
			return nil, err
		}
		defer sim.Close()
		if err = sim.Define(o.model(ross.SaveByLog)); err == nil {
			err = sim.Run(context.Background())
		}
		if err != nil {
			return nil, err
		}
		table, err := stats.Collect(sim)
		if err != nil {
			return nil, err
		}
		r := map[string]float64{}
		for _, row := range table.Rows() {
			r[row.Name] = row.Mean
		}
		r["customers"] = r["clerks.InQueue"] + r["clerks.InService"]
		if math.Abs(r["staff.There"]-1.5) > 1e-9 {
			return nil, fmt.Errorf("%v servers are there", r["staff.There"])
		}
		return r, nil
	})
}

// customers returns the mean number of customers of the queue of the test above, by steps of Runge and Kutta.
func customers(rate, service float64) (mean float64) {
	const most, steps = 120, 400 // states, and steps in an hour
	p := make([]float64, most)
	p[0] = 1
	slope := func(p []float64, servers float64) []float64 {
		d := make([]float64, most)
		for n := range most - 1 {
			up, down := rate*p[n], service*min(float64(n+1), servers)*p[n+1]
			d[n] += down - up
			d[n+1] += up - down
		}
		return d
	}
	add := func(p, d []float64, h float64) []float64 {
		sum := make([]float64, most)
		for n := range p {
			sum[n] = p[n] + h*d[n]
		}
		return sum
	}
	const periods = 60
	for k := range periods * 4 * steps {
		servers, h := 2., 1./steps
		if k/steps%4 == 3 {
			servers = 0
		}
		a := slope(p, servers)
		b := slope(add(p, a, h/2), servers)
		c := slope(add(p, b, h/2), servers)
		d := slope(add(p, c, h), servers)
		for n := range p {
			p[n] += h / 6 * (a[n] + 2*b[n] + 2*c[n] + d[n])
			if k >= (periods-1)*4*steps {
				mean += float64(n) * p[n] / (4 * steps)
			}
		}
	}
	return mean
}
