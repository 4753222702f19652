// Package ross runs models of logical processes (LPs) that send each other events in virtual time: on one thread, on
// many, or on many machines, with the same results, which are those of ROSS (Rensselaer's Optimistic Simulation
// System).
//
// # A complete program
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//
//		"github.com/ross-go/ross"
//	)
//
//	const lps = 64
//
//	type State struct{ Received int64 } // of an LP
//	type Msg struct{ Hops int32 }       // of an event
//
//	// Init is called for each LP before the run: each sends itself an event.
//	func (s *State) Init(lp *ross.LP) { ross.Send(lp, lp.ID(), 1, Msg{}) }
//
//	// Event is called for each event: it sends the message on to a random LP.
//	func (s *State) Event(lp *ross.LP, m *Msg) {
//		s.Received++
//		ross.Send(lp, ross.LPID(lp.RNG().Integer(0, lps-1)), 0.1+lp.RNG().Exponential(0.9), Msg{m.Hops + 1})
//	}
//
//	func main() {
//		model := ross.Type[State]{LPs: lps, Init: (*State).Init, Event: ross.On((*State).Event)}
//		sim, err := ross.Run(context.Background(), ross.Config{End: 100}, model) // until virtual time 100
//		if err != nil {
//			log.Fatal(err)
//		}
//		defer sim.Close()
//		fmt.Println("LP 0 received", ross.StateOf[State](sim.LP(0)).Received, "events")
//	}
//
// It runs sequentially. With Synch: ross.Auto in the configuration the run itself finds out which scheduler is
// fastest, on as many threads as there are processors. Options.Main gives a program the command
// line of ROSS (example of [Options]).
//
// # Where to read on
//
//   - The sections from "A model" to "Troubleshooting" (doc.go): all that a model can do.
//   - docs/first-model.md builds a model step by step; docs/ross.md is for those who come from ROSS.
//   - models has programs of all kinds, from PHOLD to networks; each has a README or a comment that explains it.
//   - Packages: stats for statistics, params and fit for parameters, experiment for replications, container for data
//     that undoes itself, topology, interconnect and workload for networks, rio for checkpoints, instr for samples,
//     mapping for who handles what.
//   - ARCHITECTURE.md for those who change the engine.
package ross

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/ross-go/ross/internal/output/watch"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/sys/buildinfo"
	"github.com/ross-go/ross/report"
)

// Version is the version of this engine, as the report prints it.
const Version = buildinfo.Ross

// Simulation is one run of a model. Call New, Define, Run and Close once each, in this order,
// from one goroutine.
type Simulation struct {
	r      run.Engine
	cfg    Config
	stage  stage
	ran    bool   // Run has succeeded
	inside string // the call that is going on, if the model is called in it
	about  description
}

// stage says which of New, Define, Run and Close was called last.
type stage uint8

const (
	stageNew stage = iota
	stageDefined
	stageRun
	stageClosed
)

// Run runs a model: it makes a simulation of LPs of the given types, runs it to its end, and returns it, for its
// results. It does what New, Define and Simulation.Run do, which a program calls by itself if it has something to do
// between them. If no type says how many LPs it has, the configuration does.
//
// Close the simulation when its results have been read. After an error there is none to close. A program that mpirun
// starts prints errors before it closes a simulation (ShouldPrint), so it calls the three itself.
func Run(ctx context.Context, cfg Config, types ...LPType) (*Simulation, error) {
	if n, _ := countLPs(types); n > 0 && cfg.LPs == 0 {
		cfg.LPs = n
	}
	sim, err := New(cfg)
	if err != nil {
		return nil, err
	}
	if err = sim.Define(types...); err == nil {
		err = sim.Run(ctx)
	}
	if err != nil {
		_ = sim.Close() // the first error says more
		return nil, err
	}
	return sim, nil
}

