// This file owns the life of a simulation: New, Define, Run, Close.

package ross

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/ross-go/ross/cmdline"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/mem"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/report"
)

// Version is the version of this engine, as the report prints it.
const Version = "go-0.1.0"

// Simulation is one run of a model, from New to Close. Its methods are called
// in that order from one goroutine.
type Simulation struct {
	cfg    Config
	types  []*lpType
	layout *mapping.Map
	pes    []*PE
	total  uint64
	budget *mem.Budget
	space  *event.Space
	stats  report.Stats
	inst   *instruments // nil if nothing is collected
	// incomplete is why the files of the instrumentation are.
	incomplete atomic.Pointer[error]
	out        *report.Output
	report     io.Writer // out, on the rank that prints the report
	created    time.Time
	threads    int // that Go runs at a time
	stage      stage
	live       liveRun
	io         checkpoints
	ran        bool // without an error
	cluster
}

type stage uint8

const (
	stageNew stage = iota
	stageDefined
	stageRun
	stageClosed
)

// New checks a configuration and prints the head of the report (tw_init). The
// error, an ErrUsage, names the flag and the way out.
func New(cfg Config) (*Simulation, error) {
	s := &Simulation{cfg: cfg, created: time.Now()}
	if err := s.openWorld(); err != nil {
		return nil, s.parts(err)
	}
	err := s.agree(s.prepare())
	if err == nil {
		err = s.compareSettings()
	}
	if err != nil {
		return nil, s.parts(err)
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
	cfg := &s.cfg
	out := report.NewOutput(cfg.Output)
	if cfg.MaxMemory == 0 {
		cfg.MaxMemory = max(mem.Available()/5*4/uint64(s.onNode), minMemory)
	}
	if cfg.PEs == 0 {
		cfg.PEs = runtime.NumCPU()
	}
	s.total = s.numPEs() * cfg.NLP
	if cfg.Mapping == mapping.Custom && cfg.TotalLPs != 0 {
		s.total = cfg.TotalLPs
	}
	s.threads = runtime.GOMAXPROCS(0)
	s.out, s.budget = out, mem.NewBudget(cfg.MaxMemory)
	s.budget.Piece = cfg.piece()
	if space := mem.AddressSpace(); cfg.MaxMemory > space {
		s.warn(fmt.Sprintf("the limit of the address space (ulimit -v) leaves %d bytes, less than --max-memory: raise it", space))
	}
	if s.report = out; s.rank != 0 {
		s.report = io.Discard
	}
	s.reportHeader()
	return out.Err()
}

// available refuses what this version does not do, rather than ignore it.
func (s *Simulation) available() error {
	c := &s.cfg
	switch {
	case c.sequential() && s.ranks != 1:
		return cmdline.Usagef("option --synch=%d: runs on one PE, and mpirun has started %d ranks; use --synch=3, or mpirun -np 1", c.Synch, s.ranks)
	case c.sequential() && c.PEs != 1:
		return cmdline.Usagef("option --pes=%d: --synch=%d runs on one PE; use --pes=1, or --synch=3", c.PEs, c.Synch)
	case c.samplesVT() && math.IsInf(c.lastPoint(), 1):
		return cmdline.Usagef("option --vt-samp-end=%g: samples at virtual times would have no end in a run without one; give it, or --end", c.VTSampEnd)
	}
	return nil
}

// mode returns the kind of scheduler that Synch asks for.
func (c *Config) mode() mode {
	switch c.Synch {
	case Conservative:
		return conservative
	case Optimistic, OptimisticRealTime, OptimisticDebug, RollbackCheck: // the last two roll back what they have handled
		return optimistic
	}
	return sequential
}

// sequential reports whether the scheduler takes one event after the other.
func (c *Config) sequential() bool { return c.mode() == sequential || c.checks() }

// Define makes the LPs (tw_define_lps, tw_lp_settype, tw_lp_setup_types): of the
// only type given, or of those that Config.TypeMap chooses. It returns errors
// about the types, the mapping, the memory and the folder of the trace.
func (s *Simulation) Define(types ...LPType) error {
	if s.stage != stageNew {
		return errors.New("ross: Define: called before on this simulation: make another one with New")
	}
	err := s.agree(s.define(types))
	if err == nil {
		err = s.compareLPs()
	}
	if err == nil {
		err = s.openInstruments()
	}
	if err != nil {
		if cause := s.dropInstruments(); cause != nil {
			err = errors.Join(err, cause)
		}
		s.release()
		return err
	}
	s.stage = stageDefined
	return nil
}

func (s *Simulation) define(types []LPType) error {
	if err := s.addTypes(types); err != nil {
		return err
	}
	if err := s.makeLayout(); err != nil {
		return err
	}
	s.base = PEID(s.rank * s.cfg.PEs)
	for i := range PEID(s.cfg.PEs) {
		pe, err := s.newPE(s.base + i)
		if err != nil {
			return err
		}
		s.pes = append(s.pes, pe)
	}
	s.openLive()
	return s.checkDir()
}

// Run initialises the LPs, runs the simulation to its end and prints the report
// (tw_run). It returns the first error of the model, as a *ModelError, or of
// the output, or ctx's; the report of a run that was cut short says how far it
// came. A nil ctx is one that never ends.
func (s *Simulation) Run(ctx context.Context) error {
	if s.stage != stageDefined {
		return errors.New("ross: Run: the simulation is not at its start: call New, Define, Run once each, in this order")
	}
	s.stage = stageRun
	s.live.enter(PhaseInitialising)
	defer func() { s.live.end(s.stats.Runtime) }()
	if ctx == nil {
		ctx = context.Background()
	}
	s.reportConfig()
	err := s.agree(s.out.Err())
	if err != nil { // they have agreed; one that left before its Run agrees no more
		return err
	}
	if err := s.prepareIO(); err != nil {
		return err
	}
	if s.cfg.sequential() {
		err = s.pes[0].runSequential(ctx)
	} else {
		err = s.runParallel(ctx)
	}
	if ctx.Err() != nil {
		err = s.stoppedInChain(err)
	}
	if errors.Is(err, ErrEngine) { // what it holds may be anything
		s.engineFailed(err)
	}
	if !s.broken {
		err = errors.Join(err, s.guard(s.endStoring))
		err = errors.Join(err, s.guard(func() error { return s.finish(err == nil) }))
	}
	err = s.agree(errors.Join(err, s.out.Err()))
	s.ran = err == nil
	return err
}

// Close gives all memory back (tw_end). It may be called at any time, and
// again. LPs and PEs must not be used after it. The error tells of an event
// that was sent after Run, which can tell it no more.
func (s *Simulation) Close() error {
	if s.stage == stageClosed {
		return nil
	}
	s.leave()
	s.stage = stageClosed
	s.live.end(s.stats.Runtime)
	s.io.load.close()
	err := s.dropInstruments()
	for _, pe := range s.pes {
		err = errors.Join(err, pe.err)
	}
	s.release()
	s.total = 0
	return errors.Join(err, s.closeWorld())
}

// TotalLPs returns the number of LPs on all PEs of all ranks (g_tw_total_lps). It is
// known from New on, so that a model and its Config.TypeMap can ask for it, and 0 after
// Close.
func (s *Simulation) TotalLPs() uint64 { return s.total }

// NumPEs returns the number of PEs of all ranks (tw_nnodes). It is known from New on, and 0
// after Close.
func (s *Simulation) NumPEs() uint64 {
	if s.stage == stageClosed {
		return 0
	}
	return s.numPEs()
}

func (s *Simulation) numPEs() uint64 { return uint64(s.ranks) * uint64(s.cfg.PEs) }

// PE returns the PE with an index below NumPEs, nil beyond, and if it is in another
// rank.
func (s *Simulation) PE(id PEID) *PE {
	if uint64(id-s.base) >= uint64(len(s.pes)) {
		return nil
	}
	return s.pes[id-s.base]
}

// LP returns the LP with a global id, nil if it does not exist, or is in another rank.
func (s *Simulation) LP(id LPID) *LP {
	if s.layout == nil || uint64(id) >= s.total {
		return nil
	}
	pe, local := s.layout.Locate(uint64(id))
	return s.PE(PEID(pe)).LP(int(local))
}

// Rank returns the number of this process among those that mpirun has started, 0 to
// Ranks()-1 (g_tw_mynode), and 0 without MPI.
func (s *Simulation) Rank() int { return s.rank }

// Ranks returns the number of processes that run the simulation, 1 without MPI.
func (s *Simulation) Ranks() int { return s.ranks }

// Report returns where the report goes: Config.Output on rank 0, nowhere on others. A
// model prints to it what is to be printed once.
func (s *Simulation) Report() io.Writer { return s.report }

// Stats returns the figures of the run, complete after Run.
func (s *Simulation) Stats() report.Stats { return s.stats }

// Config returns the configuration of the run.
func (s *Simulation) Config() Config { return s.cfg }

func (s *Simulation) release() {
	for _, pe := range s.pes {
		pe.release()
	}
	if s.space != nil {
		s.space.Release()
	}
	s.pes, s.types, s.layout, s.space = nil, nil, nil, nil
}

func (s *Simulation) warn(text string) {
	if s.cfg.Log != nil {
		s.cfg.Log.Warn("ross: " + text)
	}
}

// printf prints a part of the report.
func (s *Simulation) printf(format string, args ...any) { fmt.Fprintf(s.report, format, args...) }

// TakeProgress has the caller show how the run goes on: no progress lines are printed
// any more, and what the run and its models do print goes through the writer that wrap
// makes of Config.Output, so that it can make way on a terminal that both share. giveBack
// ends that. Both may be called at any time.
func (s *Simulation) TakeProgress(wrap func(w io.Writer) io.Writer) (giveBack func()) {
	return s.out.Take(wrap)
}
