// This file owns Engine: a simulation from what package ross gives it to the closing report; and the announcements of
// ranks, a text of each for programs on rank 0.

package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/engine/timewarp"
	"github.com/ross-go/ross/internal/output/checkpoint"
	"github.com/ross-go/ross/internal/output/collect"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/sys/mem"
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
	auto         *auto            // chooses the scheduler while the run goes on; nil if it does not change
	balance      *balance         // lets KPs move between PEs; nil if they stay
	serialLoop   serialLoop       // of sequential stretches
	dice         *rand.Rand       // of a test that ends stretches at random; or nil
	LPDigests    []instr.LPDigest // of all ranks, after the run, with Settings.DigestsOfLPs
	left         bool             // events are left although the PEs have left their loops
	PEsChosen    string           // the number of PEs that Auto chose, or why it chose none; "": it was given
	Chosen       string           // the scheduler that was chosen before the run, and why; "": it was given
	MayStop      string           // a type whose LPs may end a run of SynchAuto sooner than with the lookahead; "": none
	Program      string           // name of the program, for the report
	partly       bool             // --synch=4 had no memory for all events
	Created      time.Time        // when ross.New was called
	placing      placing          // where its PEs run
	Threads      int              // number of threads that Go runs at a time
	ctx          context.Context

	reductions timewarp.Reductions // of GVT
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
	defer s.claimPlaces()()
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

// Start is what package ross gives an engine that has its cluster.
type Start struct {
	Front    kernel.Front
	Hooks    Hooks
	Settings settings.Settings
	PEsGiven bool            // Settings.PEs is no default, which Auto may change
	Mapping  mapping.Mapping // nil: Linear
	TypeMap  func(gid uint64) int
}

// Open begins with what o says. It sets the limit of memory and the number of PEs, in Set, where o leaves them open.
func (s *Engine) Open(o *Start) {
	s.Front, s.Hooks, s.Set, s.mapping, s.TypeMap = o.Front, o.Hooks, o.Settings, o.Mapping, o.TypeMap
	c, set := s.Cluster, &s.Set
	s.Threads = runtime.GOMAXPROCS(0)
	if set.MaxMemory == 0 {
		set.MaxMemory = max(mem.Available()/5*4/uint64(c.OnNode), settings.MinMemory)
	}
	if set.PEs == 0 {
		set.PEs = s.Threads
	}
	if !o.PEsGiven {
		s.choosePEs()
	}
	s.Rank0 = c.Rank == 0
	if c.Ranks > 1 {
		s.Gather = c.Gather
	}
	s.Base = uint64(c.Rank) * uint64(set.PEs)
	if s.Total = set.LPs; s.Total == 0 {
		s.Total = s.AllPEs() * set.NLP
	}
	s.Budget = mem.NewBudget(set.MaxMemory)
	s.Budget.Piece, s.Budget.Refuse = set.Piece(), set.Refuse
	s.Budget.CountProgram(set.PEs)
	s.Budget.Attach()
	if space := mem.AddressSpace(); set.MaxMemory > space {
		s.Warn(fmt.Sprintf("the limit of the address space (ulimit -v) leaves %d bytes, less than --max-memory: raise it",
			space))
	}
	if s.Report = s.Out; !s.Rank0 {
		s.Report = io.Discard
	}
}

// AllPEs returns the number of PEs of all ranks, which Run.NumPEs takes from the layout.
func (s *Engine) AllPEs() uint64 { return uint64(s.Cluster.Ranks) * uint64(s.Set.PEs) }

// announce gives rank 0 the texts of all ranks, once. Others hold only their own, so that no rank but one
// has memory for all.
func (s *Engine) announce() error {
	if s.Cluster.Ranks <= 1 {
		return nil
	}
	length := []int64{int64(len(s.Announcement))}
	err := s.Cluster.World.AllReduceInt64(mpi.Max, length)
	if err == nil && length[0] > 0 {
		var all []string
		err = ranks.Collect(s.Cluster.World, []byte(s.Announcement), func(_ int, text []byte) error {
			all = append(all, string(text))
			return nil
		})
		if all != nil {
			s.Announced.Store(&all)
		}
	}
	return s.Cluster.Agree(err)
}
