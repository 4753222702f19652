// This file owns the life of a simulation: New, Define, Run, Close.

package ross

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"time"

	"github.com/ross-go/ross/cmdline"
	"github.com/ross-go/ross/internal/buildinfo"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/mem"
	"github.com/ross-go/ross/internal/plain"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/usage"
	"github.com/ross-go/ross/report"
)

// Version is the version of this engine, as the report prints it.
const Version = buildinfo.Ross

// Simulation is one run of a model. Call New, Define, Run and Close once each, in this order,
// from one goroutine.
type Simulation struct {
	r      run.Run // first: package stats finds the engine's run by it
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

// New checks a configuration and prints the head of the report (tw_init). Errors about a
// setting are ErrUsage; they name the flag and say how to correct it.
func New(cfg Config) (*Simulation, error) {
	s := &Simulation{cfg: cfg}
	s.r.Created = time.Now()
	c, err := ranks.Open(cfg.knobs.world, cfg.Comm, cfg.PEs, ExitCode)
	s.r.Cluster = c
	if err == nil {
		err = c.Agree(s.prepare())
	}
	if err == nil {
		err = s.compareSettings()
	}
	if err != nil {
		s.r.Budget.Detach()
		return nil, c.Parts(err)
	}
	return s, nil
}

// prepare checks the configuration and prints the head of the report.
func (s *Simulation) prepare() error {
	if err := s.cfg.Validate(); err != nil {
		return err
	}
	if err := s.available(); err != nil {
		return err
	}
	cfg, r := &s.cfg, &s.r
	if cfg.MaxMemory == 0 {
		cfg.MaxMemory = max(mem.Available()/5*4/uint64(r.Cluster.OnNode), minMemory)
	}
	if cfg.PEs == 0 {
		cfg.PEs = runtime.NumCPU()
	}
	s.choosePEs(runtime.GOMAXPROCS(0))
	r.Set, r.Hooks = *cfg.settings(), cfg.hooks()
	r.Opaque, r.BlockElem = engineTypes(), blockElemOf
	r.NewError, r.TimeOf, r.Face, r.Warn, r.Together = newError, timeOf, s, s.warn, s.together
	if cfg.ModelLog != nil {
		r.Log = kernel.NewLog(cfg.ModelLog, plain.Recast[func(uint64, string) bool](&cfg.ModelLogOnly), cfg.PEs)
	}
	r.Rank0 = r.Cluster.Rank == 0
	if r.Cluster.Ranks > 1 {
		r.Gather = r.Cluster.Gather
	}
	r.Base = uint64(r.Cluster.Rank) * uint64(cfg.PEs)
	if r.Total = cfg.TotalLPs; r.Total == 0 {
		r.Total = s.numPEs() * cfg.NLP
	}
	r.Threads = runtime.GOMAXPROCS(0)
	r.Out, r.Budget = report.NewOutput(cfg.Output), mem.NewBudget(cfg.MaxMemory)
	r.Budget.Piece, r.Budget.Refuse = r.Set.Piece(), r.Set.Refuse
	r.Budget.CountProgram(cfg.PEs)
	r.Budget.Attach()
	r.Checkpoints.Open(&r.Run, r.Cluster, Version, s.options, cfg.modelOptions, cfg.varying)
	if space := mem.AddressSpace(); cfg.MaxMemory > space {
		s.warn(fmt.Sprintf("the limit of the address space (ulimit -v) leaves %d bytes, less than --max-memory: raise it", space))
	}
	r.SeesReport = cmdline.WarnsTo(cfg.Log, cfg.Output)
	r.NoProgress = !cfg.linesGiven && cfg.ReportInterval == defaultReportInterval && isStored(cfg.Output)
	if r.Report = r.Out; !r.Rank0 {
		r.Report = io.Discard
	}
	s.describe()
	s.reportHeader()
	return r.Out.Err()
}

// isStored reports whether what is written to w goes to a file or another program, where nobody watches it.
func isStored(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice == 0
}

// available refuses combinations of settings that the engine does not support.
func (s *Simulation) available() error {
	c, set, ranks := &s.cfg, s.cfg.settings(), s.r.Cluster.Ranks
	sequential := set.Sequential()
	number := formatScheduler(c.Synch)
	switch {
	case sequential && ranks != 1:
		return usage.Errorf("option --synch=%s: runs on one PE, and mpirun has started %d ranks; use --synch=3, or mpirun -np 1", number, ranks)
	case sequential && c.PEs != 1:
		return usage.Errorf("option --pes=%d: --synch=%s runs on one PE; use --pes=1, or --synch=3", c.PEs, number)
	case set.SamplesVT() && math.IsInf(set.LastPoint(), 1):
		return usage.Errorf("option --vt-samp-end=%g: in a run without an end, samples at virtual times need one; give this option or --end", c.VTSampEnd)
	}
	return nil
}

// Define makes the LPs (tw_define_lps, tw_lp_settype, tw_lp_setup_types): all of the only type
// given, or of the types that Config.TypeMap chooses. It returns errors about the types, the
// mapping, the memory, and the folders of the instrumentation and of the results.
func (s *Simulation) Define(types ...LPType) error {
	var err error
	if s.stage != stageNew {
		err = errDefined
	}
	if err = s.together("Define", err); err != nil {
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
	s.setScheduler()
	if err := s.makeLayout(); err != nil {
		return err
	}
	if err := s.r.MakePEs(); err != nil {
		return err
	}
	return s.checkDir()
}

// Run initialises the LPs, runs the simulation to its end, and prints the report (tw_run). It
// returns the model's earliest mistake as a *ModelError, an error of the output, or the error
// of ctx. The report of a run that was cut short says how far it came. A nil ctx never ends.
func (s *Simulation) Run(ctx context.Context) error {
	var err error
	if s.stage != stageDefined {
		err = errNotAtStart
	}
	if err = s.together("Run", err); err != nil {
		return err
	}
	defer s.enters("Run")()
	s.stage = stageRun
	s.r.Live.Enter(run.PhaseInitialising)
	if ctx == nil {
		ctx = context.Background()
	}
	s.reportConfig()
	s.r.Hooks.Silent = endBySignal
	s.beginDescription()
	err = s.r.Do(ctx)
	s.endDescription(err)
	s.ran = err == nil
	return err
}

// Close releases all memory (tw_end). It may be called at any time, and more than once. LPs
// and PEs must not be used after it. In a run of several ranks it tells the others that this one leaves: their
// next call is an error, unless it is Close. It returns an error if the model sent an event after Run,
// when Run could no longer report it.
func (s *Simulation) Close() error {
	if s.stage == stageClosed {
		return nil
	}
	var err error
	if s.inside == "" {
		err = s.r.Cluster.Leave()
	}
	err = errors.Join(err, s.r.DropInstruments(s.stage == stageRun))
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
// soon as New returns, so a model and its Config.TypeMap can call it; after Close it is 0.
func (s *Simulation) TotalLPs() uint64 { return s.r.Total }

// NumPEs returns the number of PEs of all ranks (tw_nnodes). It is known as soon as New
// returns; after Close it is 0.
func (s *Simulation) NumPEs() uint64 {
	if s.stage == stageClosed {
		return 0
	}
	return s.numPEs()
}

func (s *Simulation) numPEs() uint64 { return uint64(s.r.Cluster.Ranks) * uint64(s.cfg.PEs) }

// PE returns the PE with the given index, or nil if there is none or it belongs to another
// rank.
func (s *Simulation) PE(id PEID) *PE {
	pe := s.r.PE(uint64(id))
	if pe == nil {
		return nil
	}
	return facePE(pe)
}

// LP returns the LP with the given global id, or nil if there is none or it belongs to another
// rank.
func (s *Simulation) LP(id LPID) *LP {
	lp := s.r.LP(uint64(id))
	if lp == nil {
		return nil
	}
	return faceLP(lp)
}

// Rank returns the number of this process among those that mpirun has started, 0 to Ranks() -
// 1 (g_tw_mynode). Without MPI it is 0.
func (s *Simulation) Rank() int { return s.r.Cluster.Rank }

// Ranks returns the number of processes that run the simulation. Without MPI it is 1.
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

// Stats returns the figures of the run. They are complete after Run.
func (s *Simulation) Stats() report.Stats { return s.r.Stats }

// Config returns the configuration of the run, in which New has replaced MaxMemory and PEs if
// they were 0.
func (s *Simulation) Config() Config { return s.cfg }

func (s *Simulation) warn(text string) {
	if s.cfg.Log != nil {
		s.cfg.Log.Warn("ross: " + text)
	}
}

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

// options returns the engine's options with their values.
func (s *Simulation) options() *cmdline.Options {
	o := NewOptions("")
	c := s.cfg
	c.Register(o)
	return o
}
