// This file owns what the behaviour tests share: running a model and reading
// what came of it.

package ross_test

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
)

// none is the state of LPs that need none; word is a small message.
type (
	none struct{}
	word struct{ N int64 }
)

// small returns the configuration of a run of four LPs up to time 100.
func small() ross.Config {
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.NKP, cfg.End, cfg.Digest = 4, 2, 100, true
	cfg.MaxMemory = 64 << 20
	return cfg
}

// outcome is what a run left.
type outcome struct {
	*ross.Simulation
	report string
	err    error
}

// define makes a simulation and its LPs. Its report goes to the buffer.
func define(t *testing.T, cfg ross.Config, types ...ross.LPType) (*ross.Simulation, *bytes.Buffer) {
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

// try runs a model, which may fail.
func try(t *testing.T, cfg ross.Config, types ...ross.LPType) outcome {
	t.Helper()
	sim, report := define(t, cfg, types...)
	err := sim.Run(context.Background())
	return outcome{sim, report.String(), err}
}

// run runs a model that must not fail.
func run(t *testing.T, cfg ross.Config, types ...ross.LPType) outcome {
	t.Helper()
	out := try(t, cfg, types...)
	require.NoError(t, out.err)
	return out
}

// once returns a type whose LP 3 handles one event, sent by LP 1, at time 1.5:
// that is what do is called in. The others handle nothing.
func once(do func(lp *ross.LP)) ross.Type[none, word] {
	return ross.Type[none, word]{
		Name: "once",
		Init: func(_ *none, lp *ross.LP) {
			if lp.ID() == 1 {
				ross.Send(lp, 3, 1.5, word{})
			}
		},
		Event: func(_ *none, lp *ross.LP, _ *ross.Bits, m *word) {
			if m.N == 0 {
				do(lp)
			}
		},
	}
}

// net returns the number of events that were handled.
func (o outcome) net() int {
	st := o.Stats()
	return int(st.NetEvents())
}

// readTrace returns the records of the event trace in a folder.
func readTrace(t *testing.T, dir string) []instr.Event {
	t.Helper()
	events, err := instr.ReadTrace(filepath.Join(dir, "ross-stats-evtrace.bin"))
	require.NoError(t, err)
	return events
}
