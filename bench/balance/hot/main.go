// Command hot is PHOLD with a hot spot: a part of the LPs has most of the events. It is for measurements
// of what a run does whose PEs have different amounts of work.
//
// Each event causes one more, after the lookahead and an exponential time. With probability --remote it
// goes to another LP: with probability --hot to one of the hot spot, otherwise to one of the others.
// The hot spot is the first --part of the LPs, and with --wander the next ones after each such time.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	m := model{remote: 0.1, hot: 0.75, part: 0.5, lookahead: 0.1, starts: 8}
	cfg := ross.DefaultConfig()
	cfg.NLP = 4096
	return program.Program{Name: "hot", Config: cfg, Options: m.options, Prepare: m.prepare, Build: m.build}.Main(args,
		stdout, stderr)
}

// model is the model's parameters.
type model struct {
	remote, hot, part, lookahead, wander float64
	starts                               uint64
	lps, spot                            int64 // LPs of all PEs, and of the hot spot
}

func (m *model) options(o *ross.Options, cfg *ross.Config) {
	g := o.Group("Hot Spot Model")
	g.Float64(&m.remote, "remote", "share of events that go to another LP")
	g.Float64(&m.hot, "hot", "share of these that go to the hot spot")
	g.Float64(&m.part, "part", "share of the LPs that are the hot spot")
	g.Float64(&m.wander, "wander", "time after which the hot spot moves on, 0: never")
	g.Float64(&m.lookahead, "lookahead", "least delay of an event; the mean is 1 more")
	g.Uint64(&m.starts, "start-events", "events of an LP at the beginning, on average")
	cfg.RegisterLPs(g)
}

// prepare checks the parameters.
func (m *model) prepare(cfg *ross.Config) error {
	for _, p := range []struct {
		name string
		v    float64
	}{{"remote", m.remote}, {"hot", m.hot}, {"part", m.part}} {
		if !(p.v >= 0 && p.v <= 1) {
			return fmt.Errorf("option --%s=%g: must be in [0, 1]: %w", p.name, p.v, ross.ErrUsage)
		}
	}
	switch {
	case !(m.lookahead > 0 && m.lookahead <= 1e6):
		return fmt.Errorf("option --lookahead=%g: must be above 0 and at most 1e6: %w", m.lookahead, ross.ErrUsage)
	case !(m.wander >= 0):
		return fmt.Errorf("option --wander=%g: must be at least 0: %w", m.wander, ross.ErrUsage)
	case m.starts > 1<<20:
		return fmt.Errorf("option --start-events=%d: must be at most 2^20: %w", m.starts, ross.ErrUsage)
	}
	cfg.ConsLookahead = m.lookahead
	return nil
}

// counter is an LP's state.
type counter struct{ events uint64 }

func (m *model) build(sim *ross.Simulation) error {
	m.lps = int64(sim.TotalLPs())
	if m.spot = int64(m.part * float64(m.lps)); m.spot < 1 || m.spot >= m.lps {
		return fmt.Errorf("option --part=%g: of %d LPs at least one must be in the hot spot, and one outside: %w", m.part,
			m.lps, ross.ErrUsage)
	}
	return sim.Define(ross.Type[counter]{
		Name: "lp", Lookahead: m.lookahead,
		NeverStops: true,
		Init: func(_ *counter, lp *ross.LP) {
			n := float64(m.starts) * (1 - m.hot) / (1 - m.part)
			if int64(lp.ID()) < m.spot {
				n = float64(m.starts) * m.hot / m.part
			}
			for range uint64(n + lp.RNG().Unif()) {
				ross.Send(lp, lp.ID(), m.lookahead+lp.RNG().Exponential(1), struct{}{})
			}
		},
		Event: ross.On(func(s *counter, lp *ross.LP, _ *struct{}) {
			s.events++
			to := lp.ID()
			if lp.RNG().Unif() < m.remote {
				to = m.another(lp)
			}
			ross.Send(lp, to, m.lookahead+lp.RNG().Exponential(1), struct{}{})
		}).Reverse(func(s *counter, _ *ross.LP, _ *struct{}) { s.events-- }),
	})
}

// another returns the LP that an event goes to which leaves its LP.
func (m *model) another(lp *ross.LP) ross.LPID {
	begin := int64(0) // of the hot spot
	if m.wander > 0 {
		begin = int64(lp.Now()/m.wander) % (m.lps / m.spot) * m.spot
	}
	if lp.RNG().Unif() < m.hot {
		return ross.LPID(begin + lp.RNG().Integer(0, m.spot-1))
	}
	return ross.LPID((begin + m.spot + lp.RNG().Integer(0, m.lps-m.spot-1)) % m.lps)
}
