// This file owns runs that are stored, and loaded again.

package rosstest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
)

// Walker is the state of Walkers. It counts what is called.
type Walker struct{ Value, Inits, PreRuns uint64 }

// Step is the message of Walkers.
type Step struct{ N uint64 }

// Walkers returns a model that has each LP send itself an event at each whole time and a half.
func Walkers() ross.Type[Walker, Step] {
	return ross.Type[Walker, Step]{
		Name: "walk",
		Init: func(s *Walker, lp *ross.LP) {
			s.Inits++
			ross.Send(lp, lp.ID(), 0.5, Step{lp.RNG().Count()})
		},
		PreRun: func(s *Walker, _ *ross.LP) { s.PreRuns++ },
		Event: func(s *Walker, lp *ross.LP, _ *ross.Bits, m *Step) {
			s.Value += m.N + 1
			lp.RNG().Unif()
			ross.Send(lp, lp.ID(), 1, *m)
		},
		Reverse: func(s *Walker, _ *ross.LP, _ *ross.Bits, m *Step) { s.Value -= m.N + 1 },
	}
}

// Walk returns what sets the number of LPs and the end.
func Walk(lps uint64, end float64) func(*ross.Config) {
	return func(c *ross.Config) { c.NLP, c.End = lps, end }
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
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	require.NoError(t, sim.Define(types...))
	require.NoError(t, sim.InitIO())
	if g.From != "" {
		require.NoError(t, sim.LoadCheckpoint(g.From, g.Mode))
	}
	require.NoError(t, sim.Run(context.Background()))
	if g.To != "" {
		require.NoError(t, sim.StoreCheckpoint(g.To, ross.ByFormula))
	}
	return sim
}
