// This file owns the benchmark of Servers against queues by hand, and the test that they allocate nothing.

package resource_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	. "github.com/ross-go/ross/resource"
	"github.com/ross-go/ross/stats"
)

// job is a customer of an M/M/c queue.
type job struct{ Came float64 }

// Messages of an M/M/c queue.
type (
	arrival struct{}
	end     struct{ job } // by hand
)

// byHand is an M/M/c queue as models write it without package resource. What it records is what most
// models do.
type byHand struct {
	Busy    uint64
	Line    container.Queue[job]
	Length  stats.Level
	Using   stats.Level
	Waiting stats.Tally
}

// mmc are the parameters of an M/M/c queue: services take 1 on average.
type mmc struct {
	servers  int
	arrivals float64
}

func (p *mmc) byHand() ross.Type[byHand] {
	begin := func(lp *ross.LP, c job) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), end{c}) }
	return ross.Type[byHand]{Saving: ross.SaveByLog,
		Init: func(_ *byHand, lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/p.arrivals), arrival{}) },
		Event: ross.Events(
			ross.On(func(s *byHand, lp *ross.LP, _ *arrival) {
				ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/p.arrivals), arrival{})
				c := job{lp.Now()}
				if s.Busy == uint64(p.servers) {
					s.Line.Push(lp, c)
					s.Length.Add(lp, 1)
					return
				}
				*ross.Write(lp, &s.Busy)++
				s.Using.Add(lp, 1)
				s.Waiting.Add(lp, 0)
				begin(lp, c)
			}),
			ross.On(func(s *byHand, lp *ross.LP, _ *end) {
				if c, ok := s.Line.Pop(lp); ok {
					s.Length.Add(lp, -1)
					s.Waiting.Add(lp, lp.Now()-c.Came)
					begin(lp, c)
					return
				}
				*ross.Write(lp, &s.Busy)--
				s.Using.Add(lp, -1)
			}),
		),
	}
}

// shop is an M/M/c queue with Servers.
type shop struct{ S Servers[job] }

func (p *mmc) shop() ross.Type[shop] {
	begin := func(lp *ross.LP, t Ticket) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), done{t}) }
	return ross.Type[shop]{Saving: ross.SaveByLog,
		Init: func(s *shop, lp *ross.LP) {
			s.S.Open(lp, Rules{Servers: p.servers})
			ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/p.arrivals), arrival{})
		},
		Event: ross.Events(
			ross.On(func(s *shop, lp *ross.LP, _ *arrival) {
				ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/p.arrivals), arrival{})
				if t, o := s.S.Request(lp, job{lp.Now()}); o == Starts {
					begin(lp, t)
				}
			}),
			ross.On(func(s *shop, lp *ross.LP, m *done) {
				if _, next := s.S.Release(lp, m.T); next != 0 {
					begin(lp, next)
				}
			}),
		),
	}
}

// play runs a model of 64 LPs and returns its simulation.
func play(t testing.TB, synch ross.Scheduler, pes uint64, end float64, model ross.LPType) *ross.Simulation {
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.End, cfg.MaxMemory = synch, int(pes), int(64/pes), end, 256<<20
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	require.NoError(t, sim.Define(model))
	require.NoError(t, sim.Run(context.Background()))
	return sim
}

// BenchmarkMMc compares M/M/3 queues, with loads of 0.7 and 0.95.
func BenchmarkMMc(b *testing.B) {
	for _, load := range []float64{0.7, 0.95} {
		p := &mmc{3, 3 * load}
		for _, synch := range []ross.Scheduler{ross.Sequential, ross.Optimistic} {
			for name, model := range map[string]ross.LPType{"hand": p.byHand(), "servers": p.shop()} {
				b.Run(fmt.Sprintf("load=%g/synch=%d/%s", load, synch, name), func(b *testing.B) {
					for b.Loop() {
						sim := play(b, synch, 1, 2000, model)
						b.ReportMetric(1e9/sim.Summary().EventRate(), "ns/event")
						_ = sim.Close()
					}
				})
			}
		}
	}
}
