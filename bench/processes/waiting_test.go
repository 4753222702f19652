// This file owns the comparison with SimPy: the same models, to the same ends.

package processes

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/processes/bank"
	"github.com/ross-go/ross/models/processes/desk"
	"github.com/ross-go/ross/models/processes/phold"
	"github.com/ross-go/ross/models/processes/port"
	"github.com/ross-go/ross/program"
)

// waiting are models that docs/sidebyside/simpy has, too. simpy.sh has the same ends.
var waiting = []struct {
	model, impl string
	end         float64
	parallel    bool // it has several LPs
	program     func() program.Program
}{
	{"bank", "processes", 5e6, false, bank.Program},
	{"bank", "handlers", 5e6, false, one(ross.Type[Bank]{Init: (*Bank).init, Event: ross.Events(
		ross.On((*Bank).customer), ross.On((*Bank).served), ross.On((*Bank).gone))})},
	{"desk", "processes", 5e5, false, desk.Program},
	{"port", "processes", 1440, true, port.Program},
	{"port", "handlers", 1440, true, portByHand},
	{"phold", "processes", 5000, true, phold.Program},
	{"phold", "handlers", 5000, true, func() program.Program {
		p := phold.Program()
		p.Build = func(sim *ross.Simulation) error {
			return sim.Define(ross.Type[Member]{Init: (*Member).init, Event: ross.On((*Member).job), Lookahead: 0.1})
		}
		return p
	}},
}

// one returns the program of a model that is one LP.
func one(t ross.LPType) func() program.Program {
	return func() program.Program {
		return program.Program{
			Config: ross.Config{LPs: 1}, Build: func(sim *ross.Simulation) error { return sim.Define(t) },
		}
	}
}

// Member is a member of PHOLD made of handlers, with the parameters of the processes.
type Member struct{ Received int64 }

type job struct{}

func (m *Member) init(lp *ross.LP) {
	for range 4 {
		m.pass(lp)
	}
}

func (m *Member) pass(lp *ross.LP) {
	to := lp.ID()
	if lp.RNG().Unif() < 0.25 {
		to = ross.LPID(lp.RNG().Integer(0, lps-1))
	}
	ross.Send(lp, to, 0.1+lp.RNG().Exponential(0.9), job{})
}

func (m *Member) job(lp *ross.LP, _ *job) {
	m.Received++
	m.pass(lp)
}

// wait runs a program, and returns the events and the seconds of the run.
func wait(tb testing.TB, p program.Program, end float64, synch ross.Scheduler, pes int) (events, seconds float64) {
	tb.Helper()
	cfg := p.Config
	cfg.End, cfg.Synch, cfg.PEs, cfg.Statistics = end, synch, pes, 0
	if p.Prepare != nil {
		require.NoError(tb, p.Prepare(&cfg))
	}
	sim, err := ross.New(cfg)
	require.NoError(tb, err)
	defer sim.Close()
	require.NoError(tb, p.Build(sim))
	began := time.Now()
	require.NoError(tb, sim.Run(context.Background()))
	return float64(sim.Summary().NetEvents()), time.Since(began).Seconds()
}

// BenchmarkWaiting is for simpy.sh, which runs the same models with SimPy as well.
func BenchmarkWaiting(b *testing.B) {
	for _, m := range waiting {
		for pes := range 3 { // 0: sequential
			synch, impl := ross.Optimistic, fmt.Sprintf("%s_%dPE", m.impl, pes)
			if pes == 0 {
				synch, impl = ross.Sequential, m.impl
			} else if !m.parallel {
				break
			}
			b.Run(fmt.Sprintf("model=%s/impl=%s", m.model, impl), func(b *testing.B) {
				var events, seconds float64
				for b.Loop() {
					e, s := wait(b, m.program(), m.end, synch, max(pes, 1))
					events, seconds = events+e, seconds+s
				}
				b.ReportMetric(seconds/float64(b.N)*1e9, "ns/op")
				b.ReportMetric(events/seconds, "events/s")
			})
		}
	}
}

func TestModelsThatWaitHaveEvents(t *testing.T) {
	handlers := map[string]float64{}
	for _, m := range waiting {
		events, _ := wait(t, m.program(), m.end/100, ross.Sequential, 1)
		require.Positive(t, events, m.model)
		if other, both := handlers[m.model]; both {
			require.Equal(t, other, events, m.model)
		}
		handlers[m.model] = events
	}
}
