//go:build !nolive

// Helpers of the tests: a run that waits in the middle until it may continue.

package live

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
)

type state struct{ handled int }

// held is a run of a model whose LP 0 waits at time 50 of 100.
type held struct {
	*ross.Simulation
	report  *bytes.Buffer
	reached chan struct{} // closed when it waits
	proceed chan struct{} // close it to let the run continue
	ended   chan error
}

// hold makes such a run. LP 0 fails at time 60 if fails is true.
func hold(t *testing.T, cfg ross.Config, fails bool) *held {
	t.Helper()
	h := &held{report: &bytes.Buffer{}, reached: make(chan struct{}), proceed: make(chan struct{}), ended: make(chan error, 1)}
	var once sync.Once
	if cfg.Output == nil {
		cfg.Output = h.report
	}
	lps := cfg.NLP * uint64(cfg.PEs)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	h.Simulation = sim
	require.NoError(t, sim.Define(ross.Type[state, struct{}]{
		Init: func(_ *state, lp *ross.LP) { ross.Send(lp, lp.ID(), 0.5+lp.RNG().Unif(), struct{}{}) },
		Event: func(s *state, lp *ross.LP, _ *ross.Bits, _ *struct{}) {
			s.handled++
			if lp.ID() == 0 && lp.Now() > 50 {
				once.Do(func() { close(h.reached) })
				<-h.proceed
			}
			if fails && lp.ID() == 0 && lp.Now() > 60 {
				lp.Fail(errors.New("no more"))
			}
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, int64(lps)-1)), 0.5+lp.RNG().Unif(), struct{}{})
		},
		Saving: ross.SaveByDelta,
	}))
	return h
}

func config(synch, pes int) ross.Config {
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.End, cfg.MaxMemory = ross.Scheduler(synch), pes, 32, 100, 256<<20
	return cfg
}

// start runs it until it waits.
func (h *held) start() {
	go func() { h.ended <- h.Run(context.Background()) }()
	<-h.reached
}

// finish lets it continue to its end.
func (h *held) finish() error {
	close(h.proceed)
	return <-h.ended
}

// requireGone requires that no goroutine of the package is left but that of the test.
func requireGone(t *testing.T) {
	t.Helper()
	buf := make([]byte, 1<<20)
	stacks := strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n")
	for _, s := range stacks[1:] { // the first is this one
		for _, of := range []string{"live.(*bar)", "live.(*server)", "live.(*watch)", "live.(*others)"} {
			require.NotContains(t, s, of)
		}
	}
}

func begin(t *testing.T, h *held, o Options, stderr io.Writer) *View {
	t.Helper()
	v, err := Start(h.Simulation, o, stderr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = v.Stop() })
	return v
}

// endless has no end; it fails, so that it stops.
func endless() ross.Config {
	cfg := config(1, 1)
	cfg.End = math.Inf(1)
	return cfg
}
