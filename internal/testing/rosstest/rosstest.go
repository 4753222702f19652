// Package rosstest is shared by the tests that see the engine as models do, through the API of
// package ross: it has small models, runs them, and reads what came of it.
package rosstest

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/rng"
)

// None is the state of LPs that need none; Word is a small message.
type (
	None struct{}
	Word struct{ N int64 }
)

// Small returns the configuration of a run of four LPs up to time 100.
func Small() ross.Config {
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.NKP, cfg.End, cfg.Digest = 4, 2, 100, true
	cfg.MaxMemory = 64 << 20
	return cfg
}

// Hooks returns, by name, what gives a configuration that ends at time 100 each kind of function
// that belongs to no LP.
func Hooks(hook func(*ross.PE)) map[string]func(*ross.Config) {
	onGVT := func(pe *ross.PE, _ bool) { hook(pe) }
	return map[string]func(*ross.Config){
		"PreLPInit":           func(c *ross.Config) { c.PE.PreLPInit = hook },
		"PostLPInit":          func(c *ross.Config) { c.PE.PostLPInit = hook },
		"Final":               func(c *ross.Config) { c.PE.Final = hook },
		"GVT hook":            func(c *ross.Config) { c.HookTrigger, c.GVTHook = ross.HookAt(1), onGVT },
		"GVT hook at the end": func(c *ross.Config) { c.HookTrigger, c.GVTHook = ross.HookAt(50), onGVT },
	}
}

// Checking returns the configuration of a check.
func Checking(synch int) ross.Config {
	cfg := Small()
	cfg.Synch = ross.Scheduler(synch)
	cfg.Streams.PerLP = 2
	return cfg
}

// Outcome is what a run left.
type Outcome struct {
	*ross.Simulation
	Report string
	Err    error // of Run
}

// Define makes a simulation and its LPs. Its report goes to the buffer.
func Define(t *testing.T, cfg ross.Config, types ...ross.LPType) (*ross.Simulation, *bytes.Buffer) {
	t.Helper()
	var report bytes.Buffer
	if cfg.Output == nil {
		cfg.Output = &report
	}
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	require.NoError(t, sim.Define(types...))
	return sim, &report
}

// Try runs a model, which may fail.
func Try(t *testing.T, cfg ross.Config, types ...ross.LPType) Outcome {
	t.Helper()
	sim, report := Define(t, cfg, types...)
	err := sim.Run(context.Background())
	return Outcome{sim, report.String(), err}
}

// Run runs a model that must not fail.
func Run(t *testing.T, cfg ross.Config, types ...ross.LPType) Outcome {
	t.Helper()
	out := Try(t, cfg, types...)
	require.NoError(t, out.Err)
	return out
}

// Once returns a type whose LP 3 handles one event, sent by LP 1, at time 1.5:
// that is what do is called in. The others handle nothing.
func Once(do func(lp *ross.LP)) ross.Type[None] {
	return ross.Type[None]{
		Name: "once",
		Init: func(_ *None, lp *ross.LP) {
			if lp.ID() == 1 {
				ross.Send(lp, 3, 1.5, Word{})
			}
		},
		Event: ross.On(func(_ *None, lp *ross.LP, m *Word) {
			if m.N == 0 {
				do(lp)
			}
		}),
	}
}

// Net returns the number of events that were handled.
func (o Outcome) Net() int {
	st := o.Summary()
	return int(st.NetEvents())
}

// ReadTrace returns the records of the event trace in a folder.
func ReadTrace(t *testing.T, dir string) []instr.Event {
	t.Helper()
	events, err := instr.ReadTrace(filepath.Join(dir, "ross-stats-evtrace.bin"))
	require.NoError(t, err)
	return events
}

// Forever returns a model whose LPs go on at time 1, 2, 3, ... without end.
func Forever(tick func(lp *ross.LP)) ross.Type[None] {
	return ross.Type[None]{
		Name: "forever",
		Init: func(_ *None, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, Word{}) },
		Event: ross.On(func(_ *None, lp *ross.LP, _ *Word) {
			tick(lp)
			ross.Send(lp, lp.ID(), 1, Word{})
		}),
	}
}

// NoTick is a tick of Forever that does nothing.
func NoTick(*ross.LP) {}

