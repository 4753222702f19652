// Package proctest tests models with processes: as package modeltest does, and against the processes as they are
// written, which run as coroutines.
package proctest

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/proc/internal/hook"
	"github.com/ross-go/ross/program"
)

// Run tests a model as modeltest.Run does. Before, it runs the processes as they are written and as they were
// generated, and compares which of them go on when, and why: generated code that is not that of the source shows.
func Run(t modeltest.T, m modeltest.Model) {
	t.Helper()
	if err := compare(m); err != nil {
		t.Fatalf("%v", err)
		return
	}
	modeltest.Run(t, m)
}

// Resumption is one time that a process goes on.
type Resumption struct {
	LP  ross.LPID
	Now float64
	PID uint64
	Why uint8
}

// Compare runs a model sequentially, with processes as they are written and as they were generated. The error says
// where they part. It is not for several goroutines at once.
func Compare(cfg ross.Config, types func() []ross.LPType) error {
	return compare(modeltest.Model{Config: cfg, Types: types})
}

func compare(m modeltest.Model) error {
	written, err := record(m, true)
	if err != nil {
		return fmt.Errorf("proctest: processes as they are written: %w", err)
	}
	generated, err := record(m, false)
	if err != nil {
		return fmt.Errorf("proctest: generated processes: %w", err)
	}
	for i := range max(len(written), len(generated)) {
		switch {
		case i >= len(written):
			return fmt.Errorf("proctest: generated processes go on %d times, those that are written %d times: "+
				"run go generate, or tell of the fault", len(generated), len(written))
		case i >= len(generated) || written[i] != generated[i]:
			got := "none"
			if i < len(generated) {
				got = fmt.Sprintf("%+v", generated[i])
			}
			return fmt.Errorf("proctest: resumption %d is %+v as it is written, and %s in generated code: "+
				"run go generate, or tell of the fault", i, written[i], got)
		}
	}
	if len(written) == 0 {
		return fmt.Errorf("proctest: no process goes on: give the configuration an end that is later")
	}
	return nil
}

// record runs a model and returns the resumptions of its processes.
func record(m modeltest.Model, direct bool) (all []Resumption, err error) {
	seen := func(lp uint64, now float64, pid uint64, why uint8) {
		all = append(all, Resumption{ross.LPID(lp), now, pid, why})
	}
	hook.Direct.Store(direct)
	hook.Seen.Store(&seen)
	defer hook.Direct.Store(false)
	defer hook.Seen.Store(nil)
	sim, err := build(m)
	if err != nil {
		return nil, err
	}
	defer sim.Close()
	return all, sim.Run(context.Background())
}

// build returns a sequential simulation of a model.
func build(m modeltest.Model) (*ross.Simulation, error) {
	cfg := m.Config
	p := program.Program{Build: func(sim *ross.Simulation) error { return sim.Define(m.Types()...) }}
	if m.Program != nil {
		p = m.Program()
		cfg = p.Config
		if _, err := p.CommandLine(&cfg).Parse(strings.Fields(m.Args)); err != nil {
			return nil, err
		}
		cfg.Output = io.Discard
	}
	cfg.Synch, cfg.PEs = ross.Sequential, 1
	if p.Prepare != nil {
		if err := p.Prepare(&cfg); err != nil {
			return nil, err
		}
	}
	sim, err := ross.New(cfg)
	if err != nil {
		return nil, err
	}
	if err := p.Build(sim); err != nil {
		sim.Close()
		return nil, err
	}
	return sim, nil
}
