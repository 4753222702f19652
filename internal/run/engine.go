// This file owns Engine: a simulation from Init of the LPs to the closing report.

package run

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/ross-go/ross/internal/checkpoint"
	"github.com/ross-go/ross/internal/collect"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/report"
)

// Engine is a simulation on the PEs of this rank.
type Engine struct {
	kernel.Run
	Cluster *ranks.Cluster  // the ranks of the run
	mapping mapping.Mapping // as given, nil: Linear
	Hooks   Hooks
	Locals  []*PE                // PEs of this rank
	Stats   report.Summary       // complete at the end
	Why     Why                  // likewise
	inst    *collect.Instruments // nil if nothing is collected
	// Incomplete is the reason why the files of the instrumentation are incomplete, or nil.
	Incomplete  atomic.Pointer[error]
	Checkpoints checkpoint.Checkpoints
	Live        liveRun // published figures
	// Announcement is a text of this rank for programs on rank 0, where Announced holds those of all
	// ranks, by rank, once the run has begun.
	Announcement string
	Announced    atomic.Pointer[[]string]
	auto         *auto      // chooses the scheduler while the run goes on; nil if it does not change
	balance      *balance   // lets KPs move between PEs; nil if they stay
	serialLoop   serialLoop // of sequential stretches
	dice         *rand.Rand // of a test that ends stretches at random; or nil
	left         bool       // events are left although the PEs have left their loops
	PEsChosen    string     // the number of PEs that Auto chose, or why it chose none; "": it was given
	Chosen       string     // the scheduler that was chosen before the run, and why; "": it was given
	MayStop      string     // a type whose LPs may end a run of SynchAuto sooner than with the lookahead; "": none
	Program      string     // name of the program, for the report
	partly       bool       // --synch=4 had no memory for all events
	Created      time.Time  // when ross.New was called
	Threads      int        // number of threads that Go runs at a time
	ctx          context.Context

	reductions, reduceCalls uint64 // of GVT, and calls of MPI for them
}

// Hooks holds functions of the program that belong to no LP. Each may be nil.
type Hooks struct {
	PreInit, PostInit, Final func(*PE) // before and after Init, and at the end
	GVT                      func(pe *PE, pastEnd bool)
	Trigger                  kernel.Trigger // first trigger of GVT
	Disturb                  func(pe *PE)   // for tests, in each turn of an optimistic PE
	// Silent is called when the context has ended, and no GVT has come for a while: another rank
	// does not answer.
	Silent func(cause error, rank int, wait time.Duration)
}

// Do runs the simulation to its end, prints the report and writes the files.
func (s *Engine) Do(ctx context.Context) error {
	defer func() { s.Live.End(s.Stats.Runtime) }()
	if s.ctx = ctx; s.Set.Stretch > 0 {
		s.dice = rand.New(rand.NewPCG(s.Set.Seed, s.Set.Stretch))
	}
	defer s.endTypes()
	err := s.Cluster.Agree(errors.Join(s.Out.Err(), s.startTypes()))
	if err != nil { // agreed; a rank that left before its run takes part in nothing more
		return err
	}
	if err := s.announce(); err != nil {
		return err
	}
	if err := s.Checkpoints.Prepare(); err != nil {
		return err
	}
	switch {
	case s.Set.Sequential():
		err = s.Locals[0].runSequential()
	case s.Set.Synch == settings.SynchAuto:
		err = s.runAuto()
	default:
		err = s.runParallel()
	}
	s.Until = s.Set.End
	switch {
	case err != nil:
		s.Until = s.Locals[0].Reached()
	case s.Stopped != nil:
		s.Until = s.Stopped.Time
	}
	logging := s.FlushLogs()
	if err != nil {
		s.Stopped = nil
		s.Live.Complete.Store(false)
	}
	if ctx.Err() != nil {
		err = s.stoppedInChain(err)
	}
	if errors.Is(err, kernel.ErrEngine) { // the engine is in an unknown state
		s.engineFailed(err)
	}
	if !s.Cluster.Broken.Load() {
		err = errors.Join(err, s.guardEngine(s.Checkpoints.End))
		err = errors.Join(err, s.guardEngine(func() error { return s.finish(err == nil, s.wasStopped(err)) }))
	}
	return s.Cluster.Agree(errors.Join(err, logging, s.Out.Err()))
}