// Anywhere draws a destination.
func Anywhere(lp *ross.LP) ross.LPID {
	return ross.LPID(lp.RNG().Integer(0, int64(lp.PE().NumLPs())-1))
}

// Core returns the generator from which LP gid of total draws its tie-breakers,
// with per streams of the model on each LP.
func Core(seeds rng.Seeds, per, total, gid uint64) rng.CLCG4 {
	return rng.NewSeeder(seeds).CLCG4(uint64(uint32(per*total)) + gid)
}

// RequireWholeReport requires that a run which was cut short reports how far it came,
// with figures that can be.
func RequireWholeReport(t *testing.T, report string) {
	t.Helper()
	for _, part := range []string{"*** END SIMULATION ***", "Running Time", "Net Events Processed", "TW GVT Statistics",
		"Digest"} {
		require.Contains(t, report, part)
	}
	for line := range strings.Lines(report) {
		require.NotRegexp(t, `(Initialization|Event Processing|Total Time|Running Time).* -`, line)
	}
}

// Figure returns a figure that the report of a run has besides ROSS's, "" if it has none.
func (o Outcome) Figure(label string) string {
	for _, f := range o.Summary().Extra {
		if f.Label == label {
			return f.Value
		}
	}
	return ""
}

// Sum is the state of Chatter.
type Sum struct{ N int64 }

// Chatter returns a model whose LPs send to one another, with all that is undone.
func Chatter(saving ross.Saving) ross.Type[Sum] {
	return ross.Type[Sum]{
		Name: "chatter", Saving: saving,
		Init: func(_ *Sum, lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), Word{1}) },
		Event: ross.On(func(s *Sum, lp *ross.LP, m *Word) {
			ross.Save(lp, &s.N)
			s.N += m.N
			lp.Stream(1).Normal01()
			lp.Printf("not to be seen")
			if s.N == 20 {
				lp.Suspend(true, 1)
			}
			ross.Send(lp, Anywhere(lp), lp.RNG().Exponential(1), Word{1})
		}).Reverse(func(s *Sum, _ *ross.LP, m *Word) { s.N -= m.N }),
	}
}

// Runs that are stored, and loaded again.

// Walker is the state of Walkers. It counts what is called.
type Walker struct{ Value, Inits, PreRuns uint64 }

// Step is the message of Walkers.
type Step struct{ N uint64 }

// Walkers returns a model that has each LP send itself an event at each whole time and a half.
func Walkers() ross.Type[Walker] {
	return ross.Type[Walker]{
		Name: "walk",
		Init: func(s *Walker, lp *ross.LP) {
			s.Inits++
			ross.Send(lp, lp.ID(), 0.5, Step{lp.RNG().Count()})
		},
		PreRun: func(s *Walker, _ *ross.LP) { s.PreRuns++ },
		Event: ross.On(func(s *Walker, lp *ross.LP, m *Step) {
			s.Value += m.N + 1
			lp.RNG().Unif()
			ross.Send(lp, lp.ID(), 1, *m)
		}).Reverse(func(s *Walker, _ *ross.LP, m *Step) { s.Value -= m.N + 1 }),
	}
}

// Walk returns what sets the number of LPs and the end.
func Walk(lps uint64, end float64) func(*ross.Config) {
	return func(c *ross.Config) { c.NLP, c.End = int(lps), end }
}

// Leg is a part of a run: from a checkpoint or from the beginning, to a checkpoint or to the end.
type Leg struct {
	From, To  string
	Mode      ross.LoadMode
	Configure func(*ross.Config)
}

// RunLeg runs a model and returns the simulation, which is open until the test ends.
func RunLeg(t *testing.T, g Leg, types ...ross.LPType) *ross.Simulation {
	t.Helper()
	cfg := ross.DefaultConfig()
	cfg.Digest, cfg.MaxMemory = true, 256<<20
	g.Configure(&cfg)
	cfg.Checkpoints.AfterRun = true
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	require.NoError(t, sim.Define(types...))
	if g.From != "" {
		require.NoError(t, sim.Load(g.From, g.Mode))
	}
	require.NoError(t, sim.Run(context.Background()))
	if g.To != "" {
		require.NoError(t, sim.Store(g.To))
	}
	return sim
}

// Impl returns the implementation that --pq, --avl and --buddy call name.
func Impl(name string) ross.Implementation {
	return map[string]ross.Implementation{"c": ross.InC, "go": ross.InGo}[name]
}