// New checks a configuration and prints the head of the report (tw_init). Errors about a
// setting are ErrUsage; they name the flag and say how to correct it.
func New(cfg Config) (*Simulation, error) {
	cfg.complete()
	s := &Simulation{cfg: cfg}
	if cfg.Ranks > 1 && ranks.First() { // before it starts others
		if err := cfg.validate(); err != nil {
			return nil, err
		}
	}
	s.r.Created = time.Now()
	c, err := ranks.Open(ranks.Start{World: cfg.knobs.World, Comm: cfg.Comm, Ranks: cfg.Ranks, PEs: cfg.PEs,
		ExitCode: ExitCode})
	s.r.Cluster = c
	if err == nil {
		err = c.Agree(s.prepare())
	}
	if err == nil {
		err = s.compareSettings()
	}
	if err != nil {
		s.r.Budget.Detach()
		return nil, c.CloseWith(err)
	}
	return s, nil
}

// Define makes the LPs (tw_define_lps, tw_lp_settype, tw_lp_setup_types): all of the only type
// given, or of the types that Config.TypeMap chooses. It returns errors about the types, the
// mapping, the memory, and the folders of the instrumentation and of the results.
func (s *Simulation) Define(types ...LPType) error {
	var err error
	if s.stage != stageNew {
		err = errDefined
	}
	if err = s.collective("Define", err); err != nil {
		return err
	}
	defer s.enters("Define")()
	err = s.r.Cluster.Agree(s.define(types))
	if err == nil {
		err = s.compareLPs()
	}
	if err == nil {
		err = s.r.OpenInstruments()
	}
	if err != nil {
		if cause := s.r.DropInstruments(false); cause != nil {
			err = errors.Join(err, cause)
		}
		s.r.Release()
		return err
	}
	s.describeLPs()
	s.stage = stageDefined
	return nil
}

// define makes the LPs of this rank.
func (s *Simulation) define(types []LPType) error {
	if err := s.addTypes(types); err != nil {
		return err
	}
	if s.cfg.Checkpoints.AfterRun {
		if err := s.r.Checkpoints.KeepEvents(); err != nil {
			return err
		}
	}
	s.r.ChooseScheduler()
	if err := s.r.MakeLayout(); err != nil {
		return err
	}
	if err := s.r.MakePEs(); err != nil {
		return err
	}
	if s.cfg.Watch != "" && s.cfg.Output != nil {
		if err := watch.Start(&s.r.Run, s.cfg.Watch, uint64(s.cfg.WatchLimit), s.r.Out); err != nil {
			return err
		}
	}
	s.checkDir()
	return nil
}

// Run initialises the LPs, runs the simulation to its end, and prints the report (tw_run). It
// returns the model's earliest mistake as a *ModelError, an error of the output, or the error
// of ctx. The report of a run that was cut short says how far it came. A nil ctx never ends.
func (s *Simulation) Run(ctx context.Context) error {
	var err error
	if s.stage != stageDefined {
		err = errNotAtStart
	}
	if err = s.collective("Run", err); err != nil {
		return err
	}
	defer s.enters("Run")()
	s.stage = stageRun
	s.r.Live.Enter(run.PhaseInitialising)
	if ctx == nil {
		ctx = context.Background()
	}
	if s.cfg.Checkpoints.OnExit {
		heedHangup(ctx)
	}
	s.reportConfig()
	s.r.Hooks.Silent = endBySignal
	s.beginDescription()
	err = s.r.Do(ctx)
	s.endDescription(err)
	s.ran = err == nil
	return err
}

// Close releases all memory (tw_end). It may be called at any time, and more than once, also for a nil Simulation.
// LPs and PEs must not be used after it. In a run of several ranks it tells the others that this one leaves: their
// next call is an error, unless it is Close. It returns an error if the model sent an event after Run,
// when Run could no longer report it.
func (s *Simulation) Close() error {
	if s == nil || s.stage == stageClosed {
		return nil
	}
	var err error
	if s.inside == "" {
		err = s.r.Cluster.Leave()
	}
	err = errors.Join(err, s.r.DropInstruments(s.stage == stageRun), s.sealRecord())
	s.stage = stageClosed
	s.r.Live.End(s.r.Stats.Runtime)
	s.r.Checkpoints.Close()
	for _, pe := range s.r.Locals {
		err = errors.Join(err, pe.Err)
	}
	s.r.Release()
	s.r.Total = 0
	return errors.Join(err, s.r.Cluster.Close())
}

// TotalLPs returns the number of LPs on all PEs of all ranks (g_tw_total_lps). It is known as
// soon as New returns, so a model and its Config.TypeMap can call it, or after Define if the types say it (Type.LPs);
// after Close it is 0.
func (s *Simulation) TotalLPs() int { return int(s.r.Total) }

// NumPEs returns the number of PEs of all ranks (tw_nnodes). It is known as soon as New
// returns; after Close it is 0.
func (s *Simulation) NumPEs() int {
	if s.stage == stageClosed {
		return 0
	}
	return int(s.r.AllPEs())
}

// PE returns the PE with the given index, or nil if there is no such one or it belongs to another
// rank.
func (s *Simulation) PE(id PEID) *PE {
	pe := s.r.PE(uint64(id))
	if pe == nil {
		return nil
	}
	return facePE(pe)
}

// LP returns the LP with the given global id, or nil if there is no such one or it belongs to another
// rank.
func (s *Simulation) LP(id LPID) *LP {
	lp := s.r.LP(uint64(id))
	if lp == nil {
		return nil
	}
	return faceLP(lp)
}

// Rank returns the number of this process among those that run the simulation, 0 to Ranks() - 1 (g_tw_mynode).
func (s *Simulation) Rank() int { return s.r.Cluster.Rank }

// Ranks returns the number of processes that run the simulation, 1 unless mpirun or Config.Ranks has started several.
func (s *Simulation) Ranks() int { return s.r.Cluster.Ranks }

// Announce leaves a text for programs on rank 0, such as the address of a server. Call it before Run,
// which sends the texts. In a run of one rank it has no effect.
func (s *Simulation) Announce(text string) { s.r.Announcement = text }

// Announced returns, on rank 0, the texts of Announce of all ranks, by rank: "" of a rank that has not
// called it. It returns nil until Run has the texts, if there are none, in a run of one rank, and on other
// ranks. It may be called at any time and from any goroutine.
func (s *Simulation) Announced() []string {
	if all := s.r.Announced.Load(); all != nil {
		return *all
	}
	return nil
}

// Report returns the writer of the report: Config.Output on rank 0, and one that discards
// everything on other ranks. A model writes to it what is to be printed once.
func (s *Simulation) Report() io.Writer { return s.r.Report }

// Summary returns the figures of the run. They are complete after Run.
func (s *Simulation) Summary() report.Summary { return s.r.Stats }

// Config returns the configuration of the run, in which fields that were 0 have their defaults, and MaxMemory and PEs
// what New has found.
func (s *Simulation) Config() Config { return s.cfg }

// CollectionError returns the reason why the instrumentation files with data of this rank's
// PEs are incomplete, for example a full disk, --stats-limit, or a buffer without room. It
// returns nil if they are complete. Run does not return this error. CollectionError may be
// called at any time.
func (s *Simulation) CollectionError() error {
	if err := s.r.Incomplete.Load(); err != nil {
		return *err
	}
	return nil
}

// TakeProgress lets the caller show the progress of the run: the engine prints no more
// progress lines, and writes everything else that the run and its models print through the
// writer that wrap makes of Config.Output. That writer can make room on a terminal that both
// share. giveBack ends this. Both functions may be called at any time.
func (s *Simulation) TakeProgress(wrap func(w io.Writer) io.Writer) (giveBack func()) {
	return s.r.Out.Take(wrap)
}
